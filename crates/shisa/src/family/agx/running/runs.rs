//! Running what files of this instruction set hold.

use super::super::file::AgxFile;
use super::super::partial::PartialPart;
use super::json::Runnable;
use super::keys::KEYS;
use super::pictures::AgxShader;
use super::{compute_json, draw_json};
use crate::engines::Shader;
use crate::family::Runs;
use crate::run::{TraceSink, wrong};
use crate::{Result, Settings};
use serde_json::Value;
use shisa_agx::Staged;
use shisa_diag::Diagnostic;
use shisa_ir::Stage;

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
        run(&self.runnable(which.unwrap_or(0))?, input, trace, settings)
    }

    /// The stage of bare code is the one that its instructions are of.
    fn shader(&self, index: usize, input: Option<&str>, settings: &Settings) -> Result<Box<dyn Shader>> {
        let code = self.code(index)?;
        let stage = code.stage.unwrap_or_else(|| Staged::stage_of(code.bytes));
        if !matches!(stage, Stage::Vertex | Stage::Fragment) {
            let text = format!("a {} program has no pictures", stage.name());
            return Err(Diagnostic::error("picture-stage", text).into());
        }
        let drawing = draw_json::drawing(&self.runnable(index)?, input.unwrap_or("{}"), settings)?;
        Ok(Box::new(AgxShader::new(drawing, stage, settings)?))
    }
}

impl AgxFile<'_> {
    /// A program as runs take it.
    fn runnable(&self, index: usize) -> Result<Runnable<'_>> {
        Ok(match self {
            AgxFile::Part(file) => Runnable::Json(file.to_json()),
            AgxFile::Linked(file) => Runnable::Json(file.to_json()),
            AgxFile::Code(bytes, _) => Runnable::Code(bytes),
            AgxFile::Image(_) => Runnable::Code(self.code(index)?.bytes),
        })
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
