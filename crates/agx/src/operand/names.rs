//! Texts of all values of common operands, so that each is written in one copy. A text is empty where the kind
//! itself must be asked.

use super::{Size, minifloat};
use shisa_rows::Short;

/// Integer sources: ten bits, and above them the two highest of the number.
pub(super) static WORDS: [Short; 4096] = sources(Size::Word, false);
/// Sources of sums.
pub(super) static TERMS: [Short; 4096] = sources(Size::Double, false);
/// Float sources.
pub(super) static FLOATS: [Short; 4096] = sources(Size::Word, true);

const fn sources(widest: Size, float: bool) -> [Short; 4096] {
    let mut texts = [Short::new(""); 4096];
    let mut bits = 0;
    while bits < texts.len() {
        texts[bits] = source(bits, widest, float);
        bits += 1;
    }
    texts
}

/// Half sources: nine bits, and above them the two highest of the number.
pub(super) static HALVES: [Short; 2048] = {
    let mut texts = [Short::new(""); 2048];
    let mut bits = 0;
    while bits < texts.len() {
        texts[bits] = source(bits & 511 | (bits >> 9) << 10, Size::Half, true);
        bits += 1;
    }
    texts
};

/// Results of selections: nine bits, the two highest of the number, and whether the destination has 32 bits.
pub(super) static SELECTED: [Short; 4096] = {
    let mut texts = [Short::new(""); 4096];
    let mut bits = 0;
    while bits < texts.len() {
        let (kind, hint, word) = (bits >> 8 & 1, bits >> 6 & 3, bits >> 11);
        let number = bits & 63 | (bits >> 9 & 3) << 10;
        texts[bits] = match (kind, hint) {
            (1, 0) => source(number, Size::Word, false),
            (1, 1) | (0, 0) => Short::new(""),
            (1, _) => source(number | (hint & 1 | word << 1) << 6 | 1 << 8, Size::Word, false),
            _ => source(number | hint << 6 | word << 9, Size::Word, false),
        };
        bits += 1;
    }
    texts
};

/// Destinations of two sizes: the cache bit, the size, the number of the first half.
pub(super) static DESTS: [Short; 1024] = {
    let mut texts = [Short::new(""); 1024];
    let mut bits = 0;
    while bits < texts.len() {
        let unit = bits >> 2;
        let hint = 1 + (bits & 1);
        let number = unit & 63 | (unit >> 6) << 10;
        texts[bits] = source(number | hint << 6 | (bits & 2) << 8, Size::Word, false);
        bits += 1;
    }
    texts
};

/// The text of a typed source: ten bits, and above them the two highest of its number.
const fn source(bits: usize, widest: Size, float: bool) -> Short {
    let none = Short::new("");
    let (hint, kind) = (bits >> 6 & 3, bits >> 8 & 3);
    let number = bits & 63 | (bits >> 10) << 6;
    let (letter, unit, size) = match (kind, hint) {
        (0, 0) if float && number < 128 => return minifloat::TEXTS[number],
        (0, 0) if float => return none,
        (0, 0) => return join(b"", number, b""),
        (1, 2 | 3) if matches!(widest, Size::Half) => return none,
        (1, _) => (b'u', number | (hint & 1) << 8, if hint > 1 { Size::Word } else { Size::Half }),
        (_, 0) => return none,
        (0, _) => (b'r', number, Size::Half),
        (2, _) => (b'r', number, Size::Word),
        _ if !matches!(widest, Size::Double) => return none,
        _ => (b'r', number, Size::Double),
    };
    if unit % 2 != 0 && !matches!(size, Size::Half) {
        return none;
    }
    let mut before = [0; 3];
    let mut len = 0;
    if letter == b'r' && hint > 1 {
        before[0] = if hint == 2 { b'$' } else { b'^' };
        len = 1;
    }
    if matches!(size, Size::Double) {
        before[len] = b'd';
        len += 1;
    }
    before[len] = letter;
    let behind: &[u8] = match (size, unit % 2) {
        (Size::Half, 0) => b"l",
        (Size::Half, _) => b"h",
        _ => b"",
    };
    join(before.split_at(len + 1).0, unit / 2, behind)
}

/// A number below 1000 between two texts.
const fn join(before: &[u8], number: usize, behind: &[u8]) -> Short {
    let digits = [b'0' + (number / 100) as u8, b'0' + (number / 10 % 10) as u8, b'0' + (number % 10) as u8];
    let skip = (number < 100) as usize + (number < 10) as usize;
    let parts = [before, digits.split_at(skip).1, behind];
    let (mut bytes, mut len, mut part) = ([0; 8], 0, 0);
    while part < parts.len() {
        let mut i = 0;
        while i < parts[part].len() {
            bytes[len] = parts[part][i];
            (len, i) = (len + 1, i + 1);
        }
        part += 1;
    }
    Short::ascii(bytes.split_at(len).0)
}
