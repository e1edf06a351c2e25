//! Programs and their inputs as JSON.

use super::super::file::AgxFile;
use super::super::partial::PartialPart;
use super::{
    ComputeCode, ComputeProgram, ComputeRun, Preamble, base64, draw_json, textures::Textures, watch::Watch,
};
use crate::family::Runs;
use crate::run::{RunOptions, TraceStep, wrong};
use crate::{Result, Settings};
use serde::Deserialize;
use serde_json::Value;
use shisa_agx::Imageblock;
use shisa_eval::NoObserver;

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

#[derive(Deserialize)]
pub(super) struct Buffer {
    addr: u64,
    data: String,
}

#[derive(Deserialize)]
pub(super) struct Part {
    #[serde(default)]
    pub(super) code: String,
    pub(super) meta: Meta,
}

#[derive(Deserialize)]
pub(super) struct Meta {
    #[serde(default)]
    pub(super) id: String,
    /// In a linked program: its code.
    #[serde(default)]
    pub(super) kind: String,
    /// In a linked program: its main part.
    #[serde(default)]
    pub(super) main: String,
    #[serde(default)]
    pub(super) main_offset: usize,
    pub(super) main_size: Option<usize>,
    #[serde(default)]
    has_preamble: u8,
    #[serde(default)]
    preamble_offset: usize,
    #[serde(default)]
    pub(super) scratch_size: usize,
    #[serde(default)]
    pub(super) preamble_scratch_size: usize,
    #[serde(default)]
    local_size: usize,
    #[serde(default)]
    imageblock_stride: u32,
    #[serde(default)]
    rodata: Rodata,
}

#[derive(Clone, Copy, Default, Deserialize)]
struct Rodata {
    offset: usize,
    base_uniform: usize,
    size_16: usize,
}

pub(super) fn hex(text: &str) -> Option<Vec<u8>> {
    let digit = |b: u8| char::from(b).to_digit(16);
    let pairs = text.as_bytes().chunks(2);
    pairs.map(|p| Some((digit(*p.first()?)? << 4 | digit(*p.get(1)?)?) as u8)).collect()
}

impl Part {
    /// All of its bytes.
    pub(super) fn bytes(&self) -> Result<Vec<u8>> {
        hex(&self.code).ok_or_else(|| wrong("the code is not hexadecimal"))
    }

    /// The preamble that sets its uniforms.
    ///
    /// # Errors
    /// `run-input` if the preamble is outside of the code.
    pub(super) fn preamble(&self) -> Result<Preamble> {
        let (bytes, Rodata { offset, base_uniform, size_16 }) = (self.bytes()?, self.meta.rodata);
        let end = size_16.checked_mul(2).and_then(|n| offset.checked_add(n));
        let constants = end.and_then(|end| bytes.get(offset..end));
        let constants = constants.ok_or_else(|| wrong("the constants are outside of the code"))?.to_vec();
        let code = match self.meta.has_preamble {
            0 => Vec::new(),
            _ => {
                let rest = bytes.get(self.meta.preamble_offset..).unwrap_or_default();
                let code = shisa_agx::up_to_trap(rest);
                if code.is_empty() {
                    return Err(wrong("the preamble is outside of the code"));
                }
                code.to_vec()
            }
        };
        Ok(Preamble { code, first: base_uniform, constants })
    }
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
            stack: meta.scratch_size.max(meta.preamble_scratch_size),
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

/// Addresses and contents of buffers.
pub(super) fn buffers(list: &[Buffer]) -> Result<Vec<(u64, Vec<u8>)>> {
    let buffer = |b: &Buffer| {
        let bytes = base64::decode(&b.data).ok_or_else(|| wrong("the data of a buffer is not base64"))?;
        Ok((b.addr, bytes))
    };
    list.iter().map(buffer).collect()
}

/// Writes the contents of buffers into an input as `expect`.
pub(super) fn filled_buffers(input: &mut Value, contents: &[Vec<u8>]) {
    let buffers = input.get_mut("buffers").and_then(Value::as_array_mut);
    for (buffer, bytes) in buffers.into_iter().flatten().zip(contents) {
        if let Some(buffer) = buffer.as_object_mut() {
            buffer.insert("expect".into(), base64::encode(bytes).into());
            buffer.remove("expect_hw");
        }
    }
}

impl ComputeRun {
    /// All runs of a line in the oracle's format: one for each of its programs.
    ///
    /// # Errors
    /// `run-input` if the text has another form.
    pub fn from_json(text: &str) -> Result<Vec<ComputeRun>> {
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
            uniforms: hex(&self.uniforms_hex).ok_or_else(|| wrong("the uniforms are not hexadecimal"))?,
            buffers: buffers(&self.buffers)?,
            textures: self.textures.bound(settings)?,
        })
    }
}

