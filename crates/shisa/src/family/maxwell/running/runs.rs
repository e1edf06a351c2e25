//! Running what files of this instruction set hold.

use super::super::file::MaxwellFile;
use super::keys::KEYS;
use super::watch::Watch;
use super::{KernelCode, KernelOutput, KernelRun, draw, json, pictures, resources, stage_json};
use crate::engines::Shader;
use crate::family::Runs;
use crate::run::{TraceSink, set_executed, wrong};
use crate::{Result, Settings};
use serde::Deserialize;
use serde_json::{Value, json};
use shisa_diag::Diagnostic;
use shisa_eval::NoObserver;
use shisa_maxwell::ShaderStage;
use shisa_maxwell::container::{Container, Image};
use shisa_maxwell::launch::Kernel;
use std::borrow::Cow;

/// An input.
enum Input {
    Cuda(json::Input),
    /// For a program of a DKSH.
    Deko3d(resources::Input),
}

impl Input {
    /// Reads a text. Inputs with `workgroups` are for programs of a DKSH.
    ///
    /// # Errors
    /// `run-input` if it has another form or an unknown key.
    fn read(json: &Value) -> Result<Input> {
        let wrong_form = |e: serde_json::Error| wrong(e.to_string());
        match json.get("workgroups") {
            Some(_) => resources::Input::deserialize(json).map(Input::Deko3d).map_err(wrong_form),
            None => json::Input::deserialize(json).map(Input::Cuda).map_err(wrong_form),
        }
    }

    /// The first address where the kernel's own memory can begin.
    fn free(&self) -> Result<u64> {
        match self {
            Input::Cuda(input) => input.free(),
            Input::Deko3d(_) => Ok(json::FREE),
        }
    }

    fn run(&self, kernel: Kernel, settings: &Settings) -> Result<KernelRun> {
        match self {
            Input::Cuda(input) => input.run(kernel),
            Input::Deko3d(input) => input.run(kernel, settings),
        }
    }

    fn fill(&self, filled: &mut Value, run: &KernelRun, output: &KernelOutput) {
        match self {
            Input::Cuda(input) => input.fill(filled, run, output),
            Input::Deko3d(input) => input.fill(filled, run, output),
        }
        if let Some(filled) = filled.as_object_mut() {
            set_executed(filled, output.executed);
        }
    }
}

impl Runs for MaxwellFile<'_> {
    /// A function of a cubin is loaded with its constants and memory, a program of a DKSH with its constants. Bare code
    /// has only what the input states.
    fn run_json(
        &self,
        which: Option<usize>,
        text: &str,
        trace: &mut dyn TraceSink,
        settings: &Settings,
    ) -> Result<Value> {
        KEYS.check(text)?;
        let mut filled: Value = serde_json::from_str(text).map_err(|e| wrong(e.to_string()))?;
        let image = self.image();
        if draw::is_draw(&filled) {
            let all = which.map_or(0..image.programs.len(), |index| index..index + 1);
            let programs = all.map(|index| self.graphics(index, settings)).collect::<Result<Vec<_>>>()?;
            let programs: Vec<_> = programs.into_iter().flatten().collect();
            draw::run(&programs, &mut filled, trace, settings)?;
            return Ok(filled);
        }
        let index = chosen(image, which, &filled)?;
        let stage = image.programs.get(index).and_then(|p| p.stage);
        if stage.is_some_and(|stage| stage != ShaderStage::Compute) || stage_json::Input::is_drawn(&filled) {
            let input = stage_json::Input::deserialize(&filled).map_err(|e| wrong(e.to_string()))?;
            let program = self.graphics(index, settings)?.ok_or_else(|| {
                wrong("the input is for a graphics stage, and the program has no Shader Program Header")
            })?;
            input.filled(&mut filled, program, trace, settings)?;
            return Ok(filled);
        }
        let input = Input::read(&filled)?;
        let run = input.run(self.kernel(index, input.free()?, settings)?, settings)?;
        let code = KernelCode::new(&run.kernel)?;
        if trace.takes_runs() {
            trace.run(None, Box::new(code.captured(&run, settings)?));
        }
        let plan = code.plan(settings)?;
        let mut waves = plan.waves();
        let fast = match settings.choice().is_fast(trace) {
            true => code.compile(settings)?.run(&run, trace, settings)?,
            false => None,
        };
        let output = match fast {
            Some(output) => output,
            None if trace.needs_steps() => {
                plan.run(&mut waves, &run, &mut Watch::new(code.lifted(), trace), settings)?
            }
            None => plan.run(&mut waves, &run, &mut NoObserver, settings)?,
        };
        input.fill(&mut filled, &run, &output);
        if let Some(filled) = filled.as_object_mut() {
            if settings.maxwell.findings {
                let finding =
                    |d: &Diagnostic| json!({"code": d.code, "message": d.message, "notes": d.notes});
                filled.insert("findings".into(), output.findings.iter().map(finding).collect());
            }
            if settings.maxwell.profile {
                filled.insert("profile".into(), json!(output.profile));
            }
        }
        Ok(filled)
    }

    fn shader(&self, index: usize, input: Option<&str>, settings: &Settings) -> Result<Box<dyn Shader>> {
        let code = pictures::code(self.graphics(index, settings)?, input, settings)?;
        Ok(Box::new(pictures::MaxwellShader::new(code, settings)?))
    }
}

