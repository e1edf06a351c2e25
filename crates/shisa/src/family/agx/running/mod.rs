//! Runs AGX programs on the evaluator.

mod colors;
mod compute_json;
mod draw;
mod draw_json;
mod fast;
mod json;
mod keys;
mod lines;
mod outside;
mod pictures;
mod runs;
mod textures;
mod watch;

use crate::run::wrong;
use crate::{Result, Settings};
use lines::{lines, name};
use outside::Outside;
use shisa_agx::sequencer::State;
use shisa_agx::{Imageblock, Program, SPECIALS, Sequencer, UNIFORMS};
use shisa_debug::{Captured, DispatchRun};
use shisa_diag::{Diagnostic, Limit};
use shisa_engines::Choice;
use shisa_eval::{Dispatch, Machine, NoObserver, Observer, Plane, TextureSet, Wave, Waves};
use shisa_ir::{FloatModel, Lifted, Reg, Stage, WAVE};

pub use draw::{DrawPixels, DrawVertex, Drawing, DrawnPixel, PixelOutput, Preamble, VertexOutput};
pub use fast::FastCompute;
pub use shisa_run::from_base64;

/// A compute program and the ranges of its parts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ComputeProgram {
    /// All of its bytes.
    pub code: Vec<u8>,
    /// Offset and length of the part that runs for every thread.
    pub main: (usize, usize),
    /// Offset of the preamble, which one thread runs first to write uniforms.
    pub preamble: Option<usize>,
    /// Constants that become uniforms: their offset, the first half of the uniforms, and how many halves.
    pub constants: (usize, usize, usize),
    /// Bytes that a workgroup shares.
    pub shared: usize,
    /// The tile of a workgroup; `None` is the default one, if instructions use it.
    pub imageblock: Option<Imageblock>,
    /// Bytes of a thread's stack.
    pub stack: usize,
}

/// A compute program with all its inputs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ComputeRun {
    /// The program.
    pub program: ComputeProgram,
    /// Threads in x, y and z.
    pub grid: [u32; 3],
    /// Threads of a workgroup.
    pub workgroup: [u32; 3],
    /// The uniforms' initial contents, from `u0l`.
    pub uniforms: Vec<u8>,
    /// Device memory: addresses and contents.
    pub buffers: Vec<(u64, Vec<u8>)>,
    /// Textures by state register or by address, and samplers.
    pub textures: TextureSet,
}

/// The result of a compute program.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ComputeOutput {
    /// The contents of the buffers, in the order given.
    pub buffers: Vec<Vec<u8>>,
    /// The textures after the run.
    pub textures: TextureSet,
    /// Instructions executed, counted for each lane, without the preamble.
    pub executed: u64,
}

/// Size of all uniforms in bytes.
const UNIFORM_BYTES: usize = 1024;

/// A compute program whose instructions are lifted.
#[derive(Debug)]
pub struct ComputeCode {
    main: Lifted,
    preamble: Option<Lifted>,
    shared: usize,
}

/// The plan of a compute program, made once for any number of runs.
#[derive(Debug)]
pub struct ComputePlan<'a> {
    main: shisa_eval::Program<'a>,
    preamble: Option<shisa_eval::Program<'a>>,
    shared: usize,
}

impl ComputeCode {
    /// Lifts a program.
    ///
    /// # Errors
    /// `run-input` if a part is outside of the code, or a workgroup has a tile and other memory; what the lift
    /// refuses.
    pub fn new(program: &ComputeProgram, settings: &Settings) -> Result<ComputeCode> {
        settings.limits.check(Limit::File, "bytes of code", program.code.len())?;
        let main = part(program, program.main.0, Some(program.main.1), settings)?;
        let preamble = program.preamble.map(|at| part(program, at, None, settings)).transpose()?;
        Ok(ComputeCode { main, preamble, shared: program.all_shared()? })
    }

