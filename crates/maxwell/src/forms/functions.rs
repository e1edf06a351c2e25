//! What MUFU, RRO and FCHK compute.

use super::float_result::{give, refuse_invalid, with_rule};
use super::{UNDEFINED, set};
use crate::Chip;
use crate::operand::{A, B, D, MaxwellLift, P};
use shisa_diag::Diagnostic;
use shisa_ir::{Convert, FloatRule, Scalar, Type, Value};
use shisa_rows::Field;

/// Bits below the point of what RRO gives.
const FRACTION: i32 = 23;
/// The mark of what is no number in what RRO gives; together with [`INFINITE`] of infinity, else of NaN.
const SPECIAL: i32 = 1 << 30;
/// See [`SPECIAL`].
const INFINITE: i32 = 1 << FRACTION;
/// 2/π times 2^24, for the range of sine and cosine.
const QUARTERS: i32 = 0xa2_f983;

/// Functions, correctly rounded. Denormal operands and results count as zero: tests that others ran on the hardware
/// found so, and compilers scale operands and results where denormals matter. The hardware is off by about one unit of
/// the last digit; how is not published.
pub(super) fn mufu(l: &mut MaxwellLift<'_, '_>, function: Field) {
    let a = l.src(A);
    let saturate = set(l, ".SAT");
    let rule = FloatRule { flush: true, ..FloatRule::IEEE };
    let value = with_rule(l, rule, |l| {
        let value = computed(l, function.get(&l.insn.word), a);
        if saturate { l.fsat(value) } else { value }
    });
    give(l, value);
}

fn computed(l: &mut MaxwellLift<'_, '_>, function: u64, a: Value) -> Value {
    match function {
        0 => sine(l, a, 1),
        1 => sine(l, a, 0),
        2 => power(l, a),
        3 => l.flog2(a),
        4 => l.frcp(a),
        5 => l.frsqrt(a),
        6 => upper(l, a, |l, a| l.frcp(a)),
        7 => upper(l, a, |l, a| l.frsqrt(a)),
        8 if l.ctx.chip >= Chip::Sm52 => l.fsqrt(a),
        _ => {
            l.refuse(Diagnostic::error(UNDEFINED, "this chip has no such function"));
            a
        }
    }
}

/// The sine of what RRO gives, `quarters` of a circle further. Bits 23 and 24 are the quadrant, those below the fraction
/// of it. In odd quadrants the complement of the fraction counts, which is one unit short: so the cosine of
/// π/2 is exactly 0, as tests that others ran on the hardware found.
fn sine(l: &mut MaxwellLift<'_, '_>, a: Value, quarters: i32) -> Value {
    let bits = l.convert(Convert::Bits, a, Scalar::I32);
    let (further, fraction_bits) = (l.i32(quarters << FRACTION), l.i32(INFINITE - 1));
    let moved = l.iadd(bits, further);
    let inverse = l.not(moved);
    let (odd, second) = (flag(l, moved, INFINITE), flag(l, moved, INFINITE << 1));
    let fraction = l.select(odd, inverse, moved);
    let fraction = l.and(fraction, fraction_bits);
    let fraction = fixed(l, fraction);
    let ratio = l.fsinc(fraction);
    let value = l.fmul(ratio, fraction);
    let zero = l.i32(0);
    let minus = if quarters == 0 { l.slt(bits, zero) } else { l.constant(Type::BOOL, 0) };
    let (minus, opposite) = (l.xor(minus, second), l.fneg(value));
    let value = l.select(minus, opposite, value);
    let (special, none) = (flag(l, bits, SPECIAL), l.f32(f32::NAN, 1));
    l.select(special, none, value)
}

/// Two to the power of what RRO gives.
fn power(l: &mut MaxwellLift<'_, '_>, a: Value) -> Value {
    let bits = l.convert(Convert::Bits, a, Scalar::I32);
    let (zero, number_bits) = (l.i32(0), l.i32(SPECIAL - 1));
    let minus = l.slt(bits, zero);
    let number = l.and(bits, number_bits);
    let opposite = l.ineg(number);
    let number = l.select(minus, opposite, number);
    let exponent = fixed(l, number);
    let value = l.fexp2(exponent);
    let [none, nothing, all] = [f32::NAN, 0.0, f32::INFINITY].map(|v| l.f32(v, 1));
    let (special, infinite) = (flag(l, bits, SPECIAL), flag(l, bits, INFINITE));
    let end = l.select(minus, nothing, all);
    let end = l.select(infinite, end, none);
    l.select(special, end, value)
}

/// An integer with [`FRACTION`] bits below the point as a float.
fn fixed(l: &mut MaxwellLift<'_, '_>, integer: Value) -> Value {
    let float = l.convert(Convert::SignedToFloat, integer, Scalar::F32);
    let unit = l.f32(1.0 / INFINITE as f32, 1);
    l.fmul(float, unit)
}

/// Whether a bit is set.
fn flag(l: &mut MaxwellLift<'_, '_>, bits: Value, bit: i32) -> Value {
    let (bit, zero) = (l.i32(bit), l.i32(0));
    let set = l.and(bits, bit);
    l.ine(set, zero)
}

