//! One finding.

use crate::span::{Label, Place, Span};
use alloc::{format, string::String, vec::Vec};
use core::fmt;

/// The stable name of a kind of error, such as `agal-3647` or `asm-unknown-opcode`.
///
/// Codes are part of the interface: scripts match on them and `explain` explains them.
pub type Code = &'static str;

/// The severity of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// A useful fact; nothing is wrong.
    Note,
    /// Suspicious, but the input is usable.
    Warning,
    /// The input breaks a rule.
    Error,
}

impl Severity {
    /// The number of severities.
    pub const COUNT: usize = 3;
    /// All severities, the lowest first.
    pub const ALL: [Severity; Severity::COUNT] = [Severity::Note, Severity::Warning, Severity::Error];

    /// `note`, `warning` or `error`, as printed and as written to JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

/// One finding: a code, a message, locations, notes and help.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Stable name of the kind of error.
    pub code: Code,
    /// The severity.
    pub severity: Severity,
    /// One line, without the location.
    pub message: String,
    /// The locations; the first label is the primary one.
    pub labels: Vec<Label>,
    /// Further facts.
    pub notes: Vec<String>,
    /// What to do about it.
    pub help: Vec<String>,
}

impl Diagnostic {
    /// An error without a location yet.
    pub fn error(code: Code, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, code, message)
    }

    /// An error in shisa itself: a state that its own code rules out. `code` begins with `internal-`.
    #[cold]
    pub fn internal(code: Code, message: impl Into<String>) -> Self {
        Self::error(code, message).help(
            "this is a fault of shisa, not of the input; please report it with the input and this message",
        )
    }

    /// A warning without a location yet.
    pub fn warning(code: Code, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, code, message)
    }

    /// A finding of the given severity without a location yet.
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

    /// Adds a label on a part of the source text.
    pub fn at_text(self, span: impl Into<Span>, text: impl Into<String>) -> Self {
        self.at(Place::Text, span.into(), text.into())
    }

    /// Adds a label on bytes of the binary.
    pub fn at_bytes(self, span: impl Into<Span>, text: impl Into<String>) -> Self {
        self.at(Place::Bytes, span.into(), text.into())
    }

    fn at(mut self, place: Place, span: Span, text: String) -> Self {
        self.labels.push(Label { place, span, text, fix: None });
        self
    }

    /// Adds a note: a further fact.
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(text.into());
        self
    }

    /// Adds help: advice.
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help.push(text.into());
        self
    }

    /// Adds a fix: `text` in place of the primary label's part of the source. A finding without such a label gets none.
    pub fn fix(mut self, text: impl Into<String>) -> Self {
        if let Some(primary) = self.labels.first_mut().filter(|label| label.place == Place::Text) {
            primary.fix = Some(text.into());
        }
        self
    }

    /// Adds help that suggests another spelling of the primary label's part of the source, and the fix that writes it.
    pub fn did_you_mean(self, text: &str) -> Self {
        self.fix(text).help(format!("did you mean {text}?"))
    }

    /// Adds help to write something in place of the primary label's part of the source, and the fix that does so.
    pub fn write(self, text: &str) -> Self {
        self.fix(text).help(format!("write {text}"))
    }

    /// The start of the primary label, if there is one.
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
