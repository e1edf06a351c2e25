//! Machine code: a program as instructions of the processor, for AVX-512 or AVX2 on x86-64.
//!
//! # How it runs
//!
//! The code runs a slab group by group, 16 lanes at a time with AVX-512 and 8 with AVX2, and keeps components in vector
//! registers (`registers.rs`). Blocks have the lanes that wait for them, as in the engine without machine code. There is
//! one lowering: `assembler/` knows what the levels do differently, such as sets of lanes, which are mask registers with
//! AVX-512 and vectors with AVX2.
//!
//! For textures, memory, and what has no instruction of the processor the code calls a function (`around.rs`). A program that
//! changes textures or memory, or whose lanes see lanes outside of their quad, has no machine code: the engine without runs
//! it. Constant memory at fixed addresses is read before, once a run.
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
//! * A chunk is left, too, if an access fails or a derivative meets a quad of which only some lanes run: the engine without
//!   machine code finds out whether the exact values lead there as well.
//!
//! # Why it is safe
//!
//! The code's only argument is a [`Context`](context::Context). It reads and writes the context, the chunks, the sets of
//! waiting lanes and the tables, at offsets that are fixed when the code is made and lie within them
//! ([`Plan::verified`]); the only computed addresses are rows of a table, whose index is at most
//! the table's end ([`crate::plan::Table::length`]), and the current group, which is below the number of groups. The stack has a fixed size. Memory with code is
//! never writable and executable at a time. `check.rs` decodes the code and compares every instruction with this list.

mod arithmetic;
mod around;
mod arrays;
mod assembler;
mod calls;
mod check;
#[cfg(test)]
mod check_tests;
mod context;
mod elementary;
mod encoding;
mod fast;
mod float24;
mod flow;
#[cfg(test)]
mod levels_tests;
mod lower;
mod quads;
mod registers;
mod rows;
mod tables;
mod vectors;

use crate::codes::{internal, unsupported};
use crate::host::HostLevel;
use crate::memory::{CHUNKS, LANES, Lanes, SLAB};
use crate::plan::Plan;
use crate::run::Memory;
use crate::transfer::Group;
pub(crate) use around::Around;
pub(crate) use arrays::Units;

use arrays::Arrays;
use context::{ARRAYS, Context, Rows, TABLES};
use memmap2::{Mmap, MmapMut};
use shisa_diag::{Diagnostic, Limit, Limits};
use vectors::Vectors;

/// The most bytes of chunks, and of sets of waiting lanes, that machine code can use: an offset in an instruction has 32
/// bits with sign. No limit raises it.
const MOST_BYTES: u64 = 1 << 30;

/// A program's code, in memory from which the processor can run it.
pub(crate) struct MachineCode {
    memory: Mmap,
    /// Number of bytes.
    length: usize,
    level: HostLevel,
    vectors: Vectors,
    arrays: Arrays,
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

impl MachineCode {
    /// Makes the code of a program for a level.
    ///
    /// # Errors
    /// `exec-unsupported` if the processor lacks the level or the level has no machine code, and if the program has too
    /// many tables; `limit-exceeded`; `exec-memory` if the operating system does not grant memory for code.
    pub(crate) fn new(program: &Plan, level: HostLevel, limits: &Limits) -> Result<MachineCode, Diagnostic> {
        let vectors = Vectors::of(level).filter(|_| level.is_available());
        let vectors =
            vectors.ok_or_else(|| unsupported("machine code for vector units that the processor lacks"))?;
        if program.tables.len() > TABLES {
            return Err(unsupported(
                "machine code of programs that read more than four files by a computed index",
            ));
        }
        if program.width != CHUNKS {
            return Err(unsupported("machine code of programs that change memory or wait at barriers"));
        }
        let memory = limits.bound(Limit::Memory);
        memory.check_up_to(MOST_BYTES, "bytes of a batch", program.working_set())?;
        let waiting = program.blocks.len() * size_of::<u16>();
        memory.check_up_to(MOST_BYTES, "bytes of sets of waiting lanes", waiting)?;
        let arrays = Arrays::new(program).ok_or_else(|| {
            unsupported("machine code of programs with more than 16 registers of inputs or outputs")
        })?;
        let bytes = flow::code(program, &arrays, vectors)?;
        limits.check(Limit::Memory, "bytes of machine code", bytes.len())?;
        if cfg!(debug_assertions) {
            check::check(&bytes, program, vectors)?;
        }
        let memory = executable(&bytes).map_err(|e| {
            Diagnostic::error("exec-memory", format!("the operating system grants no memory for code: {e}"))
                .help("run the program without machine code")
        })?;
        Ok(MachineCode { memory, length: bytes.len(), level, vectors, arrays })
    }