/// The steps of a trace.
pub(super) fn traced(steps: &[TraceStep]) -> Result<Value> {
    serde_json::to_value(steps).map_err(|e| wrong(e.to_string()))
}

/// A program to run: a part or a linked program as JSON, or bare code.
pub(super) enum Runnable<'a> {
    /// JSON with code and metadata.
    Json(Value),
    /// Code.
    Code(&'a [u8]),
}

impl Runnable<'_> {
    /// The part, if the program is JSON.
    pub(super) fn part(&self) -> Result<Option<Part>> {
        match self {
            Runnable::Json(json) => Part::deserialize(json).map(Some).map_err(|e| wrong(e.to_string())),
            Runnable::Code(_) => Ok(None),
        }
    }
}

impl Runs for AgxFile<'_> {
    /// Inputs with `vertices` or `pixels` are for a program that draws, others for a compute program, whose buffers
    /// get their contents as `expect`. The input's first program describes the bare code of a compute program.
    fn run_json(
        &self,
        which: Option<usize>,
        input: &str,
        options: RunOptions,
        settings: &Settings,
    ) -> Result<Value> {
        let program = match self {
            AgxFile::Part(file) => Runnable::Json(file.to_json()),
            AgxFile::Linked(file) => Runnable::Json(file.to_json()),
            AgxFile::Code(bytes, _) => Runnable::Code(bytes),
            AgxFile::Image(_) => Runnable::Code(self.code(which.unwrap_or(0))?.bytes),
        };
        run(&program, input, options, settings)
    }
}

impl Runs for PartialPart {
    fn run_json(
        &self,
        _: Option<usize>,
        input: &str,
        options: RunOptions,
        settings: &Settings,
    ) -> Result<Value> {
        run(&Runnable::Json(self.json.clone()), input, options, settings)
    }
}

/// Runs a program on inputs as JSON, and fills in the results.
fn run(program: &Runnable<'_>, input: &str, options: RunOptions, settings: &Settings) -> Result<Value> {
    let mut filled: Value = serde_json::from_str(input).map_err(|e| wrong(e.to_string()))?;
    if draw_json::draws(&filled) {
        return draw_json::filled(program, filled, options, settings);
    }
    let parsed: Input = serde_json::from_str(input).map_err(|e| wrong(e.to_string()))?;
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
    let plan = code.plan(settings)?;
    let mut watch = Watch::new(&code.main, options.trace);
    let output = match options.trace {
        0 => plan.run(&mut plan.waves(), &run, &mut NoObserver, settings)?,
        _ => plan.run(&mut plan.waves(), &run, &mut watch, settings)?,
    };
    filled_buffers(&mut filled, &output.buffers);
    parsed.textures.fill(&mut filled, &run.textures, &output.textures)?;
    if let Some(filled) = filled.as_object_mut() {
        filled.insert("executed".into(), output.executed.into());
        if options.trace > 0 {
            filled.insert("trace".into(), traced(&watch.finish())?);
        }
    }
    Ok(filled)
}
