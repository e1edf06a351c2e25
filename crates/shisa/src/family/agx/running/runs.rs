//! Running what files of this instruction set hold.

use super::super::file::AgxFile;
use super::super::partial::PartialPart;
use super::json::Runnable;
use super::keys::KEYS;
use super::{compute_json, draw_json};
use crate::family::Runs;
use crate::run::{TraceSink, wrong};
use crate::{Result, Settings};
use serde_json::Value;

impl Runs for AgxFile<'_> {
    /// Inputs with `vertices` or `pixels` are for a program that draws, others for a compute program, whose buffers
    /// get their contents as `expect`. The input's first program describes the bare code of a compute program.
    fn run_json(
        &self,
        which: Option<usize>,
        input: &str,
        trace: &mut dyn TraceSink,
        settings: &Settings,
    ) -> Result<Value> {
        let program = match self {
            AgxFile::Part(file) => Runnable::Json(file.to_json()),
            AgxFile::Linked(file) => Runnable::Json(file.to_json()),
            AgxFile::Code(bytes, _) => Runnable::Code(bytes),
            AgxFile::Image(_) => Runnable::Code(self.code(which.unwrap_or(0))?.bytes),
        };
        run(&program, input, trace, settings)
    }
}

impl Runs for PartialPart {
    fn run_json(
        &self,
        _: Option<usize>,
        input: &str,
        trace: &mut dyn TraceSink,
        settings: &Settings,
    ) -> Result<Value> {
        run(&Runnable::Json(self.json.clone()), input, trace, settings)
    }
}

/// Runs a program on inputs as JSON, and fills in the results.
fn run(program: &Runnable<'_>, text: &str, trace: &mut dyn TraceSink, settings: &Settings) -> Result<Value> {
    KEYS.check(text)?;
    let input: Value = serde_json::from_str(text).map_err(|e| wrong(e.to_string()))?;
    match draw_json::draws(&input) {
        true => draw_json::filled(program, input, trace, settings),
        false => compute_json::filled(program, text, input, trace, settings),
    }
}
