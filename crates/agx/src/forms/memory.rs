//! Device memory, the stack, and uniforms that a preamble writes.

use super::{LONG6, SHORT_STACK, elements, long_row, row};
use crate::Agx;
use crate::applegpu;
use crate::facts::{Facts, Memory};
use crate::operand::{
    A, ATOMIC_DEST, ATOMIC_OP, ATOMIC_SOURCE, AgxLift, B, CMPXCHG, COHERENCY, D, FORMAT, GROUP, INDEX,
    LOAD_BASE, LOAD_MASK, LOAD_SHIFT, LOADED, OPERATION, STACK_FORMAT, STORED, Size, TAKEN, UNIFORM_DEST,
    UNIFORM_SOURCE, WAIT_GROUP, index, memory_base,
};
use crate::options::{UniformElements, left_open};
use crate::registers::STACK_POINTER;
use shisa_diag::Diagnostic;
use shisa_ir::{Atomic, Binary, Convert, Mask, Scalar, Space, Swizzle, Type, Value};
use shisa_rows::Form;

/// Bits that state the kind of access to the stack.
const STACK: u128 = 0x7070_0400_00ff;

#[rustfmt::skip]
pub(super) const ROWS: &[Form<Agx>] = &[
    row("wait", Facts::WAIT, 2, (0xff, 0x38), &[WAIT_GROUP], |_| ()).says("Waits for the accesses of a group.").spelled(applegpu::WAIT)
        .examples(&[("wait     a", 0x38)]),
    long_row("load", Facts::memory(Memory::Device), (6, 8, 47), (0x4000_0400_007f, 0x4000_0400_0005), &[LOADED, LOAD_BASE, INDEX, LOAD_SHIFT, FORMAT, LOAD_MASK, COHERENCY, GROUP, LONG6], load).says("Loads consecutive elements.").spelled(applegpu::DEVICE_LOAD)
        .examples(&[("load     r0, du0, 15, lsl 1, i32, x, a", 0x12_c400_0df0_0105), ("load     r12_r13_r14_r15, du2, r5, lsl 2, i32, xyzw, b", 0xf2_c800_4ea4_6105)]),
    row("atomic", Facts::memory(Memory::Device), 8, (0x4000_8400_003f, 0x4000_8400_0015), &[ATOMIC_DEST, ATOMIC_SOURCE, LOAD_BASE, INDEX, ATOMIC_OP, COHERENCY, GROUP], atomic).says("Changes an element of 32 bits atomically, and returns the old one.").spelled(applegpu::ATOMIC)
        .examples(&[("atomic   _, r1, du2, 9, umax, coherent1, a", 0x2_5000_8d94_0195), ("atomic   r1, r8_r9, du12, r1.sx, cmpxchg, coherent1, a", 0x10_d010_8c28_08d5)]),
    long_row("stack_load", Facts::memory(Memory::Stack), (6, 8, 47), (STACK, 0x4000_0400_0035), &[LOADED, INDEX, LOAD_SHIFT, STACK_FORMAT, LOAD_MASK, GROUP, LONG6], stack_load).says("Loads elements from the thread's stack.").spelled(applegpu::STACK_LOAD)
        .examples(&[("stack_load r1l_r1h, 16, i16, xy, a", 0x30_c001_0500_0935), ("stack_load r6, r2.sx, i32, x, a", 0x12_c000_0440_3235)]),
    long_row("stack_adjust", Facts::memory(Memory::StackPointer), (6, 8, 47), (STACK | 0x1_0000, 0x20_0401_00b5), &[INDEX, SHORT_STACK], stack_adjust).says("Reserves so many 32-bit words of the stack.").spelled(applegpu::STACK_STORE)
        .examples(&[("stack_adjust 8", 0x20_0581_00b5), ("stack_adjust -8", 0xff00_802f_0581_00b5)]),
    long_row("stack_store", Facts::memory(Memory::Stack), (6, 8, 47), (STACK, 0x4000_0400_00b5), &[STORED, INDEX, LOAD_SHIFT, STACK_FORMAT, LOAD_MASK, GROUP, LONG6], stack_store).says("Stores elements to the thread's stack.").spelled(applegpu::STACK_STORE)
        .examples(&[("stack_store r4, 20, i32, x, a", 0x12_c001_0540_22b5)]),
    long_row("mov", Facts::memory(Memory::Uniforms), (6, 8, 47), (0xd_0cf0_7f0f_03ff, 0x3d00_00c5), &[UNIFORM_DEST, UNIFORM_SOURCE, LONG6], uniform_store).says("Writes uniforms, in a preamble.").spelled(applegpu::UNIFORM_STORE)
        .examples(&[("mov      du10, dr0", 0xf0_8001_3d40_00c5), ("mov      u20h_u21l, r5", 0x30_8002_3d90_28c5)]),
    long_row("uniform_store_unk", Facts::memory(Memory::UniformElements), (6, 8, 47), (0xc_00f0_3c0f_007f, 0x3c00_0045), &[STORED, INDEX, LOAD_SHIFT, FORMAT, LOAD_MASK, GROUP, LONG6], uniform_elements).yields_to("mov").says("Writes uniforms as elements of memory.").spelled(applegpu::UNIFORM_STORE)
        .examples(&[("uniform_store_unk r0, r1.sx, i32, x, a", 0x12_8000_3c20_0145)]),
    long_row("store", Facts::memory(Memory::Device), (6, 8, 47), (0x4000_0400_007f, 0x4000_0400_0045), &[STORED, LOAD_BASE, INDEX, LOAD_SHIFT, FORMAT, LOAD_MASK, COHERENCY, GROUP, LONG6], store).yields_to("mov").yields_to("uniform_store_unk").says("Stores consecutive elements.").spelled(applegpu::DEVICE_STORE)
        .examples(&[("store    r0, du6, 0, i32, x, a", 0x12_c000_0d0c_0145), ("store    r0l_r0h, du2, r2, lsl 1, i16, xy, a", 0x30_c400_0e44_00c5)]),
];

