//! Numbers of binary32 in decimal, as nvdisasm writes them, and back.

use alloc::vec::Vec;
use shisa_rows::{Line, Scan};

/// Writes a number: 20 significant digits without trailing zeros, or from a billion on 21 digits in
/// scientific form. Negative zero, infinities and NaN are followed by a blank.
pub(crate) fn print(bits: u32, out: &mut Line<'_>) {
    let (negative, rest) = (bits >> 31 != 0, bits & 0x7fff_ffff);
    match rest {
        0 => return out.text(if negative { "-0.0 " } else { "0" }),
        0x7f80_0000 => return out.text(if negative { "-INF " } else { "+INF " }),
        0x7f80_0001.. => return out.text(if negative { "-QNAN " } else { "+QNAN " }),
        _ => {}
    }
    if negative {
        out.byte(b'-');
    }
    let (digits, point) = digits(rest);
    let exponent = point - 1;
    if f32::from_bits(rest) >= 1e9 {
        let (digits, carry) = rounded(&digits, 21);
        return scientific(&digits, exponent + i32::from(carry), 21, out);
    }
    let (mut digits, carry) = rounded(&digits, 20);
    let exponent = exponent + i32::from(carry);
    while digits.len() > 1 && digits.last() == Some(&0) {
        digits.pop();
    }
    if exponent < -4 {
        return scientific(&digits, exponent, digits.len(), out);
    }
    if exponent < 0 {
        out.text("0.");
        (1..-exponent).for_each(|_| out.byte(b'0'));
        return digits.iter().for_each(|d| out.byte(b'0' + d));
    }
    let whole = exponent as usize + 1;
    for i in 0..whole.max(digits.len()) {
        if i == whole {
            out.byte(b'.');
        }
        out.byte(b'0' + digits.get(i).copied().unwrap_or(0));
    }
}

fn scientific(digits: &[u8], exponent: i32, count: usize, out: &mut Line<'_>) {
    for i in 0..count {
        if i == 1 {
            out.byte(b'.');
        }
        out.byte(b'0' + digits.get(i).copied().unwrap_or(0));
    }
    out.text(if exponent < 0 { "e-" } else { "e+" });
    let magnitude = exponent.unsigned_abs();
    if magnitude < 10 {
        out.byte(b'0');
    }
    out.dec(u64::from(magnitude));
}

/// All decimal digits of a positive finite number, and how many of them stand before the point.
fn digits(bits: u32) -> (Vec<u8>, i32) {
    let (stored, fraction) = (bits >> 23, bits & 0x7f_ffff);
    let (significand, exponent) =
        if stored == 0 { (fraction, -149) } else { (fraction | 0x80_0000, stored as i32 - 150) };
    // m * 2^e, or m * 5^-e with the point moved by -e digits.
    let mut limbs = alloc::vec![significand];
    let factor = if exponent < 0 { 5 } else { 2 };
    for _ in 0..exponent.unsigned_abs() {
        let mut carry = 0u64;
        for l in &mut limbs {
            carry += u64::from(*l) * factor;
            *l = carry as u32;
            carry >>= 32;
        }
        if carry != 0 {
            limbs.push(carry as u32);
        }
    }
    let mut digits = Vec::new();
    while !limbs.is_empty() {
        let mut rest = 0u64;
        for l in limbs.iter_mut().rev() {
            rest = rest << 32 | u64::from(*l);
            *l = (rest / 10) as u32;
            rest %= 10;
        }
        digits.push(rest as u8);
        while limbs.last() == Some(&0) {
            limbs.pop();
        }
    }
    digits.reverse();
    let point = digits.len() as i32 + exponent.min(0);
    (digits, point)
}

/// The first `count` digits, rounded to nearest, ties to even; and whether a digit was gained in front.
fn rounded(digits: &[u8], count: usize) -> (Vec<u8>, bool) {
    let Some((kept, rest)) = digits.split_at_checked(count) else { return (digits.to_vec(), false) };
    let mut kept = kept.to_vec();
    let odd = kept.last().is_some_and(|d| d % 2 == 1);
    let up = match rest {
        [] | [0..5, ..] => false,
        [5, tail @ ..] => odd || tail.iter().any(|d| *d != 0),
        _ => true,
    };
    if !up {
        return (kept, false);
    }
    for d in kept.iter_mut().rev() {
        *d = (*d + 1) % 10;
        if *d != 0 {
            return (kept, false);
        }
    }
    kept.insert(0, 1);
    kept.pop();
    (kept, true)
}

/// Reads a number: the bits of the nearest binary32.
pub(crate) fn parse(text: &mut Scan<'_>) -> Option<u32> {
    for (name, bits) in
        [("+INF", 0x7f80_0000), ("-INF", 0xff80_0000), ("+QNAN", 0x7fff_ffff), ("-QNAN", 0xffff_ffffu32)]
    {
        if text.eat_str(name) {
            return Some(bits);
        }
    }
    let rest = text.rest().as_bytes();
    let at = |i: usize| rest.get(i).copied().unwrap_or(0);
    let mut end = usize::from(at(0) == b'-');
    while at(end).is_ascii_digit() || at(end) == b'.' && at(end + 1).is_ascii_digit() {
        end += 1;
    }
    if at(end) == b'e' && matches!(at(end + 1), b'+' | b'-') && at(end + 2).is_ascii_digit() {
        end += 2;
        while at(end).is_ascii_digit() {
            end += 1;
        }
    }
    let number: f32 = text.rest().get(..end)?.parse().ok()?;
    text.rewind(text.pos() + end);
    Some(number.to_bits())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(bits: u32) -> alloc::string::String {
        let mut out = Vec::new();
        print(bits, &mut Line::new(&mut out));
        alloc::string::String::from_utf8(out).unwrap()
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
            assert_eq!(text(number.to_bits()), expected);
        }
        assert_eq!(text(0x0000_1000), "5.7397185098744507225e-42");
        assert_eq!(text(0x0080_0000), "1.175494350822287508e-38");
        assert_eq!(text(0x38e1_d000), "0.00010767579078674316406");
    }

    #[test]
    fn numbers_come_back() {
        let mut random = shisa_rows::testing::Random(1);
        for _ in 0..2000 {
            let bits = random.bits() as u32;
            if bits & 0x7f80_0000 == 0x7f80_0000 {
                continue;
            }
            let text = text(bits);
            assert_eq!(parse(&mut Scan::new(&text, 0)), Some(bits), "{text}");
        }
    }
}
