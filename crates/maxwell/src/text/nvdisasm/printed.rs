//! Text as far as a limit allows.

use alloc::vec::Vec;
use shisa_diag::Limits;

/// Text that is written piece by piece; past the limit of text, pieces are dropped.
pub(super) struct Printed<'o> {
    /// The text.
    pub(super) out: &'o mut Vec<u8>,
    most: usize,
}

impl<'o> Printed<'o> {
    /// Appends to a text.
    pub(super) fn new(out: &'o mut Vec<u8>, limits: &Limits) -> Printed<'o> {
        Printed { out, most: limits.text_out }
    }

    /// Appends a piece.
    pub(super) fn text(&mut self, text: &str) {
        if self.out.len() <= self.most {
            self.out.extend_from_slice(text.as_bytes());
        }
    }
}
