//! Instructions of the processor as bytes, with labels.

use crate::codes::internal;
use iced_x86::{Code, Encoder, IcedError, Instruction, MemoryOperand, Register, RoundingControl};
use shisa_diag::Diagnostic;

/// A vector register of 16 lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Vector(pub(super) u8);

impl Vector {
    fn zmm(self) -> Register {
        Register::ZMM0 + u32::from(self.0)
    }

    /// The low half, of eight lanes.
    fn ymm(self) -> Register {
        Register::YMM0 + u32::from(self.0)
    }

    /// The low quarter, of four lanes.
    fn xmm(self) -> Register {
        Register::XMM0 + u32::from(self.0)
    }
}

/// A mask register. `Mask(0)` cannot select lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mask(pub(super) u8);

impl Mask {
    fn k(self) -> Register {
        Register::K0 + u32::from(self.0)
    }
}

/// A location in memory: a register and a number of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Address {
    pub(super) base: Register,
    pub(super) offset: i32,
}

impl Address {
    fn operand(self) -> MemoryOperand {
        MemoryOperand::with_base_displ(self.base, self.offset.into())
    }

    /// One element for all lanes.
    fn broadcast(self) -> MemoryOperand {
        MemoryOperand::new(self.base, Register::None, 1, self.offset.into(), 1, true, Register::None)
    }
}

/// The last operand of a vector instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    Vector(Vector),
    /// 64 bytes.
    Memory(Address),
    /// One element for all lanes.
    Broadcast(Address),
}

/// What a vector instruction does besides its operation.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct With {
    /// The lanes that are written.
    pub(super) mask: Option<Mask>,
    /// Other lanes become zero.
    pub(super) zero: bool,
    /// Rounds so instead of as the control register says. Operands must be registers.
    pub(super) rounding: Option<Rounding>,
}

/// How a result is rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rounding {
    Nearest,
    TowardZero,
}

impl With {
    /// Writes only these lanes.
    pub(super) fn mask(mask: Mask) -> With {
        With { mask: Some(mask), ..With::default() }
    }

    /// Writes these lanes, and zero to the others.
    pub(super) fn zeroing(mask: Mask) -> With {
        With { mask: Some(mask), zero: true, ..With::default() }
    }
}

/// A location in the code that jumps lead to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Label(usize);

/// The operand of an integer instruction.
#[derive(Clone, Copy, Debug)]
pub(super) enum Word {
    Register(Register),
    Memory(Address),
    Indexed { base: Register, index: Register, scale: u32, offset: i32 },
    Number(u32),
}

/// Writes instructions. The first fault is reported at the end.
pub(super) struct Assembler {
    encoder: Encoder,
    /// Number of bytes so far.
    length: usize,
    labels: Vec<Option<usize>>,
    /// Ends of jumps, whose last four bytes are the distance to the label.
    jumps: Vec<(usize, Label)>,
    fault: Option<String>,
}

impl Assembler {
    pub(super) fn new() -> Assembler {
        Assembler { encoder: Encoder::new(64), length: 0, labels: Vec::new(), jumps: Vec::new(), fault: None }
    }

    fn put(&mut self, instruction: Result<Instruction, IcedError>) {
        let encoded = instruction.and_then(|i| self.encoder.encode(&i, self.length as u64));
        match encoded {
            Ok(bytes) => self.length += bytes,
            Err(fault) => {
                self.fault.get_or_insert_with(|| fault.to_string());
            }
        }
    }

    /// A label whose location is not known yet.
    pub(super) fn label(&mut self) -> Label {
        self.labels.push(None);
        Label(self.labels.len() - 1)
    }

    /// Puts a label here.
    pub(super) fn bind(&mut self, label: Label) {
        self.labels[label.0] = Some(self.length);
    }

    /// A jump, by a code with a distance of four bytes.
    pub(super) fn jump(&mut self, code: Code, label: Label) {
        // Any distance within reach; it is replaced when all labels are known.
        self.put(Instruction::with_branch(code, self.length as u64));
        self.jumps.push((self.length, label));
    }

    /// An instruction without operands.
    pub(super) fn plain(&mut self, code: Code) {
        self.put(Ok(Instruction::with(code)));
    }

    /// An instruction on one general register.
    pub(super) fn word1(&mut self, code: Code, to: Register) {
        self.put(Instruction::with1(code, to));
    }

    /// An instruction on one location in memory.
    pub(super) fn memory1(&mut self, code: Code, to: Address) {
        self.put(Instruction::with1(code, to.operand()));
    }

    /// An instruction on a general register and another operand.
    pub(super) fn word(&mut self, code: Code, to: Register, from: Word) {
        self.put(match from {
            Word::Register(from) => Instruction::with2(code, to, from),
            Word::Memory(from) => Instruction::with2(code, to, from.operand()),
            Word::Indexed { base, index, scale, offset } => Instruction::with2(
                code,
                to,
                MemoryOperand::with_base_index_scale_displ_size(base, index, scale, offset.into(), 1),
            ),
            Word::Number(n) => Instruction::with2(code, to, n),
        });
    }