/// The function of the double whose upper word this is and whose lower word is zero: the upper word of the result,
/// rounded to the nearest.
fn upper(
    l: &mut MaxwellLift<'_, '_>,
    a: Value,
    function: impl FnOnce(&mut MaxwellLift<'_, '_>, Value) -> Value,
) -> Value {
    if set(l, ".SAT") {
        l.refuse(Diagnostic::error(UNDEFINED, "half of a double does not saturate"));
    }
    let (bits, low) = (l.convert(Convert::Bits, a, Scalar::I32), l.i32(0));
    let words = l.join(&[low, bits]);
    let double = l.pair(words, Scalar::F64);
    let value = function(l, double);
    let bits = l.convert(Convert::Bits, value, Scalar::I64);
    let ty = l.ty(bits);
    let (half, shift) = (l.constant(ty, 1 << 31), l.constant(ty, 32));
    let rounded = l.iadd(bits, half);
    let upper = l.lshr(rounded, shift);
    let upper = l.convert(Convert::Truncate, upper, Scalar::I32);
    l.convert(Convert::Bits, upper, Scalar::F32)
}

/// The operand of MUFU.SIN and .COS or of .EX2 as a fixed-point number: the sign at bit 31, 23 bits below the point,
/// truncated. For sine and cosine it is the number of quadrants without whole circles (25 bits), for the power
/// the number itself (30 bits). Bit 30 marks what is no number: NaN, and with bit 23 infinity. Powers of 128 and more
/// count as infinity, denormals as zero.
///
/// envytools documents this layout, from measurements, for the first chips (Tesla). MUFU of Maxwell agrees where tests
/// that others ran on the hardware looked.
pub(super) fn rro(l: &mut MaxwellLift<'_, '_>, mode: Field) {
    let power = mode.get(&l.insn.word) != 0;
    let a = l.src(B);
    let bits = l.convert(Convert::Bits, a, Scalar::I32);
    let (sign, exponent, digits) = fields(l, bits);
    let (count, point) = if power { (digits, 127) } else { (quarters(l, digits), 135) };
    let point = l.i32(point);
    let (left, right) = (l.isub(exponent, point), l.isub(point, exponent));
    // One of both shifts is by a large number: it gives zero.
    let (more, less) = (l.shl(count, left), l.lshr(count, right));
    let number = l.or(more, less);
    let number = if power { number } else { masked(l, number, 4 * INFINITE - 1) };
    let reduced = ends(l, if power { 134 } else { 255 }, exponent, digits, number);
    let reduced = l.or(reduced, sign);
    l.set(D, reduced);
}

/// Sign, exponent and digits, with the leading one, of a float.
fn fields(l: &mut MaxwellLift<'_, '_>, bits: Value) -> (Value, Value, Value) {
    let (fraction, one) = (masked(l, bits, INFINITE - 1), l.i32(INFINITE));
    let shift = l.i32(FRACTION);
    let exponent = l.lshr(bits, shift);
    (masked(l, bits, i32::MIN), masked(l, exponent, 255), l.or(fraction, one))
}

fn masked(l: &mut MaxwellLift<'_, '_>, bits: Value, mask: i32) -> Value {
    let mask = l.i32(mask);
    l.and(bits, mask)
}

/// Quadrants: the upper 32 bits of the digits, which are 24, times [`QUARTERS`].
fn quarters(l: &mut MaxwellLift<'_, '_>, digits: Value) -> Value {
    let (eight, factor) = (l.i32(8), l.i32(QUARTERS << 8));
    let digits = l.shl(digits, eight);
    l.umul_hi(digits, factor)
}

/// The number, or what marks infinity, from exponent `last` on, and NaN.
fn ends(l: &mut MaxwellLift<'_, '_>, last: i32, exponent: Value, digits: Value, number: Value) -> Value {
    let [last, none, one, infinite, special] =
        [last, 255, INFINITE, SPECIAL | INFINITE, SPECIAL].map(|v| l.i32(v));
    let (is_end, is_last) = (l.ule(last, exponent), l.ieq(exponent, none));
    let has_payload = l.ine(digits, one);
    let is_nan = l.and(is_last, has_payload);
    let end = l.select(is_nan, special, infinite);
    l.select(is_end, end, number)
}

/// Exponents of a dividend, of a divisor and of their quotient, in the format of a float, with which the plain sequence
/// of a division gives the rounded quotient.
const DIVIDENDS: (i32, i32) = (26, 254);
const DIVISORS: (i32, i32) = (1, 252);
const QUOTIENTS: (i32, i32) = (3, 252);

/// Whether a quotient needs the slow method. The plain sequence refines a reciprocal and corrects the quotient by its
/// remainder, with FFMA; it needs a normal divisor whose reciprocal is normal, a quotient that is normal, and a
/// dividend so large that the remainder is exact. What the hardware accepts is not published; the slow method is right
/// for all operands.
pub(super) fn fchk(l: &mut MaxwellLift<'_, '_>, mode: Field) {
    refuse_invalid(l);
    if mode.get(&l.insn.word) != 0 {
        return;
    }
    let [a, b] = [A, B].map(|slot| {
        let source = l.src(slot);
        let bits = l.convert(Convert::Bits, source, Scalar::I32);
        fields(l, bits).1
    });
    let (difference, bias) = (l.isub(a, b), l.i32(127));
    let quotient = l.iadd(difference, bias);
    let [a, b, quotient] =
        [(a, DIVIDENDS), (b, DIVISORS), (quotient, QUOTIENTS)].map(|(v, range)| outside(l, v, range));
    let either = l.or(a, b);
    let slow = l.or(either, quotient);
    l.set(P, slow);
}

/// Whether a number is outside of a range.
fn outside(l: &mut MaxwellLift<'_, '_>, v: Value, (first, last): (i32, i32)) -> Value {
    let (first, width) = (l.i32(first), l.i32(last - first));
    let from = l.isub(v, first);
    l.ult(width, from)
}
