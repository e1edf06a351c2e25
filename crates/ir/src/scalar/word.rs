//! Fast forms of operations on one 32-bit word, for the loops of the engines: without branches and calls where possible,
//! so that compilers vectorise a loop over them. They have the results of [`super::unary`], [`super::binary`],
//! [`super::ternary`] and [`super::convert`], which define the operations; tests of the engines compare both.

/// The NaN result of every operation.
pub const NAN: u32 = 0x7fc0_0000;
/// The sign bit of a binary32.
pub const SIGN: u32 = 0x8000_0000;
/// Every binary32 number from this magnitude on is integral.
const INTEGRAL: f32 = 8_388_608.0;

/// The binary32 of a pattern.
#[inline(always)]
pub fn float(bits: u32) -> f32 {
    f32::from_bits(bits)
}

/// The bits of a result, with NaN in canonical form.
#[inline(always)]
pub fn bits(x: f32) -> u32 {
    if x.is_nan() { NAN } else { x.to_bits() }
}

/// The nearest integral number, ties to even, by adding and subtracting 2^23: no call, no branch. Larger numbers,
/// infinities and NaN are returned unchanged.
#[inline(always)]
pub fn round(x: f32) -> f32 {
    let nearest = (x.abs() + INTEGRAL) - INTEGRAL;
    if x.abs() < INTEGRAL { nearest.copysign(x) } else { x }
}

/// The largest integral number that is not above `x`.
#[inline(always)]
pub fn floor(x: f32) -> f32 {
    let r = round(x);
    if r > x { r - 1.0 } else { r }
}

/// The smallest integral number that is not below `x`.
#[inline(always)]
pub fn ceil(x: f32) -> f32 {
    let r = round(x);
    // A negative number that rounds up to zero stays negative.
    if r < x { (r + 1.0).copysign(x) } else { r }
}

/// The integral part.
#[inline(always)]
pub fn trunc(x: f32) -> f32 {
    floor(x.abs()).copysign(x)
}

/// The bits of `x` clamped to 0 … 1; NaN and -0 become +0.
#[inline(always)]
pub fn saturate(x: f32) -> u32 {
    // Both tests are false for NaN; zero of either sign yields +0.
    if x >= 1.0 {
        1f32.to_bits()
    } else if x > 0.0 {
        x.to_bits()
    } else {
        0
    }
}

/// The minimum if `less(a, b)` means a < b; `tie` decides between equal operands (zeros of different signs). If one
/// operand is NaN, the other is the result.
#[inline(always)]
pub fn choose(a: u32, b: u32, less: impl Fn(f32, f32) -> bool, tie: impl Fn(u32, u32) -> u32) -> u32 {
    let (x, y) = (float(a), float(b));
    // `|` instead of `||` avoids branches in the loop.
    let first = less(x, y) | y.is_nan();
    let second = less(y, x) | x.is_nan();
    let other = if second { b } else { tie(a, b) };
    bits(float(if first { a } else { other }))
}

/// A denormal as zero with the same sign; other numbers unchanged.
#[inline(always)]
pub fn flush(x: u32) -> u32 {
    if x & 0x7f80_0000 == 0 { x & SIGN } else { x }
}

/// The bits of a product in which zero times infinity is zero.
#[inline(always)]
pub fn mul_zero(x: u32, y: u32) -> u32 {
    let (x, y) = (float(x), float(y));
    let product = bits(x * y);
    // `&` instead of `&&` avoids branches in the loop.
    if (product == NAN) & !(x.is_nan() | y.is_nan()) { 0 } else { product }
}

/// `yes` if the lowest bit of `cond` is set, else `no`.
#[inline(always)]
pub fn select(cond: u32, yes: u32, no: u32) -> u32 {
    let mask = 0u32.wrapping_sub(cond & 1);
    (yes & mask) | (no & !mask)
}

/// A function computed in binary64 and rounded once.
#[inline(always)]
pub fn in_binary64(x: u32, f: impl Fn(f64) -> f64) -> u32 {
    bits(f(f64::from(float(x))) as f32)
}

/// `a * b + c`, rounded once. The product is exact in binary64. The sum is rounded to odd in binary64, according to its rounding error, and then
/// rounded once.
#[inline(always)]
pub fn fused(a: f32, b: f32, c: f32) -> u32 {
    let (p, c) = (f64::from(a) * f64::from(b), f64::from(c));
    let sum = p + c;
    let part = sum - p;
    let left = (p - (sum - part)) + (c - part);
    let odd = to_odd(sum.to_bits(), left > 0.0, left < 0.0, sum > 0.0);
    bits(f64::from_bits(odd) as f32)
}

/// As [`fused`], for binary16 patterns: rounded to odd in binary64 and in binary32, and then rounded.
#[inline(always)]
pub fn fused_half(a: u32, b: u32, c: u32) -> u32 {
    let (a, b, c) = (float(from_half(a)), float(from_half(b)), float(from_half(c)));
    // The product is exact in binary32.
    let (p, c) = (f64::from(a * b), f64::from(c));
    let sum = p + c;
    let part = sum - p;
    let left = (p - (sum - part)) + (c - part);
    let odd = to_odd(sum.to_bits(), left > 0.0, left < 0.0, sum > 0.0);
    let sum = f64::from_bits(odd);
    let near = sum as f32;
    let left = sum - f64::from(near);
    let odd = to_odd(near.to_bits().into(), left > 0.0, left < 0.0, near > 0.0);
    to_half(odd as u32)
}

/// The bits of a rounded number corrected to round-to-odd, given the sign of the rounding error.
#[inline(always)]
fn to_odd(bits: u64, above: bool, below: bool, positive: bool) -> u64 {
    let next = if above == positive { 1 } else { u64::MAX };
    bits.wrapping_add(if (above | below) & (bits & 1 == 0) { next } else { 0 })
}

/// The binary32 of a binary16 pattern: a binary16 number shifted to the binary32 position has an exponent that is too small by 112.
#[inline(always)]
pub fn from_half(x: u32) -> u32 {
    let (sign, magnitude) = ((x & 0x8000) << 16, x & 0x7fff);
    let scaled = (float(magnitude << 13) * float(0x7780_0000)).to_bits();
    let endless = if magnitude == 0x7c00 { 0x7f80_0000 } else { scaled };
    if magnitude > 0x7c00 { NAN } else { endless | sign }
}

/// The binary16 of a binary32 pattern: rounds by adding a number whose last bit is at the position of the last bit that binary16 preserves.
#[inline(always)]
pub fn to_half(x: u32) -> u32 {
    let (sign, magnitude) = (x >> 16 & 0x8000, x & 0x7fff_ffff);
    // Denormal binary16 numbers, and zero: adding 0.5 aligns them in units of 2^-24.
    let small = (float(magnitude) + 0.5).to_bits().wrapping_sub(0x3f00_0000);
    let odd = magnitude >> 13 & 1;
    let large = magnitude.wrapping_sub(112 << 23).wrapping_add(0xfff + odd) >> 13;
    let half = if magnitude < 0x3880_0000 { small } else { large.min(0x7c00) };
    if magnitude > 0x7f80_0000 { 0x7e00 } else { half | sign }
}

#[cfg(test)]
mod tests;
