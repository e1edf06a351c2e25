//! The code around instructions: the loop over groups of lanes, blocks with the lanes that wait for them, and edges.

use super::arrays::Arrays;
use super::assembler::{General, Label, Mask};
use super::context::{CONTEXT, Field};
use super::lower::{CHUNKS, GROUP, K, LANES, LARGEST, Lowering, SLABS};
use super::vectors::Vectors;
use crate::codes::{internal, unsupported};
use crate::memory::Operand;
use crate::plan::{Block, Edge, Next, Plan};
use iced_x86::{Code, Register};
use shisa_diag::Diagnostic;
use std::ops::Range;

/// The address of the sets of waiting lanes.
const WAITING: Register = Register::R14;
/// The instructions that the chunk may still run.
const STEPS: Register = Register::R15;
/// The registers that a function must restore.
const SAVED: [Register; 6] =
    [Register::RBX, Register::RBP, Register::R12, Register::R13, Register::R14, Register::R15];
/// The lanes of the two edges of a block.
const YES: Register = Register::EAX;
const NO: Register = Register::R10D;

/// The code of a program: a function of the context.
pub(super) fn code(program: &Plan, arrays: &Arrays, vectors: Vectors) -> Result<Vec<u8>, Diagnostic> {
    let mut l = Lowering::of_program(program, vectors);
    let [group, end] = [l.asm.label(), l.asm.label()];
    let mut blocks = Vec::with_capacity(program.blocks.len() + 1);
    blocks.resize_with(program.blocks.len() + 1, || l.asm.label());
    l.prologue();
    l.asm.bind(group);
    l.asm.word(Code::Cmp_r64_rm64, GROUP, General::Memory(Field::Count.address()));
    l.asm.jump(Code::Jae_rel32_64, end);
    l.start_group(arrays);
    for (n, block) in program.blocks.iter().enumerate() {
        l.asm.bind(blocks[n]);
        l.block(n, block, &blocks)?;
    }
    l.asm.bind(blocks[program.blocks.len()]);
    l.finish_group(arrays);
    l.asm.word1(Code::Inc_rm64, GROUP);
    l.asm.word(Code::Add_rm64_imm32, SLABS, General::Number(vectors.bytes() as u32));
    l.asm.jump(Code::Jmp_rel32_64, group);
    l.asm.bind(l.unfinished);
    // The engine that runs the chunk again counts its instructions.
    l.asm.word(Code::Mov_r64_rm64, Register::RAX, General::Memory(Field::LeftBefore.address()));
    l.store_word(Field::Left, Register::RAX);
    l.asm.bind(end);
    l.epilogue();
    l.asm.finish()
}

