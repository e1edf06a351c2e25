//! Names and bytes in quotes.

use crate::container::text_at;
use core::fmt;

/// Bytes in quotes; bytes that are not printable are written as `\xNN`.
pub(super) struct Quoted<'a>(pub(super) &'a [u8]);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("\"")?;
        for &b in self.0 {
            match b {
                b'"' | b'\\' | b';' | b':' => write!(f, "\\x{b:02x}")?,
                b' '..=b'~' => write!(f, "{}", char::from(b))?,
                _ => write!(f, "\\x{b:02x}")?,
            }
        }
        f.write_str("\"")
    }
}

/// A name of a table: in quotes, or its offset if that is requested or there is no text.
pub(super) struct NameAt<'a> {
    pub(super) symbols: &'a [u8],
    pub(super) offset: u32,
    pub(super) literal: bool,
}

impl fmt::Display for NameAt<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match text_at(self.symbols, self.offset) {
            Some(name) if !self.literal => Quoted(name.as_bytes()).fmt(f),
            _ => write!(f, "{:#x}", self.offset),
        }
    }
}
