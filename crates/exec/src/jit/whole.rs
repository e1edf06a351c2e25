//! A program that is one function: its code, and runs of it.

use super::arrays::{Arrays, Units};
use super::check::check;
use super::context::{ARRAYS, Context, Rows};
use super::doubt::Doubt;
use super::executable::Executable;
use super::flow;
use super::vectors::Vectors;
use crate::codes::internal;
use crate::host::HostLevel;
use crate::memory::{LANES, Lanes, SLAB};
use crate::plan::Plan;
use crate::transfer::Group;
use crate::working::Memory;
use shisa_diag::{Diagnostic, Limits};
use std::sync::Arc;

/// The code of a program that is one function.
pub(crate) struct WholeCode {
    executable: Executable,
    arrays: Arrays,
}

/// The code, and what its runs need.
pub(crate) struct Whole {
    pub(crate) code: Arc<WholeCode>,
    pub(crate) state: State,
    pub(crate) doubt: Doubt,
}

impl Whole {
    pub(super) fn new(code: Arc<WholeCode>, program: &Plan) -> Whole {
        Whole { code, state: State::new(program), doubt: Doubt::default() }
    }
}

/// What runs of machine code need besides the memory of the program.
pub(crate) struct State {
    context: Context,
    waiting: Vec<u16>,
    /// Number of chunks that use arrays of the caller.
    whole: usize,
}

/// How far a run came.
pub(crate) struct Reached {
    /// The first chunk that is left to the other engine, or the number of chunks.
    pub(crate) chunk: usize,
    /// The lanes before it that were killed.
    pub(crate) killed: Lanes,
}

impl WholeCode {
    /// Makes the code of a program; `None` if it has more than 16 registers of inputs or outputs.
    ///
    /// # Errors
    /// Those of [`Executable::new`]; `internal-exec`.
    pub(super) fn new(
        program: &Plan,
        (level, vectors): (HostLevel, Vectors),
        limits: &Limits,
    ) -> Result<Option<WholeCode>, Diagnostic> {
        let Some(arrays) = Arrays::new(program) else { return Ok(None) };
        let bytes = flow::code(program, &arrays, vectors)?;
        if cfg!(debug_assertions) {
            check(&bytes, program, vectors)?;
        }
        let executable = Executable::new(&bytes, (level, vectors), limits)?;
        Ok(Some(WholeCode { executable, arrays }))
    }

    pub(super) fn executable(&self) -> &Executable {
        &self.executable
    }

    /// The array of inputs that the code can load a group from, if all of the group's components and no others are a row
    /// there.
    pub(crate) fn input(&self, group: &Group) -> Option<(usize, Units)> {
        let row = group.row()?;
        let array = self.arrays.inputs.iter().position(|units| *units == row)?;
        Some((array, row))
    }

    /// As [`WholeCode::input`], for results: rows have four components.
    pub(crate) fn output(&self, group: &Group) -> Option<(usize, Units)> {
        let row = group.row().filter(|row| group.is_separate() && row.iter().all(Option::is_some))?;
        let array = self.arrays.outputs.iter().position(|units| *units == row)?;
        Some((array, row))
    }

    /// Runs chunks from `first` on. `left` is the number of instructions that all lanes may still run.
    #[allow(unsafe_code)]
    pub(crate) fn run(
        &self,
        program: &Plan,
        memory: &mut Memory,
        state: &mut State,
        first: usize,
        lanes: Lanes,
        (left, lane_steps): (&mut u64, u64),
    ) -> Result<Reached, Diagnostic> {
        let vectors = self.executable.vectors();
        let (width, groups) = (vectors.lanes(), vectors.groups());
        let count = lanes.count_ones() as usize;
        if memory.chunks.len() != program.chunks || state.waiting.len() != program.blocks.len() {
            return Err(internal("the memory of a run belongs to another program"));
        }
        state.waiting.fill(0);
        let context = &mut state.context;
        context.set_lanes(lanes, SLAB / width, vectors);
        context.set_memory(memory);
        context.waiting = state.waiting.as_mut_ptr();
        context.next = (first * groups) as u64;
        context.count = count.min(SLAB).div_ceil(width) as u64;
        context.whole = (state.whole * groups) as u64;
        context.left = *left;
        context.lane_steps = lane_steps;
        // SAFETY: the function is the one that `flow::code` made of this program; the processor has its level
        // (`MachineCode::new`). The pointers of the context lead to memory that lives until the call returns, that nothing
        // else refers to, and that is as large as the program says: chunks and waiting sets were compared above; tables are
        // as long as their bounded rows need (`Memory::new`). The code stays within them; the documentation of `jit` says
        // why.
        unsafe { self.executable.call(0, context) };
        *left = context.left;
        // All groups, or those of whole chunks before the one that is not finished.
        let done = context.next.min(context.count) as usize;
        let (chunk, done) = match done as u64 == context.count {
            true => (count.div_ceil(LANES), done),
            false => (done / groups, done - done % groups),
        };
        let sets = context.killed.iter().enumerate().take(done).skip(first * groups);
        let killed = sets.fold(0, |killed, (c, set)| killed | Lanes::from(*set) << (c * width));
        Ok(Reached { chunk, killed })
    }
}

impl State {
    /// Uses no array of the caller.
    pub(crate) fn forget_arrays(&mut self) {
        self.context.inputs = [Rows::NONE; ARRAYS];
        self.context.outputs = [Rows::NONE; ARRAYS];
    }

    /// Loads an array of inputs from these rows on; without rows, from chunks.
    pub(crate) fn set_input(&mut self, array: usize, rows: Option<&[u32]>, stride: u64) {
        if let Some(to) = self.context.inputs.get_mut(array) {
            *to = rows.map_or(Rows::NONE, |rows| Rows { first: rows.as_ptr().cast_mut(), stride });
        }
    }

    /// Stores an array of results from these rows on; without rows, to chunks.
    pub(crate) fn set_output(&mut self, array: usize, rows: Option<&mut [u32]>, stride: u64) {
        if let Some(to) = self.context.outputs.get_mut(array) {
            *to = rows.map_or(Rows::NONE, |rows| Rows { first: rows.as_mut_ptr(), stride });
        }
    }

    /// Uses arrays for this number of chunks: every lane of these has a row in each of them.
    pub(crate) fn set_whole(&mut self, chunks: usize) {
        self.whole = chunks;
    }

    /// The state of runs of a program with its code.
    fn new(program: &Plan) -> State {
        State { context: Context::new(), waiting: vec![0; program.blocks.len()], whole: 0 }
    }
}
