//! float24: a sign, 7 bits of exponent with bias 63, 16 bits of significand; infinities, NaN and denormals as in IEEE
//! 754, but no negative zero.
//!
//! Every float24 is a binary32, so values are stored as binary32. An operation computes its exact result in binary64,
//! or one that is rounded to odd and therefore rounds like the exact one, and rounds it to float24: never twice.

use super::model::{Denormals, FloatModel, Overflow, Rounding};

/// The NaN that arithmetic yields, as a binary32.
pub(super) const NAN: u32 = 0x7fc0_0000;
/// The smallest normal number, 2^-62.
const SMALLEST: f64 = 1.0 / (1u64 << 62) as f64;
const EXPONENT: i32 = 63;
const FRACTION: u32 = 16;
/// The largest number, as a binary32.
const LARGEST: u32 = 0x5f7f_ff80;
const SIGN: u32 = 0x8000_0000;

/// The binary32 pattern of a 24-bit pattern. Bits 24 to 31 are ignored.
pub fn decode(bits: u32) -> u32 {
    let (sign, exp, frac) = ((bits & 0x80_0000) << 8, bits >> FRACTION & 0x7f, bits & 0xffff);
    match (exp, frac) {
        (0, 0) => 0,
        (0, _) => sign | (frac as f32 * (SMALLEST as f32 / 65536.0)).to_bits(),
        (0x7f, _) => sign | 0x7f80_0000 | frac << 7,
        _ => sign | (exp + 64) << 23 | frac << 7,
    }
}

/// The 24-bit pattern of a binary32 pattern, rounded. Denormals are preserved; overflow yields infinity.
pub fn encode(bits: u32, rounding: Rounding) -> u32 {
    let with_denormals = FloatModel { denormals: Denormals::Keep, ..FloatModel::F24 };
    let bits = round(f64::from(f32::from_bits(bits)), rounding, with_denormals);
    let (sign, magnitude) = ((bits & SIGN) >> 8, bits & !SIGN);
    match magnitude {
        0 => 0,
        0x7f80_0000.. => sign | 0x7f_0000 | (magnitude & 0x7f_ffff) >> 7,
        _ if magnitude < (SMALLEST as f32).to_bits() => {
            sign | (f32::from_bits(magnitude) * (65536.0 / SMALLEST as f32)) as u32
        }
        _ => sign | ((magnitude >> 7) - (64 << FRACTION)),
    }
}

/// An operand of arithmetic, flushed if the model says so.
pub(super) fn operand(bits: u32, model: FloatModel) -> f64 {
    let x = f64::from(f32::from_bits(bits));
    let flushed = model.denormals == Denormals::Flush && x.abs() < SMALLEST;
    if flushed || x == 0.0 { 0.0 } else { x }
}

/// Rounds to float24.
pub(super) fn round(x: f64, rounding: Rounding, model: FloatModel) -> u32 {
    const FIELD: u32 = 52;
    let bits = x.to_bits();
    let sign = (bits >> 32) as u32 & SIGN;
    let exp = (bits >> FIELD & 0x7ff) as i32 - 1023;
    if exp == 1024 {
        return if x.is_nan() { NAN } else { sign | 0x7f80_0000 };
    }
    let overflow = match model.overflow {
        Overflow::Infinity => sign | 0x7f80_0000,
        Overflow::Largest => sign | LARGEST,
    };
    if exp > EXPONENT {
        return overflow;
    }
    // Exponent of the last preserved bit; denormals preserve fewer bits.
    let last = exp.max(1 - EXPONENT) - FRACTION as i32;
    let shift = (last - (exp - FIELD as i32)).min(63) as u32;
    let sig = if exp == -1023 { 0 } else { bits & ((1 << FIELD) - 1) | 1 << FIELD };
    let (kept, rest, half) = (sig >> shift, sig & ((1 << shift) - 1), 1 << (shift - 1));
    let up = match rounding {
        Rounding::Truncate => false,
        Rounding::Nearest => rest > half || rest == half && kept & 1 == 1,
        Rounding::Away => rest >= half,
    };
    let kept = kept + u64::from(up);
    if kept == 0 || model.denormals == Denormals::Flush && kept < 1 << FRACTION {
        return 0;
    }
    if exp == EXPONENT && kept == 2 << FRACTION {
        return overflow;
    }
    // Both factors and the product are exact.
    sign | (kept as f32 * f32::from_bits(((last + 127) as u32) << 23)).to_bits()
}

/// `sum` with its last bit set if it is inexact; `rest` is the rounding error.
fn odd(sum: f64, rest: f64) -> f64 {
    let bits = sum.to_bits();
    if rest == 0.0 || bits & 1 == 1 {
        return sum;
    }
    f64::from_bits(if (rest > 0.0) == (sum > 0.0) { bits + 1 } else { bits - 1 })
}

/// 2 to the power of `x`, corrected at the limits of binary64: an overflow becomes finite, and if `x` is so close to an
/// integer that the power rounds to that of the integer, the result is rounded to odd.
pub fn power_of_two(x: f64, power: f64) -> f64 {
    if power.is_infinite() && x.is_finite() {
        return f64::MAX;
    }
    let whole = libm::rint(x);
    let is_power = power.to_bits() << 12 == 0 && power > 0.0 && power.is_finite();
    if is_power && x != whole { odd(power, x - whole) } else { power }
}

/// The sum rounded to nearest, and its rounding error. Operands are finite and far from overflow.
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let other = sum - a;
    (sum, (a - (sum - other)) + (b - other))
}

/// The sum, rounded to odd if it is inexact.
pub(super) fn add(a: f64, b: f64) -> f64 {
    let (sum, rest) = two_sum(a, b);
    if sum.is_finite() { odd(sum, rest) } else { sum }
}

/// The exact product; if `zero` is set, zero times infinity is zero.
pub(super) fn mul(a: f64, b: f64, zero: bool) -> f64 {
    let product = a * b;
    if zero && product.is_nan() && !a.is_nan() && !b.is_nan() { 0.0 } else { product }
}

/// The sum of up to four numbers, rounded to odd if it is inexact.
pub(super) fn add_all(terms: [f64; 4]) -> f64 {
    if terms.iter().any(|t| !t.is_finite()) {
        return terms.iter().sum();
    }
    // Non-overlapping numbers, the smallest first, whose sum equals the sum of the terms so far.
    let mut parts = [0.0; 4];
    for (n, term) in terms.into_iter().enumerate() {
        let mut carry = term;
        for part in parts.iter_mut().take(n) {
            (carry, *part) = two_sum(carry, *part);
        }
        parts[n] = carry;
    }
    let mut sum = 0.0;
    for part in parts.into_iter().rev() {
        let (next, rest) = two_sum(sum, part);
        sum = next;
        // Smaller parts cannot outweigh the rest.
        if rest != 0.0 {
            return odd(sum, rest);
        }
    }
    sum
}
