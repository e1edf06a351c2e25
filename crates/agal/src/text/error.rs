//! Errors that point at text.

use alloc::string::String;
use shisa_diag::{Diagnostic, Span};

/// An error at a range of the source text.
pub(crate) fn error(code: &'static str, message: impl Into<String>, span: impl Into<Span>) -> Diagnostic {
    Diagnostic::error(code, message).at_text(span, "")
}
