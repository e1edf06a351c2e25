//! Eight-bit floats: 0 … 31 with sign, in steps of 1/64 or of 1/16 of the power of two below.

use shisa_rows::Name;

/// The magnitude in steps of 1/64.
const fn steps(n: u8) -> u32 {
    let (exponent, mantissa) = (n >> 4 & 7, n as u32 & 15);
    match exponent {
        0 => mantissa,
        e => (16 + mantissa) << (e - 1),
    }
}

/// The number of an encoding.
pub(super) fn value(n: u8) -> f32 {
    let magnitude = steps(n) as f32 / 64.0;
    if n & 0x80 != 0 { -magnitude } else { magnitude }
}

/// The encoding of a number, if it has one.
pub(super) fn encode(v: f32) -> Option<u8> {
    (0..=255).find(|n| value(*n).to_bits() == v.to_bits())
}

/// The texts of all magnitudes, with at least one digit after the point.
pub(super) const TEXTS: [Name; 128] = {
    let mut texts = [Name::new(""); 128];
    let mut n = 0;
    while n < 128 {
        texts[n] = text(steps(n as u8));
        n += 1;
    }
    texts
};

const fn text(steps: u32) -> Name {
    let mut bytes = [b'0'; 9];
    let (whole, mut rest) = (steps / 64, steps % 64 * 15_625);
    let mut len = 0;
    if whole >= 10 {
        bytes[0] += (whole / 10) as u8;
        len = 1;
    }
    bytes[len] += (whole % 10) as u8;
    bytes[len + 1] = b'.';
    len += 2;
    loop {
        bytes[len] = b'0' + (rest / 100_000) as u8;
        rest = rest % 100_000 * 10;
        len += 1;
        if rest == 0 {
            return Name::ascii(bytes.split_at(len).0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::{format, vec::Vec};
    use shisa_rows::Line;

    #[test]
    fn numbers_and_their_texts() {
        for (n, v) in
            [(0u8, 0.0), (0x80, -0.0), (1, 1.0 / 64.0), (0x10, 0.25), (0x30, 1.0), (0x7f, 31.0), (0xc0, -2.0)]
        {
            assert_eq!(value(n).to_bits(), f32::to_bits(v), "{n:#x}");
            assert_eq!(encode(v), Some(n));
        }
        assert_eq!(encode(32.0), None);
        for (n, text) in (0..).zip(&TEXTS) {
            let mut out = Vec::new();
            Line::new(&mut out).name(text);
            assert_eq!(out, format!("{:?}", value(n)).into_bytes());
        }
    }
}