impl Lowering<'_> {
    fn store_word(&mut self, to: Field, from: Register) {
        self.asm.write_word(Code::Mov_rm64_r64, General::Memory(to.address()), General::Register(from));
    }

    fn prologue(&mut self) {
        let asm = &mut self.asm;
        SAVED.into_iter().for_each(|r| asm.word1(Code::Push_r64, r));
        asm.word(Code::Mov_r64_rm64, CONTEXT, General::Register(Register::RDI));
        asm.word(Code::Mov_r64_rm64, CHUNKS, General::Memory(Field::Chunks.address()));
        asm.word(Code::Mov_r64_rm64, WAITING, General::Memory(Field::Waiting.address()));
        asm.word(Code::Mov_r64_rm64, GROUP, General::Memory(Field::Next.address()));
        asm.word(Code::Mov_r64_rm64, SLABS, General::Register(GROUP));
        asm.word(Code::Shl_rm64_imm8, SLABS, General::Number(asm.vectors().bytes().ilog2()));
        asm.word(Code::Add_r64_rm64, SLABS, General::Register(CHUNKS));
        self.set_rounding();
    }

    fn epilogue(&mut self) {
        self.store_word(Field::Next, GROUP);
        self.end(&SAVED);
    }

    /// Rounds as the code needs.
    pub(super) fn set_rounding(&mut self) {
        if self.truncates {
            self.asm.memory1(Code::VEX_Vstmxcsr_m32, Field::OldControl.address());
            self.asm.memory1(Code::VEX_Vldmxcsr_m32, Field::Control.address());
        }
    }

    /// The end of a function that saved these registers.
    pub(super) fn end(&mut self, saved: &[Register]) {
        if self.truncates {
            self.asm.memory1(Code::VEX_Vldmxcsr_m32, Field::OldControl.address());
        }
        self.asm.plain(Code::VEX_Vzeroupper);
        saved.iter().rev().for_each(|r| self.asm.word1(Code::Pop_r64, *r));
        self.asm.plain(Code::Retnq);
    }

    /// The lanes of the current group, in a field with a set for each group.
    pub(super) fn of_group(field: Field) -> General {
        General::Indexed { base: CONTEXT, index: GROUP, scale: 2, offset: field.offset() }
    }

    /// The lanes that wait for a block.
    fn waiting(block: usize) -> General {
        let offset = (block * size_of::<u16>()) as i32;
        General::Memory(super::context::Address { base: WAITING, offset })
    }

    fn start_group(&mut self, arrays: &Arrays) {
        self.asm.word(Code::Mov_r64_rm64, STEPS, General::Memory(Field::LaneSteps.address()));
        self.asm.word(Code::Mov_r64_rm64, Register::RAX, General::Memory(Field::Left.address()));
        let second = self.asm.label();
        let others = self.asm.vectors().groups() as u32 - 1;
        if others > 0 {
            // A chunk is left as a whole.
            self.asm.word(Code::Test_rm32_imm32, GROUP.full_register32(), General::Number(others));
            self.asm.jump(Code::Jne_rel32_64, second);
        }
        self.store_word(Field::LeftBefore, Register::RAX);
        self.asm.bind(second);
        self.asm.word(Code::Movzx_r32_rm16, Register::EAX, Self::of_group(Field::Lanes));
        self.asm.write_word(Code::Mov_rm16_r16, Self::waiting(0), General::Register(Register::AX));
        self.asm.write_word(Code::Mov_rm16_imm16, Self::of_group(Field::Killed), General::Number(0));
        self.asm.start_doubt();
        if self.truncates {
            self.asm.zero(LARGEST);
        }
        for (array, units) in arrays.inputs.iter().enumerate() {
            self.load_rows(array, *units);
        }
    }

    /// Stores the outputs, unless a result is in doubt.
    fn finish_group(&mut self, arrays: &Arrays) {
        self.start_block();
        self.asm.word(Code::Movzx_r32_rm16, Register::EAX, Self::of_group(Field::Lanes));
        self.asm.start_lanes(Register::EAX);
        let outputs: Vec<Operand> = self.program.outputs.iter().map(|(_, o)| *o).collect();
        self.settle(&outputs);
        self.leave_if_doubtful();
        for (array, units) in arrays.outputs.iter().enumerate() {
            match *units {
                [Some(x), Some(y), Some(z), Some(w)] => self.store_rows(array, [x, y, z, w]),
                _ => self.store_chunks(units.iter().copied().flatten()),
            }
        }
    }

    /// Leaves the lanes to the other engine if a result is in doubt.
    pub(super) fn leave_if_doubtful(&mut self) {
        self.settle_largest();
        self.asm.test_doubt();
        self.asm.jump(Code::Jne_rel32_64, self.unfinished);
    }

    fn block(&mut self, n: usize, block: &Block, labels: &[Label]) -> Result<(), Diagnostic> {
        self.start_block();
        // The lanes that wait for the block run it.
        self.asm.word(Code::Movzx_r32_rm16, Register::EAX, Self::waiting(n));
        self.asm.word(Code::Test_rm32_r32, Register::EAX, General::Register(Register::EAX));
        self.asm.jump(Code::Je_rel32_64, labels[n + 1]);
        self.asm.write_word(Code::Mov_rm16_imm16, Self::waiting(n), General::Number(0));
        self.asm.start_lanes(Register::EAX);
        let steps = block.body.len() as u32 + 1;
        self.asm.word(Code::Sub_rm64_imm32, STEPS, General::Number(steps));
        self.asm.jump(Code::Jb_rel32_64, self.unfinished);
        self.asm.word(Code::Popcnt_r32_rm32, Register::ECX, General::Register(Register::EAX));
        self.asm.product(Register::RCX, Register::RCX, steps);
        self.asm.write_word(
            Code::Sub_rm64_r64,
            General::Memory(Field::Left.address()),
            General::Register(Register::RCX),
        );
        self.asm.jump(Code::Jb_rel32_64, self.unfinished);
        self.list(block.body.clone(), LANES)?;
        match &block.next {
            Next::Exit => {}
            Next::Barrier(..) => return Err(unsupported("machine code of barriers")),
            Next::Jump(edge) => {
                self.asm.bits_of(YES, LANES);
                self.edge(edge, Register::AX, LANES)?;
            }
            Next::Branch { cond, yes, no } => {
                let cond = self.condition(*cond);
                self.asm.running_without(K[1], cond);
                self.asm.running(K[0], cond);
                self.asm.bits_of(YES, K[0]);
                self.asm.bits_of(NO, K[1]);
                for (edge, lanes, low, mask) in
                    [(yes, YES, Register::AX, K[0]), (no, NO, Register::R10W, K[1])]
                {
                    let after = self.asm.label();
                    self.asm.word(Code::Test_rm32_r32, lanes, General::Register(lanes));
                    self.asm.jump(Code::Je_rel32_64, after);
                    self.edge(edge, low, mask)?;
                    self.asm.bind(after);
                }
            }
        }
        self.back(n, &block.next, labels)
    }

    /// The lanes of an edge wait for its block, whose parameters get their values.
    fn edge(&mut self, edge: &Edge, lanes: Register, mask: Mask) -> Result<(), Diagnostic> {
        self.asm.write_word(Code::Or_rm16_r16, Self::waiting(edge.to), General::Register(lanes));
        self.list(edge.moves.clone(), mask)
    }

    /// Jumps back to the first block with lanes, if an edge leads back.
    fn back(&mut self, n: usize, next: &Next, labels: &[Label]) -> Result<(), Diagnostic> {
        let mut targets: Vec<(usize, Register)> =
            next.edges().zip([YES, NO]).map(|(e, lanes)| (e.to, lanes)).filter(|(to, _)| *to <= n).collect();
        if targets.is_empty() {
            return Ok(());
        }
        targets.sort_by_key(|(to, _)| *to);
        self.leave_if_doubtful();
        for (to, lanes) in targets {
            let label = labels.get(to).ok_or_else(|| internal(format!("there is no block {to}")))?;
            self.asm.word(Code::Test_rm32_r32, lanes, General::Register(lanes));
            self.asm.jump(Code::Jne_rel32_64, *label);
        }
        Ok(())
    }

    fn list(&mut self, range: Range<usize>, lanes: Mask) -> Result<(), Diagnostic> {
        let program = self.program;
        let list = program.instructions.get(range);
        let list = list.ok_or_else(|| internal("a block has instructions that do not exist"))?;
        list.iter().for_each(|i| self.instruction(i, lanes));
        Ok(())
    }
}
