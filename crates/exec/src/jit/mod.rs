//! Machine code: a program as instructions of the processor, for AVX-512 on x86-64.
//!
//! # How it runs
//!
//! The code runs a slab chunk by chunk, 16 lanes at a time, and keeps components in vector registers
//! (`registers.rs`). Blocks have the lanes that wait for them, as in the engine without machine code; a set of lanes is a
//! mask register.
//!
//! # Why results are exact
//!
//! Most instructions of the processor have exactly the results of a kernel. Where they may not, the code finds out whether
//! they did, and leaves the chunk to the engine without machine code if they did not, which costs little because it is
//! rare:
//!
//! * A NaN may have other bits, and zero times infinity is NaN where the kernel's result is zero. Arithmetic on NaN yields
//!   NaN, so it is enough to look for NaN where a value leaves arithmetic: before comparisons, integer operations and at
//!   outputs.
//! * float24 is computed as if there were no infinities. The largest magnitude of all results shows whether there were.
//! * Powers and logarithms are sums of series. A result near a point where rounding changes is in doubt.
//!
//! # Why it is safe
//!
//! The code's only argument is a [`Context`](context::Context). It reads and writes the context, the chunks, the sets of
//! waiting lanes and the tables, at offsets that are fixed when the code is made and lie within them
//! ([`Plan::verified`]); the only computed addresses are rows of a table, whose index is compared with the table's end
//! before, and the current chunk, which is below the number of chunks. The stack has a fixed size. Memory with code is
//! never writable and executable at a time. `check.rs` decodes the code and compares every instruction with this list.

mod arithmetic;
mod arrays;
mod assembler;
mod check;
mod context;
mod elementary;
mod float24;
mod flow;
mod lower;
mod registers;
mod rows;
mod tables;

use crate::codes::{internal, unsupported};
use crate::host::{HostLevel, Separate};
use crate::memory::{CHUNKS, Chunk, LANES, Lanes, Slabs};
use crate::plan::Plan;
use crate::run::{Memory, compute};
use crate::transfer::Group;
pub(crate) use arrays::Units;

use arrays::Arrays;
use context::{ARRAYS, Context, Rows, TABLES};
use memmap2::{Mmap, MmapMut};
use shisa_diag::{Diagnostic, Limit, Limits};

/// The most bytes of chunks, and of sets of waiting lanes, that offsets of instructions reach.
const MOST_BYTES: usize = 1 << 30;

/// A program's code, in memory from which the processor can run it.
pub(crate) struct MachineCode {
    memory: Mmap,
    /// Number of bytes.
    length: usize,
    arrays: Arrays,
}

/// What runs of machine code need besides the memory of the program.
pub(crate) struct State {
    context: Context,
    waiting: Vec<u16>,
}

/// How far a run came.
pub(crate) struct Reached {
    /// The first chunk that is left to the other engine, or the number of chunks.
    pub(crate) chunk: usize,
    /// The lanes before it that were killed.
    pub(crate) killed: Lanes,
}

impl MachineCode {
    /// Makes the code of a program.
    ///
    /// # Errors
    /// `exec-unsupported` if the processor lacks AVX-512 or the program has too many tables; `limit-exceeded`; `exec-memory`
    /// if the operating system does not grant memory for code.
    pub(crate) fn new(program: &Plan, limits: &Limits) -> Result<MachineCode, Diagnostic> {
        if !HostLevel::Avx512.is_available() {
            return Err(unsupported("machine code on a processor without AVX-512"));
        }
        if program.tables.len() > TABLES {
            return Err(unsupported(
                "machine code of programs that read more than four files by a computed index",
            ));
        }
        limits.check(Limit::Memory, "bytes of a batch", program.working_set())?;
        // Whatever the limits allow: an instruction's offset has 32 bits with sign.
        if program.working_set().max(program.blocks.len() * size_of::<u16>()) > MOST_BYTES {
            return Err(unsupported("machine code of programs that work on more than 1 GiB"));
        }
        let arrays = Arrays::new(program).ok_or_else(|| {
            unsupported("machine code of programs with more than 16 registers of inputs or outputs")
        })?;
        let bytes = flow::code(program, &arrays)?;
        limits.check(Limit::Memory, "bytes of machine code", bytes.len())?;
        if cfg!(debug_assertions) {
            check::check(&bytes, program)?;
        }
        let memory = executable(&bytes).map_err(|e| {
            Diagnostic::error("exec-memory", format!("the operating system grants no memory for code: {e}"))
                .help("run the program without machine code")
        })?;
        Ok(MachineCode { memory, length: bytes.len(), arrays })
    }

