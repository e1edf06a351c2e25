//! Every form with all kinds of operands, compared with iced-x86: what its decoder reads, and how many bytes its encoder needs.

use super::encode;
use super::forms::{FORMS, form};
use iced_x86::{
    Code, Decoder, DecoderOptions, Encoder, Instruction, OpCodeOperandKind, OpKind, Register, RoundingControl,
};

/// Where operands in memory are: base, index, scale.
const ADDRESSES: [(Register, Register, u32); 11] = [
    (Register::RAX, Register::None, 1),
    (Register::RBP, Register::None, 1),
    (Register::RSP, Register::None, 1),
    (Register::RDI, Register::None, 1),
    (Register::R12, Register::None, 1),
    (Register::R13, Register::None, 1),
    (Register::R15, Register::None, 1),
    (Register::RBX, Register::RBP, 2),
    (Register::R13, Register::R12, 8),
    (Register::RBP, Register::RAX, 4),
    (Register::R8, Register::R9, 1),
];
const DISTANCES: [i64; 16] =
    [0, 1, 2, 4, 8, 16, 32, 64, 127, 128, -128, -129, 8128, -8192, 1 << 20, i32::MAX as i64];

/// What an operand can be.
enum Choice {
    /// One of so many registers from one on.
    Registers(Register, usize),
    /// The same, or memory.
    OrMemory(Register, usize),
    Memory,
    Number(OpKind),
    Jump,
}

fn choice(kind: OpCodeOperandKind, wide: bool) -> Choice {
    use OpCodeOperandKind::*;
    // Only EVEX has registers from 16 on.
    let vectors = if wide { 32 } else { 16 };
    match kind {
        r16_reg => Choice::Registers(Register::AX, 16),
        r32_reg | r32_opcode | r32_rm => Choice::Registers(Register::EAX, 16),
        r64_reg | r64_opcode => Choice::Registers(Register::RAX, 16),
        r16_or_mem => Choice::OrMemory(Register::AX, 16),
        r32_or_mem => Choice::OrMemory(Register::EAX, 16),
        r64_or_mem => Choice::OrMemory(Register::RAX, 16),
        k_reg | k_rm | k_vvvv => Choice::Registers(Register::K0, 8),
        xmm_reg | xmm_rm | xmm_vvvv => Choice::Registers(Register::XMM0, vectors),
        ymm_reg | ymm_rm | ymm_vvvv | ymm_is4 => Choice::Registers(Register::YMM0, vectors),
        zmm_reg | zmm_rm | zmm_vvvv => Choice::Registers(Register::ZMM0, vectors),
        xmm_or_mem => Choice::OrMemory(Register::XMM0, vectors),
        ymm_or_mem => Choice::OrMemory(Register::YMM0, vectors),
        zmm_or_mem => Choice::OrMemory(Register::ZMM0, vectors),
        mem => Choice::Memory,
        imm8 => Choice::Number(OpKind::Immediate8),
        imm16 => Choice::Number(OpKind::Immediate16),
        imm32 => Choice::Number(OpKind::Immediate32),
        imm32sex64 => Choice::Number(OpKind::Immediate32to64),
        br64_4 => Choice::Jump,
        other => panic!("no operand of machine code is {other:?}"),
    }
}

/// Instructions of a code, in which every register and every kind of memory occurs in each of its operands.
fn instructions(code: Code) -> Vec<Instruction> {
    let info = code.op_code();
    let wide = info.encoding() == iced_x86::EncodingKind::EVEX;
    let mut list = Vec::new();
    for (n, memory) in (0..ADDRESSES.len() * DISTANCES.len()).flat_map(|n| [(n, false), (n, true)]) {
        let mut i = Instruction::default();
        i.set_code(code);
        let mut is_memory = false;
        for (operand, kind) in (0..).zip(info.op_kinds()) {
            let choice = choice(*kind, wide);
            match choice {
                Choice::Number(kind) => {
                    i.set_op_kind(operand, kind);
                    let number = (n as u64).wrapping_mul(0x9e37_79b9) & 0x7fff_ffff;
                    let bits = match kind {
                        OpKind::Immediate8 => 0xff,
                        OpKind::Immediate16 => 0xffff,
                        _ => u64::MAX,
                    };
                    i.set_immediate_u64(operand, number & bits);
                }
                Choice::Jump => {
                    i.set_op_kind(operand, OpKind::NearBranch64);
                    // The next instruction, by the length of the opcode.
                    i.set_near_branch64(if code == Code::Jmp_rel32_64 { 5 } else { 6 });
                }
                Choice::OrMemory(..) if memory => is_memory = true,
                Choice::Memory => is_memory = true,
                Choice::Registers(first, count) | Choice::OrMemory(first, count) => {
                    i.set_op_kind(operand, OpKind::Register);
                    // Steps without a common divisor with the counts.
                    let number = (n * (2 * operand as usize + 1) + 3 * operand as usize) % count;
                    i.set_op_register(operand, first + number as u32);
                }
            }
            if is_memory && matches!(choice, Choice::OrMemory(..) | Choice::Memory) {
                i.set_op_kind(operand, OpKind::Memory);
                let (base, index, scale) = ADDRESSES[n % ADDRESSES.len()];
                i.set_memory_base(base);
                i.set_memory_index(index);
                i.set_memory_index_scale(scale);
                i.set_memory_displ_size(1);
                i.set_memory_displacement64(DISTANCES[n / ADDRESSES.len()] as u64);
            }
        }
        if info.can_broadcast() && is_memory && n.is_multiple_of(2) {
            i.set_is_broadcast(true);
        }
        if info.can_use_rounding_control() && !is_memory && n.is_multiple_of(3) {
            i.set_rounding_control(
                [RoundingControl::RoundToNearest, RoundingControl::RoundTowardZero][n / 3 % 2],
            );
        }
        if info.can_use_op_mask_register() && n % 8 != 0 {
            i.set_op_mask(Register::K0 + (n % 8) as u32);
            let zeroing = info.can_use_zeroing_masking() && i.op0_kind() != OpKind::Memory;
            i.set_zeroing_masking(zeroing && n % 5 < 2);
        }
        list.push(i);
    }
    list
}

#[test]
fn instructions_are_those_that_a_decoder_reads() {
    for (code, _) in FORMS {
        for i in instructions(*code) {
            let mut bytes = Vec::new();
            encode(&i, &mut bytes).unwrap();
            let mut read = Decoder::new(64, &bytes, DecoderOptions::NONE).decode();
            read.set_memory_displ_size(i.memory_displ_size());
            assert_eq!(read, i, "{bytes:02x?} reads as {read:?} instead of {i:?}");
            assert_eq!(read.len(), bytes.len(), "{i:?}");
            let mut encoder = Encoder::new(64);
            let length = encoder.encode(&i, 0).unwrap_or_else(|e| panic!("{e}: {i:?}"));
            assert!(bytes.len() <= length, "{i:?}: {bytes:02x?} instead of {:02x?}", encoder.take_buffer());
        }
    }
}

#[test]
fn codes_and_operands_without_a_form_are_refused() {
    let mut bytes = Vec::new();
    assert!(form(Code::Syscall).is_none());
    assert!(encode(&Instruction::with(Code::Syscall), &mut bytes).is_err());
    let mut i = Instruction::default();
    i.set_code(Code::Push_r64);
    i.set_op_kind(0, OpKind::Immediate8);
    assert!(encode(&i, &mut bytes).is_err());
    assert!(bytes.is_empty());
}
