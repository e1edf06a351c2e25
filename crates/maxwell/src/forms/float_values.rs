//! What arithmetic and comparisons of floats and doubles compute.

use super::float_result::{float, give, refuse_invalid, with_rule, word, zero};
use super::{set, set_predicates, set_register};
use crate::SPECIALS;
use crate::operand::{A, B, C, D, MaxwellLift, R, TABLE};
use shisa_ir::{Binary, FloatRule, NanRule, Op, Reg, Swizzle, Type, Value};
use shisa_rows::Field;

pub(super) fn fadd(l: &mut MaxwellLift<'_, '_>) {
    let (a, b) = (l.src(A), l.src(B));
    let sum = l.fadd(a, b);
    give(l, sum);
}

pub(super) fn fmul(l: &mut MaxwellLift<'_, '_>) {
    let (a, b) = (l.src(A), l.src(B));
    let (a, b) = factors(l, a, b);
    let product = l.fmul(a, b);
    give(l, product);
}

/// The numbers by which the suffixes of a product scale it.
const SCALES: [f32; 8] = [1.0, 0.5, 0.25, 0.125, 8.0, 4.0, 2.0, 1.0];

/// The exact product times a power of two, rounded once. Public code folds multiplications by powers of two into the
/// suffix (Mesa), so scaling must not round. A factor is scaled instead of the product: the smaller one upwards, the
/// larger one downwards, so that it neither overflows nor loses bits unless the product does.
pub(super) fn fmul_scaled(l: &mut MaxwellLift<'_, '_>, scale: Field) {
    let scale = SCALES[scale.get(&l.insn.word) as usize & 7];
    if scale == 1.0 {
        return fmul(l);
    }
    let (a, b) = (l.src(A), l.src(B));
    let (a, b) = factors(l, a, b);
    let exact = FloatRule { flush: l.rule.flush, ..FloatRule::IEEE };
    let (a, b) = with_rule(l, exact, |l| {
        let (magnitude_a, magnitude_b) = (l.fabs(a), l.fabs(b));
        let smaller = l.flt(magnitude_a, magnitude_b);
        let (by, one) = (l.f32(scale, 1), l.f32(1.0, 1));
        let (of_smaller, of_larger) = if scale > 1.0 { (by, one) } else { (one, by) };
        let by_a = l.select(smaller, of_smaller, of_larger);
        let by_b = l.select(smaller, of_larger, of_smaller);
        (l.fmul(a, by_a), l.fmul(b, by_b))
    });
    let product = l.fmul(a, b);
    give(l, product);
}

/// The factors of a product. With `.FMZ`, both are zero if one is: then even infinity and NaN times zero give zero, as
/// tests that others ran on the hardware found. A number within the instruction that is neither zero nor infinite needs
/// no care.
pub(super) fn factors(l: &mut MaxwellLift<'_, '_>, a: Value, b: Value) -> (Value, Value) {
    if !set(l, ".FMZ") || harmless(l, b) {
        return (a, b);
    }
    let zero = zero(l, a);
    let (no_a, no_b) = (l.feq(a, zero), l.feq(b, zero));
    let none = l.or(no_a, no_b);
    (l.select(none, zero, a), l.select(none, zero, b))
}

/// Whether it is a normal number that the instruction contains.
fn harmless(l: &MaxwellLift<'_, '_>, v: Value) -> bool {
    match (l.nodes.list[v.index()].op, l.ty(v)) {
        (Op::Const(bits), Type::F32) => f32::from_bits(bits as u32).is_normal(),
        _ => false,
    }
}

/// The third source may be the destination's register, whose sign is a bit of the operand.
pub(super) fn ffma(l: &mut MaxwellLift<'_, '_>) {
    let (a, b, c) = (l.src(A), l.src(B), l.src(C));
    let c = if l.ty(c) == Type::I32 { accumulator(l) } else { c };
    let (a, b) = factors(l, a, b);
    let sum = l.fma(a, b, c);
    give(l, sum);
}

