//! What went wrong, where, and what to do about it.
//!
//! Every fallible shisa function answers with [`Diagnostic`]s: a stable [`Code`] that `shisa explain`
//! explains, a one-line message, [`Label`]s that point into the input, notes (facts) and help (advice).
//! A label points either at bytes of a binary or at bytes of a text; [`Place`] tells which.
//!
//! Functions that can find several faults collect them in a [`Sink`], which stops storing (but not
//! counting) at its limit. [`Limits`] names every bound that shisa puts on its input and its work.
//!
//! With the feature `render` a diagnostic renders with a source excerpt and colours.
#![no_std]
extern crate alloc;
#[cfg(feature = "render")]
extern crate std;

mod choice;
mod confidence;
mod limits;
#[cfg(feature = "render")]
mod render;
mod sink;

pub use choice::Choice;
pub use confidence::Confidence;
pub use limits::{Limit, Limits};
#[cfg(feature = "render")]
pub use render::render;
pub use sink::Sink;

use alloc::{string::String, vec::Vec};
use core::{fmt, ops::Range};

/// The stable name of a kind of fault, such as `agal-3647` or `asm-unknown-opcode`.
///
/// Codes are part of the interface: scripts match on them and `explain` explains them.
pub type Code = &'static str;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// A fact worth knowing; nothing is wrong.
    Note,
    /// Suspicious, but the input can be used.
    Warning,
    /// The input breaks a rule.
    Error,
}

impl Severity {
    /// `note`, `warning` or `error`, as printed and as written to JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

/// What a span counts in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// Byte offsets into a binary.
    Bytes,
    /// Byte offsets into UTF-8 source text.
    Text,
}

/// A half-open range of byte offsets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// The bytes from `start` up to `end`.
    pub const fn new(start: usize, end: usize) -> Self {
        Span { start, end }
    }

    /// The smallest span that covers both.
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The same range for slicing.
    pub const fn range(self) -> Range<usize> {
        self.start..self.end
    }
}

impl From<Range<usize>> for Span {
    fn from(r: Range<usize>) -> Self {
        Span { start: r.start, end: r.end }
    }
}

/// A pointed-at part of the input with what is to be said about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// What `span` counts in.
    pub place: Place,
    /// The part pointed at.
    pub span: Span,
    /// What is said there; may be empty.
    pub text: String,
}

/// One finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Stable name of the kind of fault.
    pub code: Code,
    /// How bad it is.
    pub severity: Severity,
    /// One line, without the place.
    pub message: String,
    /// Where; the first label is the primary one.
    pub labels: Vec<Label>,
    /// Further facts.
    pub notes: Vec<String>,
    /// What to do about it.
    pub help: Vec<String>,
}

impl Diagnostic {
    /// An error without a place yet.
    pub fn error(code: Code, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, code, message)
    }

    /// A warning without a place yet.
    pub fn warning(code: Code, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, code, message)
    }

    /// A finding of the given severity without a place yet.
    pub fn new(severity: Severity, code: Code, message: impl Into<String>) -> Self {
        Diagnostic {
            code,
            severity,
            message: message.into(),
            labels: Vec::new(),
            notes: Vec::new(),
            help: Vec::new(),
        }
    }

    /// Points at a part of the source text.
    pub fn at_text(self, span: impl Into<Span>, text: impl Into<String>) -> Self {
        self.at(Place::Text, span.into(), text.into())
    }

    /// Points at bytes of the binary.
    pub fn at_bytes(self, span: impl Into<Span>, text: impl Into<String>) -> Self {
        self.at(Place::Bytes, span.into(), text.into())
    }

    fn at(mut self, place: Place, span: Span, text: String) -> Self {
        self.labels.push(Label { place, span, text });
        self
    }

    /// Adds a fact.
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(text.into());
        self
    }

    /// Adds advice.
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help.push(text.into());
        self
    }

    /// Where the primary label starts, if there is one.
    pub fn offset(&self) -> Option<usize> {
        self.labels.first().map(|l| l.span.start)
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}]: {}", self.severity.name(), self.code, self.message)
    }
}

impl core::error::Error for Diagnostic {}

/// Line and column of a byte offset of `text`, both counted from 1, the column in characters.
pub fn line_column(text: &str, offset: usize) -> (usize, usize) {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    let before = &text[..offset];
    let start = before.rfind('\n').map_or(0, |i| i + 1);
    (before.matches('\n').count() + 1, before[start..].chars().count() + 1)
}

/// `text` with control characters and invisible formatting written as escapes, safe for a terminal.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        let invisible = matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}');
        if c.is_control() || invisible {
            out.extend(c.escape_default());
        } else {
            out.push(c);
        }
    }
    out
}
