//! Machine code of pieces: stretches of instructions between those that have no code, such as accesses to textures and
//! memory, operations between lanes, and what ends a block.
//!
//! The engine without machine code follows control flow and performs accesses, for all lanes of the slab at once, and calls
//! the code of a piece where one begins. A piece changes nothing outside of its results, and these only in groups of which no
//! lane is in doubt; the engine runs the piece for the lanes of the others. So effects happen once, in the same order
//! as without machine code.

mod code;
mod cut;
mod live;
mod run;
mod stretch;

use super::check::check;
use super::executable::Executable;
use super::lower::Lowering;
use super::registers::Registers;
use super::vectors::Vectors;
use crate::codes::{internal, unsupported};
use crate::host::HostLevel;
use crate::instruction::Instruction;
use crate::memory::Operand;
use crate::plan::Plan;
pub(crate) use run::Pieces;
use shisa_diag::{Diagnostic, Limits};
use std::ops::Range;

/// The code of a program's pieces.
pub(crate) struct PieceCode {
    executable: Executable,
    /// In the order of the program.
    pieces: Vec<Piece>,
    /// For each instruction the first piece that begins there or later.
    next: Vec<u32>,
}

/// A piece.
pub(super) struct Piece {
    list: Range<usize>,
    /// Where its code begins.
    start: usize,
    /// The slabs that its instructions use.
    slabs: Vec<Operand>,
    /// Those with results that later instructions may read.
    results: Vec<Operand>,
    /// Whether an instruction depends on the other lanes of a quad.
    uses_quads: bool,
}

impl Piece {
    /// Its instructions.
    #[cfg(test)]
    pub(super) fn list(&self) -> &Range<usize> {
        &self.list
    }
}

impl PieceCode {
    /// Makes the code of a program's pieces, each of at least `shortest` instructions.
    ///
    /// # Errors
    /// `exec-unsupported` if there are none; those of [`Executable::new`]; `internal-exec`.
    pub(super) fn new(
        program: &Plan,
        (level, vectors): (HostLevel, Vectors),
        shortest: usize,
        limits: &Limits,
    ) -> Result<PieceCode, Diagnostic> {
        let (bytes, pieces) = code(program, vectors, shortest)?;
        if pieces.is_empty() {
            return Err(unsupported(&format!(
                "machine code of programs in which no {shortest} instructions that have code follow each other"
            )));
        }
        let executable = Executable::new(&bytes, (level, vectors), limits)?;
        let mut next = vec![pieces.len() as u32; program.instructions.len() + 1];
        let mut first = 0;
        for (n, piece) in (0..).zip(&pieces) {
            let before = next.get_mut(first..=piece.list.start);
            before.ok_or_else(|| internal("pieces of a program overlap"))?.fill(n);
            first = piece.list.start + 1;
        }
        Ok(PieceCode { executable, pieces, next })
    }

    pub(super) fn executable(&self) -> &Executable {
        &self.executable
    }

    /// The first piece that begins at an instruction or later.
    fn piece_from(&self, instruction: usize) -> Option<usize> {
        self.next.get(instruction).map(|n| *n as usize).filter(|n| *n < self.pieces.len())
    }
}

/// The code of a program's pieces, which was checked in builds with debug assertions.
pub(super) fn code(
    program: &Plan,
    vectors: Vectors,
    shortest: usize,
) -> Result<(Vec<u8>, Vec<Piece>), Diagnostic> {
    let registers = Registers::new(program);
    let stretches = cut::cut(program, &registers, (shortest, vectors.slabs().1));
    let mut l = Lowering::new(program, registers, vectors);
    let mut pieces: Vec<Piece> = Vec::with_capacity(stretches.len());
    for stretch in stretches {
        let start = l.asm.length();
        l.piece(&stretch);
        let mut list = program.instructions.get(stretch.list.clone()).into_iter().flatten();
        let uses_quads = list.any(|i| matches!(i, Instruction::Neighbour { .. }));
        let slabs = stretch.slabs.iter().map(|slab| slab.operand).collect();
        let results = code::results(&stretch).collect();
        pieces.push(Piece { list: stretch.list, start, slabs, results, uses_quads });
    }
    let bytes = l.asm.finish()?;
    if cfg!(debug_assertions) {
        let ends = pieces.iter().skip(1).map(|piece| piece.start).chain([bytes.len()]);
        for (piece, end) in pieces.iter().zip(ends) {
            let function = bytes.get(piece.start..end);
            check(function.ok_or_else(|| internal("a piece has no code"))?, program, vectors)?;
        }
    }
    Ok((bytes, pieces))
}
