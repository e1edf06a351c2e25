//! Quads: a group of lanes has whole quads, so derivatives are permutations within a register.

use super::assembler::operations::{AND, PERMUTE};
use super::context::Word;
use super::lower::{Lowering, word};
use crate::memory::Operand;
use shisa_ir::Axis;

/// For each lane of a quad the one from which it takes its value, two bits each, lane 0 in the lowest.
const fn lanes(axis: Axis, second: bool) -> u8 {
    match (axis, second) {
        (Axis::X, false) => 0b10_10_00_00,
        (Axis::X, true) => 0b11_11_01_01,
        (Axis::Y, false) => 0b01_00_01_00,
        (Axis::Y, true) => 0b11_10_11_10,
    }
}

impl Lowering<'_> {
    /// As [`crate::quads::neighbour`], where all lanes of each quad run, or none.
    pub(super) fn neighbour(&mut self, dst: Operand, a: Operand, axis: Axis, second: bool) {
        let from = self.source(a);
        self.result(dst, |l, d| {
            l.asm.vector1_number(PERMUTE, d, from, lanes(axis, second));
            l.asm.vector2(AND, d, d, word(Word::Quads));
        });
    }
}
