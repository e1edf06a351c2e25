//! `agal/run`: programs with inputs and the outputs that other tools computed.

use super::Tally;
use super::numbers::Expected;
use serde_json::Value;
use shisa::{RunInput, RunOptions, Settings};
use std::error::Error;
use std::path::{Path, PathBuf};

/// The files of a folder with this ending, by name.
pub(crate) fn files(dir: &Path, ending: &str) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let mut list = Vec::new();
    for entry in std::fs::read_dir(dir)? {
        let path = entry?.path();
        if path.to_str().is_some_and(|p| p.ends_with(ending)) {
            list.push(path);
        }
    }
    list.sort();
    Ok(list)
}

/// Judges every file.
pub(crate) fn judge(dir: &Path, tally: &mut Tally) -> Result<(), Box<dyn Error>> {
    let base = dir.parent().unwrap_or(dir);
    for path in files(dir, ".json")? {
        let name = path.file_stem().and_then(|s| s.to_str()).unwrap_or_default();
        tally.row(name, one(base, &path));
    }
    Ok(())
}

fn one(base: &Path, path: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(path).map_err(|e| e.to_string())?;
    let file: Value = serde_json::from_str(&text).map_err(|e| e.to_string())?;
    let program = file.get("program").and_then(Value::as_str).ok_or("no program")?;
    let bytes = std::fs::read(base.join(program)).map_err(|e| e.to_string())?;
    let input = RunInput::from_json(&text).map_err(|e| e.to_string())?;
    let output = shisa::run(&bytes, &input, RunOptions::default(), &Settings::default());
    let filled = output.and_then(|o| o.to_json(&text)).map_err(|e| e.to_string())?;
    let got = filled.get("expected").and_then(Value::as_object).ok_or("nothing filled in")?;
    Expected::of(&file).ok_or("no expectations")?.compare(got)
}
