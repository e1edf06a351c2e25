//! `agal/run`: programs with inputs and the outputs that other tools computed.

use crate::data::stem;
use crate::numbers::Expected;
use crate::{Data, Error, Tally};
use serde_json::Value;
use shisa::agal::RunInput;
use shisa::{File, RunOptions, Settings};

/// Judges every file.
pub(crate) fn judge(data: &Data, tally: &mut Tally) -> Result<(), Error> {
    for path in data.list("agal/run", ".json")? {
        tally.row(stem(&path), one(data, &path));
    }
    Ok(())
}

fn one(data: &Data, path: &str) -> Result<(), String> {
    let text = data.text(path).map_err(|e| e.to_string())?;
    let file: Value = serde_json::from_str(&text).map_err(|e| e.to_string())?;
    let program = file.get("program").and_then(Value::as_str).ok_or("no program")?;
    let bytes = data.read(&format!("agal/{program}")).map_err(|e| e.to_string())?;
    let input = RunInput::from_json(&text).map_err(|e| e.to_string())?;
    let program = File::open(&bytes, &Settings::new()).and_then(|file| file.program(1));
    let output = program.and_then(|program| shisa::agal::run(&program, &input, RunOptions::new()));
    let filled = output.and_then(|o| o.to_json(&text)).map_err(|e| e.to_string())?;
    let got = filled.get("expected").and_then(Value::as_object).ok_or("nothing filled in")?;
    Expected::of(&file).ok_or("no expectations")?.compare(got)
}
