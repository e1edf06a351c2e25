//! A check of finished code: every instruction is decoded again and compared with what code may contain. Code is checked
//! when it is made in builds with debug assertions: tests and fuzzing.

use super::context::{CONTEXT, Context, Field};
use super::lower::{CHUNK, CHUNKS, SLABS};
use super::rows::{FIRST, STRIDE, THREE};
use crate::codes::internal;
use crate::memory::{CHUNKS as CHUNKS_OF_SLAB, Chunk, LANES};
use crate::plan::Plan;
use iced_x86::{Decoder, DecoderOptions, FlowControl, Instruction, Mnemonic, OpKind, Register};
use shisa_diag::Diagnostic;
use std::collections::HashSet;

/// Instructions on general registers, and those that have an effect besides their result.
const GENERAL: [Mnemonic; 25] = [
    Mnemonic::Mov,
    Mnemonic::Movzx,
    Mnemonic::Lea,
    Mnemonic::Add,
    Mnemonic::Sub,
    Mnemonic::Inc,
    Mnemonic::Shl,
    Mnemonic::Or,
    Mnemonic::Cmp,
    Mnemonic::Test,
    Mnemonic::Popcnt,
    Mnemonic::Imul,
    Mnemonic::Push,
    Mnemonic::Pop,
    Mnemonic::Call,
    Mnemonic::Ret,
    Mnemonic::Jmp,
    Mnemonic::Je,
    Mnemonic::Jne,
    Mnemonic::Jb,
    Mnemonic::Jae,
    Mnemonic::Kmovw,
    Mnemonic::Vldmxcsr,
    Mnemonic::Vstmxcsr,
    Mnemonic::Vzeroupper,
];

/// Registers that have addresses, and how often the code writes each: when it begins, when it ends, and, for the two of
/// the loop over chunks, once an iteration. The shift and the sum of the first slab's address are two more.
const ADDRESSES: [(Register, usize); 6] =
    [(CONTEXT, 2), (CHUNKS, 2), (SLABS, 5), (CHUNK, 3), (Register::R14, 2), (Register::RSP, 0)];

/// Checks the code of a program.
pub(super) fn check(bytes: &[u8], program: &Plan) -> Result<(), Diagnostic> {
    let list: Vec<Instruction> = Decoder::new(64, bytes, DecoderOptions::NONE).iter().collect();
    let starts: HashSet<u64> = list.iter().map(|i| i.ip()).collect();
    let fault = |i: &Instruction, what: &str| {
        let (at, mnemonic) = (i.ip(), i.mnemonic());
        internal(format!("the instruction {mnemonic:?} at offset {at:#x} of machine code {what}"))
    };
    let mut writes = ADDRESSES.map(|(_, expected)| expected);
    let mut last = Instruction::default();
    for i in &list {
        if i.is_invalid() {
            return Err(fault(i, "cannot be decoded"));
        }
        let vector =
            (0..i.op_count()).any(|n| i.op_register(n).is_vector_register() || is_set(i.op_register(n)));
        if !vector && !GENERAL.contains(&i.mnemonic()) {
            return Err(fault(i, "is not one that code may contain"));
        }
        match i.flow_control() {
            FlowControl::Next => {}
            FlowControl::Return if i.op_count() == 0 => {}
            FlowControl::ConditionalBranch | FlowControl::UnconditionalBranch
                if starts.contains(&i.near_branch_target()) => {}
            FlowControl::IndirectCall if is_field(i, Field::Helper) => {}
            _ => return Err(fault(i, "leads out of the code")),
        }
        if i.mnemonic() != Mnemonic::Lea
            && (0..i.op_count()).any(|n| i.op_kind(n) == OpKind::Memory)
            && !is_inside(i, &last, program)
        {
            return Err(fault(i, "reaches memory that is not the program's"));
        }
        // The first operand is the target of every instruction except for these.
        let reads = matches!(i.mnemonic(), Mnemonic::Push | Mnemonic::Cmp | Mnemonic::Test);
        if !reads && i.op_count() > 0 && i.op_kind(0) == OpKind::Register {
            let target = i.op_register(0).full_register();
            for ((register, _), left) in ADDRESSES.iter().zip(&mut writes) {
                if *register == target {
                    *left = left.checked_sub(1).ok_or_else(|| fault(i, "replaces an address"))?;
                }
            }
        }
        last = *i;
    }
    Ok(())
}