/// The program that the caller or the input names, or the first entry point.
fn chosen(image: &Image<'_>, which: Option<usize>, json: &Value) -> Result<usize> {
    match (which, json.get("kernel").and_then(Value::as_str)) {
        (Some(index), _) => Ok(index),
        (None, Some(name)) => named(image, name),
        (None, None) => Ok(image.programs.iter().position(|p| p.entry).unwrap_or(0)),
    }
}

/// The number of a kernel by its name.
fn named(image: &Image<'_>, name: &str) -> Result<usize> {
    let found = image.programs.iter().position(|p| p.name == name);
    let bare = image.programs.len() == 1 && image.container != Container::Cubin;
    found.or(bare.then_some(0)).ok_or_else(|| {
        let names: Vec<&str> = image.programs.iter().take(8).map(|p| p.name.as_str()).collect();
        wrong(format!("the file has no kernel \"{}\"; it has {}", shisa_diag::escape(name), names.join(", ")))
    })
}

impl KernelRun {
    /// The run that an input of `shisa run` describes: `bytes` are the file with the kernel, `input` is the JSON text.
    ///
    /// # Errors
    /// Those of opening the file; `run-input` for an input that does not fit; what loading the kernel refuses.
    pub fn from_json(bytes: &[u8], input: &str, settings: &Settings) -> Result<KernelRun> {
        KEYS.check(input)?;
        let json: Value = serde_json::from_str(input).map_err(|e| wrong(e.to_string()))?;
        let file = MaxwellFile::read(Cow::Borrowed(bytes), settings)?;
        let input = Input::read(&json)?;
        let index = chosen(file.image(), None, &json)?;
        input.run(file.kernel(index, input.free()?, settings)?, settings)
    }
}

impl MaxwellFile<'_> {
    /// A program of the file as a kernel, whose global memory begins at the address `free` or after it.
    fn kernel(&self, index: usize, free: u64, settings: &Settings) -> Result<Kernel> {
        let image = self.image();
        if let Some((cubin, function)) = image.function(index) {
            return Ok(Kernel::load(cubin, function, free, &settings.limits)?);
        }
        if let Some(file) = image.dksh()
            && let Some(program) = file.programs.get(index)
        {
            return Ok(Kernel::of_dksh(file, program)?);
        }
        let registers = image.programs.get(index).and_then(|p| p.registers).unwrap_or(0);
        Ok(Kernel::of_stage(image.code(index), None, registers))
    }
}