    /// The run for a debugger.
    ///
    /// # Errors
    /// Those of [`ComputePlan::run`] before anything but the preamble runs; `limit-exceeded`.
    fn captured(&self, run: &ComputeRun, settings: &Settings) -> Result<Captured> {
        let limits = &settings.limits;
        let (environment, uniforms) = self.plan(settings)?.outside(run, settings)?;
        let (grid, again, own) = (run.grid, run.clone(), settings.clone());
        let (preamble, shared) = (self.preamble.clone(), self.shared);
        let run_again = DispatchRun {
            program: shisa_eval::Program::owning(self.main.clone(), FloatModel::F32, limits)?,
            sequencer: Sequencer,
            dispatch: run.dispatch(),
            environment,
            load: move |machine: &mut Machine<'_, _>, wave: &Wave| set_up(machine, wave, grid, &uniforms),
            limits: limits.clone(),
            alone: move |lifted: &Lifted, choice: &Choice<'_>| {
                let code = ComputeCode { main: lifted.clone(), preamble: preamble.clone(), shared };
                code.alone(&again, choice, &own).map_err(|e| e.diagnostics)
            },
        };
        let code = main_code(&run.program).ok_or_else(|| wrong("the main part is outside of the code"))?;
        Ok(Captured::new(run_again, name, lines(code, settings)))
    }

    /// Plans the program.
    ///
    /// # Errors
    /// `limit-exceeded` if there are more instructions than the limit.
    pub fn plan(&self, settings: &Settings) -> Result<ComputePlan<'_>> {
        let plan = |lifted| shisa_eval::Program::new(lifted, &settings.limits);
        let preamble = self.preamble.as_ref().map(plan).transpose()?;
        Ok(ComputePlan { main: plan(&self.main)?, preamble, shared: self.shared })
    }
}

impl ComputePlan<'_> {
    /// The evaluators of its waves.
    pub fn waves(&self) -> Waves<'_, Sequencer> {
        Waves::new(&self.main, &Sequencer)
    }

    /// Runs the program: constants and the preamble fill uniforms, then every thread runs.
    ///
    /// # Errors
    /// The errors of [`run_compute`], except those of the lift.
    pub fn run<O: Observer<State>>(
        &self,
        waves: &mut Waves<'_, Sequencer>,
        run: &ComputeRun,
        observer: &mut O,
        settings: &Settings,
    ) -> Result<ComputeOutput> {
        let (mut outside, uniforms) = self.outside(run, settings)?;
        let load = |machine: &mut Machine<'_, _>, wave: &Wave| set_up(machine, wave, run.grid, &uniforms);
        let executed = run.dispatch().run(waves, &mut outside, observer, &settings.limits, load)?;
        Ok(outside.output(run, executed))
    }

    /// The environment before a run, and the uniforms.
    fn outside(&self, run: &ComputeRun, settings: &Settings) -> Result<(Outside, Vec<u8>)> {
        if run.grid.contains(&0) || run.workgroup.contains(&0) {
            let text = format!(
                "{:?} threads in workgroups of {:?}: each number is at least 1",
                run.grid, run.workgroup
            );
            return Err(wrong(text));
        }
        let program = &run.program;
        let mut outside =
            Outside::new([self.shared, program.stack], &run.buffers, run.textures.clone(), 0, settings)?;
        let (from, first, count) = program.constants;
        let constants = count
            .checked_mul(2)
            .and_then(|n| from.checked_add(n))
            .and_then(|end| program.code.get(from..end));
        let constants = constants.ok_or_else(|| wrong("the constants are outside of the code"))?;
        let uniforms = outside.fill(&run.uniforms, (first, constants), self.preamble.as_ref(), settings)?;
        Ok((outside, uniforms))
    }
}

impl ComputeRun {
    fn dispatch(&self) -> Dispatch {
        Dispatch { entry: 0, threads: self.grid, workgroup: self.workgroup }
    }
}

impl Outside {
    /// What a compute program leaves.
    fn output(self, run: &ComputeRun, executed: u64) -> ComputeOutput {
        ComputeOutput { buffers: self.buffers(&run.buffers), textures: self.textures, executed }
    }
}

/// Runs a compute program once.
///
/// # Errors
/// `run-input` if a part is outside of the code or there are too many uniforms; what the lift refuses; what the
/// evaluator refuses, such as `limit-exceeded` and `eval-memory-outside`.
pub fn run_compute(run: &ComputeRun, settings: &Settings) -> Result<ComputeOutput> {
    let code = ComputeCode::new(&run.program, settings)?;
    let plan = code.plan(settings)?;
    plan.run(&mut plan.waves(), run, &mut NoObserver, settings)
}

