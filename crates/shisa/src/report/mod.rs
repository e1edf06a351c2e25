//! Cost of programs, estimated from their code.

mod counted;

pub(crate) use counted::{Counter, Known};

use serde_json::Value;
use std::fmt;

/// Estimated cost of a program: registers, threads, cycles, waits.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Report {
    /// The name of the program in the file; may be empty.
    pub name: String,
    /// The report as one JSON object, in the form of `docs/schema/report.schema.json`, for AGX of
    /// `docs/schema/agx-report.schema.json`.
    pub json: Value,
    pub(crate) text: String,
}

impl fmt::Display for Report {
    /// The report as lines of text, each with its line end.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
