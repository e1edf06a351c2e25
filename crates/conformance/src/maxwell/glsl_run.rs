//! `maxwell/glsl-run`: compute shaders of uam with memory before and after.

use super::memory::unchanged_or_expected;
use crate::{Data, Error, Tally};
use serde_json::Value;
use shisa::{File, RunOptions, Settings};
use shisa_run::from_base64;

/// Judges every shader with a run: each resource has what is expected after it, or what it had before.
pub(crate) fn judge(data: &Data, tally: &mut Tally) -> Result<(), Error> {
    for shader in data.values("maxwell/glsl/shaders.jsonl")? {
        let Some(input) = shader.get("run") else { continue };
        let name = shader.get("name").and_then(Value::as_str).unwrap_or("?");
        tally.row(name, run(&shader, input, &Settings::default()).map(drop));
    }
    Ok(())
}

/// Runs a shader, compares its resources, and returns the input with results.
pub(super) fn run(shader: &Value, input: &Value, settings: &Settings) -> Result<Value, String> {
    let dksh = shader.get("dksh").and_then(Value::as_str).and_then(from_base64).ok_or("no dksh")?;
    let file = File::open(&dksh, settings).map_err(|e| e.to_string())?;
    let filled = file.run_json(&input.to_string(), RunOptions::new()).map_err(|e| e.to_string())?;
    unchanged_or_expected(input, &filled, "resources")?;
    Ok(filled)
}
