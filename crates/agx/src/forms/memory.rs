//! Device memory.

use super::{LONG6, long_row, row};
use crate::Agx;
use crate::operand::{
    AgxLift, COHERENCY, COMPONENTS, D, FORMAT, GROUP, INDEX, LOAD_BASE, LOAD_MASK, LOAD_SHIFT, MEMORY, SHAPE,
    WAIT_GROUP, index, memory_base,
};
use shisa_diag::Diagnostic;
use shisa_ir::{Convert, Scalar, Space, Value};
use shisa_rows::{Form, Operand};

const OPERANDS: &[Operand<Agx>] =
    &[MEMORY, LOAD_BASE, INDEX, LOAD_SHIFT, FORMAT, LOAD_MASK, COHERENCY, GROUP, LONG6];

#[rustfmt::skip]
pub(super) const ROWS: &[Form<Agx>] = &[
    long_row("load", (6, 8, 47), (0x4000_0400_007f, 0x4000_0400_0005), OPERANDS, load).says("Loads elements that lie one behind the other.")
        .examples(&[("load     r0, du0, 15, lsl 1, i32, x, a", 0x0012_c400_0df0_0105), ("load     r12_r13_r14_r15, du2, r5, lsl 2, i32, xyzw, b", 0x00f2_c800_4ea4_6105)]),
    long_row("store", (6, 8, 47), (0x4000_0400_007f, 0x4000_0400_0045), OPERANDS, store).says("Stores elements one behind the other.")
        .examples(&[("store    r112_r113_r114, dr104, r101.sx, i32, xyz, a", 0x0072_c3dc_04a0_8145), ("store    r4l, dr8, r5, i8, x, b", 0x0010_c010_46a0_2045)]),
    row("wait", 2, (0xff, 0x38), &[WAIT_GROUP], |_| ()).says("Waits for the accesses of a group.")
        .examples(&[("wait     a", 0x38)]),
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