    /// Whether the code of a program would be faster than the engine without machine code. It is not where a program does
    /// little but access textures and memory.
    pub(crate) fn is_faster(program: &Plan, level: HostLevel) -> bool {
        // Without code of this level there is another reason.
        let Some(vectors) = Vectors::of(level) else { return true };
        let list = program.of_lanes();
        let accesses = list.iter().filter(|i| i.access(&program.accesses).is_some()).count();
        list.len() - accesses >= accesses * vectors.instructions_an_access()
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

    /// The vector units that the code uses.
    pub(crate) fn level(&self) -> HostLevel {
        self.level
    }

    /// Number of bytes of code.
    pub(crate) fn length(&self) -> usize {
        self.length
    }

    /// Runs chunks from `first` on. `left` is the number of instructions that all lanes may still run.
    #[allow(unsafe_code)]
    pub(crate) fn run(
        &self,
        around: &mut Around<'_>,
        memory: &mut Memory,
        state: &mut State,
        first: usize,
        lanes: Lanes,
        (left, lane_steps): (&mut u64, u64),
    ) -> Result<Reached, Diagnostic> {
        let (program, width, groups) = (around.program, self.vectors.lanes(), self.vectors.groups());
        let count = lanes.count_ones() as usize;
        if memory.chunks.len() != program.chunks || state.waiting.len() != program.blocks.len() {
            return Err(internal("the memory of a run belongs to another program"));
        }
        state.waiting.fill(0);
        let context = &mut state.context;
        for (c, set) in context.lanes.iter_mut().enumerate() {
            *set = if c * width < SLAB { (lanes >> (c * width)) as u16 & self.vectors.all() } else { 0 };
        }
        for (to, table) in context.tables.iter_mut().zip(memory.tables()) {
            *to = table.as_ptr();
        }
        context.chunks = memory.chunks.as_mut_ptr();
        context.length = memory.chunks.len();
        context.waiting = state.waiting.as_mut_ptr();
        context.around = std::ptr::from_mut(around).cast();
        context.failed = 0;
        context.set_quads(around.quads);
        context.next = (first * groups) as u64;
        context.count = count.min(SLAB).div_ceil(width) as u64;
        context.whole = (state.whole * groups) as u64;
        context.left = *left;
        context.lane_steps = lane_steps;
        // SAFETY: the memory has the code that `flow::code` made of this program: a function that takes a context in the
        // calling convention of `sysv64`. The processor has the level of the code (`MachineCode::new`). The pointers of the context lead
        // to memory that lives until the call returns, that nothing else refers to, and that is as large as the program
        // says: chunks and waiting sets were compared above; tables are as long as their bounded rows need
        // (`Memory::new`). The code stays within them; the module's documentation says why.
        let function: extern "sysv64" fn(&mut Context) = unsafe { std::mem::transmute(self.memory.as_ptr()) };
        function(context);
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
        self.whole = chunks;
    }

    /// The state of runs of a program with its code.
    pub(crate) fn new(program: &Plan, code: &MachineCode) -> State {
        let waiting = vec![0; program.blocks.len()];
        State { context: Context::new(code.vectors, calls::helper), waiting, whole: 0 }
    }
}

/// Copies code to memory that is writable first and executable afterwards.
fn executable(bytes: &[u8]) -> std::io::Result<Mmap> {
    let mut memory = MmapMut::map_anon(bytes.len().max(1))?;
    memory[..bytes.len()].copy_from_slice(bytes);
    memory.make_exec()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instruction::Instruction;
    use crate::kernel::One;
    use crate::memory::{Chunk, Operand};
    use crate::program::Program;

    /// A program that works on this number of chunks, and writes the last slab.
    fn of_chunks(chunks: usize) -> Program {
        let mut plan = crate::plan::tests::smallest();
        let (from, to) = (Operand::slab(0), Operand::slab((chunks - crate::memory::CHUNKS) as u32));
        plan.instructions = vec![Instruction::One { kernel: One::Copy, dst: to, args: [from] }];
        plan.blocks[0].body = 0..1;
        plan.chunks = chunks;
        Program::of(plan)
    }

    #[test]
    fn programs_up_to_most_bytes_have_machine_code() {
        if !HostLevel::Avx2.is_available() {
            return println!("skipped: this processor has no vector units that machine code uses");
        }
        let most = MOST_BYTES as usize / size_of::<Chunk>();
        let limits = Limits { memory: 4 << 30, ..Limits::default() };
        let mut program = of_chunks(most);
        program.add_machine_code(&limits).unwrap();
        assert!(program.machine_code().is_some());
        let mut program = of_chunks(most + 1);
        let refusal = program.add_machine_code(&limits).unwrap_err();
        assert_eq!(refusal.code, "limit-exceeded");
        assert_eq!(
            refusal.message,
            format!(
                "bytes of a batch: {} exceeds {MOST_BYTES}, the largest number that is supported",
                MOST_BYTES + 64
            )
        );
        assert_eq!(program.machine_code(), None, "the program runs without machine code");
    }
}