    /// An instruction whose first operand is memory.
    pub(super) fn write_word(&mut self, code: Code, to: Word, from: Word) {
        let Some(memory) = self.memory(to) else { return };
        self.put(match from {
            Word::Register(from) => Instruction::with2(code, memory, from),
            Word::Number(n) => Instruction::with2(code, memory, n),
            Word::Memory(_) | Word::Indexed { .. } => return,
        });
    }

    /// A product of a general register and a number.
    pub(super) fn product(&mut self, to: Register, from: Register, by: u32) {
        self.put(Instruction::with3(Code::Imul_r64_rm64_imm32, to, from, by as i32));
    }

    /// `dst = op(b)`.
    pub(super) fn vector1(&mut self, code: Code, dst: Vector, b: Source, with: With) {
        let i = match b {
            Source::Vector(b) => Instruction::with2(code, dst.zmm(), b.zmm()),
            Source::Memory(b) => Instruction::with2(code, dst.zmm(), b.operand()),
            Source::Broadcast(b) => Instruction::with2(code, dst.zmm(), b.broadcast()),
        };
        self.put(i.map(|i| finished(i, with)));
    }

    /// `dst = op(b, number)`.
    pub(super) fn vector1_number(&mut self, code: Code, dst: Vector, b: Source, number: u8, with: With) {
        let number = u32::from(number);
        let i = match b {
            Source::Vector(b) => Instruction::with3(code, dst.zmm(), b.zmm(), number),
            Source::Memory(b) => Instruction::with3(code, dst.zmm(), b.operand(), number),
            Source::Broadcast(b) => Instruction::with3(code, dst.zmm(), b.broadcast(), number),
        };
        self.put(i.map(|i| finished(i, with)));
    }

    /// `dst = op(a, b)`.
    pub(super) fn vector2(&mut self, code: Code, dst: Vector, a: Vector, b: Source, with: With) {
        let i = match b {
            Source::Vector(b) => Instruction::with3(code, dst.zmm(), a.zmm(), b.zmm()),
            Source::Memory(b) => Instruction::with3(code, dst.zmm(), a.zmm(), b.operand()),
            Source::Broadcast(b) => Instruction::with3(code, dst.zmm(), a.zmm(), b.broadcast()),
        };
        self.put(i.map(|i| finished(i, with)));
    }

    /// `dst = op(a, b, number)`.
    pub(super) fn vector2_number(&mut self, code: Code, dst: Vector, a: Vector, b: Source, number: u8) {
        let number = u32::from(number);
        self.put(match b {
            Source::Vector(b) => Instruction::with4(code, dst.zmm(), a.zmm(), b.zmm(), number),
            Source::Memory(b) => Instruction::with4(code, dst.zmm(), a.zmm(), b.operand(), number),
            Source::Broadcast(b) => Instruction::with4(code, dst.zmm(), a.zmm(), b.broadcast(), number),
        });
    }

    /// `dst = op(a, b)`, a set of lanes.
    pub(super) fn test(&mut self, code: Code, dst: Mask, a: Vector, b: Source, with: With) {
        let i = match b {
            Source::Vector(b) => Instruction::with3(code, dst.k(), a.zmm(), b.zmm()),
            Source::Memory(b) => Instruction::with3(code, dst.k(), a.zmm(), b.operand()),
            Source::Broadcast(b) => Instruction::with3(code, dst.k(), a.zmm(), b.broadcast()),
        };
        self.put(i.map(|i| finished(i, with)));
    }

    /// `dst = compare(a, b)` by a numbered comparison, a set of lanes.
    pub(super) fn compare(&mut self, code: Code, dst: Mask, a: Vector, b: Source, number: u8, with: With) {
        let number = u32::from(number);
        let i = match b {
            Source::Vector(b) => Instruction::with4(code, dst.k(), a.zmm(), b.zmm(), number),
            Source::Memory(b) => Instruction::with4(code, dst.k(), a.zmm(), b.operand(), number),
            Source::Broadcast(b) => Instruction::with4(code, dst.k(), a.zmm(), b.broadcast(), number),
        };
        self.put(i.map(|i| finished(i, with)));
    }

    /// Stores a vector.
    pub(super) fn store(&mut self, to: Address, from: Vector, with: With) {
        let i = Instruction::with2(Code::EVEX_Vmovaps_zmmm512_k1z_zmm, to.operand(), from.zmm());
        self.put(i.map(|i| finished(i, with)));
    }

    /// The low half of a vector as eight numbers of 64 bits.
    pub(super) fn widened(&mut self, dst: Vector, half: Vector) {
        let code = Code::EVEX_Vcvtps2pd_zmm_k1z_ymmm256b32_sae;
        self.put(Instruction::with2(code, dst.zmm(), half.ymm()));
    }

    /// Eight numbers of 64 bits, rounded to the low half of a vector.
    pub(super) fn narrowed(&mut self, dst: Vector, from: Vector) {
        let code = Code::EVEX_Vcvtpd2ps_ymm_k1z_zmmm512b64_er;
        self.put(Instruction::with2(code, dst.ymm(), from.zmm()));
    }

