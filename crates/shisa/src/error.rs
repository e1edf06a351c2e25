//! What every verb answers when it fails.

use shisa_diag::Diagnostic;
use std::fmt;

/// Why a verb failed: every fault that it found, at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The faults in the order found.
    pub diagnostics: Vec<Diagnostic>,
}

/// What every fallible verb answers with.
pub type Result<T> = std::result::Result<T, Error>;

impl From<Diagnostic> for Error {
    fn from(d: Diagnostic) -> Self {
        Error { diagnostics: vec![d] }
    }
}

impl From<Vec<Diagnostic>> for Error {
    fn from(diagnostics: Vec<Diagnostic>) -> Self {
        Error { diagnostics }
    }
}

impl fmt::Display for Error {
    /// One line for each fault, without places; [`crate::diag::render`] shows places.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, d) in self.diagnostics.iter().enumerate() {
            write!(f, "{}{d}", if i == 0 { "" } else { "\n" })?;
        }
        Ok(())
    }
}

impl std::error::Error for Error {}
