//! Runs AGAL on the evaluator.

mod input;
mod json;
mod lines;
mod pictures;
mod prepared;
mod recorder;

pub use input::{OutputColumn, RunInput, RunOutput, TextureInput};
pub use prepared::{Prepared, prepare};

use super::file::AgalFile;
use crate::engines::Shader;
use crate::engines::Source;
use crate::family::Runs;
use crate::run::{LatestSteps, RunOptions, TraceSink, wrong};
use crate::{Result, Settings};
use pictures::AgalShader;
use recorder::Recorder;
use shisa_agal::{Program, RegType, Sequencer};
use shisa_debug::Code;
use shisa_diag::Limit;
use shisa_engines::Lift;
use shisa_eval::{Batch, Column, TextureSet};
use shisa_ir::scalar::Rounding;
use shisa_ir::{FloatModel, Io, Reg, Stage};

/// The names that assemblers and listings have for the first outputs, each with its register.
const OUTPUT_NAMES: &[(&str, &str)] = &[("op", "op0"), ("oc", "fo0")];

/// Bytes that an output of one lane takes: its components as numbers, as text, and as JSON, with their lists.
const RESULT_BYTES: usize = 192;

impl Runs for AgalFile<'_> {
    fn run_json(
        &self,
        _: Option<usize>,
        input: &str,
        trace: &mut dyn TraceSink,
        settings: &Settings,
    ) -> Result<serde_json::Value> {
        execute(self.program()?, &RunInput::from_json(input)?, trace, settings)?.to_json(input)
    }

    fn executable(&self, _: usize, settings: &Settings) -> Result<Option<Box<dyn Source>>> {
        let program = self.program()?;
        Ok(Some(Box::new(Lift {
            lifted: shisa_agal::lift(program, &settings.agal)?,
            sequencer: Sequencer::new(program, &settings.limits),
            entry: 0,
            model: FloatModel::F32,
            upload: Rounding::default(),
            constants: Vec::new(),
        })))
    }

    fn shader(&self, _: usize, input: Option<&str>, settings: &Settings) -> Result<Box<dyn Shader>> {
        Ok(Box::new(AgalShader::new(self.program()?, input, settings)?))
    }
}

/// Runs a program.
///
/// # Errors
/// `program-isa` for a program of another instruction set; what the lift refuses; `run-input` if inputs do not fit
/// the program; what the evaluator refuses, such as `limit-exceeded`.
pub fn run(program: &crate::Program<'_>, input: &RunInput, options: RunOptions) -> Result<RunOutput> {
    let mut steps = LatestSteps::new(options.trace);
    let output = execute(super::program(program)?, input, &mut steps, program.settings())?;
    Ok(RunOutput { trace: steps.take(None), ..output })
}

fn execute(
    program: &Program,
    input: &RunInput,
    trace: &mut dyn TraceSink,
    settings: &Settings,
) -> Result<RunOutput> {
    let lifted = shisa_agal::lift(program, &settings.agal)?;
    let interface = shisa_agal::interface(program, &lifted);
    let results = input.lanes.saturating_mul(interface.outputs.len()).saturating_mul(RESULT_BYTES);
    settings.limits.check(Limit::Memory, "bytes of results", results)?;
    let sequencer = Sequencer::new(program, &settings.limits);
    let batch = Batch {
        entry: 0,
        lanes: input.lanes,
        grid: input.grid,
        inputs: columns(program, input)?,
        uniforms: uniforms(program, input)?,
        outputs: interface.outputs.iter().map(|o| (o.reg, u16::from(o.count))).collect(),
        ..Batch::default()
    };
    let mut textures = textures(program, input, settings)?;
    let code = Code {
        lifted: &lifted,
        sequencer,
        model: FloatModel::F32,
        name_of: recorder::name,
        symbols: OUTPUT_NAMES,
        lines: &|| lines::lines(program, &settings.agal),
    };
    let outcome = code.run(
        &batch,
        &mut textures,
        trace,
        |trace| Recorder::new(lifted.files, trace),
        &settings.choice(),
    )?;
    let outputs = interface.outputs.iter().zip(&outcome.outputs);
    Ok(RunOutput {
        outputs: outputs.map(|(io, column)| output(io, column)).collect(),
        killed: outcome.killed,
        executed: outcome.executed,
        trace: Vec::new(),
    })
}

