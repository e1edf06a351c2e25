//! Integer sums and products: exact in as many bits as needed, then truncated to the destination or clamped.

use super::row;
use crate::Agx;
use crate::applegpu;
use crate::facts::Facts;
use crate::operand::{
    A, ADD_A, ADD_B, AgxLift, B, C, D, DEST_PRODUCT, DEST_SUM, MUL_A, MUL_B, MUL_C, SATURATE, SATURATES,
    SHIFT, SHIFTED, dest_bits, extends, is_double, is_double_dest,
};
use shisa_diag::Diagnostic;
use shisa_ir::{Convert, Scalar, Value};
use shisa_rows::{Form, Operand, Slot};

const SUM: &[Operand<Agx>] = &[DEST_SUM, ADD_A, ADD_B, SHIFT, SATURATE];
const MULTIPLY_ADD: &[Operand<Agx>] = &[DEST_PRODUCT, MUL_A, MUL_B, MUL_C, SHIFT, SATURATE];

#[rustfmt::skip]
pub(super) const ROWS: &[Form<Agx>] = &[
    row("iadd", Facts::SIMPLE, 8, (0x800_803f, 0xe), SUM, |l| sum(l, false)).says("Adds, the second source shifted; wide as long as it can be, then cut.").spelled(applegpu::saturating("iadd", applegpu::SUM))
        .examples(&[("iadd     dr0, dr0, 32", 0x0002_0340_030e), ("iadd     r0, 124, r0.sx, lsl 2", 0x0010_0464_003c_010e)]),
    row("isub", Facts::SIMPLE, 8, (0x800_803f, 0x800_000e), SUM, |l| sum(l, true)).says("Subtracts the second source, shifted.").spelled(applegpu::saturating("isub", applegpu::SUM))
        .examples(&[("isub     r0, r2l, r0.sx", 0x0064_0844_010e)]),
    row("imul", Facts::COMPLEX, 8, (0xf7_ff80_0800_803f, 0x1e), &[DEST_PRODUCT, MUL_A, MUL_B, SATURATE], |l| product(l, None)).says("Multiplies.").spelled(applegpu::saturating("imadd", applegpu::PRODUCT))
        .examples(&[("imul     r4, r4.sx, r7.sx", 0x64_e648_111e), ("imul     dr12, r10, r8", 0x25_0254_331e)]),
    row("imadd", Facts::COMPLEX, 8, (0x800_803f, 0x1e), MULTIPLY_ADD, |l| product(l, Some(false))).yields_to("imul").says("Multiplies and adds the third source, shifted.").spelled(applegpu::saturating("imadd", applegpu::MULTIPLY_ADD))
        .examples(&[("imadd    r8, r2.sx, u18.sx, r8.sx", 0x0006_505a_4644_211e)]),
    row("imsub", Facts::COMPLEX, 8, (0x800_803f, 0x800_001e), MULTIPLY_ADD, |l| product(l, Some(true))).says("Multiplies and subtracts the third source, shifted.").spelled(applegpu::saturating("imsub", applegpu::MULTIPLY_ADD))
        .examples(&[("imsub    r6, r6.sx, r9.sx, r8.sx", 0x0006_5065_2e4c_191e)]),
];

/// A source in 64 bits.
fn widened(l: &mut AgxLift<'_, '_>, slot: Slot) -> Value {
    let v = l.src(slot);
    if l.ty(v).scalar == Scalar::I64 {
        return v;
    }
    let op = if extends(l, slot) { Convert::SignExtend } else { Convert::ZeroExtend };
    l.convert(op, v, Scalar::I64)
}

/// A source in 64 bits, shifted by the row's amount.
fn shifted(l: &mut AgxLift<'_, '_>, slot: Slot) -> Value {
    let v = widened(l, slot);
    let by = l.insn.field(SHIFTED);
    if by > 4 {
        l.refuse(Diagnostic::error("lift-shift", "a sum shifts by at most 4"));
    }
    let by = wide(l, by);
    l.shl(v, by)
}

fn wide(l: &mut AgxLift<'_, '_>, v: u64) -> Value {
    l.constant(Scalar::I64.by(1), v)
}

/// Whether the result is clamped: if requested, nothing is shifted, and nothing has 64 bits.
fn clamps(l: &AgxLift<'_, '_>, terms: &[Slot]) -> bool {
    let asked = l.insn.field(SATURATES) != 0 && l.insn.field(SHIFTED) == 0;
    asked && !is_double_dest(l.insn.word) && !terms.iter().any(|s| is_double(l, *s))
}

/// A number in signed 64 bits, clamped to the destination's signed or unsigned range.
fn clamped(l: &mut AgxLift<'_, '_>, v: Value, signed: bool) -> Value {
    let bits = dest_bits(l.insn.word).scalar().bits();
    let (least, most) = match signed {
        true => (-1i64 << (bits - 1), (1i64 << (bits - 1)) - 1),
        false => (0, (1i64 << bits) - 1),
    };
    between(l, v, least, most)
}

fn between(l: &mut AgxLift<'_, '_>, v: Value, least: i64, most: i64) -> Value {
    let [least, most] = [least, most].map(|bound| wide(l, bound as u64));
    let v = l.smax(v, least);
    l.smin(v, most)
}

fn sum(l: &mut AgxLift<'_, '_>, subtract: bool) {
    let (a, b) = (widened(l, A), shifted(l, B));
    let mut sum = if subtract { l.isub(a, b) } else { l.iadd(a, b) };
    if clamps(l, &[A, B]) {
        let signed = extends(l, A) || extends(l, B);
        sum = clamped(l, sum, signed);
    }
    l.set(D, sum);
}

/// The product, and the third source added or subtracted if there is one.
fn product(l: &mut AgxLift<'_, '_>, subtract: Option<bool>) {
    let (a, b) = (widened(l, A), widened(l, B));
    let mut v = l.imul(a, b);
    let third: &[Slot] = if subtract.is_some() { &[C] } else { &[] };
    let clamps = clamps(l, third);
    let signed = extends(l, A) || extends(l, B);
    if clamps {
        // Far beyond the destination's range the exact number does not matter, and the sum below stays within 64
        // bits.
        const FAR: i64 = 1 << 40;
        v = if signed {
            between(l, v, -FAR, FAR)
        } else {
            let far = wide(l, FAR as u64);
            l.umin(v, far)
        };
    }
    if let Some(subtract) = subtract {
        let c = shifted(l, C);
        v = if subtract { l.isub(v, c) } else { l.iadd(v, c) };
    }
    if clamps {
        let signed = signed || subtract.is_some() && extends(l, C);
        v = clamped(l, v, signed);
    }
    l.set(D, v);
}
