//! Quads: a group of lanes has whole quads, so derivatives are permutations within a register.

use super::assembler::General;
use super::assembler::operations::{AND, PERMUTE};
use super::context::{Field, Word};
use super::lower::{LANES, Lowering, word};
use crate::memory::Operand;
use iced_x86::{Code, Register};
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
    /// As [`crate::quads::neighbour`].
    pub(super) fn neighbour(&mut self, dst: Operand, a: Operand, axis: Axis, second: bool) {
        self.asm.bits_of(Register::EAX, LANES);
        self.leave_divided(Register::EAX);
        let from = self.source(a);
        self.result(dst, |l, d| {
            l.asm.vector1_number(PERMUTE, d, from, lanes(axis, second));
            l.asm.vector2(AND, d, d, word(Word::Quads));
        });
    }

    /// Leaves the chunk to the other engine if lanes are quads, and a set has only some lanes of one.
    pub(super) fn leave_divided(&mut self, set: Register) {
        let asm = &mut self.asm;
        let after = asm.label();
        asm.word(Code::Movzx_r32_rm16, Register::ECX, General::Memory(Field::Word(Word::Quads).address()));
        asm.word(Code::Test_rm32_r32, Register::ECX, General::Register(Register::ECX));
        asm.jump(Code::Je_rel32_64, after);
        // Lanes 1 and 3 of each quad are compared with the lane before, lane 2 with the one two before.
        for (distance, compared) in [(1, 0xaaaa), (2, 0x4444)] {
            asm.product(Register::RCX, set.full_register(), 1 << distance);
            asm.word(Code::Xor_r32_rm32, Register::ECX, General::Register(set));
            asm.word(Code::Test_rm32_imm32, Register::ECX, General::Number(compared));
            asm.jump(Code::Jne_rel32_64, self.unfinished);
        }
        asm.bind(after);
    }
}
