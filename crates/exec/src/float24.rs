//! float24 with every choice at its default ([`FloatModel::F24`](shisa_ir::FloatModel::F24)): results are truncated,
//! denormals are zero, overflow is infinity, and there is no negative zero. Operands are without denormals.
//!
//! A sum or product is computed in binary32, rounded to nearest, together with the sign of its rounding error. If the
//! rounding went away from zero, the magnitude is reduced by one unit. Dropping the low seven bits then truncates the
//! exact result. Where the error itself is not exact, the result is below the smallest or above the largest float24
//! and is replaced anyway.

use crate::host::Level;
use shisa_ir::scalar::word::{NAN, SIGN, float};

/// The smallest normal number, 2^-62, as a binary32.
const SMALLEST: u32 = 0x2080_0000;
/// 2^64, the first power of two above all numbers, as a binary32.
const TOO_LARGE: u32 = 0x5f80_0000;
const INFINITY: u32 = 0x7f80_0000;
/// Bits of a binary32 below a float24's last bit.
const BELOW: u32 = 0x7f;

/// Replaces denormals and -0 by +0.
#[inline(always)]
pub(crate) fn flush(x: u32) -> u32 {
    if x & !SIGN < SMALLEST { 0 } else { x }
}

/// Replaces -0 by +0.
#[inline(always)]
pub(crate) fn unsigned_zero(x: u32) -> u32 {
    if x == SIGN { 0 } else { x }
}

/// Truncates `near + rest`, where `rest` is the error of rounding to `near`.
#[inline(always)]
fn truncate(near: f32, rest: f32) -> u32 {
    let away = (near.to_bits() ^ rest.to_bits()) >> 31 & u32::from(rest != 0.0);
    let bits = near.to_bits().wrapping_sub(away) & !BELOW;
    let (sign, magnitude) = (bits & SIGN, bits & !SIGN);
    let bits = if magnitude < SMALLEST { 0 } else { bits };
    let bits = if magnitude >= TOO_LARGE { sign | INFINITY } else { bits };
    if near.is_nan() { NAN } else { bits }
}

#[inline(always)]
pub(crate) fn add(x: u32, y: u32) -> u32 {
    let (x, y) = (float(x), float(y));
    let sum = x + y;
    let other = sum - x;
    truncate(sum, (x - (sum - other)) + (y - other))
}

#[inline(always)]
pub(crate) fn mul<L: Level>(x: u32, y: u32) -> u32 {
    let (x, y) = (float(x), float(y));
    let product = x * y;
    truncate(product, L::product_error(x, y, product))
}

/// As [`mul`], but zero times infinity is zero.
#[inline(always)]
pub(crate) fn mul_zero<L: Level>(x: u32, y: u32) -> u32 {
    let product = mul::<L>(x, y);
    if (product == NAN) & !(float(x).is_nan() | float(y).is_nan()) { 0 } else { product }
}

/// Truncates a binary64.
#[inline(always)]
fn truncate64(x: f64) -> u32 {
    let kept = f64::from_bits(x.to_bits() & !((1 << 36) - 1));
    truncate(kept as f32, 0.0)
}

/// The reciprocal. A quotient of 1 and a binary32 is further from every float24 that it does not equal than the error of
/// a binary64, so rounding it first changes nothing.
#[inline(always)]
pub(crate) fn reciprocal(x: u32) -> u32 {
    truncate64(1.0 / f64::from(float(x)))
}

/// The reciprocal square root, and whether the error of binary64 may have mattered. It never does for a float24.
#[inline(always)]
pub(crate) fn reciprocal_root(x: u32) -> (u32, bool) {
    const LOW: u64 = (1 << 36) - 1;
    let root = 1.0 / f64::from(float(x)).sqrt();
    let low = root.to_bits() & LOW;
    // Exact results and those of special operands have no low bits.
    (truncate64(root), (low != 0) & (low.wrapping_add(8) & LOW < 16))
}

/// 2 to the power of `x`, computed in binary64 and corrected where that matters.
pub(crate) fn power_of_two(x: u32) -> u32 {
    let x = f64::from(float(x));
    truncate64(shisa_ir::scalar::float24::power_of_two(x, libm::exp2(x)))
}

/// The base-2 logarithm, computed in binary64.
pub(crate) fn logarithm(x: u32) -> u32 {
    truncate64(libm::log2(f64::from(float(x))))
}

#[inline(always)]
pub(crate) fn floor(x: u32) -> u32 {
    truncate(shisa_ir::scalar::word::floor(float(x)), 0.0)
}
