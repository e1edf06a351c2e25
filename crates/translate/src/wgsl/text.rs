//! Text under construction.

use std::fmt;

/// UTF-8, as bytes: a part of it is copied without a search for the boundaries of characters.
#[derive(Debug, Default)]
pub(super) struct Text(pub(super) Vec<u8>);

impl Text {
    #[inline]
    pub(super) fn push(&mut self, c: char) {
        match u8::try_from(c) {
            Ok(byte @ ..=0x7f) => self.0.push(byte),
            _ => self.push_str(c.encode_utf8(&mut [0; 4])),
        }
    }

    #[inline]
    pub(super) fn push_str(&mut self, text: &str) {
        self.0.extend_from_slice(text.as_bytes());
    }

    #[inline]
    pub(super) fn push_short(&mut self, text: &Short) {
        self.push_first(text.length.into(), &text.bytes);
    }

    /// Appends the first bytes of an array. Most names are short: a copy of a fixed size needs no call, and bytes past
    /// the end are dropped.
    #[inline]
    pub(super) fn push_first<const N: usize>(&mut self, length: usize, of: &[u8; N]) {
        let end = self.0.len() + length;
        self.0.extend_from_slice(of);
        self.0.truncate(end);
    }
}

/// A short text that takes as much memory as any other, so that it is copied without a call.
pub(super) struct Short {
    bytes: [u8; 16],
    length: u8,
}

impl Short {
    /// A text of at most 16 bytes.
    pub(super) const fn new(text: &str) -> Short {
        let (mut bytes, mut i) = ([0; 16], 0);
        while i < text.len() {
            bytes[i] = text.as_bytes()[i];
            i += 1;
        }
        Short { bytes, length: i as u8 }
    }
}

impl fmt::Write for Text {
    #[inline]
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.push_str(text);
        Ok(())
    }

    #[inline]
    fn write_char(&mut self, c: char) -> fmt::Result {
        self.push(c);
        Ok(())
    }
}