fn is_set(r: Register) -> bool {
    r.is_k()
}

/// Whether the memory operand of an instruction is a field.
fn is_field(i: &Instruction, field: Field) -> bool {
    i.memory_base() == CONTEXT
        && i.memory_index() == Register::None
        && i.memory_displacement64() as i64 == i64::from(field.offset())
}

/// Whether the memory operand of an instruction lies within the memory of a run.
fn is_inside(i: &Instruction, last: &Instruction, program: &Plan) -> bool {
    let size = i.memory_size().size() as i64;
    let first = i.memory_displacement64() as i64;
    let ends_by = |bytes: usize| first >= 0 && first + size <= bytes as i64;
    let (base, index) = (i.memory_base(), i.memory_index());
    let chunks = program.chunks * size_of::<Chunk>();
    match (base, index) {
        (CHUNKS, Register::None) => ends_by(chunks),
        // The address is that of any of a slab's chunks.
        (SLABS, Register::None) => ends_by(chunks.saturating_sub((CHUNKS_OF_SLAB - 1) * size_of::<Chunk>())),
        (CONTEXT, Register::None) => ends_by(size_of::<Context>()),
        (CONTEXT, CHUNK) => {
            [Field::Lanes, Field::Killed].iter().any(|f| i64::from(f.offset()) == first)
                && i.memory_index_scale() == 2
                && size == 2
        }
        // Rows of an array: the caller counted the chunks that have them.
        (FIRST, Register::None) => size == 16 && first == 0,
        (FIRST, STRIDE) if i.memory_index_scale() <= 2 => size == 16 && first == 0,
        (FIRST, THREE) if i.memory_index_scale() == 1 => size == 16 && first == 0,
        (Register::R14, Register::None) => ends_by(program.blocks.len() * size_of::<u16>()),
        // A row: its index was loaded from those that were compared with the table's end, and the offset lies in the table.
        (FIRST, Register::RAX) => {
            let scratch = i64::from(Field::Scratch.offset());
            let end = scratch + (LANES * size_of::<u32>()) as i64;
            let at = last.memory_displacement64() as i64;
            let longest = program.tables.iter().map(|t| i64::from(t.units)).max().unwrap_or(0);
            size == 16
                && (0..=longest * size_of::<u32>() as i64).contains(&first)
                && i.memory_index_scale() == 4
                && last.mnemonic() == Mnemonic::Mov
                && last.op_register(0) == Register::EAX
                && last.memory_base() == CONTEXT
                && (scratch..end).contains(&at)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jit::arrays::Arrays;
    use crate::jit::flow;
    use iced_x86::{Code, Encoder};

    /// Code with one instruction replaced at its end, where nothing jumps to.
    fn with_last(program: &Plan, instruction: Instruction) -> Result<(), Diagnostic> {
        let mut bytes = flow::code(program, &Arrays::new(program).unwrap()).unwrap();
        let mut encoder = Encoder::new(64);
        encoder.encode(&instruction, bytes.len() as u64).unwrap();
        bytes.extend(encoder.take_buffer());
        check(&bytes, program)
    }

    #[test]
    fn foreign_instructions_are_refused() {
        let program = crate::plan::tests::smallest();
        check(&flow::code(&program, &Arrays::new(&program).unwrap()).unwrap(), &program).unwrap();
        let far = iced_x86::MemoryOperand::with_base_displ(CHUNKS, 1 << 20);
        let other = iced_x86::MemoryOperand::with_base(Register::RSI);
        let faults = [
            Instruction::with(Code::Syscall),
            Instruction::with_branch(Code::Jmp_rel32_64, 1 << 20).unwrap(),
            Instruction::with1(Code::Call_rm64, Register::RAX).unwrap(),
            Instruction::with2(Code::Mov_r64_rm64, CHUNKS, Register::RAX).unwrap(),
            Instruction::with2(Code::EVEX_Vmovaps_zmm_k1z_zmmm512, Register::ZMM0, far).unwrap(),
            Instruction::with2(Code::Mov_r64_rm64, Register::RAX, other).unwrap(),
        ];
        for fault in faults {
            assert_eq!(with_last(&program, fault).unwrap_err().code, "internal-exec", "{fault:?}");
        }
    }
}
