//! Names, whose text is built only when they are printed.

use std::fmt::Write;

/// A text, optionally followed by a number and then by another text. Most values have a name, so a name allocates
/// nothing.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Name<'a> {
    text: &'a str,
    number: Option<u32>,
    tail: &'a str,
}

impl<'a> Name<'a> {
    /// A text followed by a number.
    pub(crate) const fn numbered(text: &'a str, number: u32) -> Name<'a> {
        Name { text, number: Some(number), tail: "" }
    }

    /// A number between two texts.
    pub(crate) const fn around(text: &'a str, number: u32, tail: &'a str) -> Name<'a> {
        Name { text, number: Some(number), tail }
    }

    /// Two texts, one after the other.
    pub(crate) const fn joined(text: &'a str, tail: &'a str) -> Name<'a> {
        Name { text, number: None, tail }
    }

    /// The rest of a text that begins with the name.
    #[cfg(feature = "naga")]
    pub(crate) fn strip(self, from: &str) -> Option<&str> {
        let rest = from.strip_prefix(self.text)?;
        let Some(n) = self.number else { return rest.strip_prefix(self.tail) };
        let (digits, rest) = rest.split_at(rest.bytes().take_while(u8::is_ascii_digit).count());
        if digits.parse() == Ok(n) { rest.strip_prefix(self.tail) } else { None }
    }

    /// Appends the name to a text.
    pub(crate) fn write(self, out: &mut impl Write) {
        let _ = out.write_str(self.text);
        if let Some(n) = self.number {
            decimal(out, n);
        }
        if !self.tail.is_empty() {
            let _ = out.write_str(self.tail);
        }
    }
}

#[cfg(feature = "naga")]
impl From<Name<'_>> for String {
    fn from(name: Name<'_>) -> String {
        let mut text = String::with_capacity(name.text.len() + name.tail.len() + MOST_DIGITS);
        name.write(&mut text);
        text
    }
}

impl<'a> From<&'a str> for Name<'a> {
    fn from(text: &'a str) -> Name<'a> {
        Name { text, number: None, tail: "" }
    }
}

/// Digits of the largest number in a name.
#[cfg(feature = "naga")]
const MOST_DIGITS: usize = u32::MAX.ilog10() as usize + 1;

/// Appends a number. A formatter takes several times as long, and most names end in a number.
#[inline]
pub(crate) fn decimal(out: &mut impl Write, n: u32) {
    if n >= 10 {
        return digits(out, n);
    }
    let _ = out.write_char(char::from(b'0' + n as u8));
}

/// Appends a number of several digits.
fn digits(out: &mut impl Write, n: u32) {
    decimal(out, n / 10);
    let _ = out.write_char(char::from(b'0' + (n % 10) as u8));
}

/// Whether a byte may be part of an identifier.
pub(crate) const fn part_of_name(b: u8) -> bool {
    // Printed text is searched for names byte by byte, so the answers are in a table.
    const PARTS: [bool; 256] = {
        let (mut parts, mut b) = ([false; 256], 0);
        while b < parts.len() {
            parts[b] = (b as u8).is_ascii_alphanumeric() || b as u8 == b'_';
            b += 1;
        }
        parts
    };
    PARTS[b as usize]
}

/// Whether a text ends in the name of a register: one or two letters and a number. No shading language reserves such a
/// name, except for the names of number types.
#[cfg(feature = "naga")]
pub(crate) fn is_register(text: &[u8]) -> bool {
    let mut head = text;
    while let [rest @ .., b'0'..=b'9'] = head {
        head = rest;
    }
    let before = match head {
        [before @ .., a, b] if a.is_ascii_alphabetic() && b.is_ascii_alphabetic() => before,
        [before @ .., a] if a.is_ascii_alphabetic() => before,
        _ => return false,
    };
    head.len() < text.len() && !before.last().is_some_and(|&b| part_of_name(b))
}
