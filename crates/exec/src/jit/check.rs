//! A check of finished code: every instruction is decoded again and compared with what code may contain. Code is checked
//! when it is made in builds with debug assertions: tests and fuzzing.

use super::context::{CONTEXT, Context, Field};
use super::lower::{CHUNKS, GROUP, SLABS};
use super::rows::{FIRST, STRIDE, THREE};
use super::vectors::Vectors;
use crate::codes::internal;
use crate::memory::{Chunk, LANES};
use crate::plan::Plan;
use iced_x86::{
    CpuidFeature, Decoder, DecoderOptions, EncodingKind, FlowControl, Instruction, Mnemonic, OpKind, Register,
};
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
    Mnemonic::Xor,
    Mnemonic::Cmp,
    Mnemonic::Test,
    Mnemonic::Popcnt,
    Mnemonic::Imul,
    Mnemonic::Push,
    Mnemonic::Pop,
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

/// What the processor must have for instructions on vectors and sets of lanes, for each level.
const OF_AVX2: &[CpuidFeature] = &[CpuidFeature::AVX, CpuidFeature::AVX2, CpuidFeature::FMA];
const OF_AVX512: &[CpuidFeature] =
    &[CpuidFeature::AVX, CpuidFeature::AVX512F, CpuidFeature::AVX512VL, CpuidFeature::AVX512DQ];

/// Registers that have addresses, and how often the code writes each: when it begins, when it ends, and, for the two of
/// the loop over groups of lanes, once an iteration. The shift and the sum of the first slab's address are two more.
const ADDRESSES: [(Register, usize); 6] =
    [(CONTEXT, 2), (CHUNKS, 2), (SLABS, 5), (GROUP, 3), (Register::R14, 2), (Register::RSP, 0)];