fn output(io: &Io, column: &Column) -> OutputColumn {
    let lane = |bits: &[u32]| bits.iter().zip(0..).map(|(&bits, i)| io.used.has(i).then_some(bits)).collect();
    let usual = OUTPUT_NAMES.iter().find(|(_, register)| io.name == *register);
    let name = usual.map_or(&*io.name, |(usual, _)| usual);
    OutputColumn { name: name.to_owned(), lanes: column.lanes().map(lane).collect() }
}

/// The register with a name in this program, if it is of one of these kinds.
fn register(program: &Program, name: &str, kinds: &[RegType]) -> Result<(RegType, u16)> {
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let number = name.get(stem.len()..).unwrap_or_default();
    let number: Option<u16> = if number.is_empty() { Some(0) } else { number.parse().ok() };
    let kind = kinds.iter().copied().find(|k| k.name(program.stage) == Some(stem));
    let (Some(kind), Some(number)) = (kind, number) else {
        return Err(wrong(format!("\"{name}\" is not an input of an {}", program.describe())));
    };
    let count = kind.count(4, program.stage);
    if u32::from(number) >= count {
        return Err(wrong(format!(
            "there is no register {name}: the last is {stem}{}",
            count.saturating_sub(1)
        )));
    }
    Ok((kind, number))
}

fn columns(program: &Program, input: &RunInput) -> Result<Vec<Column>> {
    let mut columns = Vec::with_capacity(input.inputs.len() + 1);
    let given = |name: &str, len: usize| match len == input.lanes {
        true => Ok(()),
        false => Err(wrong(format!("{name} has {len} values for {} lanes", input.lanes))),
    };
    let kind = if program.stage == Stage::Vertex { RegType::ATTRIBUTE } else { RegType::VARYING };
    for (name, lanes) in &input.inputs {
        let (kind, number) = register(program, name, &[kind])?;
        given(name, lanes.len())?;
        let mut bits = Vec::with_capacity(lanes.len() * 4);
        for lane in lanes {
            if lane.is_empty() || lane.len() > 4 {
                return Err(wrong(format!("{name}: a value has 1 to 4 components, not {}", lane.len())));
            }
            let fill = [0, 0, 0, 1f32.to_bits()];
            bits.extend(lane.iter().chain(fill.iter().skip(lane.len())));
        }
        columns.push(Column { reg: Reg::new(kind.file(), number * 4), units: 4, bits });
    }
    if !input.instance.is_empty() {
        given("instance", input.instance.len())?;
        let (kind, _) = register(program, "iid", &[RegType::INSTANCE])?;
        let bits = input.instance.iter().map(|&n| (n as f32).to_bits()).collect();
        columns.push(Column { reg: Reg::new(kind.file(), 0), units: 1, bits });
    }
    Ok(columns)
}

fn uniforms(program: &Program, input: &RunInput) -> Result<Vec<(Reg, Vec<u32>)>> {
    let one = |(name, value): (&String, &[u32; 4])| {
        let (kind, number) = register(program, name, &[RegType::CONSTANT])?;
        Ok((Reg::new(kind.file(), number * 4), value.to_vec()))
    };
    input.constants.iter().map(one).collect()
}

fn textures(program: &Program, input: &RunInput, settings: &Settings) -> Result<TextureSet> {
    let mut set = TextureSet::new();
    for (name, t) in &input.textures {
        let (_, unit) = register(program, name, &[RegType::SAMPLER])?;
        let texture =
            shisa_eval::Texture::new(t.format, t.dim, t.width, t.height, &t.levels, &settings.limits)?;
        set.bind(unit, texture, t.sampler, &settings.limits)?;
    }
    Ok(set)
}
