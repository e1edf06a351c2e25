//! A cursor over one line of source text.

use alloc::vec::Vec;
use shisa_diag::{Diagnostic, Span};

/// Reads a line from left to right. Positions are byte offsets into the whole source.
///
/// Findings that do not stop the parse are collected in the cursor.
#[derive(Clone, Debug)]
pub struct Scan<'a> {
    line: &'a str,
    base: usize,
    at: usize,
    found: Vec<Diagnostic>,
}

impl<'a> Scan<'a> {
    /// Largest number of findings collected for one line.
    pub const MOST: usize = 16;

    /// A cursor at the start of `line`, which begins at byte `base` of the source.
    pub const fn new(line: &'a str, base: usize) -> Self {
        Scan { line, base, at: 0, found: Vec::new() }
    }

    /// Offset of the cursor in the source.
    pub const fn pos(&self) -> usize {
        self.base + self.at
    }

    /// The span from an earlier position to the cursor.
    pub const fn since(&self, start: usize) -> Span {
        Span::new(start, self.pos())
    }

    /// The remaining text.
    pub fn rest(&self) -> &'a str {
        self.line.get(self.at..).unwrap_or("")
    }

    /// The remaining bytes.
    #[inline]
    pub fn bytes(&self) -> &'a [u8] {
        self.line.as_bytes().get(self.at..).unwrap_or_default()
    }

    /// Whether no text remains.
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
        if let [b' ' | b'\t', rest @ ..] = self.bytes() {
            self.at += 1;
            if let [b' ' | b'\t', ..] = rest {
                self.column();
            }
        }
        self
    }

    /// Moves past the run of blanks before a column.
    fn column(&mut self) {
        const BLANKS: u64 = u64::from_le_bytes([b' '; 8]);
        let bytes = self.bytes();
        let others = bytes.as_chunks().0.iter().map(|chunk| u64::from_le_bytes(*chunk) ^ BLANKS);
        let (mut blanks, mut others) = (0, others.peekable());
        while others.next_if_eq(&0).is_some() {
            blanks += 8;
        }
        blanks += others.peek().map_or(0, |other| other.trailing_zeros() as usize / 8);
        while matches!(bytes.get(blanks), Some(b' ' | b'\t')) {
            blanks += 1;
        }
        self.at += blanks;
    }

    /// Moves past `b` if it comes next.
    #[inline]
    pub fn eat(&mut self, b: u8) -> bool {
        let yes = self.peek() == Some(b);
        self.at += usize::from(yes);
        yes
    }

    /// Moves past `text` if it comes next.
    #[inline]
    pub fn eat_str(&mut self, text: &str) -> bool {
        let yes = self.bytes().starts_with(text.as_bytes());
        self.at += if yes { text.len() } else { 0 };
        yes
    }

    /// Moves past a number of the [`Scan::bytes`], which must be whole characters.
    #[inline]
    pub fn skip(&mut self, bytes: usize) {
        self.at = (self.at + bytes).min(self.line.len());
    }

    /// Takes bytes while `f` holds. `f` must hold for ASCII bytes only, or for all bytes of a character.
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

    /// Takes a label name, if one comes next: letters, digits, `_`, `.` and `$`, not beginning with a digit.
    pub fn label(&mut self) -> &'a str {
        if self.peek().is_some_and(|b| b.is_ascii_digit()) {
            return "";
        }
        self.take(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'$'))
    }

    /// Takes decimal digits; `None` if there is none. Saturates at `u64::MAX`.
    #[inline]
    pub fn dec(&mut self) -> Option<u64> {
        let (start, mut value) = (self.at, 0u64);
        while let Some(b @ b'0'..=b'9') = self.peek() {
            value = value.saturating_mul(10).saturating_add(u64::from(b - b'0'));
            self.at += 1;
        }
        (self.at > start).then_some(value)
    }

    /// Takes hexadecimal digits; `None` if there is none, and for numbers of more than 64 bits.
    #[inline]
    pub fn hex(&mut self) -> Option<u64> {
        let (start, mut value) = (self.at, Some(0u64));
        while let Some(digit) = self.peek().and_then(|b| char::from(b).to_digit(16)) {
            value = value.filter(|v| v >> 60 == 0).map(|v| v << 4 | u64::from(digit));
            self.at += 1;
        }
        value.filter(|_| self.at > start)
    }

    /// Takes everything up to the end.
    pub fn finish(&mut self) -> &'a str {
        let rest = self.rest();
        self.at = self.line.len();
        rest
    }

    /// Takes one character of any kind.
    pub fn any(&mut self) -> Option<char> {
        let c = self.rest().chars().next()?;
        self.at += c.len_utf8();
        Some(c)
    }

    /// Collects a finding that does not stop the parse; only the first [`Scan::MOST`] of a line are collected.
    pub fn report(&mut self, finding: Diagnostic) {
        if self.found.len() < Self::MOST {
            self.found.push(finding);
        }
    }

    /// Whether findings were collected.
    pub(crate) fn has_findings(&self) -> bool {
        !self.found.is_empty()
    }

    /// Returns the collected findings and clears them.
    pub fn findings(&mut self) -> Vec<Diagnostic> {
        core::mem::take(&mut self.found)
    }

    /// Goes back to an earlier position.
    pub fn rewind(&mut self, pos: usize) {
        self.at = pos.saturating_sub(self.base).min(self.line.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_offsets_into_the_source() {
        let mut text = Scan::new("ab ü", 100);
        assert_eq!((text.pos(), text.is_empty(), text.peek()), (100, false, Some(b'a')));
        text.skip(1);
        text.skip(1);
        assert_eq!((text.pos(), text.rest(), text.since(101)), (102, " ü", Span::new(101, 102)));
        text.blanks();
        assert_eq!((text.any(), text.pos(), text.any(), text.is_empty()), (Some('ü'), 105, None, true));
        text.rewind(101);
        assert_eq!((text.finish(), text.pos(), text.rest()), ("b ü", 105, ""));
        text.rewind(0);
        text.skip(1000);
        assert_eq!(text.pos(), 105, "no position is past the end");
    }

    #[test]
    fn blanks_are_passed_however_many_there_are() {
        for blanks in 0..40 {
            for tab in 0..=blanks {
                let mut line: alloc::string::String = " ".repeat(blanks);
                if tab < blanks {
                    line.replace_range(tab..=tab, "\t");
                }
                for rest in ["", "x", "x  y and more than eight"] {
                    let line = [&line, rest].concat();
                    let mut text = Scan::new(&line, 7);
                    assert_eq!(text.blanks().pos(), 7 + blanks, "{line:?}");
                }
            }
        }
    }

    #[test]
    fn numbers_end_before_what_is_no_digit() {
        let dec = |line: &str| {
            let mut text = Scan::new(line, 0);
            (text.dec(), text.pos())
        };
        assert_eq!(
            [dec("0"), dec("120x"), dec("x"), dec("")],
            [(Some(0), 1), (Some(120), 3), (None, 0), (None, 0)]
        );
        assert_eq!(dec("18446744073709551616"), (Some(u64::MAX), 20));
        let hex = |line: &str| {
            let mut text = Scan::new(line, 0);
            (text.hex(), text.pos())
        };
        assert_eq!(
            [hex("0"), hex("1fAg"), hex("g"), hex("")],
            [(Some(0), 1), (Some(0x1fa), 3), (None, 0), (None, 0)]
        );
        assert_eq!(hex("fedcba9876543210"), (Some(0xfedc_ba98_7654_3210), 16));
        assert_eq!(hex("1fedcba9876543210"), (None, 17));
    }

    #[test]
    fn words_labels_and_texts() {
        let mut text = Scan::new("a_1.b$c:x", 0);
        assert_eq!((text.word(), text.eat(b'x'), text.eat(b'.')), ("a_1", false, true));
        assert_eq!((text.eat_str("x"), text.eat_str("b$"), text.pos()), (false, true, 6));
        assert_eq!(Scan::new("a_1.b$c:x", 0).label(), "a_1.b$c");
        assert_eq!((Scan::new("1a", 0).label(), Scan::new("-", 0).label()), ("", ""));
    }

    #[test]
    fn the_first_findings_of_a_line_are_collected() {
        let mut text = Scan::new("", 0);
        assert!(!text.has_findings());
        for n in 0..20 {
            text.report(Diagnostic::error("asm-operand", alloc::format!("{n}")));
            assert!(text.has_findings());
        }
        let found = text.findings();
        assert_eq!((found.len(), found.last().map(|d| d.message.as_str())), (Scan::MOST, Some("15")));
        assert!(!text.has_findings() && text.findings().is_empty());
    }
}