    /// The array of inputs that the code can load a group from, if all of the group's components and no others are a row
    /// there.
    pub(crate) fn input(&self, group: &Group) -> Option<(usize, Units)> {
        let row = group.row()?;
        let array = self.arrays.inputs.iter().position(|units| *units == row)?;
        Some((array, row))
    }

    /// As [`MachineCode::input`], for results: rows have four components.
    pub(crate) fn output(&self, group: &Group) -> Option<(usize, Units)> {
        let row = group.row().filter(|row| group.is_separate() && row.iter().all(Option::is_some))?;
        let array = self.arrays.outputs.iter().position(|units| *units == row)?;
        Some((array, row))
    }

    /// Number of bytes of code.
    pub(crate) fn length(&self) -> usize {
        self.length
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
        let count = (lanes.count_ones() as usize).div_ceil(LANES);
        if memory.chunks.len() != program.chunks || state.waiting.len() != program.blocks.len() {
            return Err(internal("the memory of a run belongs to another program"));
        }
        state.waiting.fill(0);
        let context = &mut state.context;
        for (c, set) in context.lanes.iter_mut().enumerate() {
            *set = (lanes >> (c * LANES)) as u16;
        }
        for (to, table) in context.tables.iter_mut().zip(memory.tables()) {
            *to = table.as_ptr();
        }
        context.chunks = memory.chunks.as_mut_ptr();
        context.length = memory.chunks.len();
        context.waiting = state.waiting.as_mut_ptr();
        context.program = program;
        context.next = first as u64;
        context.count = count.min(CHUNKS) as u64;
        context.left = *left;
        context.lane_steps = lane_steps;
        // SAFETY: the memory has the code that `flow::code` made of this program: a function that takes a context in the
        // calling convention of `sysv64`. The processor has AVX-512 (`MachineCode::new`). The pointers of the context lead
        // to memory that lives until the call returns, that nothing else refers to, and that is as large as the program
        // says: chunks and waiting sets were compared above; tables have the units of the program and a row after them
        // (`Memory::new`). The code stays within them; the module's documentation says why.
        let function: extern "sysv64" fn(&mut Context) = unsafe { std::mem::transmute(self.memory.as_ptr()) };
        function(context);
        *left = context.left;
        let chunk = (context.next as usize).min(count);
        let sets = context.killed.iter().enumerate().take(chunk).skip(first);
        let killed = sets.fold(0, |killed, (c, set)| killed | Lanes::from(*set) << (c * LANES));
        Ok(Reached { chunk, killed })
    }
}

// SAFETY: the pointers of the context are set when a run begins and not used after it has ended.
#[allow(unsafe_code)]
unsafe impl Send for State {}

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
        self.context.whole = chunks as u64;
    }

    /// The state of runs of a program.
    pub(crate) fn new(program: &Plan) -> State {
        State { context: Context::new(helper), waiting: vec![0; program.blocks.len()] }
    }
}

/// Copies code to memory that is writable first and executable afterwards.
fn executable(bytes: &[u8]) -> std::io::Result<Mmap> {
    let mut memory = MmapMut::map_anon(bytes.len().max(1))?;
    memory[..bytes.len()].copy_from_slice(bytes);
    memory.make_exec()
}

/// Runs an instruction that has no code of its own, for one chunk.
#[allow(unsafe_code)]
extern "sysv64" fn helper(context: &mut Context, number: u64, chunk: u64) {
    // SAFETY: `MachineCode::run` set both pointers, and both lead to memory that lives until it returns. Nothing else
    // refers to the chunks meanwhile: the code that calls this function waits for it.
    let (program, chunks): (&Plan, &mut [Chunk]) =
        unsafe { (&*context.program, std::slice::from_raw_parts_mut(context.chunks, context.length)) };
    let mut slabs = Slabs { chunks, first: chunk as usize, end: chunk as usize + 1 };
    if let Some(i) = program.instructions.get(number as usize) {
        compute::<Separate>(i, program, &mut slabs);
    }
}
