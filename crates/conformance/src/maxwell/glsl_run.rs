//! `maxwell/glsl-run`: compute shaders of uam with memory before and after.

use super::memory::unchanged_or_expected;
use crate::{Data, Error, Tally};
use serde_json::Value;
use shisa::{File, RunOptions, Settings};
use shisa_run::from_base64;

/// Judges every shader with a run: each resource has what is expected after it, or what it had before.
pub(crate) fn judge(data: &Data, tally: &mut Tally) -> Result<(), Error> {
    for shader in data.values("maxwell/glsl/shaders.jsonl")? {
        let Some(run) = shader.get("run") else { continue };
        let name = shader.get("name").and_then(Value::as_str).unwrap_or("?");
        tally.row(name, one(&shader, run));
    }
    Ok(())
}

fn one(shader: &Value, run: &Value) -> Result<(), String> {
    let dksh = shader.get("dksh").and_then(Value::as_str).and_then(from_base64).ok_or("no dksh")?;
    let settings = Settings::default();
    let file = File::open(&dksh, &settings).map_err(|e| e.to_string())?;
    let filled = file.run_json(&run.to_string(), RunOptions::new()).map_err(|e| e.to_string())?;
    unchanged_or_expected(run, &filled, "resources")
}