impl ComputeProgram {
    /// Bytes that a workgroup shares, including its tile if instructions use it. The hardware has one memory for
    /// both: the driver gives a workgroup either one (`agx_usc_shared`), so how they would share it is not known.
    fn all_shared(&self) -> Result<usize> {
        match (self.imageblock.unwrap_or_default().memory(&self.code), self.shared) {
            (None, shared) => Ok(shared),
            (Some(bytes), 0) => Ok(bytes as usize),
            (Some(_), shared) => {
                let text = format!("a workgroup has a tile, and no {shared} bytes of other memory beside it");
                Err(wrong(text))
            }
        }
    }
}

/// The code of the part that runs for every thread.
fn main_code(program: &ComputeProgram) -> Option<&[u8]> {
    let (from, size) = program.main;
    program.code.get(from..from.checked_add(size)?)
}

/// The instructions from an offset: the given number of bytes, or up to the first trap.
fn part(program: &ComputeProgram, from: usize, size: Option<usize>, settings: &Settings) -> Result<Lifted> {
    let rest = program.code.get(from..).unwrap_or_default();
    let size = size.unwrap_or_else(|| shisa_agx::up_to_trap(rest).len());
    let code = rest.get(..size).filter(|code| !code.is_empty());
    let code =
        code.ok_or_else(|| wrong(format!("there are no instructions at byte {from:#x} of the code")))?;
    let imageblock = Some(program.imageblock.unwrap_or_default());
    let program = Program { imageblock, ..Program::new(Stage::Compute, code.to_vec(), settings.agx.options) };
    let moved = |d: Diagnostic| d.note(format!("in the part that begins at byte {from:#x} of the code"));
    Ok(shisa_agx::lift(&program).map_err(|all| all.into_iter().map(moved).collect::<Vec<_>>())?)
}

/// Sets the inputs of a wave.
fn set_up(
    machine: &mut Machine<'_, Sequencer>,
    wave: &Wave,
    grid: [u32; 3],
    uniforms: &[u8],
) -> std::result::Result<(), Diagnostic> {
    // Resetting an evaluator preserves its uniforms.
    if wave.group == [0; 3] {
        set_uniforms(machine, uniforms)?;
    }
    set_specials(machine, wave, grid);
    Ok(())
}

fn set_uniforms(machine: &mut Machine<'_, Sequencer>, bytes: &[u8]) -> std::result::Result<(), Diagnostic> {
    for (unit, half) in (0..).zip(bytes.chunks_exact(2)) {
        let reg = Reg::new(UNIFORMS, unit);
        if machine.program().reads(reg) {
            machine.set_uniform(reg, u32::from(half[0]) | u32::from(half[1]) << 8)?;
        }
    }
    Ok(())
}

/// Sets the special registers that a wave's program reads.
fn set_specials(machine: &mut Machine<'_, Sequencer>, wave: &Wave, grid: [u32; 3]) {
    for number in 0..MOST_SPECIALS {
        let reg = Reg::new(SPECIALS, number);
        if machine.program().reads(reg)
            && let Some(words) = special(number, wave, grid)
            && let Some(plane) = machine.plane_mut(reg)
        {
            *plane = Plane(words);
        }
    }
}

/// One after the last number of a special register that a compute program has.
const MOST_SPECIALS: u16 = 83;

/// The values of a special register in a wave; `None` for one that is zero.
fn special(number: u16, wave: &Wave, grid: [u32; 3]) -> Option<[u32; WAVE]> {
    let lanes = std::array::from_fn(|lane| lane as u32);
    let axis = usize::from(number % 4) % 3;
    let (group, size) = (wave.group[axis], wave.size[axis]);
    let first = group.saturating_mul(size);
    Some(match number {
        0..=2 => [group; WAVE],
        4..=6 => [size.min(grid[axis].saturating_sub(first)); WAVE],
        8..=10 => [size; WAVE],
        48..=50 => wave.threads()[axis],
        51 => lanes.map(|lane| wave.number * WAVE as u32 + lane),
        52 => lanes,
        53 => [wave.number; WAVE],
        63 => [1; WAVE],
        80..=82 => wave.threads()[axis].map(|thread| first.wrapping_add(thread)),
        _ => return None,
    })
}
