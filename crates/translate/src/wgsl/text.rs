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
