//! Binary floats in decimal, in nvdisasm's format, and back.

use core::fmt::Write;
use shisa_ir::{Convert, FloatRule, Scalar, scalar};
use shisa_rows::{Line, Scan};

/// Significant digits of a number below a billion; larger ones have one more.
const DIGITS: usize = 20;
/// The decimal exponent at which the scientific form begins.
const BILLION: i32 = 9;
const TENS: [u128; 39] = powers(10);
const FIVES: [u128; 56] = powers(5);

const fn powers<const N: usize>(base: u128) -> [u128; N] {
    let mut list = [1; N];
    let mut i = 1;
    while i < N {
        list[i] = list[i - 1] * base;
        i += 1;
    }
    list
}

/// Bits of the fraction and of the exponent.
const fn layout(format: Scalar) -> (u32, u32) {
    match format {
        Scalar::F16 => (10, 5),
        Scalar::F32 => (23, 8),
        _ => (52, 11),
    }
}

const fn ones(bits: u32) -> u64 {
    (1 << bits) - 1
}

/// The magnitudes of infinity, and of the NaNs of `SNAN` and `QNAN`: with all bits set if the number is whole, as in
/// CUDA, else with one bit set. Only doubles have several NaNs.
const fn special(format: Scalar, whole: bool) -> [u64; 3] {
    let (fraction, exponent) = layout(format);
    let (infinity, quiet) = (ones(exponent) << fraction, 1 << (fraction - 1));
    match (format, whole) {
        (Scalar::F64, true) => [infinity, infinity | ones(fraction - 1), infinity | ones(fraction)],
        (Scalar::F64, false) => [infinity, infinity | quiet >> 1, infinity | quiet],
        (_, true) => [infinity, infinity, infinity | ones(fraction)],
        (_, false) => [infinity, infinity, infinity | quiet],
    }
}

/// Whether the text of a number determines its bits, whole or only the upper ones.
pub(crate) fn faithful(format: Scalar, bits: u64, whole: bool) -> bool {
    let (fraction, exponent) = layout(format);
    let magnitude = bits & ones(fraction + exponent);
    let special = special(format, whole);
    magnitude <= special[0] || special.contains(&magnitude)
}

/// Whether a number is positive or negative infinity.
pub(crate) fn is_infinite(format: Scalar, bits: u64) -> bool {
    let (fraction, exponent) = layout(format);
    bits & ones(fraction + exponent) == ones(exponent) << fraction
}

/// Writes a number of a float format: 20 significant digits without trailing zeros, or from a billion 21 digits in
/// scientific form. A blank follows negative zero, infinities and NaN.
pub(crate) fn print(format: Scalar, bits: u64, out: &mut Line<'_>) {
    let (fraction, exponent) = layout(format);
    let negative = bits >> (fraction + exponent) & 1 != 0;
    let (stored, low) = (bits >> fraction & ones(exponent), bits & ones(fraction));
    if stored == ones(exponent) {
        let quiet = format != Scalar::F64 || low >> (fraction - 1) != 0;
        let names = match (low, quiet) {
            (0, _) => ["+INF ", "-INF "],
            (_, true) => ["+QNAN ", "-QNAN "],
            (_, false) => ["+SNAN ", "-SNAN "],
        };
        return out.text(names[usize::from(negative)]);
    }
    if stored == 0 && low == 0 {
        return out.text(if negative { "-0.0 " } else { "0" });
    }
    if negative {
        out.byte(b'-');
    }
    let significand = if stored == 0 { low } else { low | 1 << fraction };
    let spare = significand.trailing_zeros();
    let zero = ones(exponent - 1) as i32 + fraction as i32;
    let (significand, power) = (significand >> spare, stored.max(1) as i32 - zero + spare as i32);
    if (0..30).contains(&power) && significand < 1_000_000_000 >> power {
        return out.dec(significand << power);
    }
    let decimal = Decimal::exact(significand, power).unwrap_or_else(|| {
        let magnitude = bits & ones(fraction + exponent);
        Decimal::far(if format == Scalar::F32 {
            f32::from_bits(magnitude as u32).into()
        } else {
            f64::from_bits(magnitude)
        })
    });
    decimal.print(out);
}

