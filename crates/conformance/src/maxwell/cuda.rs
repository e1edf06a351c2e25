//! `maxwell/cuda`: compiled kernels with memory before and after.

use super::memory::unchanged_or_expected;
use crate::{Data, Error, Tally};
use serde_json::Value;
use shisa::{File, RunOptions, Settings};
use shisa_run::from_base64;

/// Judges every line: each buffer has what is expected after the run, or what it had before.
pub(crate) fn judge(data: &Data, tally: &mut Tally) -> Result<(), Error> {
    for line in data.text("maxwell/cuda/cases.jsonl")?.lines() {
        let case: Value = serde_json::from_str(line)?;
        let name = case.get("name").and_then(Value::as_str).unwrap_or("?");
        tally.row(name, one(&case, line));
    }
    Ok(())
}

fn one(case: &Value, line: &str) -> Result<(), String> {
    let cubin = case.get("cubin").and_then(Value::as_str).and_then(from_base64).ok_or("no cubin")?;
    let settings = Settings::default();
    let file = File::open(&cubin, &settings).map_err(|e| e.to_string())?;
    let filled = file.run_json(line, RunOptions::new()).map_err(|e| e.to_string())?;
    unchanged_or_expected(case, &filled, "buffers")
}
