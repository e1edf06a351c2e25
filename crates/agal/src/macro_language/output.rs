//! The text that the macro language is lowered to, and the origin of each piece.

use alloc::{format, string::String, vec::Vec};
use core::ops::Range;
use shisa_diag::{Diagnostic, Place, Span};

/// A piece of text with its origin.
#[derive(Clone, Copy, Debug)]
struct Piece {
    /// Its offset; it ends where the next one begins.
    start: usize,
    origin: Span,
    /// The macro call that wrote it.
    call: Option<usize>,
}

/// A macro call.
#[derive(Clone, Debug)]
struct Call {
    name: String,
    span: Span,
    /// The call whose body contains it.
    outer: Option<usize>,
}

/// Text with origins.
#[derive(Clone, Debug, Default)]
pub(super) struct Output {
    /// The text so far.
    pub(super) text: String,
    pieces: Vec<Piece>,
    calls: Vec<Call>,
    /// The call whose body is being written.
    current: Option<usize>,
    /// The source's line of each line of the text.
    lines: Vec<u32>,
}

impl Output {
    /// Appends text that comes from `origin`.
    pub(super) fn write(&mut self, text: &str, origin: Span) {
        self.pieces.push(Piece { start: self.text.len(), origin, call: self.current });
        self.text.push_str(text);
    }

    /// Ends a line, which comes from line `line` of the source.
    pub(super) fn end(&mut self, line: u32) {
        self.text.push('\n');
        self.lines.push(line);
    }

    /// How many lines there are.
    pub(super) fn len(&self) -> usize {
        self.lines.len()
    }

    /// Begins the body of a macro; returns the argument for [`Output::leave`].
    pub(super) fn enter(&mut self, name: &str, span: Span) -> Option<usize> {
        let outer = self.current;
        self.calls.push(Call { name: name.into(), span, outer });
        self.current = Some(self.calls.len() - 1);
        outer
    }

    /// Ends the body of a macro.
    pub(super) fn leave(&mut self, outer: Option<usize>) {
        self.current = outer;
    }

    /// Adds the calls that are being written, innermost first, as labels of a finding.
    pub(super) fn called(&self, d: Diagnostic) -> Diagnostic {
        self.with_calls(d, self.current)
    }

    fn with_calls(&self, mut d: Diagnostic, mut call: Option<usize>) -> Diagnostic {
        // More labels would not help a reader.
        for _ in 0..8 {
            let Some(c) = call.and_then(|i| self.calls.get(i)) else { break };
            d = d.at_text(c.span, format!("called here: {}", c.name));
            call = c.outer;
        }
        d
    }

    fn covering(&self, span: Range<usize>) -> &[Piece] {
        let first = self.pieces.partition_point(|p| p.start <= span.start).saturating_sub(1);
        let last = self.pieces.partition_point(|p| p.start < span.end).max(first + 1);
        self.pieces.get(first..last.min(self.pieces.len())).unwrap_or_default()
    }

    /// The origin of a text: all pieces of the same call as the first piece.
    pub(super) fn origin(&self, span: Range<usize>) -> Span {
        let pieces = self.covering(span);
        let Some(first) = pieces.first() else { return Span::default() };
        let alike = pieces.iter().filter(|p| p.call == first.call);
        alike.fold(first.origin, |s, p| s.to(p.origin))
    }

    /// The source's line of a line of the text, both counted from 1.
    pub(super) fn line(&self, line: u32) -> u32 {
        let index = (line as usize).checked_sub(1);
        index.and_then(|i| self.lines.get(i)).copied().unwrap_or(0)
    }

    /// Converts a finding about the text to one about the source.
    pub(super) fn in_source(&self, mut d: Diagnostic) -> Diagnostic {
        let mut call = None;
        for (i, label) in d.labels.iter_mut().enumerate().filter(|(_, l)| l.place == Place::Text) {
            let range = label.span.range();
            if i == 0 {
                call = self.covering(range.clone()).first().and_then(|p| p.call);
            }
            label.span = self.origin(range);
            // A fix of the lowered text is none of the source.
            label.fix = None;
        }
        self.with_calls(d, call)
    }
}