    /// The high half of a vector in the low half of another.
    pub(super) fn high_half(&mut self, dst: Vector, from: Vector) {
        let code = Code::EVEX_Vextractf32x8_ymmm256_k1z_zmm_imm8;
        self.put(Instruction::with3(code, dst.ymm(), from.zmm(), 1u32));
    }

    /// `low`, with the low half of `high` as its high half.
    pub(super) fn halves(&mut self, dst: Vector, low: Vector, high: Vector) {
        let code = Code::EVEX_Vinsertf32x8_zmm_k1z_zmm_ymmm256_imm8;
        self.put(Instruction::with4(code, dst.zmm(), low.zmm(), high.ymm(), 1u32));
    }

    /// Loads a quarter of a vector; the others become zero if it is the first.
    pub(super) fn load_quarter(&mut self, dst: Vector, row: Word, number: u8) {
        let Some(row) = self.memory(row) else { return };
        self.put(match number {
            0 => Instruction::with2(Code::EVEX_Vmovups_xmm_k1z_xmmm128, dst.xmm(), row),
            _ => {
                let code = Code::EVEX_Vinsertf32x4_zmm_k1z_zmm_xmmm128_imm8;
                Instruction::with4(code, dst.zmm(), dst.zmm(), row, u32::from(number))
            }
        });
    }

    /// Stores a quarter of a vector.
    pub(super) fn store_quarter(&mut self, row: Word, from: Vector, number: u8) {
        let Some(row) = self.memory(row) else { return };
        self.put(match number {
            0 => Instruction::with2(Code::EVEX_Vmovups_xmmm128_k1z_xmm, row, from.xmm()),
            _ => {
                let code = Code::EVEX_Vextractf32x4_xmmm128_k1z_zmm_imm8;
                Instruction::with3(code, row, from.zmm(), u32::from(number))
            }
        });
    }

    /// An operand in memory.
    fn memory(&mut self, at: Word) -> Option<MemoryOperand> {
        match at {
            Word::Memory(at) => Some(at.operand()),
            Word::Indexed { base, index, scale, offset } => {
                Some(MemoryOperand::with_base_index_scale_displ_size(base, index, scale, offset.into(), 1))
            }
            Word::Register(_) | Word::Number(_) => {
                self.fault.get_or_insert_with(|| "an operand is not in memory".to_string());
                None
            }
        }
    }

    /// The low 32 bits of a general register in all lanes.
    pub(super) fn splat(&mut self, dst: Vector, from: Register) {
        self.put(Instruction::with2(Code::EVEX_Vpbroadcastd_zmm_k1z_r32, dst.zmm(), from));
    }

    /// An operation on sets of lanes.
    pub(super) fn sets(&mut self, code: Code, dst: Mask, a: Mask, b: Mask) {
        self.put(Instruction::with3(code, dst.k(), a.k(), b.k()));
    }

    /// A set of lanes, each lane's number greater by `by`.
    pub(super) fn shifted(&mut self, dst: Mask, a: Mask, by: u32) {
        self.put(Instruction::with3(Code::VEX_Kshiftlw_kr_kr_imm8, dst.k(), a.k(), by));
    }

    /// Whether two sets of lanes are both empty, in the flags.
    pub(super) fn test_sets(&mut self, a: Mask, b: Mask) {
        self.put(Instruction::with2(Code::VEX_Kortestw_kr_kr, a.k(), b.k()));
    }

    /// The lanes of a general register.
    pub(super) fn set_of(&mut self, dst: Mask, from: Register) {
        self.put(Instruction::with2(Code::VEX_Kmovw_kr_r32, dst.k(), from));
    }

    /// A set of lanes in a general register.
    pub(super) fn bits_of(&mut self, dst: Register, from: Mask) {
        self.put(Instruction::with2(Code::VEX_Kmovw_r32_kr, dst, from.k()));
    }

    /// The code.
    pub(super) fn finish(mut self) -> Result<Vec<u8>, Diagnostic> {
        if let Some(fault) = self.fault {
            return Err(internal(format!("an instruction of the processor cannot be encoded: {fault}")));
        }
        let mut bytes = self.encoder.take_buffer();
        for (end, label) in self.jumps {
            let to = self.labels.get(label.0).copied().flatten();
            let to = to.ok_or_else(|| internal("a jump leads to a label that has no location"))?;
            let distance = i32::try_from(to as i64 - end as i64);
            let distance = distance.map_err(|_| internal("a jump is too long"))?;
            let last = end.checked_sub(4).and_then(|start| bytes.get_mut(start..end));
            let last = last.ok_or_else(|| internal("a jump lies outside of the code"))?;
            last.copy_from_slice(&distance.to_le_bytes());
        }
        Ok(bytes)
    }
}

fn finished(mut i: Instruction, with: With) -> Instruction {
    if let Some(mask) = with.mask {
        i.set_op_mask(mask.k());
        i.set_zeroing_masking(with.zero);
    }
    i.set_rounding_control(match with.rounding {
        None => RoundingControl::None,
        Some(Rounding::Nearest) => RoundingControl::RoundToNearest,
        Some(Rounding::TowardZero) => RoundingControl::RoundTowardZero,
    });
    i
}
