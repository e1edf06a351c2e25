//! Instructions of the processor as bytes, with labels. What the levels do differently is here and in the files of this
//! folder, so that a program has one lowering for all of them.

mod blends;
mod comparisons;
mod conversions;
mod exponents;
mod operands;
pub(super) mod operations;
mod rows;
mod sets;

use crate::codes::internal;
use iced_x86::{Code, IcedError, Instruction, MemoryOperand, Register};
use shisa_diag::Diagnostic;

pub(super) use comparisons::{Comparison, Order, Relation};
use operands::Encoded;
pub(super) use operands::{General, Label, Mask, Source, Vector};
use operations::Operation;

use super::context::{Address, Field, Long, Word};
use super::encoding;
use super::vectors::Vectors;

/// The code of most programs is shorter.
const USUAL_BYTES: usize = 8 << 10;

/// Writes instructions. The first fault is reported at the end.
pub(super) struct Assembler {
    vectors: Vectors,
    bytes: Vec<u8>,
    labels: Vec<Option<usize>>,
    /// Ends of jumps, whose last four bytes are the distance to the label.
    jumps: Vec<(usize, Label)>,
    /// Number of sets of lanes in doubt.
    reports: usize,
    fault: Option<String>,
}

impl Assembler {
    pub(super) fn new(vectors: Vectors) -> Assembler {
        let (labels, jumps) = (Vec::new(), Vec::new());
        Assembler { vectors, bytes: Vec::with_capacity(USUAL_BYTES), labels, jumps, reports: 0, fault: None }
    }

    /// The registers that the code uses.
    pub(super) fn vectors(&self) -> Vectors {
        self.vectors
    }

    fn put(&mut self, instruction: Result<Instruction, IcedError>) {
        let written = match instruction {
            Ok(i) => encoding::encode(&i, &mut self.bytes),
            Err(fault) => return self.fault(&fault.to_string()),
        };
        if let Err(fault) = written {
            self.fault(fault);
        }
    }

    /// Number of bytes so far.
    pub(super) fn length(&self) -> usize {
        self.bytes.len()
    }

    /// How often lanes were put in doubt so far.
    pub(super) fn reports(&self) -> usize {
        self.reports
    }

    /// A label whose location is not known yet.
    pub(super) fn label(&mut self) -> Label {
        self.labels.push(None);
        Label(self.labels.len() - 1)
    }

    /// Puts a label here.
    pub(super) fn bind(&mut self, label: Label) {
        self.labels[label.0] = Some(self.bytes.len());
    }

