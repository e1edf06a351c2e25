//! Quarters and halves of vectors.

use super::{Assembler, General, Vector};
use crate::jit::context::Address;
use crate::jit::vectors::Vectors;
use iced_x86::{Code, Instruction};

impl Assembler {
    /// The low half of a vector as numbers of 64 bits.
    pub(in crate::jit) fn widened(&mut self, dst: Vector, half: Vector) {
        self.put(match self.vectors {
            Vectors::Ymm => Instruction::with2(Code::VEX_Vcvtps2pd_ymm_xmmm128, dst.ymm(), half.xmm()),
            Vectors::Zmm => {
                let code = Code::EVEX_Vcvtps2pd_zmm_k1z_ymmm256b32_sae;
                Instruction::with2(code, dst.of(Vectors::Zmm), half.ymm())
            }
        });
    }

    /// Numbers of 64 bits, rounded to the low half of a vector.
    pub(in crate::jit) fn narrowed(&mut self, dst: Vector, from: Vector) {
        self.put(match self.vectors {
            Vectors::Ymm => Instruction::with2(Code::VEX_Vcvtpd2ps_xmm_ymmm256, dst.xmm(), from.ymm()),
            Vectors::Zmm => {
                let code = Code::EVEX_Vcvtpd2ps_ymm_k1z_zmmm512b64_er;
                Instruction::with2(code, dst.ymm(), from.of(Vectors::Zmm))
            }
        });
    }

    /// The high half of a vector in the low half of another.
    pub(in crate::jit) fn high_half(&mut self, dst: Vector, from: Vector) {
        self.put(match self.vectors {
            Vectors::Ymm => {
                Instruction::with3(Code::VEX_Vextractf128_xmmm128_ymm_imm8, dst.xmm(), from.ymm(), 1u32)
            }
            Vectors::Zmm => {
                let code = Code::EVEX_Vextractf32x8_ymmm256_k1z_zmm_imm8;
                Instruction::with3(code, dst.ymm(), from.of(Vectors::Zmm), 1u32)
            }
        });
    }

    /// `low`, with the low half of `high` as its high half.
    pub(in crate::jit) fn halves(&mut self, dst: Vector, low: Vector, high: Vector) {
        let (to, from) = (dst.of(self.vectors), low.of(self.vectors));
        self.put(match self.vectors {
            Vectors::Ymm => {
                Instruction::with4(Code::VEX_Vinsertf128_ymm_ymm_xmmm128_imm8, to, from, high.xmm(), 1u32)
            }
            Vectors::Zmm => {
                let code = Code::EVEX_Vinsertf32x8_zmm_k1z_zmm_ymmm256_imm8;
                Instruction::with4(code, to, from, high.ymm(), 1u32)
            }
        });
    }

    /// Stores a vector whose elements are loaded one by one soon: a processor may wait for the store if an element is in the
    /// high half of 64 bytes.
    pub(in crate::jit) fn store_elements(&mut self, to: Address, from: Vector) {
        match self.vectors {
            Vectors::Ymm => self.store(to, from),
            Vectors::Zmm => {
                let half = Vectors::Zmm.bytes() as i32 / 2;
                let high = Address { offset: to.offset + half, ..to };
                let code = Code::EVEX_Vmovaps_ymmm256_k1z_ymm;
                self.put(Instruction::with2(code, to.operand(), from.ymm()));
                let code = Code::EVEX_Vextractf32x8_ymmm256_k1z_zmm_imm8;
                self.put(Instruction::with3(code, high.operand(), from.of(Vectors::Zmm), 1u32));
            }
        }
    }

    /// Loads a quarter of a vector, four lanes; the others become zero if it is the first.
    pub(in crate::jit) fn load_quarter(&mut self, dst: Vector, row: General, number: u8) {
        let Some(row) = self.memory(row) else { return };
        let to = dst.of(self.vectors);
        self.put(match (self.vectors, number) {
            (Vectors::Ymm, 0) => Instruction::with2(Code::VEX_Vmovups_xmm_xmmm128, dst.xmm(), row),
            (Vectors::Ymm, _) => {
                let code = Code::VEX_Vinsertf128_ymm_ymm_xmmm128_imm8;
                Instruction::with4(code, to, to, row, u32::from(number))
            }
            (Vectors::Zmm, 0) => Instruction::with2(Code::EVEX_Vmovups_xmm_k1z_xmmm128, dst.xmm(), row),
            (Vectors::Zmm, _) => {
                let code = Code::EVEX_Vinsertf32x4_zmm_k1z_zmm_xmmm128_imm8;
                Instruction::with4(code, to, to, row, u32::from(number))
            }
        });
    }

    /// Stores a quarter of a vector.
    pub(in crate::jit) fn store_quarter(&mut self, row: General, from: Vector, number: u8) {
        let Some(row) = self.memory(row) else { return };
        let all = from.of(self.vectors);
        self.put(match (self.vectors, number) {
            (Vectors::Ymm, 0) => Instruction::with2(Code::VEX_Vmovups_xmmm128_xmm, row, from.xmm()),
            (Vectors::Ymm, _) => {
                Instruction::with3(Code::VEX_Vextractf128_xmmm128_ymm_imm8, row, all, u32::from(number))
            }
            (Vectors::Zmm, 0) => Instruction::with2(Code::EVEX_Vmovups_xmmm128_k1z_xmm, row, from.xmm()),
            (Vectors::Zmm, _) => {
                let code = Code::EVEX_Vextractf32x4_xmmm128_k1z_zmm_imm8;
                Instruction::with3(code, row, all, u32::from(number))
            }
        });
    }
}
