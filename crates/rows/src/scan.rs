//! A cursor over one line of source text.

use alloc::vec::Vec;
use shisa_diag::{Diagnostic, Span};

/// Reads a line from left to right. Positions are byte offsets into the whole source.
///
/// What is found on the way and does not stop the reading is kept in the cursor.
#[derive(Clone, Debug)]
pub struct Scan<'a> {
    line: &'a str,
    base: usize,
    at: usize,
    found: Vec<Diagnostic>,
}

impl<'a> Scan<'a> {
    /// Findings that are kept of one line.
    pub const MOST: usize = 16;

    /// A cursor at the start of `line`, which begins at byte `base` of the source.
    pub const fn new(line: &'a str, base: usize) -> Self {
        Scan { line, base, at: 0, found: Vec::new() }
    }

    /// Offset of the cursor in the source.
    pub const fn pos(&self) -> usize {
        self.base + self.at
    }

    /// From an earlier position to the cursor.
    pub const fn since(&self, start: usize) -> Span {
        Span::new(start, self.pos())
    }

    /// What is left.
    pub fn rest(&self) -> &'a str {
        self.line.get(self.at..).unwrap_or("")
    }

    /// Whether nothing is left.
    pub fn is_empty(&self) -> bool {
        self.at >= self.line.len()
    }

    /// The next byte.
    #[inline]
    pub fn peek(&self) -> Option<u8> {
        self.line.as_bytes().get(self.at).copied()
    }

    /// Moves past blanks and tabs.
    #[inline]
    pub fn blanks(&mut self) -> &mut Self {
        while matches!(self.peek(), Some(b' ' | b'\t')) {
            self.at += 1;
        }
        self
    }

    /// Moves past `b` if it comes next.
    #[inline]
    pub fn eat(&mut self, b: u8) -> bool {
        let yes = self.peek() == Some(b);
        self.at += usize::from(yes);
        yes
    }

    /// Moves past `text` if it comes next.
    pub fn eat_str(&mut self, text: &str) -> bool {
        let yes = self.rest().starts_with(text);
        self.at += if yes { text.len() } else { 0 };
        yes
    }

    /// Takes bytes as long as `f` holds. `f` must hold for ASCII only, or for all of a character.
    #[inline]
    pub fn take(&mut self, f: impl Fn(u8) -> bool) -> &'a str {
        let start = self.at;
        while self.peek().is_some_and(&f) {
            self.at += 1;
        }
        self.line.get(start..self.at).unwrap_or("")
    }

    /// Takes letters, digits and underscores.
    #[inline]
    pub fn word(&mut self) -> &'a str {
        self.take(|b| b.is_ascii_alphanumeric() || b == b'_')
    }

    /// Takes the name of a place in code, if one comes next: letters, digits, `_`, `.` and `$`, no digit first.
    pub fn label(&mut self) -> &'a str {
        if self.peek().is_some_and(|b| b.is_ascii_digit()) {
            return "";
        }
        self.take(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'$'))
    }

    /// Takes decimal digits; `None` without one, saturating at `u64::MAX`.
    pub fn dec(&mut self) -> Option<u64> {
        let digits = self.take(|b| b.is_ascii_digit());
        let value = |v: u64, b: u8| v.saturating_mul(10).saturating_add(u64::from(b - b'0'));
        (!digits.is_empty()).then(|| digits.bytes().fold(0, value))
    }

    /// Takes everything up to the end.
    pub fn finish(&mut self) -> &'a str {
        let rest = self.rest();
        self.at = self.line.len();
        rest
    }

    /// Takes one character, whatever it is.
    pub fn any(&mut self) -> Option<char> {
        let c = self.rest().chars().next()?;
        self.at += c.len_utf8();
        Some(c)
    }

    /// Keeps a finding that does not stop the reading; a line keeps the first few.
    pub fn report(&mut self, finding: Diagnostic) {
        if self.found.len() < Self::MOST {
            self.found.push(finding);
        }
    }

    /// Gives out the findings kept so far.
    pub fn findings(&mut self) -> Vec<Diagnostic> {
        core::mem::take(&mut self.found)
    }

    /// Goes back to an earlier position.
    pub fn rewind(&mut self, pos: usize) {
        self.at = pos.saturating_sub(self.base).min(self.line.len());
    }
}
