//! Instructions without code of their own: code calls a function, which runs them for one group of lanes.

use super::around::{Around, Group};
use super::assembler::operations::MOVE;
use super::assembler::{General, Source};
use super::context::{CONTEXT, Context, Field};
use super::lower::{GROUP, LANES, LARGEST, Lowering};
use crate::instruction::Instruction;
use crate::memory::{Chunk, Operand};
use iced_x86::{Code, Register};

/// Runs an instruction that has no code of its own, for one group.
#[allow(unsafe_code)]
pub(super) extern "sysv64" fn helper(context: &mut Context, number: u64, group: u64, lanes: u64) {
    // SAFETY: `MachineCode::run` set both pointers, and both lead to memory that lives until it returns. Nothing else
    // refers to the chunks or to what is around meanwhile: the code that calls this function waits for it.
    let (around, chunks): (&mut Around<'_>, &mut [Chunk]) =
        unsafe { (&mut *context.around, std::slice::from_raw_parts_mut(context.chunks, context.length)) };
    let (groups, width) = (context.vectors.groups(), context.vectors.lanes());
    let group = Group { chunk: group as usize / groups, first: group as usize % groups * width, width };
    if around.run(number as usize, chunks, &group, lanes as u16).is_none() {
        context.failed = 1;
    }
}

impl Lowering<'_> {
    /// Lets the helper run an instruction that may fail.
    pub(super) fn call_around(&mut self, i: &Instruction<Operand>, number: usize) {
        self.call(i, number);
        self.asm.word(Code::Movzx_r32_rm16, Register::EAX, General::Memory(Field::Failed.address()));
        self.asm.word(Code::Test_rm32_r32, Register::EAX, General::Register(Register::EAX));
        self.asm.jump(Code::Jne_rel32_64, self.unfinished);
    }

    /// Lets the helper run an instruction.
    pub(super) fn call(&mut self, i: &Instruction<Operand>, number: usize) {
        let mut operands = Vec::new();
        i.operands(&self.program.accesses, |o| operands.push(o));
        self.settle(&operands);
        let slabs = self.registers.slabs().to_vec();
        for (slab, register) in &slabs {
            let to = self.address(*slab);
            self.asm.store(to, *register);
        }
        // Sets of lanes and the largest magnitudes are lost, too.
        let asm = &mut self.asm;
        asm.save_sets();
        asm.bits_of(Register::ECX, LANES);
        if self.truncates {
            asm.store(Field::Scratch.address(), LARGEST);
            asm.memory1(Code::VEX_Vldmxcsr_m32, Field::OldControl.address());
        }
        asm.plain(Code::VEX_Vzeroupper);
        asm.word(Code::Mov_r64_rm64, Register::RDI, General::Register(CONTEXT));
        asm.word(Code::Mov_r32_imm32, Register::ESI, General::Number(number as u32));
        asm.word(Code::Mov_r64_rm64, Register::RDX, General::Register(GROUP));
        asm.memory1(Code::Call_rm64, Field::Helper.address());
        if self.truncates {
            asm.memory1(Code::VEX_Vldmxcsr_m32, Field::Control.address());
            asm.vector1(MOVE, LARGEST, Source::Memory(Field::Scratch.address()));
        }
        asm.restore_sets();
        for (slab, register) in slabs {
            let from = Source::Memory(self.address(slab));
            self.asm.vector1(MOVE, register, from);
        }
        self.conditions.fill(None);
        self.scaled = None;
    }
}
