//! Speed of the batch engine on vertex programs of PICA200, beside the evaluator and an emulator's compiled code.

use super::timing::seconds;
use crate::vertices::{PEERS, Peer, VERTICES, Work, unlimited};
use shisa::data::batch::{Attribute, HostLevel, Outputs, Program, Runner, Slot};
use shisa::ir::FloatModel;
use shisa::pica200::{Options, Sequencer};
use std::error::Error;
use std::path::Path;

/// Vertices of a small draw.
const DRAW: usize = 16;
/// Lanes of a chunk of machine code.
const CHUNK: usize = 16;

/// The inputs of a batch, interleaved as in a vertex buffer, and where its outputs are stored.
struct Buffers {
    inputs: Vec<Slot>,
    data: Vec<u32>,
    outputs: Vec<Slot>,
    stored: Vec<u32>,
}

impl Buffers {
    fn of(work: &Work) -> Buffers {
        let batch = work.batch();
        let slots = |list: Vec<(shisa::ir::Reg, u16)>| -> Vec<Slot> {
            let stride = list.iter().map(|(_, units)| usize::from(*units)).sum();
            let mut offset = 0;
            let slot = |(reg, units): (_, u16)| {
                offset += usize::from(units);
                Slot { reg, units, offset: offset - usize::from(units), stride, step: 1 }
            };
            list.into_iter().map(slot).collect()
        };
        let inputs = slots(batch.inputs.iter().map(|column| (column.reg, column.units)).collect());
        let outputs = slots(batch.outputs.clone());
        let vertex = |lane: usize| batch.inputs.iter().filter_map(move |column| column.lane(lane)).flatten();
        let data = (0..batch.lanes).flat_map(vertex).copied().collect();
        let words = outputs.first().map_or(0, |slot| slot.stride) * batch.lanes;
        Buffers { inputs, data, outputs, stored: vec![0; words] }
    }

    /// Runs the program over the first `vertices` vertices.
    fn run(&mut self, runner: &mut Runner, vertices: usize) -> Result<(), Box<dyn Error>> {
        let attributes: Vec<Attribute<'_>> =
            self.inputs.iter().map(|slot| Attribute { slot: *slot, data: &self.data }).collect();
        let mut outputs = Outputs { slots: &self.outputs, data: &mut self.stored };
        Ok(runner.run(vertices, &attributes, &mut outputs, &mut []).map(drop)?)
    }
}

/// The figures of an engine.
struct Engine {
    /// Million vertices a second: all of them in one call, and in calls of [`DRAW`].
    whole: f64,
    draws: f64,
    /// Microseconds to compile the program.
    compilation: f64,
}

/// The figures of a program in one model of floats.
struct Speed {
    batch: Engine,
    /// With machine code, if the processor can run it; bytes of code, and the share of vertices that it leaves.
    code: Option<(Engine, usize, f64)>,
    /// Million vertices a second of the evaluator.
    evaluator: f64,
}

/// Measures an engine, and the evaluator beside it.
fn engine(
    work: &Work,
    options: &Options,
    program: &Program,
    compile: &dyn Fn() -> Result<Program, Box<dyn Error>>,
) -> Result<(Engine, f64, u64), Box<dyn Error>> {
    let runner = || {
        let mut runner = program.runner();
        runner.set_limits(unlimited());
        for (first, bits) in &work.batch().uniforms {
            runner.set_uniforms(*first, bits);
        }
        runner
    };
    let (mut one, mut other) = ((runner(), Buffers::of(work)), (runner(), Buffers::of(work)));
    // A run that fails in a measurement failed here before.
    one.1.run(&mut one.0, VERTICES)?;
    let left = one.0.left_chunks();
    let whole = &mut || drop(one.1.run(&mut one.0, VERTICES));
    let draw = &mut || drop(other.1.run(&mut other.0, DRAW));
    let compilation = &mut || drop(std::hint::black_box(compile()));
    let ([whole, draw, compilation, evaluator], _) =
        work.with(options, |run| seconds([whole, draw, compilation, run]))?;
    let million = |vertices: usize, seconds: f64| vertices as f64 / seconds / 1e6;
    let engine = Engine {
        whole: million(VERTICES, whole),
        draws: million(DRAW, draw),
        compilation: compilation * 1e6,
    };
    Ok((engine, million(VERTICES, evaluator), left))
}

fn speed(work: &Work, options: &Options) -> Result<Speed, Box<dyn Error>> {
    let (limits, lifted) = (unlimited(), work.lifted(options)?);
    let model: FloatModel = options.float_model();
    let compile = || Ok(Program::of_lifted(lifted.clone(), &Sequencer, work.batch().entry, model, &limits)?);
    let (batch, evaluator, _) = engine(work, options, &compile()?, &compile)?;
    let with_code = || {
        let mut program: Program = compile()?;
        program.add_machine_code(&limits)?;
        Ok(program)
    };
    let code = if HostLevel::Avx512.is_available() {
        let program = with_code()?;
        let (engine, _, left) = engine(work, options, &program, &with_code)?;
        let bytes = program.machine_code().unwrap_or(0);
        Some((engine, bytes, left as f64 * CHUNK as f64 / VERTICES as f64))
    } else {
        None
    };
    Ok(Speed { batch, code, evaluator })
}

/// The name of a figure.
fn name(model: &str, peer: &Peer) -> String {
    format!("pica200/exec/{}/{model}", peer.program)
}

/// Measures and prints the wanted programs in one model of floats, then the geometric means of their ratios.
pub(super) fn print(
    dir: &Path,
    model: &str,
    options: &Options,
    wanted: impl Fn(&str) -> bool,
) -> Result<(), Box<dyn Error>> {
    let mut ratios = Vec::new();
    for peer in PEERS.iter().filter(|peer| wanted(&name(model, peer))) {
        let of = speed(&Work::read(dir, peer.program)?, options)?;
        let name = name(model, peer);
        let ratio = |engine: &Engine| engine.whole / peer.jit;
        let figures = |engine: &Engine| {
            format!(
                "{:.2} M-vertices/s, {:.2} in draws of {DRAW}; compiled in {:.1} µs; {:.2} of Azahar's x86-64 code, \
                 measured elsewhere ({:.2})",
                engine.whole,
                engine.draws,
                engine.compilation,
                ratio(engine),
                peer.jit
            )
        };
        let of_evaluator = of.batch.whole / of.evaluator;
        println!("{name}/batch {}; {of_evaluator:.2} of the evaluator", figures(&of.batch));
        if let Some((engine, bytes, left)) = &of.code {
            let left = left * 100.0;
            println!("{name}/jit {}; {bytes} bytes of code, {left:.1} % of vertices left", figures(engine));
        }
        let code = of.code.as_ref().map(|(engine, ..)| ratio(engine));
        ratios.push((ratio(&of.batch), of_evaluator, code.unwrap_or(f64::NAN)));
    }
    if ratios.is_empty() {
        return Ok(());
    }
    let mean = |ratio: fn(&(f64, f64, f64)) -> f64| {
        (ratios.iter().map(|r| ratio(r).ln()).sum::<f64>() / ratios.len() as f64).exp()
    };
    println!(
        "pica200/exec/{model} batch {:.2}, jit {:.2} of Azahar's x86-64 code, batch {:.2} of the evaluator: geometric \
         means of {} programs, on {:?}",
        mean(|r| r.0),
        mean(|r| r.2),
        mean(|r| r.1),
        ratios.len(),
        HostLevel::best()
    );
    Ok(())
}
