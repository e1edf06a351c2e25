//! `maxwell/cuda`: compiled kernels with memory before and after.

use super::memory::unchanged_or_expected;
use crate::{Data, Error, Tally};
use serde_json::Value;
use shisa::{File, RunOptions, Settings};
use shisa_run::from_base64;

/// Judges every line: each buffer has what is expected after the run, or what it had before.
pub(crate) fn judge(data: &Data, tally: &mut Tally) -> Result<(), Error> {
    for case in data.values("maxwell/cuda/cases.jsonl")? {
        let name = case.get("name").and_then(Value::as_str).unwrap_or("?");
        tally.row(name, run(&case, &Settings::default()).map(drop));
    }
    Ok(())
}

/// Runs a case, compares its buffers, and returns the input with results.
pub(super) fn run(case: &Value, settings: &Settings) -> Result<Value, String> {
    let cubin = case.get("cubin").and_then(Value::as_str).and_then(from_base64).ok_or("no cubin")?;
    let file = File::open(&cubin, settings).map_err(|e| e.to_string())?;
    let filled = file.run_json(&case.to_string(), RunOptions::new()).map_err(|e| e.to_string())?;
    unchanged_or_expected(case, &filled, "buffers")?;
    Ok(filled)
}
