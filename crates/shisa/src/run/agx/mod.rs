//! AGX compute programs on the evaluator.

mod base64;
mod json;

use crate::{Result, Settings};
use shisa_agx::{Program, SPECIALS, Sequencer, UNIFORMS};
use shisa_diag::{Diagnostic, Limit};
use shisa_eval::{Dispatch, Machine, NoObserver, Wave, Workspace};
use shisa_ir::{Lifted, Reg, Stage, WAVE};

pub use base64::decode as from_base64;
pub use json::run_compute_json;

/// A compute program and where its parts lie.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ComputeProgram {
    /// All of its bytes.
    pub code: Vec<u8>,
    /// Offset and length of the part that runs for every thread.
    pub main: (usize, usize),
    /// Offset of what one thread runs before, to write uniforms.
    pub preamble: Option<usize>,
    /// Constants that become uniforms: their offset, the first half of the uniforms, and how many halves.
    pub constants: (usize, usize, usize),
    /// Bytes that a workgroup shares.
    pub shared: usize,
    /// Bytes of a thread's stack.
    pub stack: usize,
}

/// A compute program with all that it works on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ComputeRun {
    /// What runs.
    pub program: ComputeProgram,
    /// Threads in x, y and z.
    pub grid: [u32; 3],
    /// Threads of a workgroup.
    pub workgroup: [u32; 3],
    /// What the uniforms hold, from `u0l` on.
    pub uniforms: Vec<u8>,
    /// Device memory: addresses and contents.
    pub buffers: Vec<(u64, Vec<u8>)>,
}

/// What came out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ComputeOutput {
    /// The contents of the buffers, in the order given.
    pub buffers: Vec<Vec<u8>>,
    /// Lane-instructions executed, the preamble left out.
    pub executed: u64,
}

/// Bytes of all uniforms.
const UNIFORM_BYTES: usize = 1024;

/// Runs a compute program: constants and the preamble fill uniforms, then every thread runs.
///
/// # Errors
/// `run-input` when a part lies outside of the code or there are too many uniforms; what the lift says about the
/// instructions; what the evaluator says, such as `limit-exceeded` and `eval-memory-outside`.
pub fn run_compute(run: &ComputeRun, settings: &Settings) -> Result<ComputeOutput> {
    let limits = &settings.limits;
    let program = &run.program;
    limits.check(Limit::File, "bytes of code", program.code.len())?;
    let main = part(program, program.main.0, Some(program.main.1))?;
    let preamble = program.preamble.map(|at| part(program, at, None)).transpose()?;
    let mut space = Workspace::new(program.shared, program.stack, UNIFORM_BYTES, limits)?;
    let too_many = || super::wrong("there are more uniforms than registers for them");
    let head = space.uniforms_mut().get_mut(..run.uniforms.len()).ok_or_else(too_many)?;
    head.copy_from_slice(&run.uniforms);
    let (from, first, count) = program.constants;
    let constants = from.checked_add(2 * count).and_then(|end| program.code.get(from..end));
    let constants = constants.ok_or_else(|| super::wrong("the constants lie outside of the code"))?;
    let slots = first.checked_mul(2).and_then(|at| space.uniforms_mut().get_mut(at..at + constants.len()));
    slots.ok_or_else(too_many)?.copy_from_slice(constants);
    for (address, bytes) in &run.buffers {
        space.add(*address, bytes.clone())?;
    }
    if let Some(preamble) = preamble {
        let plan = shisa_eval::Program::new(&preamble, limits)?;
        let uniforms = space.uniforms().to_vec();
        let load = |machine: &mut Machine<'_, _>| set_uniforms(machine, &uniforms);
        Dispatch::alone(&plan, &Sequencer, 0, &mut space, limits, load)?;
    }
    let plan = shisa_eval::Program::new(&main, limits)?;
    let uniforms = space.uniforms().to_vec();
    let dispatch = Dispatch { entry: 0, threads: run.grid, workgroup: run.workgroup };
    let mut fresh = run.workgroup.iter().fold(1usize, |n, &d| n.saturating_mul(d as usize)).div_ceil(WAVE);
    let load = |machine: &mut Machine<'_, _>, wave: &Wave| {
        // Uniforms stay in a machine when it is put back to the start.
        if let Some(left) = fresh.checked_sub(1) {
            fresh = left;
            set_uniforms(machine, &uniforms)?;
        }
        set_specials(machine, wave, run.grid)
    };
    let executed = dispatch.run(&plan, &Sequencer, &mut space, &mut NoObserver, limits, load)?;
    let buffers = run.buffers.iter().map(|b| space.buffer(b.0).unwrap_or_default().to_vec()).collect();
    Ok(ComputeOutput { buffers, executed })
}

/// The instructions from an offset on: so many bytes, or up to the first trap.
fn part(program: &ComputeProgram, from: usize, size: Option<usize>) -> Result<Lifted> {
    let rest = program.code.get(from..).unwrap_or_default();
    let size = size.unwrap_or_else(|| shisa_agx::up_to_trap(rest).len());
    let code = rest.get(..size).filter(|code| !code.is_empty());
    let code =
        code.ok_or_else(|| super::wrong(format!("no instructions lie at byte {from:#x} of the code")))?;
    let program = Program { stage: Stage::Compute, code: code.to_vec(), workgroup: [1; 3] };
    let moved = |d: Diagnostic| d.note(format!("in the part that begins at byte {from:#x} of the code"));
    Ok(shisa_agx::lift(&program).map_err(|all| all.into_iter().map(moved).collect::<Vec<_>>())?)
}

fn set_uniforms(machine: &mut Machine<'_, Sequencer>, bytes: &[u8]) -> std::result::Result<(), Diagnostic> {
    for (unit, half) in (0..).zip(bytes.chunks_exact(2)) {
        let bits = u32::from(half[0]) | u32::from(half[1]) << 8;
        machine.set_uniform(Reg::new(UNIFORMS, unit), bits)?;
    }
    Ok(())
}

/// Gives a wave its special registers.
fn set_specials(
    machine: &mut Machine<'_, Sequencer>,
    wave: &Wave,
    grid: [u32; 3],
) -> std::result::Result<(), Diagnostic> {
    let special = |n: u16| Reg::new(SPECIALS, n);
    let left = |i: usize| grid[i].saturating_sub(wave.group[i].saturating_mul(wave.size[i]));
    for (i, n) in (0..3).zip(0u16..) {
        machine.set_uniform(special(n), wave.group[i])?;
        machine.set_uniform(special(4 + n), wave.size[i].min(left(i)))?;
        machine.set_uniform(special(8 + n), wave.size[i])?;
    }
    machine.set_uniform(special(53), wave.number)?;
    machine.set_uniform(special(63), 1)?;
    for lane in 0..WAVE {
        let (thread, place) = (wave.thread(lane as u32), wave.place(lane as u32));
        machine.set_input(special(51), lane, wave.number * WAVE as u32 + lane as u32)?;
        machine.set_input(special(52), lane, lane as u32)?;
        for (i, n) in (0..3).zip(0u16..) {
            machine.set_input(special(48 + n), lane, thread[i])?;
            machine.set_input(special(80 + n), lane, place[i])?;
        }
    }
    Ok(())
}