/// Checks a function of a program: the whole program, or a piece.
pub(super) fn check(bytes: &[u8], program: &Plan, vectors: Vectors) -> Result<(), Diagnostic> {
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
        if !is_of_level(i, vector, vectors) {
            return Err(fault(i, "is not one of the level"));
        }
        match i.flow_control() {
            FlowControl::Next => {}
            FlowControl::Return if i.op_count() == 0 => {}
            FlowControl::ConditionalBranch | FlowControl::UnconditionalBranch
                if starts.contains(&i.near_branch_target()) => {}
            _ => return Err(fault(i, "leads out of the code")),
        }
        if i.mnemonic() != Mnemonic::Lea
            && (0..i.op_count()).any(|n| i.op_kind(n) == OpKind::Memory)
            && !is_inside(i, &last, program, vectors)
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

/// Whether a processor of the level has an instruction.
fn is_of_level(i: &Instruction, vector: bool, vectors: Vectors) -> bool {
    let level = match vectors {
        Vectors::Ymm => OF_AVX2,
        Vectors::Zmm => OF_AVX512,
    };
    match i.encoding() {
        EncodingKind::Legacy => !vector,
        _ => i.cpuid_features().iter().all(|feature| level.contains(feature)),
    }
}

/// Whether the memory operand of an instruction lies within the memory of a run.
fn is_inside(i: &Instruction, last: &Instruction, program: &Plan, vectors: Vectors) -> bool {
    let size = i.memory_size().size() as i64;
    let first = i.memory_displacement64() as i64;
    let ends_by = |bytes: usize| first >= 0 && first + size <= bytes as i64;
    let (base, index) = (i.memory_base(), i.memory_index());
    let chunks = program.chunks * size_of::<Chunk>();
    match (base, index) {
        (CHUNKS, Register::None) => ends_by(chunks),
        // The address is that of any group of a slab.
        (SLABS, Register::None) => {
            let groups = program.lanes() / vectors.lanes();
            ends_by(chunks.saturating_sub((groups - 1) * vectors.bytes()))
        }
        (CONTEXT, Register::None) => ends_by(size_of::<Context>()),
        (CONTEXT, GROUP) => {
            [Field::Lanes, Field::Killed, Field::LeftGroups].iter().any(|f| i64::from(f.offset()) == first)
                && i.memory_index_scale() == 2
                && size == 2
        }
        // Rows of an array: the caller counted the groups that have them.
        (FIRST, Register::None) => size == 16 && first == 0,
        (FIRST, STRIDE) if i.memory_index_scale() <= 2 => size == 16 && first == 0,
        (FIRST, THREE) if i.memory_index_scale() == 1 => size == 16 && first == 0,
        (Register::R14, Register::None) => ends_by(program.blocks.len() * size_of::<u16>()),
        // A row: its index was loaded from those that are at most the table's end, and the offset lies in the table.
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

    fn code(program: &Plan, vectors: Vectors) -> Vec<u8> {
        flow::code(program, &Arrays::new(program).unwrap(), vectors).unwrap()
    }

    /// Code with one more instruction at its end, which nothing leads to.
    fn with_last(program: &Plan, vectors: Vectors, instruction: Instruction) -> Result<(), Diagnostic> {
        let mut bytes = code(program, vectors);
        let mut encoder = Encoder::new(64);
        encoder.encode(&instruction, bytes.len() as u64).unwrap();
        bytes.extend(encoder.take_buffer());
        check(&bytes, program, vectors)
    }

    #[test]
    fn foreign_instructions_are_refused() {
        let program = crate::plan::tests::smallest();
        let far = iced_x86::MemoryOperand::with_base_displ(CHUNKS, 1 << 20);
        let other = iced_x86::MemoryOperand::with_base(Register::RSI);
        let faults = [
            Instruction::with(Code::Syscall),
            Instruction::with_branch(Code::Jmp_rel32_64, 1 << 20).unwrap(),
            Instruction::with1(Code::Call_rm64, Register::RAX).unwrap(),
            Instruction::with2(Code::Mov_r64_rm64, CHUNKS, Register::RAX).unwrap(),
            Instruction::with2(Code::VEX_Vmovups_xmm_xmmm128, Register::XMM0, far).unwrap(),
            Instruction::with2(Code::Mov_r64_rm64, Register::RAX, other).unwrap(),
            Instruction::with2(Code::Movaps_xmm_xmmm128, Register::XMM0, Register::XMM1).unwrap(),
            Instruction::with3(
                Code::VEX_Vaesenc_xmm_xmm_xmmm128,
                Register::XMM0,
                Register::XMM1,
                Register::XMM2,
            )
            .unwrap(),
        ];
        for vectors in [Vectors::Ymm, Vectors::Zmm] {
            check(&code(&program, vectors), &program, vectors).unwrap();
            for fault in &faults {
                let refused = with_last(&program, vectors, *fault);
                assert_eq!(refused.unwrap_err().code, "internal-exec", "{fault:?}");
            }
        }
    }

    /// Instructions of one level are refused in the code of the other, and so is memory of a group that a slab lacks.
    #[test]
    fn levels_have_lists_of_their_own() {
        let program = crate::plan::tests::smallest();
        let last = |bytes: i64| iced_x86::MemoryOperand::with_base_displ(SLABS, bytes);
        let (ymm, zmm) = (Code::VEX_Vmovaps_ymm_ymmm256, Code::EVEX_Vmovaps_zmm_k1z_zmmm512);
        let wide = Instruction::with2(zmm, Register::ZMM0, Register::ZMM1).unwrap();
        let set = Instruction::with2(Code::VEX_Kmovw_kr_r32, Register::K1, Register::EAX).unwrap();
        let masked =
            Instruction::with2(Code::EVEX_Vmovaps_ymm_k1z_ymmm256, Register::YMM16, Register::YMM1).unwrap();
        for of_wide in [wide, set, masked] {
            with_last(&program, Vectors::Zmm, of_wide).unwrap();
            with_last(&program, Vectors::Ymm, of_wide).unwrap_err();
        }
        let integers = Code::VEX_Vpaddd_ymm_ymm_ymmm256;
        let narrow = Instruction::with3(integers, Register::YMM0, Register::YMM1, Register::YMM2).unwrap();
        with_last(&program, Vectors::Ymm, narrow).unwrap();
        with_last(&program, Vectors::Zmm, narrow).unwrap_err();
        for (vectors, code, register) in
            [(Vectors::Ymm, ymm, Register::YMM0), (Vectors::Zmm, zmm, Register::ZMM0)]
        {
            let load = |bytes| Instruction::with2(code, register, last(bytes)).unwrap();
            with_last(&program, vectors, load(0)).unwrap();
            with_last(&program, vectors, load(1)).unwrap_err();
        }
    }
}