/// Digits after a point, all but the first.
struct Decimal {
    digits: [u8; DIGITS + 1],
    len: usize,
    exponent: i32,
}

impl Decimal {
    /// The digits of `significand * 2^power`, if that takes only a few words.
    fn exact(significand: u64, power: i32) -> Option<Decimal> {
        let wide = u128::from(significand);
        if power >= 0 {
            let number = (wide.leading_zeros() > power as u32).then(|| wide << power)?;
            return Some(Decimal::whole(number));
        }
        // At most the decimal exponent, and at most one below it.
        let exponent = ((significand.ilog2() as i32 + power) * 1233) >> 12;
        if exponent >= BILLION - 1 {
            return None;
        }
        let (behind, wanted) = (power.unsigned_abs(), (DIGITS as i32 - 1 - exponent) as u32);
        let mut decimal = Decimal { digits: [b'0'; DIGITS + 1], len: DIGITS, exponent };
        let mut number = if behind <= wanted {
            wide.checked_mul(*FIVES.get(behind as usize)?)?
        } else {
            scaled(significand, wanted, behind)?
        };
        if number >= TENS[DIGITS] {
            number = scaled(significand, wanted - 1, behind)?;
            decimal.exponent += 1;
        } else if behind <= wanted {
            let more = number.ilog10();
            (decimal.len, decimal.exponent) = (more as usize + 1, more as i32 - behind as i32);
        }
        decimal.fill(number);
        Some(decimal)
    }

    /// The digits of an integer of a billion or more.
    fn whole(mut number: u128) -> Decimal {
        let more = number.ilog10();
        let mut decimal =
            Decimal { digits: [b'0'; DIGITS + 1], len: more as usize + 1, exponent: more as i32 };
        if decimal.len > DIGITS + 1 {
            let unit = TENS[decimal.len - DIGITS - 1];
            let rest = number % unit;
            number /= unit;
            decimal.len = DIGITS + 1;
            if rest > unit / 2 || rest == unit / 2 && number % 2 == 1 {
                number += 1;
                if number == TENS[DIGITS + 1] {
                    number /= 10;
                    decimal.exponent += 1;
                }
            }
        }
        decimal.fill(number);
        decimal
    }

    /// The digits of a number that has `len` of them, ten at a time.
    fn fill(&mut self, number: u128) {
        let mut rest = number;
        let mut end = self.len;
        while end > 0 {
            let (start, upper) = (end.saturating_sub(10), rest / TENS[10]);
            let mut ten = (rest - upper * TENS[10]) as u64;
            for digit in self.digits[start..end].iter_mut().rev() {
                *digit = b'0' + (ten % 10) as u8;
                ten /= 10;
            }
            (rest, end) = (upper, start);
        }
    }

    /// The digits of a number far from one, by the general method.
    #[cold]
    fn far(number: f64) -> Decimal {
        let count = if number < 1e9 { DIGITS } else { DIGITS + 1 };
        let mut text = Text { bytes: [0; 32], len: 0 };
        // The text has one digit, a point, the other digits, `e` and at most four characters: there is room.
        let _ = write!(text, "{number:.*e}", count - 1);
        let written = text.bytes.get(..text.len).unwrap_or_default();
        let (mut decimal, mut behind, mut down) =
            (Decimal { digits: [b'0'; DIGITS + 1], len: count, exponent: 0 }, false, false);
        let mut at = 0;
        for &byte in written {
            match byte {
                b'e' => behind = true,
                b'-' => down = true,
                b'0'..=b'9' if behind => decimal.exponent = 10 * decimal.exponent + i32::from(byte - b'0'),
                b'0'..=b'9' if at < count => {
                    decimal.digits[at] = byte;
                    at += 1;
                }
                _ => {}
            }
        }
        if down {
            decimal.exponent = -decimal.exponent;
        }
        decimal
    }