    /// A jump, by a code with a distance of four bytes.
    pub(super) fn jump(&mut self, code: Code, label: Label) {
        // The distance is written when all labels are known.
        self.put(Instruction::with_branch(code, 0));
        self.jumps.push((self.bytes.len(), label));
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
    pub(super) fn word(&mut self, code: Code, to: Register, from: General) {
        let instruction = match from {
            General::Register(from) => Instruction::with2(code, to, from),
            General::Number(n) => Instruction::with2(code, to, n),
            General::Memory(_) | General::Indexed { .. } => {
                let Some(from) = self.memory(from) else { return };
                Instruction::with2(code, to, from)
            }
        };
        self.put(instruction);
    }

    /// An instruction whose first operand is memory.
    pub(super) fn write_word(&mut self, code: Code, to: General, from: General) {
        let Some(memory) = self.memory(to) else { return };
        self.put(match from {
            General::Register(from) => Instruction::with2(code, memory, from),
            General::Number(n) => Instruction::with2(code, memory, n),
            General::Memory(_) | General::Indexed { .. } => {
                return self.fault("an instruction has two operands in memory");
            }
        });
    }

    /// A product of a general register and a number.
    pub(super) fn product(&mut self, to: Register, from: Register, by: u32) {
        self.put(Instruction::with3(Code::Imul_r64_rm64_imm32, to, from, by as i32));
    }

    /// The instruction of the level.
    fn code(&self, op: Operation) -> Code {
        match self.vectors {
            Vectors::Ymm => op.ymm,
            Vectors::Zmm => op.zmm,
        }
    }

    /// `dst = op(b)`.
    pub(super) fn vector1(&mut self, op: Operation, dst: Vector, b: Source) {
        let (code, dst) = (self.code(op), dst.of(self.vectors));
        self.put(match b.encoded(self.vectors) {
            Encoded::Register(b) => Instruction::with2(code, dst, b),
            Encoded::Memory(b) => Instruction::with2(code, dst, b),
        });
    }

    /// `dst = op(b, number)`.
    pub(super) fn vector1_number(&mut self, op: Operation, dst: Vector, b: Source, number: u8) {
        let (code, dst, number) = (self.code(op), dst.of(self.vectors), u32::from(number));
        self.put(match b.encoded(self.vectors) {
            Encoded::Register(b) => Instruction::with3(code, dst, b, number),
            Encoded::Memory(b) => Instruction::with3(code, dst, b, number),
        });
    }

    /// `dst = op(a, b)`.
    pub(super) fn vector2(&mut self, op: Operation, dst: Vector, a: Vector, b: Source) {
        let code = self.code(op);
        self.instruction3(code, dst.of(self.vectors), a.of(self.vectors), b, |i| i);
    }

    /// An instruction on two registers and a source, which `f` completes.
    fn instruction3(
        &mut self,
        code: Code,
        dst: Register,
        a: Register,
        b: Source,
        f: impl FnOnce(Instruction) -> Instruction,
    ) {
        let i = match b.encoded(self.vectors) {
            Encoded::Register(b) => Instruction::with3(code, dst, a, b),
            Encoded::Memory(b) => Instruction::with3(code, dst, a, b),
        };
        self.put(i.map(f));
    }

    /// As [`Assembler::instruction3`], with a number.
    fn instruction4(
        &mut self,
        code: Code,
        (dst, a, b): (Register, Register, Source),
        number: u8,
        f: impl FnOnce(Instruction) -> Instruction,
    ) {
        let number = u32::from(number);
        let i = match b.encoded(self.vectors) {
            Encoded::Register(b) => Instruction::with4(code, dst, a, b, number),
            Encoded::Memory(b) => Instruction::with4(code, dst, a, b, number),
        };
        self.put(i.map(f));
    }

    /// Stores a vector.
    pub(super) fn store(&mut self, to: Address, from: Vector) {
        let code = match self.vectors {
            Vectors::Ymm => Code::VEX_Vmovaps_ymmm256_ymm,
            Vectors::Zmm => Code::EVEX_Vmovaps_zmmm512_k1z_zmm,
        };
        self.put(Instruction::with2(code, to.operand(), from.of(self.vectors)));
    }

    /// A constant in all lanes.
    pub(super) fn splat_word(&mut self, dst: Vector, n: Word) {
        let code = match self.vectors {
            Vectors::Ymm => Code::VEX_Vpbroadcastd_ymm_xmmm32,
            Vectors::Zmm => Code::EVEX_Vpbroadcastd_zmm_k1z_xmmm32,
        };
        self.put(Instruction::with2(code, dst.of(self.vectors), Field::Word(n).address().operand()));
    }

    /// A constant of 64 bits in all lanes of a half.
    pub(super) fn splat_long(&mut self, dst: Vector, n: Long) {
        let code = match self.vectors {
            Vectors::Ymm => Code::VEX_Vbroadcastsd_ymm_m64,
            Vectors::Zmm => Code::EVEX_Vbroadcastsd_zmm_k1z_xmmm64,
        };
        self.put(Instruction::with2(code, dst.of(self.vectors), Field::Long(n).address().operand()));
    }

    /// The low 32 bits of a general register in all lanes.
    pub(super) fn splat(&mut self, dst: Vector, from: Register) {
        match self.vectors {
            Vectors::Ymm => {
                self.put(Instruction::with2(Code::VEX_Vmovd_xmm_rm32, dst.xmm(), from));
                self.put(Instruction::with2(Code::VEX_Vpbroadcastd_ymm_xmmm32, dst.ymm(), dst.xmm()));
            }
            Vectors::Zmm => {
                let dst = dst.of(self.vectors);
                self.put(Instruction::with2(Code::EVEX_Vpbroadcastd_zmm_k1z_r32, dst, from));
            }
        }
    }

    /// An operand in memory.
    fn memory(&mut self, at: General) -> Option<MemoryOperand> {
        match at {
            General::Memory(at) => Some(at.operand()),
            General::Indexed { base, index, scale, offset } => {
                Some(MemoryOperand::with_base_index_scale_displ_size(base, index, scale, offset.into(), 1))
            }
            General::Register(_) | General::Number(_) => {
                self.fault("an operand is not in memory");
                None
            }
        }
    }

    /// Reports at the end that the program is not one that can be lowered.
    pub(super) fn fault(&mut self, what: &str) {
        self.fault.get_or_insert_with(|| what.to_string());
    }

    /// The code.
    pub(super) fn finish(self) -> Result<Vec<u8>, Diagnostic> {
        if let Some(fault) = self.fault {
            return Err(internal(format!("an instruction of the processor cannot be encoded: {fault}")));
        }
        let mut bytes = self.bytes;
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
