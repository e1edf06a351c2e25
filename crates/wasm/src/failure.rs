//! Errors, before they are objects of JavaScript.

use shisa::Error;
use shisa::diag::Diagnostic;

/// Findings, and the file that they are about.
pub(crate) struct Failure {
    /// The findings.
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// The name of the file; may be empty.
    pub(crate) name: String,
    /// The file, if it is text.
    pub(crate) source: Option<String>,
}

impl Failure {
    /// A failure that is about no file.
    pub(crate) fn of(diagnostic: Diagnostic) -> Failure {
        Failure { diagnostics: vec![diagnostic], name: String::new(), source: None }
    }

    /// A fault in the arguments of a call.
    pub(crate) fn usage(text: impl Into<String>) -> Failure {
        Failure::of(Diagnostic::error("usage", text))
    }

    /// An error about a file.
    pub(crate) fn about(error: Error, name: &str, bytes: &[u8]) -> Failure {
        let source = std::str::from_utf8(bytes).ok().map(str::to_owned);
        Failure { diagnostics: error.diagnostics, name: name.to_owned(), source }
    }
}
