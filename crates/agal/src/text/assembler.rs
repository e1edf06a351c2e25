//! The state of an assembler between lines, and the lines of a source.

use crate::{Ctx, Program, Token};
use alloc::vec::Vec;
use shisa_diag::{Bound, Diagnostic, Sink};

/// The position of a token in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TokenLine {
    /// First byte of the instruction.
    pub start: u32,
    /// One past its last byte, without comments.
    pub end: u32,
    /// Number of the line, counted from 1.
    pub line: u32,
}

/// A program being assembled.
pub(super) struct Assembler<'s> {
    pub(super) source: &'s str,
    pub(super) ctx: Ctx<'s>,
    pub(super) program: Program,
    pub(super) header: Option<Vec<u8>>,
    pub(super) lines: Vec<TokenLine>,
    pub(super) sink: Sink,
    /// The number of tokens before the first instruction that could not be read: state that rules track from
    /// instruction to instruction is unknown after it.
    pub(super) broken: Option<usize>,
    pub(super) limit: Bound,
    pub(super) faults: Vec<Diagnostic>,
}

/// A line of source text.
#[derive(Clone, Copy, Debug)]
pub(super) struct SourceLine<'s> {
    /// The line up to its comment, without blanks at either end.
    pub(super) code: &'s str,
    /// The offset of `code`.
    pub(super) start: usize,
    /// Number of the line, counted from 1.
    pub(super) number: u32,
    /// Whether there is a brace in the code.
    pub(super) brace: bool,
}

/// The lines of a source that contain more than blanks and comments.
pub(super) struct Lines<'s> {
    source: &'s str,
    at: usize,
    number: u32,
}

impl<'s> Lines<'s> {
    pub(super) fn new(source: &'s str) -> Self {
        // A byte order mark is not text.
        let at = if source.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        Lines { source, at, number: 1 }
    }
}

impl<'s> Iterator for Lines<'s> {
    type Item = SourceLine<'s>;

    #[inline]
    fn next(&mut self) -> Option<SourceLine<'s>> {
        let bytes = self.source.as_bytes();
        loop {
            while let Some(b) = bytes.get(self.at).filter(|b| b.is_ascii_whitespace() || **b == 0x0b) {
                self.number += u32::from(*b == b'\n');
                self.at += 1;
            }
            let (start, number) = (self.at, self.number);
            let (mut end, mut brace) = (None, false);
            let rest = bytes.get(start..).filter(|r| !r.is_empty())?;
            let mut len = rest.len();
            for (i, b) in rest.iter().enumerate() {
                match b {
                    b'\n' | b'\r' | 0x0b | 0x0c => {
                        len = i;
                        break;
                    }
                    b'/' if end.is_none() && rest.get(i + 1) == Some(&b'/') => end = Some(i),
                    b'{' => brace |= end.is_none(),
                    _ => {}
                }
            }
            self.at = start + len;
            let code =
                self.source.get(start..start + end.unwrap_or(len)).unwrap_or_default().trim_ascii_end();
            if !code.is_empty() {
                return Some(SourceLine { code, start, number, brace });
            }
        }
    }
}

impl Assembler<'_> {
    /// Adds a token.
    #[inline]
    pub(super) fn push(&mut self, token: Token, line: SourceLine<'_>) {
        self.program.tokens.push(token);
        let (start, end) = (line.start as u32, (line.start + line.code.len()) as u32);
        self.lines.push(TokenLine { start, end, line: line.number });
    }

    /// Records that an instruction could not be read.
    pub(super) fn skip(&mut self) {
        self.broken.get_or_insert(self.program.tokens.len());
    }
}
