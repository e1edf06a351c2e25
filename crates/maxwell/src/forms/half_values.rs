//! What arithmetic and comparisons of pairs of halves compute.
//!
//! Halves are computed as such. Where a source or the result is a float, all sources become floats, and what goes to a
//! half is rounded once more; which steps the hardware rounds is not published.

use super::float_result::{give, refuse_invalid, with_own_nan, with_rule};
use super::float_values::{compare, factors};
use super::{BOOLEAN, joined, set};
use crate::operand::{A, B, C, D, LOW, MaxwellLift, P, Q, R, packed, pair_of_halves, registers};
use shisa_ir::{Convert, FloatRule, Scalar, Value};
use shisa_rows::{Field, Slot};

pub(super) fn hadd2(l: &mut MaxwellLift<'_, '_>) {
    let [a, b] = sources(l, [A, B]);
    let sum = l.fadd(a, b);
    write(l, sum);
}

pub(super) fn hmul2(l: &mut MaxwellLift<'_, '_>) {
    let [a, b] = sources(l, [A, B]);
    let (a, b) = factors(l, a, b);
    let product = l.fmul(a, b);
    write(l, product);
}

pub(super) fn hfma2(l: &mut MaxwellLift<'_, '_>) {
    let [a, b, c] = sources(l, [A, B, C]);
    let (a, b) = factors(l, a, b);
    let sum = l.fma(a, b, c);
    write(l, sum);
}

/// All bits or 1.0 in each half where the comparison, joined with the predicate, holds.
pub(super) fn hset2(l: &mut MaxwellLift<'_, '_>, comparison: Field) {
    let held = compared(l, comparison);
    let yes = if set(l, ".BF") { 0x3c00 } else { 0xffff };
    let ty = Scalar::I16.by(1);
    let (yes, no) = (l.constant(ty, yes), l.constant(ty, 0));
    let halves = held.map(|held| l.select(held, yes, no));
    let halves = l.join(&halves);
    let word = packed(l, halves);
    l.set(D, word);
}

/// Both results, or whether both hold and the opposite, each joined with the predicate.
pub(super) fn hsetp2(l: &mut MaxwellLift<'_, '_>, comparison: Field) {
    let held = compared(l, comparison);
    for (slot, held) in [P, Q].into_iter().zip(held) {
        l.set(slot, held);
    }
}

/// Both comparisons, each joined with the predicate that is read.
fn compared(l: &mut MaxwellLift<'_, '_>, comparison: Field) -> [Value; 2] {
    refuse_invalid(l);
    let [a, b] = sources(l, [A, B]);
    let comparison = comparison.get(&l.insn.word);
    let held = compare(l, comparison, a, b);
    let mut held = [l.component(held, 0), l.component(held, 1)];
    if set(l, ".H_AND") {
        let both = l.and(held[0], held[1]);
        held = [both, l.not(both)];
    }
    let (how, with) = (BOOLEAN.field.get(&l.insn.word), l.src(R));
    held.map(|held| joined(l, how, held, with))
}

/// The sources as pairs of one kind.
fn sources<const N: usize>(l: &mut MaxwellLift<'_, '_>, slots: [Slot; N]) -> [Value; N] {
    let pairs = slots.map(|slot| source(l, slot));
    let wide = set(l, ".F32") || pairs.iter().any(|&v| l.ty(v).scalar == Scalar::F32);
    if wide { pairs.map(|v| widened(l, v)) } else { pairs }
}

/// A source as a pair of halves or of floats: a number is followed by that of the lower half, a float counts twice, and
/// the destination's register has its sign in the operand.
fn source(l: &mut MaxwellLift<'_, '_>, slot: Slot) -> Value {
    let v = l.src(slot);
    match (l.ty(v).scalar, l.ty(v).count) {
        (Scalar::F16, 1) => {
            let low = l.src(LOW);
            l.join(&[low, v])
        }
        (Scalar::I32, _) => {
            let halves = pair_of_halves(l, v, 0);
            if l.insn.field(slot) & 1 != 0 { l.fneg(halves) } else { halves }
        }
        (_, 1) => l.splat(v, 2),
        _ => v,
    }
}

/// As floats, which changes no number; `.FTZ` makes zeros of denormal halves.
fn widened(l: &mut MaxwellLift<'_, '_>, v: Value) -> Value {
    if l.ty(v).scalar == Scalar::F32 {
        return v;
    }
    let exact = FloatRule { flush: l.rule.flush, ..FloatRule::IEEE };
    with_rule(l, exact, |l| l.convert(Convert::Float, v, Scalar::F32))
}

/// Writes both halves, the lower one as a float, or one half besides what was in the other.
fn write(l: &mut MaxwellLift<'_, '_>, pair: Value) {
    if set(l, ".F32") {
        let float = l.component(pair, 0);
        return give(l, float);
    }
    refuse_invalid(l);
    let halves = match l.ty(pair).scalar {
        Scalar::F16 => pair,
        _ => l.convert(Convert::Float, pair, Scalar::F16),
    };
    let halves = with_own_nan(l, halves);
    let word = packed(l, halves);
    let word = match (set(l, ".MRG_H0"), set(l, ".MRG_H1")) {
        (true, _) => merged(l, word, 0xffff),
        (_, true) => merged(l, word, !0xffff),
        _ => word,
    };
    l.set(D, word);
}

/// The bits of the mask from a word, the others from the destination's register.
fn merged(l: &mut MaxwellLift<'_, '_>, word: Value, mask: i32) -> Value {
    let n = l.insn.field(D) & 255;
    let before = registers(l, n, 1);
    let (own, other) = (l.i32(mask), l.i32(!mask));
    let (own, other) = (l.and(word, own), l.and(before, other));
    l.or(own, other)
}