/// The destination's register as a float, with its sign.
fn accumulator(l: &mut MaxwellLift<'_, '_>) -> Value {
    let c = float(l, C);
    if l.insn.field(C) & 1 != 0 { l.fneg(c) } else { c }
}

/// Of a number and NaN, the number is taken.
pub(super) fn fmnmx(l: &mut MaxwellLift<'_, '_>) {
    l.rule.nan = NanRule::Number;
    let (a, b, least) = (l.src(A), l.src(B), l.src(R));
    let (low, high) = (l.fmin(a, b), l.fmax(a, b));
    let chosen = l.select(least, low, high);
    give(l, chosen);
}

/// The comparisons below the eighth; from the eighth on they hold where the opposite of another does not.
pub(super) fn compare(l: &mut MaxwellLift<'_, '_>, comparison: u64, a: Value, b: Value) -> Value {
    let held = match if comparison < 8 { comparison } else { 15 - comparison } {
        0 => {
            let truth = Binary::FEq.result(l.ty(a));
            l.constant(truth, 0)
        }
        1 => l.flt(a, b),
        2 => l.feq(a, b),
        3 => l.fle(a, b),
        4 => l.flt(b, a),
        5 => {
            let (below, above) = (l.flt(a, b), l.flt(b, a));
            l.or(below, above)
        }
        6 => l.fle(b, a),
        _ => {
            let (a, b) = (l.feq(a, a), l.feq(b, b));
            l.and(a, b)
        }
    };
    if comparison < 8 { held } else { l.not(held) }
}

/// Chooses between words: NaN keeps its bits, denormals stay.
pub(super) fn fcmp(l: &mut MaxwellLift<'_, '_>, comparison: Field) {
    refuse_invalid(l);
    let (a, b, c) = (word(l, A), word(l, B), float(l, C));
    let (comparison, zero) = (comparison.get(&l.insn.word), zero(l, c));
    let held = compare(l, comparison, c, zero);
    let chosen = l.select(held, a, b);
    l.set(D, chosen);
}

pub(super) fn fset(l: &mut MaxwellLift<'_, '_>, comparison: Field) {
    let (a, b) = (l.src(A), l.src(B));
    let comparison = comparison.get(&l.insn.word);
    let held = compare(l, comparison, a, b);
    set_register(l, held);
}

pub(super) fn fsetp(l: &mut MaxwellLift<'_, '_>, comparison: Field) {
    let (a, b) = (l.src(A), l.src(B));
    let comparison = comparison.get(&l.insn.word);
    let held = compare(l, comparison, a, b);
    set_predicates(l, held);
}

/// The lane's number within the wave.
const LANE: Reg = Reg::new(SPECIALS, 0);

/// Each lane adds its own values with the signs that the table has for its position in the quad: `N` negates and `Z`
/// leaves the first source out. The first lane has the highest bits of the table, as nouveau's code generator uses it for
/// derivatives and gradients. `.NDV` does not change the result: it states how lanes may diverge.
pub(super) fn fswzadd(l: &mut MaxwellLift<'_, '_>) {
    let (a, b) = (float(l, A), float(l, B));
    let signs = l.insn.field(TABLE) as i32;
    let lane = l.read(LANE, Swizzle::IDENTITY, Type::I32);
    let (signs, one, three) = (l.i32(signs), l.i32(1), l.i32(3));
    let position = l.and(lane, three);
    let from_last = l.xor(position, three);
    let shift = l.shl(from_last, one);
    let own = l.lshr(signs, shift);
    let own = l.and(own, three);
    let (two, minus_a, minus_b) = (l.i32(2), l.fneg(a), l.fneg(b));
    let [negates_a, negates_b, omits_a] = [one, two, three].map(|code| l.ieq(own, code));
    let a = l.select(negates_a, minus_a, a);
    // -0 changes no sum.
    let nothing = l.f32(-0.0, 1);
    let (a, b) = (l.select(omits_a, nothing, a), l.select(negates_b, minus_b, b));
    let sum = l.fadd(a, b);
    give(l, sum);
}
