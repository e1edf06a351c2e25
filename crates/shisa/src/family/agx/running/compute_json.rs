//! Compute programs, and their inputs, as JSON.

use super::json::{Buffer, Meta, Part, Rodata, Runnable, buffers, filled_buffers};
use super::keys::KEYS;
use super::{ComputeCode, ComputeProgram, ComputeRun, textures::Textures, watch::Watch};
use crate::run::{TraceSink, set_executed, wrong};
use crate::{Result, Settings};
use serde::Deserialize;
use serde_json::Value;
use shisa_agx::Imageblock;
use shisa_eval::NoObserver;
use shisa_run::from_hex;

#[derive(Deserialize)]
struct Input {
    grid: [u32; 3],
    workgroup: [u32; 3],
    #[serde(default)]
    uniforms_hex: String,
    #[serde(default)]
    buffers: Vec<Buffer>,
    #[serde(default)]
    programs: Vec<Part>,
    imageblock: Option<Tile>,
    #[serde(flatten)]
    textures: Textures,
}

/// The tile of a workgroup.
#[derive(Deserialize)]
struct Tile {
    width: u16,
    height: u16,
    #[serde(default = "one")]
    samples: u16,
    stride: u16,
}

fn one() -> u16 {
    1
}

impl ComputeProgram {
    /// From a part with its code and its compiler's metadata.
    ///
    /// # Errors
    /// `imageblock` for a tile that is too large.
    fn of(code: Vec<u8>, meta: &Meta) -> Result<ComputeProgram> {
        let Rodata { offset, base_uniform, size_16 } = meta.rodata;
        Ok(ComputeProgram {
            main: (meta.main_offset, meta.main_size.unwrap_or(code.len().saturating_sub(meta.main_offset))),
            preamble: (meta.has_preamble != 0).then_some(meta.preamble_offset),
            constants: (offset, base_uniform, size_16),
            shared: meta.local_size,
            imageblock: Imageblock::of_compiler(meta.imageblock_stride)?,
            stack: meta.stack(meta),
            code,
        })
    }

    /// From a part as JSON.
    ///
    /// # Errors
    /// `run-input` if the text is not a part.
    pub fn from_json(text: &str) -> Result<ComputeProgram> {
        let part: Part = serde_json::from_str(text).map_err(|e| wrong(e.to_string()))?;
        ComputeProgram::of(part.bytes()?, &part.meta)
    }
}

impl ComputeRun {
    /// All runs of a line in the oracle's format: one for each of its programs.
    ///
    /// # Errors
    /// `run-input` if the text has another form or an unknown key.
    pub fn from_json(text: &str) -> Result<Vec<ComputeRun>> {
        KEYS.check(text)?;
        let input: Input = serde_json::from_str(text).map_err(|e| wrong(e.to_string()))?;
        let settings = Settings::default();
        let run = |part: &Part| input.of(ComputeProgram::of(part.bytes()?, &part.meta)?, &settings);
        input.programs.iter().map(run).collect()
    }
}

impl Input {
    fn of(&self, mut program: ComputeProgram, settings: &Settings) -> Result<ComputeRun> {
        if let Some(Tile { width, height, samples, stride }) = self.imageblock {
            program.imageblock = Some(Imageblock::new([width, height], samples, stride)?);
        }
        Ok(ComputeRun {
            program,
            grid: self.grid,
            workgroup: self.workgroup,
            uniforms: from_hex(&self.uniforms_hex)
                .ok_or_else(|| wrong("the uniforms are not hexadecimal"))?,
            buffers: buffers(&self.buffers)?,
            textures: self.textures.bound(settings)?,
        })
    }
}

/// Runs a compute program on an input, and fills in the results. `text` is the input's text, whose lines errors name.
pub(super) fn filled(
    program: &Runnable<'_>,
    text: &str,
    mut filled: Value,
    trace: &mut dyn TraceSink,
    settings: &Settings,
) -> Result<Value> {
    let parsed: Input = serde_json::from_str(text).map_err(|e| wrong(e.to_string()))?;
    let program = match (program, program.part()?, parsed.programs.first()) {
        (_, Some(part), _) => ComputeProgram::of(part.bytes()?, &part.meta)?,
        (Runnable::Code(bytes), None, Some(part)) => ComputeProgram::of(bytes.to_vec(), &part.meta)?,
        (Runnable::Code(bytes), None, None) => {
            let whole = ComputeProgram { main: (0, bytes.len()), ..ComputeProgram::default() };
            ComputeProgram { code: bytes.to_vec(), ..whole }
        }
        (Runnable::Json(_), None, _) => return Err(wrong("the program is not a part")),
    };
    let run = parsed.of(program, settings)?;
    let code = ComputeCode::new(&run.program, settings)?;
    if trace.takes_runs() {
        trace.run(None, Box::new(code.captured(&run, settings)?));
    }
    let plan = code.plan(settings)?;
    let fast = match settings.choice().is_fast(trace) {
        true => plan.compile(settings)?.run(&run, trace, settings)?,
        false => None,
    };
    let output = match fast {
        Some(output) => output,
        None if trace.needs_steps() => {
            plan.run(&mut plan.waves(), &run, &mut Watch::new(&code.main, trace), settings)?
        }
        None => plan.run(&mut plan.waves(), &run, &mut NoObserver, settings)?,
    };
    filled_buffers(&mut filled, &output.buffers);
    parsed.textures.fill(&mut filled, &run.textures, &output.textures)?;
    if let Some(filled) = filled.as_object_mut() {
        set_executed(filled, output.executed);
    }
    Ok(filled)
}
