//! What checks find.

use shisa_diag::Diagnostic;

/// Something that is wrong with a file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// The number of the program, from 1, from whose first byte labels count. With `None` they count from the start of
    /// the file.
    pub program: Option<usize>,
    /// What is wrong.
    pub diagnostic: Diagnostic,
}

impl Finding {
    pub(crate) fn of_file(diagnostic: Diagnostic) -> Finding {
        Finding { program: None, diagnostic }
    }
}
