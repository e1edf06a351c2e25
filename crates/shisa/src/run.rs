//! Runs programs on the exact evaluator.

pub use shisa_run::{LatestSteps, NoTrace, TraceLines, TraceSink, TraceStep, TraceTexel, TraceWrite};
pub(crate) use shisa_run::{Shape, Steps};

use crate::{Error, Result};
use serde_json::Value;
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

/// The result of a run with the steps of its trace.
pub(crate) fn with_trace(json: Value, steps: &LatestSteps) -> Result<Value> {
    if !steps.needs_steps() {
        return Ok(json);
    }
    serde_json::to_value(steps.filled(&json)).map_err(|e| wrong(e.to_string()))
}
