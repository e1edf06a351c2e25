//! Integer sums, logic and selection.

use super::{SHORT8, long_row, row};
use crate::Agx;
use crate::operand::{
    A, ADD_A, ADD_B, ALU_A, ALU_B, AgxLift, B, COND, CSEL_A, CSEL_B, CSEL_COND, CSEL_X, CSEL_Y, D, DEST_44,
    DEST_76, DEST_WIDE, SATURATE, SATURATES, SHIFT, SHIFTED, X, Y, extends,
};
use shisa_diag::Diagnostic;
use shisa_ir::{Convert, Scalar, Value};
use shisa_rows::{Form, Operand, Slot};

const SUM: &[Operand<Agx>] = &[DEST_WIDE, ADD_A, ADD_B, SHIFT, SATURATE];
const LOGIC: &[Operand<Agx>] = &[DEST_44, ALU_A, ALU_B];

#[rustfmt::skip]
pub(super) const ROWS: &[Form<Agx>] = &[
    row("iadd", 8, (0x800_803f, 0xe), SUM, |l| sum(l, false)).says("Adds, the second source shifted; wide as long as it can be, then cut.")
        .examples(&[("iadd     dr0, dr0, 32", 0x0002_0340_030e), ("iadd     r0, 124, r0.sx, lsl 2", 0x0010_0464_003c_010e)]),
    row("isub", 8, (0x800_803f, 0x800_000e), SUM, |l| sum(l, true)).says("Subtracts the second source, shifted.")
        .examples(&[("isub     r0, r2l, r0.sx", 0x0064_0844_010e)]),
    row("and", 6, (0xc0_0c00_807f, 0x80_0000_007e), LOGIC, |l| logic(l, |l, a, b| l.and(a, b))).says("Keeps bits that both sources have.")
        .examples(&[("and      r0, r0, 31", 0x0081_f240_017e)]),
    row("xor", 6, (0xc0_0c00_807f, 0x40_0800_007e), LOGIC, |l| logic(l, |l, a, b| l.xor(a, b))).says("Keeps bits that one of the sources has.")
        .examples(&[("xor      r2, u8, r2", 0x0064_4990_097e)]),
    row("or", 6, (0xc0_0c00_807f, 0xc0_0800_007e), LOGIC, |l| logic(l, |l, a, b| l.or(a, b))).says("Keeps bits that any of the sources has.")
        .examples(&[("or       r5, r2, u33", 0x01d8_2a44_157e)]),
    long_row("csel", (8, 10, 15), (0x7f, 0x12), &[DEST_76, CSEL_A, CSEL_B, CSEL_X, CSEL_Y, CSEL_COND[0], SHORT8], csel).says("Takes the third or the fourth source, as the first two compare.")
        .examples(&[("csel     r2, r1, u12, u5, 0, ult", 0x3001_8a19_8242_0912), ("csel     r94, r99, r15, r32, r94, slt", 0x2c60_a7c0_4025_e246_f912)]),
];

/// A source of a sum in 64 bits.
fn widened(l: &mut AgxLift<'_, '_>, slot: Slot) -> Value {
    let v = l.src(slot);
    if l.ty(v).scalar == Scalar::I64 {
        return v;
    }
    let op = if extends(l, slot) { Convert::SignExtend } else { Convert::ZeroExtend };
    l.convert(op, v, Scalar::I64)
}

fn sum(l: &mut AgxLift<'_, '_>, subtract: bool) {
    if l.insn.field(SATURATES) != 0 {
        return l.refuse(Diagnostic::error("lift-saturate", "saturating integer sums are not known"));
    }
    let (a, b) = (widened(l, A), widened(l, B));
    let by = l.insn.field(SHIFTED);
    if by > 4 {
        return l.refuse(Diagnostic::error("lift-shift", "a sum shifts by at most 4"));
    }
    let by = l.constant(Scalar::I64.by(1), by);
    let b = l.shl(b, by);
    let sum = if subtract { l.isub(a, b) } else { l.iadd(a, b) };
    l.set(D, sum);
}

/// A source with zeros above.
fn word(l: &mut AgxLift<'_, '_>, slot: Slot) -> Value {
    let v = l.src(slot);
    if l.ty(v).scalar == Scalar::I32 { v } else { l.convert(Convert::ZeroExtend, v, Scalar::I32) }
}

fn logic(l: &mut AgxLift<'_, '_>, op: fn(&mut AgxLift<'_, '_>, Value, Value) -> Value) {
    let (a, b) = (word(l, A), word(l, B));
    let v = op(l, a, b);
    l.set(D, v);
}

/// How two integers compare. The signed comparisons extend each source from its own size.
pub(super) fn compare(l: &mut AgxLift<'_, '_>) -> Value {
    let cond = l.insn.field(COND);
    let signed = cond & 4 != 0;
    let [a, b] = [A, B].map(|slot| {
        let v = l.src(slot);
        let op = if signed { Convert::SignExtend } else { Convert::ZeroExtend };
        if l.ty(v).scalar == Scalar::I32 { v } else { l.convert(op, v, Scalar::I32) }
    });
    let held = match cond & 7 {
        0 | 4 => l.ieq(a, b),
        1 => l.ult(a, b),
        2 => l.ult(b, a),
        5 => l.slt(a, b),
        6 => l.slt(b, a),
        _ => {
            l.refuse(Diagnostic::error("lift-condition", "this comparison does not exist"));
            l.ieq(a, b)
        }
    };
    if cond & 8 != 0 { l.not(held) } else { held }
}

fn csel(l: &mut AgxLift<'_, '_>) {
    let held = compare(l);
    let (x, y) = (l.src(X), l.src(Y));
    let v = l.select(held, x, y);
    l.set(D, v);
}
