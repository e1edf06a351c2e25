//! Memory that a workgroup shares.

use super::{LONG_LOCAL, elements, long_row, memory, row};
use crate::Agx;
use crate::applegpu;
use crate::facts::{Barrier, Facts, Memory};
use crate::operand::{
    A, AgxLift, B, LOCAL_ATOMIC_DEST, LOCAL_ATOMIC_OP, LOCAL_ATOMIC_SOURCE, LOCAL_BASE, LOCAL_FORMAT,
    LOCAL_INDEX, LOCAL_LOADED, LOCAL_MASK, LOCAL_STORED, Size,
};
use shisa_ir::{Op, Space, Type, Value};
use shisa_rows::{Form, Spelling};

#[rustfmt::skip]
pub(super) const ROWS: &[Form<Agx>] = &[
    long_row("lload", Facts::memory(Memory::Shared), (6, 8, 15), (0x7f, 0x69), &[LOCAL_LOADED, LOCAL_BASE, LOCAL_INDEX, LOCAL_FORMAT, LOCAL_MASK, LONG_LOCAL], load).says("Loads elements from the workgroup's memory.").spelled(Spelling::new("threadgroup_load", applegpu::THREADGROUP))
        .examples(&[("lload    r1, r2l, 0, i32, x", 0x14_0204_8569), ("lload    r3, 0, i32, x", 0x14_0280_8d69)]),
    long_row("lstore", Facts::memory(Memory::Shared), (6, 8, 15), (0x7f, 0x29), &[LOCAL_STORED, LOCAL_BASE, LOCAL_INDEX, LOCAL_FORMAT, LOCAL_MASK, LONG_LOCAL], store).says("Stores elements to the workgroup's memory.").spelled(Spelling::new("threadgroup_store", applegpu::THREADGROUP))
        .examples(&[("lstore   r4_r5_r6_r7, u6l, 0, i32, xyzw", 0xf4_024c_9129)]),
    long_row("latomic", Facts::memory(Memory::Shared), (6, 10, 15), (0x8010_0000_003f, 0x8010_0000_0019), &[LOCAL_ATOMIC_DEST, LOCAL_ATOMIC_SOURCE, LOCAL_BASE, LOCAL_INDEX, LOCAL_ATOMIC_OP, LONG_LOCAL], atomic).says("Changes an element of the workgroup's memory atomically, and returns the old one.").spelled(applegpu::THREADGROUP_ATOMIC)
        .examples(&[("latomic  _, r3, r0h, 0, umax", 0x6_0000_8014_0601_8019), ("latomic  r6, r6_r7, 0, cmpxchg", 0xc_0000_8054_0380_9919)]),
    row("barrier", Facts::barrier(Barrier::Threads), 2, (0xff, 0x68), &[], barrier).says("Waits for all threads of the workgroup.").spelled(Spelling::new("threadgroup_barrier", &[]))
        .examples(&[("barrier", 0x68)]),
];

/// The address of elements of the given number of bytes.
fn place(l: &mut AgxLift<'_, '_>, bytes: u8) -> Value {
    let base = l.src(A);
    let first = l.src(B);
    let by = l.constant(Type::I32, u64::from(bytes.trailing_zeros()));
    let offset = l.shl(first, by);
    l.iadd(base, offset)
}

fn load(l: &mut AgxLift<'_, '_>) {
    let size = if l.insn.word >> 8 & 1 != 0 { Size::Word } else { Size::Half };
    elements::load(l, Space::Shared, place, size);
}

fn store(l: &mut AgxLift<'_, '_>) {
    elements::store(l, Space::Shared, place);
}

fn atomic(l: &mut AgxLift<'_, '_>) {
    let address = place(l, 4);
    memory::change(l, Space::Shared, address);
}

fn barrier(l: &mut AgxLift<'_, '_>) {
    l.push(Op::Barrier, Type::NONE);
}