/// Whether the registers have 32 bits.
fn size(l: &AgxLift<'_, '_>) -> Size {
    if l.insn.word >> 49 & 1 != 0 { Size::Word } else { Size::Half }
}

/// The number of the first element. For words that hold several elements it is not shifted.
fn first(l: &mut AgxLift<'_, '_>) -> Value {
    if elements::in_words(l) { l.src(B) } else { index(l) }
}

/// The address of elements of the given number of bytes in device memory.
fn device(l: &mut AgxLift<'_, '_>, bytes: u8) -> Value {
    let (base, first) = (memory_base(l, bytes), first(l));
    let by = l.constant(Scalar::I64.by(1), u64::from(bytes.trailing_zeros()));
    let offset = l.shl(first, by);
    l.iadd(base, offset)
}

/// The address of a byte of the stack: the stack grows downwards, and its pointer begins at 0.
fn stack(l: &mut AgxLift<'_, '_>, _: u8) -> Value {
    let offset = first(l);
    let offset = l.convert(Convert::Truncate, offset, Scalar::I32);
    let pointer = l.read(STACK_POINTER, Swizzle::IDENTITY, Type::I32);
    l.iadd(pointer, offset)
}

fn load(l: &mut AgxLift<'_, '_>) {
    let size = size(l);
    elements::load(l, Space::Global, device, size);
}

fn store(l: &mut AgxLift<'_, '_>) {
    elements::store(l, Space::Global, device);
}

fn stack_load(l: &mut AgxLift<'_, '_>) {
    let size = size(l);
    elements::load(l, Space::Local, stack, size);
}

fn stack_store(l: &mut AgxLift<'_, '_>) {
    elements::store(l, Space::Local, stack);
}

/// Mesa's compiler passes the number of 32-bit words that its metadata states as `scratch_size`.
fn stack_adjust(l: &mut AgxLift<'_, '_>) {
    let words = l.src(B);
    let words = l.convert(Convert::Truncate, words, Scalar::I32);
    let two = l.constant(Type::I32, 2);
    let by = l.shl(words, two);
    let pointer = l.read(STACK_POINTER, Swizzle::IDENTITY, Type::I32);
    let pointer = l.isub(pointer, by);
    l.write(STACK_POINTER, Mask::first(1), pointer);
}

fn atomic(l: &mut AgxLift<'_, '_>) {
    let address = device(l, 4);
    change(l, Space::Global, address);
}

/// Changes a word of memory as the row says.
pub(super) fn change(l: &mut AgxLift<'_, '_>, space: Space, address: Value) {
    let taken = l.src(TAKEN);
    let value = l.component(taken, 0);
    let mut expected = None;
    let op = match l.insn.field(OPERATION) {
        0 => Atomic::Combine(Binary::IAdd),
        1 => Atomic::Combine(Binary::ISub),
        2 => Atomic::Exchange,
        CMPXCHG => {
            expected = Some(l.component(taken, 1));
            Atomic::CompareExchange
        }
        4 => Atomic::Combine(Binary::UMin),
        5 => Atomic::Combine(Binary::SMin),
        6 => Atomic::Combine(Binary::UMax),
        7 => Atomic::Combine(Binary::SMax),
        8 => Atomic::Combine(Binary::And),
        9 => Atomic::Combine(Binary::Or),
        10 => Atomic::Combine(Binary::Xor),
        _ => return l.refuse(Diagnostic::error("lift-atomic", "this atomic operation does not exist")),
    };
    let old = l.atomic(op, (space, address), value, expected);
    l.set(D, old);
}

/// Halves are in pairs of bytes.
fn uniform_store(l: &mut AgxLift<'_, '_>) {
    let values = l.src(A);
    let unit = UNIFORM_DEST.field.get(&l.insn.word) & 0xffff;
    for i in 0..l.ty(values).count {
        let address = l.constant(Type::I32, 2 * (unit + u64::from(i)));
        let v = l.component(values, i);
        l.store(Space::Uniforms, address, v);
    }
}

/// Elements begin at the first uniform.
fn uniform_elements(l: &mut AgxLift<'_, '_>) {
    if l.ctx.options.uniform_elements == UniformElements::Refuse {
        return left_open(l, "what uniform_store_unk does", &["uniform-elements=memory"]);
    }
    elements::store(l, Space::Uniforms, |l, bytes| {
        let first = index(l);
        let by = l.constant(Scalar::I64.by(1), u64::from(bytes.trailing_zeros()));
        let offset = l.shl(first, by);
        l.convert(Convert::Truncate, offset, Scalar::I32)
    });
}
