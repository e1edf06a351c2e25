//! Halves of a register as numbers.

use super::MaxwellLift;
use shisa_ir::{Convert, Scalar, Value};

/// The parts of a register where two numbers are read: both halves, a float twice, one of the halves twice.
pub(crate) const PAIRS: &[&str] = &["", ".F32", ".H0_H0", ".H1_H1"];
/// The parts of a register where one number is read.
pub(crate) const ONES: &[&str] = &["", ".H1"];

/// Half `n` of a register, as a number.
pub(crate) fn half(l: &mut MaxwellLift<'_, '_>, word: Value, n: u64) -> Value {
    let shift = l.i32(16 * n as i32);
    let moved = if n == 0 { word } else { l.lshr(word, shift) };
    let bits = l.convert(Convert::Truncate, moved, Scalar::I16);
    l.convert(Convert::Bits, bits, Scalar::F16)
}

/// Two numbers, as a number of [`PAIRS`] states.
pub(crate) fn pair(l: &mut MaxwellLift<'_, '_>, word: Value, part: u64) -> Value {
    if part == 1 {
        let float = l.convert(Convert::Bits, word, Scalar::F32);
        return l.splat(float, 2);
    }
    let [low, high] = match part {
        0 => [0, 1],
        2 => [0, 0],
        _ => [1, 1],
    };
    let low = half(l, word, low);
    let high = half(l, word, high);
    l.join(&[low, high])
}

/// A register from two numbers of 16 bits.
pub(crate) fn packed(l: &mut MaxwellLift<'_, '_>, halves: Value) -> Value {
    let bits = l.convert(Convert::Bits, halves, Scalar::I16);
    let words = l.convert(Convert::ZeroExtend, bits, Scalar::I32);
    let (low, high, sixteen) = (l.component(words, 0), l.component(words, 1), l.i32(16));
    let high = l.shl(high, sixteen);
    l.or(low, high)
}
