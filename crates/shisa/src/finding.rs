//! The findings of checks.

use shisa_diag::Diagnostic;

/// A fault in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// The number of the program, from 1. The labels count from the program's first byte; with `None` they count from
    /// the start of the file.
    pub program: Option<usize>,
    /// The fault.
    pub diagnostic: Diagnostic,
}

impl Finding {
    pub(crate) fn of_file(diagnostic: Diagnostic) -> Finding {
        Finding { program: None, diagnostic }
    }
}