    fn print(mut self, out: &mut Line<'_>) {
        if self.exponent >= BILLION {
            self.len = DIGITS + 1;
            return self.scientific(out);
        }
        while self.len > 1 && self.digits[self.len - 1] == b'0' {
            self.len -= 1;
        }
        if self.exponent < -4 {
            return self.scientific(out);
        }
        if self.exponent < 0 {
            out.text(["0.", "0.0", "0.00", "0.000"][(-self.exponent - 1) as usize & 3]);
            return bytes(&self.digits[..self.len], out);
        }
        // Digits after the last are zeros.
        let whole = self.exponent as usize + 1;
        bytes(&self.digits[..whole], out);
        if whole < self.len {
            out.byte(b'.');
            bytes(&self.digits[whole..self.len], out);
        }
    }

    fn scientific(&self, out: &mut Line<'_>) {
        out.byte(self.digits[0]);
        if self.len > 1 {
            out.byte(b'.');
            bytes(&self.digits[1..self.len], out);
        }
        out.text(if self.exponent < 0 { "e-" } else { "e+" });
        let magnitude = self.exponent.unsigned_abs();
        if magnitude < 10 {
            out.byte(b'0');
        }
        out.dec(u64::from(magnitude));
    }
}

/// `significand * 10^tens / 2^scale` to the nearest, ties to even, where the product has no more than 192 bits.
fn scaled(significand: u64, tens: u32, behind: u32) -> Option<u128> {
    // The largest power of five in one word.
    const MOST: u32 = 27;
    let shift = behind.checked_sub(tens).filter(|shift| (1..192).contains(shift))?;
    let (one, other) = (tens.min(MOST), tens.saturating_sub(MOST));
    let product = u128::from(significand).checked_mul(*FIVES.get(other as usize)?)?;
    let (upper, lower) = (product >> 64, product & u128::from(u64::MAX));
    let low = lower * FIVES[one as usize];
    let (high, low) = (upper * FIVES[one as usize] + (low >> 64), low as u64);
    let (number, rest, half) = if shift <= 64 {
        let kept = u128::from(low).checked_shr(shift).unwrap_or(0);
        let number = high.checked_shl(64 - shift).unwrap_or(0) | kept;
        (number, (0, low & u64::MAX >> (64 - shift)), (0, 1 << (shift - 1)))
    } else {
        let bits = shift - 64;
        let number = high.checked_shr(bits).unwrap_or(0);
        (number, (high & ((1 << bits) - 1), low), (1 << (bits - 1), 0))
    };
    Some(number + u128::from(rest > half || rest == half && number % 2 == 1))
}

fn bytes(digits: &[u8], out: &mut Line<'_>) {
    out.text(core::str::from_utf8(digits).unwrap_or_default());
}

/// A short text in a fixed buffer.
struct Text {
    bytes: [u8; 32],
    len: usize,
}

impl Write for Text {
    fn write_str(&mut self, text: &str) -> core::fmt::Result {
        let to = self.bytes.get_mut(self.len..self.len + text.len()).ok_or(core::fmt::Error)?;
        to.copy_from_slice(text.as_bytes());
        self.len += text.len();
        Ok(())
    }
}

