//! What fails.

use shisa_diag::Diagnostic;

/// The result of everything that can fail: all faults that were found, at least one.
pub type Result<T> = std::result::Result<T, Vec<Diagnostic>>;

/// The error for an input that does not fit.
pub(crate) fn wrong(text: impl Into<String>) -> Vec<Diagnostic> {
    vec![Diagnostic::error("picture-input", text)]
}
