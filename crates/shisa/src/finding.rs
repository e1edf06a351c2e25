//! The findings of checks.

use shisa_diag::{Diagnostic, Limits, Severity, Sink};

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

impl shisa_diag::Finding for Finding {
    fn severity(&self) -> Severity {
        self.diagnostic.severity
    }
}

/// The findings about all programs of a file: at most [`Limits::diagnostics`], and one that counts the others.
pub(crate) fn bounded(all: impl IntoIterator<Item = Finding>, limits: &Limits) -> Vec<Finding> {
    let mut sink = Sink::new(limits.diagnostics);
    sink.extend(all);
    let (mut list, rest) = sink.into_parts();
    list.extend(rest.map(Finding::of_file));
    list
}