/// Reads a number: the bits of the nearest one of the format, infinity if it is too large. `whole` selects the NaN.
pub(crate) fn parse(format: Scalar, whole: bool, text: &mut Scan<'_>) -> Option<u64> {
    let (fraction, exponent) = layout(format);
    let names = [["+INF", "-INF"], ["+SNAN", "-SNAN"], ["+QNAN", "-QNAN"]];
    for (magnitude, [positive, negative]) in special(format, whole).into_iter().zip(names) {
        if text.eat_str(positive) {
            return Some(magnitude);
        }
        if text.eat_str(negative) {
            return Some(magnitude | 1 << (fraction + exponent));
        }
    }
    let rest = text.rest().as_bytes();
    let at = |i: usize| rest.get(i).copied().unwrap_or(0);
    let mut end = usize::from(at(0) == b'-');
    while at(end).is_ascii_digit() || at(end) == b'.' && at(end + 1).is_ascii_digit() {
        end += 1;
    }
    let sign = usize::from(matches!(at(end + 1), b'+' | b'-'));
    if at(end) == b'e' && at(end + 1 + sign).is_ascii_digit() {
        end += 1 + sign;
        while at(end).is_ascii_digit() {
            end += 1;
        }
    }
    let digits = text.rest().get(..end)?;
    let bits = match format {
        Scalar::F32 => u64::from(digits.parse::<f32>().ok()?.to_bits()),
        Scalar::F64 => digits.parse::<f64>().ok()?.to_bits(),
        _ => {
            let wide = digits.parse::<f64>().ok()?.to_bits();
            scalar::convert(Convert::Float, FloatRule::IEEE, Scalar::F64, format, wide)
        }
    };
    text.rewind(text.pos() + end);
    Some(bits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::{string::String, vec::Vec};

    fn text(format: Scalar, bits: u64) -> String {
        let mut out = Vec::new();
        print(format, bits, &mut Line::new(&mut out));
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn numbers_as_nvdisasm_writes_them() {
        for (number, expected) in [
            (0.0f32, "0"),
            (-0.0, "-0.0 "),
            (1.0, "1"),
            (-4.019_531_3, "-4.01953125"),
            (4096.0, "4096"),
            (951_502_912.0, "951502912"),
            (2e9, "2.00000000000000000000e+09"),
            (f32::INFINITY, "+INF "),
        ] {
            assert_eq!(text(Scalar::F32, u64::from(number.to_bits())), expected);
        }
        for (bits, expected) in [
            (0x0000_1000, "5.7397185098744507225e-42"),
            (0x0080_0000, "1.175494350822287508e-38"),
            (0x38e1_d000, "0.00010767579078674316406"),
        ] {
            assert_eq!(text(Scalar::F32, bits), expected);
        }
        for (bits, expected) in [
            (0x1000_0000_0000, "8.6916947597937554027e-311"),
            (0x3ff8_0000_0000_0000, "1.5"),
            (0x7ff8_0000_0000_0000, "+QNAN "),
            (0xfff0_1000_0000_0000, "-SNAN "),
        ] {
            assert_eq!(text(Scalar::F64, bits), expected);
        }
        for (bits, expected) in [
            (1, "5.9604644775390625e-08"),
            (0xf900, "-40960"),
            (0x068f, "0.00010007619857788085938"),
            (0xfc00, "-INF "),
        ] {
            assert_eq!(text(Scalar::F16, bits), expected);
        }
    }

    #[test]
    fn both_ways_to_digits_agree() {
        let mut random = shisa_rows::testing::Random(1);
        for _ in 0..20_000 {
            let bits = random.bits() as u32 & 0x7fff_ffff;
            let number = f64::from(f32::from_bits(bits));
            let significand = u64::from(bits & 0x7f_ffff | 0x80_0000);
            let (stored, power) = (bits >> 23, (bits >> 23) as i32 - 150);
            let Some(exact) = Decimal::exact(significand, power) else { continue };
            if stored == 0 || stored == 255 {
                continue;
            }
            let far = Decimal::far(number);
            assert_eq!(exact.exponent, far.exponent, "{number}");
            let zeros = far.digits[exact.len..].iter().all(|d| *d == b'0');
            assert!(zeros && exact.digits[..exact.len] == far.digits[..exact.len], "{number}");
        }
    }

    #[test]
    fn numbers_come_back() {
        let mut random = shisa_rows::testing::Random(1);
        for format in [Scalar::F16, Scalar::F32, Scalar::F64] {
            for _ in 0..1000 {
                let bits = random.bits() >> (64 - u32::from(format.bits()));
                if faithful(format, bits, true) {
                    let text = text(format, bits);
                    assert_eq!(parse(format, true, &mut Scan::new(&text, 0)), Some(bits), "{text}");
                }
            }
        }
    }
}
