//! The code of a piece: a function that runs its instructions for every group of lanes. Results leave the registers when no
//! lane of the group is in doubt, so a piece can be run once more, without machine code.

use super::stretch::{Slab, Stretch};
use crate::jit::assembler::operations::MOVE;
use crate::jit::assembler::{General, Source};
use crate::jit::coded::Rounding;
use crate::jit::context::{CONTEXT, Field};
use crate::jit::lower::{CHUNKS, GROUP, LANES, LARGEST, Lowering, SLABS};
use crate::memory::Operand;
use iced_x86::{Code, Register};
use std::cmp::Reverse;

/// The registers that a piece must restore.
const SAVED: [Register; 4] = [CONTEXT, CHUNKS, SLABS, GROUP];

impl Lowering<'_> {
    /// Appends the code of a piece.
    pub(super) fn piece(&mut self, stretch: &Stretch) {
        let [group, next, left, end] = std::array::from_fn(|_| self.asm.label());
        self.unfinished = left;
        self.truncates = stretch.rounding == Rounding::TowardZero;
        let (registers, vectors) = (in_registers(&stretch.slabs), self.asm.vectors());
        self.registers.assign(&registers, vectors);
        // What a piece left in memory is exact.
        self.start_block();
        self.start_piece();
        self.asm.bind(group);
        self.asm.word(Code::Cmp_r64_rm64, GROUP, General::Memory(Field::Count.address()));
        self.asm.jump(Code::Jae_rel32_64, end);
        self.asm.word(Code::Movzx_r32_rm16, Register::EAX, Self::of_group(Field::Lanes));
        self.asm.word(Code::Test_rm32_r32, Register::EAX, General::Register(Register::EAX));
        self.asm.jump(Code::Je_rel32_64, next);
        self.asm.start_lanes(Register::EAX);
        self.asm.start_doubt();
        let reports = self.asm.reports();
        if self.truncates {
            self.asm.zero(LARGEST);
        }
        for slab in stretch.slabs.iter().filter(|slab| slab.is_read) {
            if let Some(register) = self.registers.get(slab.operand) {
                let from = Source::Memory(self.address(slab.operand));
                self.asm.vector1(MOVE, register, from);
            }
        }
        let program = self.program;
        let list = program.instructions.get(stretch.list.clone()).into_iter().flatten();
        list.for_each(|i| self.instruction(i, LANES));
        let results: Vec<Operand> = results(stretch).collect();
        self.settle(&results);
        if self.truncates || self.asm.reports() != reports {
            self.leave_if_doubtful();
        }
        self.store_chunks(results);
        self.asm.bind(next);
        self.asm.word1(Code::Inc_rm64, GROUP);
        self.asm.word(Code::Add_rm64_imm32, SLABS, General::Number(vectors.bytes() as u32));
        self.asm.jump(Code::Jmp_rel32_64, group);
        self.asm.bind(left);
        self.asm.write_word(Code::Mov_rm16_imm16, Self::of_group(Field::LeftGroups), General::Number(1));
        self.asm.jump(Code::Jmp_rel32_64, next);
        self.asm.bind(end);
        self.end(&SAVED);
    }

    fn start_piece(&mut self) {
        let asm = &mut self.asm;
        SAVED.into_iter().for_each(|r| asm.word1(Code::Push_r64, r));
        asm.word(Code::Mov_r64_rm64, CONTEXT, General::Register(Register::RDI));
        asm.word(Code::Mov_r64_rm64, CHUNKS, General::Memory(Field::Chunks.address()));
        asm.word(Code::Mov_r64_rm64, SLABS, General::Register(CHUNKS));
        asm.word(Code::Mov_r32_imm32, GROUP.full_register32(), General::Number(0));
        self.set_rounding();
    }
}

/// What later instructions may read.
pub(super) fn results(stretch: &Stretch) -> impl Iterator<Item = Operand> {
    stretch.slabs.iter().filter(|slab| slab.is_live).map(|slab| slab.operand)
}

/// The slabs to have in registers, the most important first: those that are replaced, whose old values must stay in memory,
/// and then those that are used most. One that is read once is as well an operand in memory.
fn in_registers(slabs: &[Slab]) -> Vec<Operand> {
    let mut list: Vec<&Slab> = slabs.iter().filter(|slab| slab.is_written || slab.uses > 1).collect();
    list.sort_by_key(|slab| (!slab.is_replaced(), Reverse(slab.uses)));
    list.into_iter().map(|slab| slab.operand).collect()
}
