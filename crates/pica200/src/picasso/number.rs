//! Numbers as C's library reads them: the longest prefix that is one, whatever follows.

use super::source_text::blank;

/// A number and how many bytes it takes with the blanks before it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Read<T> {
    pub(super) value: T,
    pub(super) bytes: usize,
}

/// Blanks and a sign: the bytes that they take, and whether it is a minus.
fn sign(text: &[u8]) -> (usize, bool) {
    let blanks = text.iter().take_while(|b| blank(**b)).count();
    match text.get(blanks) {
        Some(b'-') => (blanks + 1, true),
        Some(b'+') => (blanks + 1, false),
        _ => (blanks, false),
    }
}

/// `strtoll`: decimal, or with `prefixes` octal after `0` and hexadecimal after `0x`. `None` without a
/// digit. Numbers too large stop at the largest.
pub(super) fn integer(text: &str, prefixes: bool) -> Option<Read<i64>> {
    let text = text.as_bytes();
    let (mut at, minus) = sign(text);
    let rest = text.get(at..).unwrap_or_default();
    let hex = prefixes
        && rest.len() > 2
        && rest[0] == b'0'
        && rest[1].eq_ignore_ascii_case(&b'x')
        && rest[2].is_ascii_hexdigit();
    let base = match hex {
        true => 16,
        false if prefixes && rest.first() == Some(&b'0') => 8,
        false => 10,
    };
    at += if hex { 2 } else { 0 };
    let start = at;
    let mut value = 0i128;
    while let Some(digit) = text.get(at).and_then(|b| char::from(*b).to_digit(base)) {
        value = (value * i128::from(base) + i128::from(digit)).min(1 << 64);
        at += 1;
    }
    if at == start {
        return None;
    }
    let value = if minus { -value } else { value };
    Some(Read { value: value.clamp(i64::MIN.into(), i64::MAX.into()) as i64, bytes: at })
}

/// `atoi`: a number that does not fit loses its upper bits; text that is not a number is 0.
pub(super) fn atoi(text: &str) -> i32 {
    integer(text, false).map_or(0, |r| r.value as i32)
}

/// `strtod`: decimal, hexadecimal with an exponent of two, infinity, NaN. `None` if there is no number.
pub(super) fn float(text: &str) -> Option<Read<f64>> {
    let bytes = text.as_bytes();
    let (start, minus) = sign(bytes);
    let rest = bytes.get(start..).unwrap_or_default();
    let begins = |word: &str| rest.get(..word.len()).is_some_and(|r| r.eq_ignore_ascii_case(word.as_bytes()));
    let (value, length) = if begins("infinity") {
        (f64::INFINITY, 8)
    } else if begins("inf") {
        (f64::INFINITY, 3)
    } else if begins("nan") {
        let payload = rest.get(3..).unwrap_or_default();
        let inside = payload.iter().skip(1).take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count();
        let closed = payload.first() == Some(&b'(') && payload.get(1 + inside) == Some(&b')');
        (f64::NAN, if closed { 5 + inside } else { 3 })
    } else if let Some(read) = hexadecimal(rest) {
        (read.value, read.bytes)
    } else {
        let length = decimal(rest)?;
        (text.get(start..start + length)?.parse().ok()?, length)
    };
    Some(Read { value: if minus { -value } else { value }, bytes: start + length })
}

fn digits(text: &[u8], at: usize) -> usize {
    text.get(at..).unwrap_or_default().iter().take_while(|b| b.is_ascii_digit()).count()
}

/// The bytes of an exponent from `at` on, 0 if there is none.
fn exponent(text: &[u8], at: usize, letter: u8) -> usize {
    if !text.get(at).is_some_and(|b| b.eq_ignore_ascii_case(&letter)) {
        return 0;
    }
    let sign = usize::from(matches!(text.get(at + 1), Some(b'+' | b'-')));
    match digits(text, at + 1 + sign) {
        0 => 0,
        n => 1 + sign + n,
    }
}

/// The bytes of a decimal number without sign.
fn decimal(text: &[u8]) -> Option<usize> {
    let whole = digits(text, 0);
    let point = text.get(whole) == Some(&b'.');
    let part = if point { digits(text, whole + 1) } else { 0 };
    if whole + part == 0 {
        return None;
    }
    let length = whole + usize::from(point) + part;
    Some(length + exponent(text, length, b'e'))
}

/// A hexadecimal number without sign.
fn hexadecimal(text: &[u8]) -> Option<Read<f64>> {
    if text.first() != Some(&b'0') || !text.get(1)?.eq_ignore_ascii_case(&b'x') {
        return None;
    }
    let (mut at, mut seen, mut point) = (2, false, false);
    // The significant digits; the last bit represents all that follow.
    let (mut value, mut scale) = (0u64, 0i32);
    while let Some(b) = text.get(at) {
        if let Some(digit) = char::from(*b).to_digit(16) {
            seen = true;
            if value >> 58 == 0 {
                value = value << 4 | u64::from(digit);
                scale -= if point { 4 } else { 0 };
            } else {
                value |= u64::from(digit != 0);
                scale = scale.saturating_add(if point { 0 } else { 4 });
            }
        } else if *b == b'.' && !point {
            point = true;
        } else {
            break;
        }
        at += 1;
    }
    if !seen {
        return None;
    }
    let length = exponent(text, at, b'p');
    if length > 0 {
        let power = core::str::from_utf8(text.get(at + 1..at + length)?).ok()?;
        let power = integer(power, false)?.value.clamp(-100_000, 100_000);
        scale = scale.saturating_add(power as i32);
    }
    let mut result = value as f64;
    let mut left = scale.clamp(-4_000, 4_000);
    while left != 0 && result != 0.0 && result.is_finite() {
        let step = left.clamp(-1_000, 1_000);
        result *= f64::from_bits(((1023 + step) as u64) << 52);
        left -= step;
    }
    Some(Read { value: result, bytes: at + length })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_read_as_far_as_they_go() {
        let read = |text, prefixes| integer(text, prefixes).map(|r| (r.value, r.bytes));
        assert_eq!(read(" -12x", false), Some((-12, 4)));
        assert_eq!(read("010", true), Some((8, 3)));
        assert_eq!(read("0x1f.", true), Some((31, 4)));
        assert_eq!(read("0xg", true), Some((0, 1)));
        assert_eq!(read("x", true), None);
        assert_eq!(read("99999999999999999999", false), Some((i64::MAX, 20)));
        assert_eq!((atoi("0x10"), atoi("junk"), atoi("4294967297")), (0, 0, 1));
    }

    #[test]
    fn floats_are_read_as_far_as_they_go() {
        let read = |text| float(text).map(|r| (r.value, r.bytes));
        assert_eq!(read("1.5e3x"), Some((1500.0, 5)));
        assert_eq!(read(".5"), Some((0.5, 2)));
        assert_eq!(read("-1e"), Some((-1.0, 2)));
        assert_eq!(read("0x1.8p-4)"), Some((0.09375, 8)));
        assert_eq!(read("0x"), Some((0.0, 1)));
        let large = 0x12_3456_789a_bcde_f123_u128 as f64 * 256.0;
        assert_eq!(read("0x123456789abcdef123p8"), Some((large, 22)));
        assert_eq!(read("INFx"), Some((f64::INFINITY, 3)));
        assert!(read("nan(1)").is_some_and(|(v, n)| v.is_nan() && n == 6));
        assert_eq!(read("."), None);
        assert_eq!(read("pi"), None);
    }
}
