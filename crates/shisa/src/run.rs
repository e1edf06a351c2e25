//! Runs programs.

pub use shisa_run::{
    LatestSteps, NoTrace, RunOptions, TraceLines, TraceSink, TraceStep, TraceTexel, TraceWrite,
};
pub(crate) use shisa_run::{Shape, StageSteps, Steps, set_executed};

use crate::Error;
use shisa_diag::Diagnostic;

/// The error for inputs that do not fit.
pub(crate) fn wrong(text: impl Into<String>) -> Error {
    Error::from(Diagnostic::error("run-input", text))
}
