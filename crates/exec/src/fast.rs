//! Operations whose results may have errors of a few ulp ([`Precision::Fast`](crate::Precision::Fast)).
//! Nothing branches, so that the compiler makes vector instructions of loops over lanes.

use crate::host::Level;
use crate::series;
use shisa_ir::scalar::word::{NAN, SIGN, float};
use std::f64::consts::FRAC_PI_2;

/// Adding and subtracting it rounds a binary32 below 2^22 to an integer, whose lowest bits are those of the sum.
const ROUNDER: f32 = 1.5 * (1u32 << 23) as f32;
/// As [`ROUNDER`], for a binary64 below 2^51.
const LONG_ROUNDER: f64 = 1.5 * (1u64 << 52) as f64;
/// Bits of a significand, without the first.
const FRACTION: u32 = 23;

/// Factors as binary32, the last first.
macro_rules! factors {
    ($series:ident: $($n:literal)+) => { [$(series::$series($n) as f32),+] };
}

/// The value of a series by its factors, the last first.
#[inline(always)]
fn sum<L: Level, const N: usize>(factors: [f32; N], x: f32) -> f32 {
    let mut sum = factors[0];
    for factor in &factors[1..] {
        sum = L::multiply_add(sum, x, *factor);
    }
    sum
}

/// `x * y + z`, where zero times infinity is zero.
#[inline(always)]
pub(crate) fn multiply_add_zero<L: Level>(x: u32, y: u32, z: u32) -> u32 {
    let (x, y) = (float(x), float(y));
    let sum = L::multiply_add(x, y, float(z)).to_bits();
    if ((x == 0.0) | (y == 0.0)) & !(x.is_nan() | y.is_nan()) { z } else { sum }
}

/// 2 to the power of `x`.
#[inline(always)]
pub(crate) fn power_of_two<L: Level>(x: u32) -> u32 {
    let number = float(x);
    // Smaller powers are zero, and larger ones infinite.
    let number = if number < -127.0 { -127.0 } else { number };
    let number = if number > 128.0 { 128.0 } else { number };
    let rounded = number + ROUNDER;
    let fraction = number - (rounded - ROUNDER);
    let power = sum::<L, 8>(factors!(exp: 7 6 5 4 3 2 1 0), fraction);
    // Adds the integer to the exponent.
    let bits = power.to_bits().wrapping_add(rounded.to_bits() << FRACTION);
    if number.is_nan() { NAN } else { bits }
}

/// The base-2 logarithm.
#[inline(always)]
pub(crate) fn logarithm<L: Level>(x: u32) -> u32 {
    const LEAST: u32 = 0.75f32.to_bits();
    // x = 2^whole * m, with m from 0.75 to 1.5.
    let whole = (x.wrapping_sub(LEAST) as i32) >> FRACTION;
    let m = float(x.wrapping_sub((whole as u32) << FRACTION));
    let s = (m - 1.0) / (m + 1.0);
    let series = sum::<L, 5>(factors!(log: 4 3 2 1 0), s * s);
    let bits = L::multiply_add(s, series, whole as f32).to_bits();
    let number = float(x);
    let bits = if number < f32::MIN_POSITIVE { f32::NEG_INFINITY.to_bits() } else { bits };
    let bits = if number == f32::INFINITY { x } else { bits };
    if (number < 0.0) | number.is_nan() { NAN } else { bits }
}

/// The sine, or the cosine.
#[inline(always)]
pub(crate) fn sine<L: Level>(x: u32, is_cosine: bool) -> u32 {
    let number = f64::from(float(x));
    // x = quarters * pi / 2 + rest.
    let rounded = number * FRAC_PI_2.recip() + LONG_ROUNDER;
    let quarters = (rounded.to_bits() as u32).wrapping_add(is_cosine.into());
    let rest = (number - (rounded - LONG_ROUNDER) * FRAC_PI_2) as f32;
    // Without an exact number of quarters the rest is any number.
    let rest = if rest > 1.0 { 1.0 } else { rest };
    let rest = if rest < -1.0 { -1.0 } else { rest };
    let square = rest * rest;
    let sine = sum::<L, 4>(factors!(sin: 4 3 2 1), square);
    let sine = L::multiply_add(sine * square, rest, rest);
    let cosine = sum::<L, 6>(factors!(cos: 5 4 3 2 1 0), square);
    let bits = if quarters & 1 == 0 { sine } else { cosine }.to_bits();
    bits ^ (quarters << 30 & SIGN)
}
