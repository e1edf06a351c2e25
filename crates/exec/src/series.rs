//! The factors of series that compute elementary functions.

use std::f64::consts::LN_2;

/// The factor of `x^n` in the series of `2^x`.
pub(crate) const fn exp(n: u32) -> f64 {
    let mut term = 1f64;
    let mut i = 1;
    while i <= n {
        term = term * LN_2 / i as f64;
        i += 1;
    }
    term
}

/// The factor of `s^(2n + 1)` in the series of the base-2 logarithm of `(1 + s) / (1 - s)`.
pub(crate) const fn log(n: u32) -> f64 {
    2.0 / LN_2 / (2 * n + 1) as f64
}

/// The factor of `x^(2n + 1)` in the series of the sine.
pub(crate) const fn sin(n: u32) -> f64 {
    alternating(2 * n + 1, n)
}

/// The factor of `x^2n` in the series of the cosine.
pub(crate) const fn cos(n: u32) -> f64 {
    alternating(2 * n, n)
}

/// `(-1)^n / k!`.
const fn alternating(k: u32, n: u32) -> f64 {
    let mut term = if n.is_multiple_of(2) { 1f64 } else { -1f64 };
    let mut i = 2;
    while i <= k {
        term /= i as f64;
        i += 1;
    }
    term
}
