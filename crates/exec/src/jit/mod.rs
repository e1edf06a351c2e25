//! Machine code: a program as instructions of the processor, for AVX-512 or AVX2 on x86-64.
//!
//! # How it runs
//!
//! The code runs a slab group by group, 16 lanes at a time with AVX-512 and 8 with AVX2, and keeps components in vector
//! registers (`registers.rs`). There is one lowering: `assembler/` knows what the levels do differently, such as sets of
//! lanes, which are mask registers with AVX-512 and vectors with AVX2.
//!
//! A program of which every instruction has code, and of which no lane sees another, is one function (`flow.rs`): blocks
//! have the lanes that wait for them, as in the engine without machine code, and attributes and results go from and to the
//! arrays of the caller. Of every other program *pieces* have code (`pieces/`): the engine without machine code follows
//! control flow, accesses textures and memory, lets lanes see each other, and calls the code between.
//!
//! # Why results are exact
//!
//! Most instructions of the processor have exactly the results of a kernel. Where they may not, the code finds out whether
//! they did, and leaves the lanes to the engine without machine code if they did not, which costs little because it is
//! rare:
//!
//! * A NaN may have other bits, and zero times infinity is NaN where the kernel's result is zero. Arithmetic on NaN yields
//!   NaN, so it is enough to look for NaN where a value leaves arithmetic: before comparisons, integer operations and at
//!   outputs.
//! * float24 is computed as if there were no infinities. The largest magnitude of all results shows whether there were.
//! * Powers and logarithms are sums of series. A result near a point where rounding changes is in doubt.
//!
//! Code has no effect before it is known that no lane of the group is in doubt: a program that is one function has no other
//! effects than its results, and a piece has none at all.
//!
//! # Why it is safe
//!
//! The code's only argument is a [`Context`](context::Context). It calls nothing. It reads and writes the context, the chunks,
//! the sets of waiting lanes and the tables, at offsets that are fixed when the code is made and lie within them
//! ([`Plan::verified`]); the only computed addresses are rows of a table, whose index is at most
//! the table's end ([`crate::plan::Table::length`]), and the current group, which is below the number of groups. The stack has a fixed size. Memory with code is
//! never writable and executable at a time. `check.rs` decodes the code and compares every instruction with this list.

mod arithmetic;
mod arrays;
mod assembler;
mod check;
#[cfg(test)]
mod check_tests;
mod coded;
mod context;
mod doubt;
mod elementary;
mod encoding;
mod executable;
mod fast;
mod float24;
mod flow;
#[cfg(test)]
mod levels_tests;
mod lower;
mod pieces;
mod quads;
mod registers;
mod rows;
mod tables;
mod vectors;
mod whole;

use crate::codes::unsupported;
use crate::coding::Coding;
use crate::host::HostLevel;
use crate::memory::CHUNKS;
use crate::parts::Parts;
use crate::plan::Plan;
pub(crate) use arrays::Units;
use coded::{Rounding, rounding};
use executable::Executable;
use pieces::PieceCode;
use pieces::Pieces;
use shisa_diag::{Diagnostic, Limit, Limits};
use std::sync::Arc;
use vectors::Vectors;
pub(crate) use whole::Whole;
use whole::WholeCode;

/// The most bytes of chunks, and of sets of waiting lanes, that machine code can use: an offset in an instruction has 32
/// bits with sign. No limit raises it.
const MOST_BYTES: u64 = 1 << 30;

/// A program's code, which runners share.
#[derive(Clone)]
pub(crate) enum MachineCode {
    /// One function is the program.
    Whole(Arc<WholeCode>),
    /// Pieces of the program have code.
    Pieces(Arc<PieceCode>),
}

/// The code of a program, and what its runs need.
pub(crate) enum Machine {
    Whole(Box<Whole>),
    Pieces(Box<Pieces>),
}

impl MachineCode {
    /// Makes the code of a program.
    ///
    /// # Errors
    /// `exec-unsupported` if the processor lacks the level or the level has no machine code, and if the program has too
    /// many tables, or nothing that is faster as machine code; `limit-exceeded`; `exec-memory` if the operating system does
    /// not grant memory for code.
    pub(crate) fn new(
        program: &Plan,
        Coding { level, shortest }: Coding,
        limits: &Limits,
    ) -> Result<MachineCode, Diagnostic> {
        let vectors = Vectors::of(level).filter(|_| level.is_available());
        let vectors =
            vectors.ok_or_else(|| unsupported("machine code for vector units that the processor lacks"))?;
        if program.tables.len() > context::TABLES {
            return Err(unsupported(
                "machine code of programs that read more than four files by a computed index",
            ));
        }
        let memory = limits.bound(Limit::Memory);
        memory.check_up_to(MOST_BYTES, "bytes of a batch", program.working_set())?;
        let waiting = program.blocks.len() * size_of::<u16>();
        memory.check_up_to(MOST_BYTES, "bytes of sets of waiting lanes", waiting)?;
        if is_one_function(program)
            && let Some(code) = WholeCode::new(program, (level, vectors), limits)?
        {
            return Ok(MachineCode::Whole(Arc::new(code)));
        }
        PieceCode::new(program, (level, vectors), shortest, limits)
            .map(|code| MachineCode::Pieces(Arc::new(code)))
    }

    /// What runs need.
    pub(crate) fn machine(&self, program: &Plan) -> Machine {
        match self {
            MachineCode::Whole(code) => Machine::Whole(Box::new(Whole::new(Arc::clone(code), program))),
            MachineCode::Pieces(code) => Machine::Pieces(Box::new(Pieces::new(Arc::clone(code)))),
        }
    }

    fn executable(&self) -> &Executable {
        match self {
            MachineCode::Whole(code) => code.executable(),
            MachineCode::Pieces(code) => code.executable(),
        }
    }

    /// The vector units that the code uses.
    pub(crate) fn level(&self) -> HostLevel {
        self.executable().level()
    }

    /// Number of bytes of code.
    pub(crate) fn length(&self) -> usize {
        self.executable().length()
    }
}

impl Machine {
    /// What runs pieces of the program, if these have code.
    pub(crate) fn parts(&mut self) -> Option<&mut dyn Parts> {
        match self {
            Machine::Whole(_) => None,
            Machine::Pieces(pieces) => Some(pieces.as_mut()),
        }
    }
}

/// Whether a program can be one function: every instruction has code, all round alike, and no lane sees another.
fn is_one_function(program: &Plan) -> bool {
    let mut needed = program.of_lanes().iter().map(rounding);
    let rounding = needed.try_fold(Rounding::Any, |all, i| all.and(i?));
    program.width == CHUNKS && rounding.is_some() && !program.has_barriers() && !program.uses_quads()
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
