//! Pieces of a source with their offsets, and taking arguments off a line.

use shisa_diag::{Code, Diagnostic, Span};

/// Whether C's `isspace` is true.
pub(super) const fn blank(b: u8) -> bool {
    matches!(b, b' ' | b'\t'..=b'\r')
}

/// A part of a source.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Piece<'s> {
    pub(super) text: &'s str,
    /// The offset of its first byte in the source.
    pub(super) at: usize,
}

impl<'s> Piece<'s> {
    pub(super) const fn span(self) -> Span {
        Span::new(self.at, self.at + self.text.len())
    }

    /// An error here.
    pub(super) fn error(self, code: Code, message: impl Into<alloc::string::String>) -> Diagnostic {
        Diagnostic::error(code, message).at_text(self.span(), "")
    }

    /// The part from byte `start` up to `end`, both within it.
    pub(super) fn part(self, start: usize, end: usize) -> Piece<'s> {
        Piece { text: self.text.get(start..end).unwrap_or_default(), at: self.at + start }
    }

    pub(super) fn skip(self, bytes: usize) -> Piece<'s> {
        self.part(bytes, self.text.len())
    }

    pub(super) fn trim_start(self) -> Piece<'s> {
        self.skip(self.text.bytes().take_while(|b| blank(*b)).count())
    }

    pub(super) fn trim_end(self) -> Piece<'s> {
        let tail = self.text.bytes().rev().take_while(|b| blank(*b)).count();
        self.part(0, self.text.len() - tail)
    }

    pub(super) fn trim(self) -> Piece<'s> {
        self.trim_start().trim_end()
    }

    /// The text before the first of some ASCII characters, and the text after it.
    pub(super) fn cut(self, delimiters: &[u8]) -> (Piece<'s>, Option<Piece<'s>>) {
        match self.text.bytes().position(|b| delimiters.contains(&b)) {
            Some(i) => (self.part(0, i), Some(self.skip(i + 1))),
            None => (self, None),
        }
    }

    /// Whether it is this word in any case.
    pub(super) fn is(self, word: &str) -> bool {
        self.text.eq_ignore_ascii_case(word)
    }

    pub(super) const fn is_empty(self) -> bool {
        self.text.is_empty()
    }
}

/// Whether text is a valid name.
pub(crate) fn identifier(name: &str) -> bool {
    let letter = |b: u8| b.is_ascii_alphabetic() || matches!(b, b'_' | b'$');
    name.bytes().next().is_some_and(letter) && name.bytes().all(|b| letter(b) || b.is_ascii_digit())
}

/// The arguments of a line, from left to right. Arguments are separated by commas or by blanks, depending on the
/// directive.
#[derive(Clone, Copy, Debug)]
pub(super) struct Args<'s> {
    /// The line's command.
    pub(super) command: Piece<'s>,
    /// The text that is not consumed yet.
    pub(super) rest: Piece<'s>,
}

impl<'s> Args<'s> {
    fn until(&mut self, delimiters: &[u8]) -> Option<Piece<'s>> {
        if self.rest.is_empty() {
            return None;
        }
        let (piece, rest) = self.rest.cut(delimiters);
        self.rest = rest.unwrap_or(self.rest.skip(self.rest.text.len()));
        Some(piece)
    }

    /// Up to a comma.
    pub(super) fn comma(&mut self) -> Option<Piece<'s>> {
        self.until(b",").map(Piece::trim)
    }

    /// Up to a blank.
    pub(super) fn word(&mut self) -> Option<Piece<'s>> {
        let word = self.until(b" \t");
        self.rest = self.rest.trim_start();
        word.map(Piece::trim)
    }

    /// As [`Args::comma`], for a required argument.
    pub(super) fn want_comma(&mut self, what: &'static str) -> Result<Piece<'s>, Diagnostic> {
        self.comma().ok_or_else(|| self.missing(what))
    }

    /// As [`Args::word`], for a required argument.
    pub(super) fn want_word(&mut self, what: &'static str) -> Result<Piece<'s>, Diagnostic> {
        self.word().ok_or_else(|| self.missing(what))
    }

    /// The text before a parenthesis, and the four numbers in it.
    pub(super) fn vector(&mut self) -> Result<(Piece<'s>, [Piece<'s>; 4]), Diagnostic> {
        let name = self.until(b"(").ok_or_else(|| self.missing("a name"))?.trim();
        Ok((name, self.numbers()?))
    }

    /// Four numbers up to a parenthesis.
    pub(super) fn numbers(&mut self) -> Result<[Piece<'s>; 4], Diagnostic> {
        let mut numbers = [Piece::default(); 4];
        for n in &mut numbers[..3] {
            *n = self.want_comma("a number")?;
        }
        let (last, rest) = self.rest.cut(b")");
        let Some(rest) = rest else {
            return Err(self.rest.error("pica-operand-count", "four numbers in parentheses are expected"));
        };
        numbers[3] = last.trim();
        self.rest = rest.trim();
        Ok(numbers)
    }

    /// The error for a missing argument.
    pub(super) fn missing(&self, what: &'static str) -> Diagnostic {
        let place = self.command.span().to(self.rest.span());
        let message = alloc::format!("{} lacks {what}", self.command.text);
        Diagnostic::error("pica-operand-count", message).at_text(place, "")
    }

    /// Reports remaining text.
    pub(super) fn end(&self) -> Result<(), Diagnostic> {
        match self.rest.is_empty() {
            true => Ok(()),
            false => Err(self.rest.error("pica-operand-count", "nothing more is expected here")),
        }
    }
}
