//! Runs on inputs.

use crate::convert;
use crate::failure::Failure;
use crate::opened::Opened;
use serde::Deserialize;
use serde_json::Value;
use shisa::File;
use shisa_verbs::{Engine, Precision, Running};
use wasm_bindgen::JsValue;

/// How programs run.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
struct RunOptions {
    engine: Engine,
    precision: Precision,
    findings: bool,
    profile: bool,
    /// The largest number of instructions in the trace.
    trace: usize,
}

/// Runs programs of a file on an input, and returns the results.
///
/// # Errors
/// `usage` for options that do not exist or are for another instruction set; the errors of `run`.
pub(crate) fn run(
    file: &Opened,
    input: &JsValue,
    options: &JsValue,
    run: impl FnOnce(&File<'_>, &str, shisa::RunOptions) -> shisa::Result<Value>,
) -> Result<JsValue, Failure> {
    let text = convert::text(input)?;
    let RunOptions { engine, precision, findings, profile, trace } = convert::options(options)?;
    let how = Running { engine, precision, findings, profile };
    how.fits(file.file().isa()).map_err(Failure::usage)?;
    let steps = shisa::RunOptions::new().trace(trace);
    convert::object(&file.adjusted(|settings| how.adjust(settings), |file| run(file, &text, steps))?)
}
