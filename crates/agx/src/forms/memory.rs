//! Device memory, the stack, and uniforms that a preamble writes.

use super::{LONG6, SHORT_STACK, long_row, row};
use crate::Agx;
use crate::applegpu;
use crate::operand::{
    ATOMIC_DEST, ATOMIC_OP, ATOMIC_SOURCE, AgxLift, COHERENCY, COMPONENTS, D, FORMAT, GROUP, INDEX,
    LOAD_BASE, LOAD_MASK, LOAD_SHIFT, LOADED, SHAPE, STACK_FORMAT, STORED, UNIFORM_DEST, UNIFORM_SOURCE,
    WAIT_GROUP, index, memory_base,
};
use shisa_diag::Diagnostic;
use shisa_ir::{Convert, Scalar, Space, Value};
use shisa_rows::{Form, unstated};

/// Bits that tell what kind of access to the stack it is.
const STACK: u128 = 0x7070_0400_00ff;

#[rustfmt::skip]
pub(super) const ROWS: &[Form<Agx>] = &[
    row("wait", 2, (0xff, 0x38), &[WAIT_GROUP], |_| ()).says("Waits for the accesses of a group.").spelled(applegpu::WAIT)
        .examples(&[("wait     a", 0x38)]),
    long_row("load", (6, 8, 47), (0x4000_0400_007f, 0x4000_0400_0005), &[LOADED, LOAD_BASE, INDEX, LOAD_SHIFT, FORMAT, LOAD_MASK, COHERENCY, GROUP, LONG6], load).says("Loads elements that lie one behind the other.").spelled(applegpu::DEVICE_LOAD)
        .examples(&[("load     r0, du0, 15, lsl 1, i32, x, a", 0x12_c400_0df0_0105), ("load     r12_r13_r14_r15, du2, r5, lsl 2, i32, xyzw, b", 0xf2_c800_4ea4_6105)]),
    row("atomic", 8, (0x4000_8400_003f, 0x4000_8400_0015), &[ATOMIC_DEST, ATOMIC_SOURCE, LOAD_BASE, INDEX, ATOMIC_OP, COHERENCY, GROUP], unstated).says("Changes an element of 32 bits at once, and gives the old one.").spelled(applegpu::ATOMIC)
        .examples(&[("atomic   _, r1, du2, 9, umax, coherent1, a", 0x2_5000_8d94_0195), ("atomic   r1, r8_r9, du12, r1.sx, cmpxchg, coherent1, a", 0x10_d010_8c28_08d5)]),
    long_row("stack_load", (6, 8, 47), (STACK, 0x4000_0400_0035), &[LOADED, INDEX, LOAD_SHIFT, STACK_FORMAT, LOAD_MASK, GROUP, LONG6], unstated).says("Loads elements from the thread's stack.").spelled(applegpu::STACK_LOAD)
        .examples(&[("stack_load r1l_r1h, 16, i16, xy, a", 0x30_c001_0500_0935), ("stack_load r6, r2.sx, i32, x, a", 0x12_c000_0440_3235)]),
    long_row("stack_adjust", (6, 8, 47), (STACK | 0x1_0000, 0x20_0401_00b5), &[INDEX, SHORT_STACK], unstated).says("Moves the stack pointer by so many bytes.").spelled(applegpu::STACK_STORE)
        .examples(&[("stack_adjust 8", 0x20_0581_00b5), ("stack_adjust -8", 0xff00_802f_0581_00b5)]),
    long_row("stack_store", (6, 8, 47), (STACK, 0x4000_0400_00b5), &[STORED, INDEX, LOAD_SHIFT, STACK_FORMAT, LOAD_MASK, GROUP, LONG6], unstated).says("Stores elements to the thread's stack.").spelled(applegpu::STACK_STORE)
        .examples(&[("stack_store r4, 20, i32, x, a", 0x12_c001_0540_22b5)]),
    long_row("mov", (6, 8, 47), (0xd_0cf0_7f0f_03ff, 0x3d00_00c5), &[UNIFORM_DEST, UNIFORM_SOURCE, LONG6], unstated).says("Writes uniforms, in a preamble.").spelled(applegpu::UNIFORM_STORE)
        .examples(&[("mov      du10, dr0", 0xf0_8001_3d40_00c5), ("mov      u20h_u21l, r5", 0x30_8002_3d90_28c5)]),
    long_row("uniform_store_unk", (6, 8, 47), (0xc_00f0_3c0f_007f, 0x3c00_0045), &[STORED, INDEX, LOAD_SHIFT, FORMAT, LOAD_MASK, GROUP, LONG6], unstated).yields_to("mov").says("Writes uniforms as elements of memory.").spelled(applegpu::UNIFORM_STORE)
        .examples(&[("uniform_store_unk r0, r1.sx, i32, x, a", 0x12_8000_3c20_0145)]),
    long_row("store", (6, 8, 47), (0x4000_0400_007f, 0x4000_0400_0045), &[STORED, LOAD_BASE, INDEX, LOAD_SHIFT, FORMAT, LOAD_MASK, COHERENCY, GROUP, LONG6], store).yields_to("mov").yields_to("uniform_store_unk").says("Stores elements one behind the other.").spelled(applegpu::DEVICE_STORE)
        .examples(&[("store    r0, du6, 0, i32, x, a", 0x12_c000_0d0c_0145), ("store    r0l_r0h, du2, r2, lsl 1, i16, xy, a", 0x30_c400_0e44_00c5)]),
];

/// The kind of an element.
fn element(l: &mut AgxLift<'_, '_>) -> Scalar {
    match l.insn.field(SHAPE) {
        0 => Scalar::I8,
        1 | 3 => Scalar::I16,
        2 => Scalar::I32,
        _ => {
            l.refuse(Diagnostic::error("lift-format", "this memory format is not known"));
            Scalar::I32
        }
    }
}

/// Calls `f` with the address of each element of the mask.
fn each(l: &mut AgxLift<'_, '_>, kind: Scalar, mut f: impl FnMut(&mut AgxLift<'_, '_>, u8, Value)) {
    let size = kind.bits() / 8;
    let (base, first) = (memory_base(l, size), index(l));
    let shift = l.constant(Scalar::I64.by(1), u64::from(size.trailing_zeros()));
    let bytes = l.shl(first, shift);
    let start = l.iadd(base, bytes);
    let mask = l.insn.field(COMPONENTS);
    if mask == 0 {
        l.refuse(Diagnostic::error("lift-mask", "no element is chosen"));
    }
    for (n, i) in (0..4).filter(|i| mask >> i & 1 != 0).enumerate() {
        let offset = l.constant(Scalar::I64.by(1), u64::from(size) * i);
        let address = l.iadd(start, offset);
        f(l, n as u8, address);
    }
}

fn load(l: &mut AgxLift<'_, '_>) {
    let kind = element(l);
    let mut parts = alloc::vec::Vec::new();
    each(l, kind, |l, _, address| {
        let v = l.load(Space::Global, address, kind.by(1));
        parts.push(v);
    });
    if !parts.is_empty() {
        let v = l.join(&parts);
        l.set(D, v);
    }
}

fn store(l: &mut AgxLift<'_, '_>) {
    let kind = element(l);
    let values = l.src(D);
    each(l, kind, |l, n, address| {
        let v = l.component(values, n);
        let from = l.ty(v).scalar;
        let v = if from.bits() > kind.bits() {
            l.convert(Convert::Truncate, v, kind)
        } else if from.bits() < kind.bits() {
            l.convert(Convert::ZeroExtend, v, kind)
        } else {
            v
        };
        l.store(Space::Global, address, v);
    });
}
