//! Runs programs on the exact evaluator.

mod trace;

pub use trace::{TraceStep, TraceTexel, TraceWrite};

use crate::Error;
use shisa_diag::Diagnostic;

/// Options of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct RunOptions {
    /// The largest number of instructions in the trace, which has the latest ones; 0 for no trace.
    pub trace: usize,
}

impl RunOptions {
    /// Without a trace.
    pub const fn new() -> RunOptions {
        RunOptions { trace: 0 }
    }

    /// Records the latest instructions, at most the given number.
    pub const fn trace(mut self, count: usize) -> RunOptions {
        self.trace = count;
        self
    }
}

/// The error for inputs that do not fit.
pub(crate) fn wrong(text: impl Into<String>) -> Error {
    Error::from(Diagnostic::error("run-input", text))
}
