//! Exponents of numbers of 64 bits.

use super::operations::{AND, LONG_ADD, LONG_INTEGER_ADD, LONG_MULTIPLY, LONG_SUBTRACT, OR};
use super::{Assembler, Comparison, Encoded, Mask, Relation, Source, Vector};
use crate::jit::context::Long;
use crate::jit::vectors::Vectors;
use iced_x86::{Code, Instruction, Register};

/// The significand in 0.75 to 1.5; NaN of negative numbers.
const AROUND_1: u32 = 0b1011;
/// Bits of a significand.
const BITS: u8 = 52;

impl Assembler {
    /// `x` = m and `whole` = n, where `x` = m * 2^n and m is in 0.75 to 1.5. The logarithm of numbers that have no such m
    /// is `whole` times anything finite. `x` is no denormal. `spare` and the first set of steps are lost.
    pub(in crate::jit) fn split(&mut self, whole: Vector, x: Vector, spare: Vector) {
        let step = Mask::Step(0);
        match self.vectors {
            Vectors::Ymm => {
                // The exponent as the low bits of a number around 2^52.
                self.shift_long(Code::VEX_Vpsrlq_ymm_ymm_imm8, whole, x, BITS);
                self.vector2(OR, whole, whole, Source::Long(Long::Two52));
                self.vector2(LONG_SUBTRACT, whole, whole, Source::Long(Long::Two52AndBias));
                for (how, of, result) in [
                    (Relation::Equal, Long::Zero, Long::MinusInfinity),
                    (Relation::Equal, Long::Infinity, Long::Infinity),
                    (Relation::NotAtLeast, Long::Zero, Long::Nan),
                ] {
                    self.compare(Comparison::Double(how), step, x, Source::Long(of), None);
                    self.select_long(whole, Source::Long(result), step);
                }
                self.vector2(AND, x, x, Source::Long(Long::Significand));
                self.vector2(OR, x, x, Source::Long(Long::One));
                let half = Source::Long(Long::ThreeHalves);
                self.compare(Comparison::Double(Relation::AtLeast), step, x, half, None);
                let set = self.step(step);
                self.vector2(AND, spare, set, Source::Long(Long::One));
                self.vector2(LONG_ADD, whole, whole, Source::Vector(spare));
                // All bits, shifted to the exponent: one less.
                self.shift_long(Code::VEX_Vpsllq_ymm_ymm_imm8, set, set, BITS);
                self.vector2(LONG_INTEGER_ADD, x, x, Source::Vector(set));
            }
            Vectors::Zmm => {
                let (w, n) = (whole.of(Vectors::Zmm), x.of(Vectors::Zmm));
                self.put(Instruction::with2(Code::EVEX_Vgetexppd_zmm_k1z_zmmm512b64_sae, w, n));
                let code = Code::EVEX_Vgetmantpd_zmm_k1z_zmmm512b64_imm8_sae;
                self.put(Instruction::with3(code, n, n, AROUND_1));
                self.compare(Comparison::Double(Relation::Less), step, x, Source::Long(Long::One), None);
                let code = self.code(LONG_ADD);
                self.instruction3(code, w, w, Source::Long(Long::One), |i| super::blends::merging(i, step));
            }
        }
    }

    /// `dst` = `x` * 2^`whole`, if that is a binary32, else a number that is too large or too small for it. `whole` is lost.
    pub(in crate::jit) fn scale(&mut self, dst: Vector, x: Vector, whole: Vector) {
        match self.vectors {
            Vectors::Ymm => {
                let bounds = [
                    (Code::VEX_Vmaxpd_ymm_ymm_ymmm256, Long::LeastScale),
                    (Code::VEX_Vminpd_ymm_ymm_ymmm256, Long::MostScale),
                ];
                for (code, bound) in bounds {
                    self.instruction3(code, whole.ymm(), whole.ymm(), Source::Long(bound), |i| i);
                }
                // The exponent as the low bits of a number around 2^52, shifted to its position.
                self.vector2(LONG_ADD, whole, whole, Source::Long(Long::Two52AndBias));
                self.shift_long(Code::VEX_Vpsllq_ymm_ymm_imm8, whole, whole, BITS);
                self.vector2(LONG_MULTIPLY, dst, x, Source::Vector(whole));
            }
            Vectors::Zmm => {
                let code = Code::EVEX_Vscalefpd_zmm_k1z_zmm_zmmm512b64_er;
                let (dst, x) = (dst.of(Vectors::Zmm), x.of(Vectors::Zmm));
                self.instruction3(code, dst, x, Source::Vector(whole), |i| i);
            }
        }
    }

    fn shift_long(&mut self, code: Code, dst: Vector, a: Vector, by: u8) {
        self.put(Instruction::with3(code, dst.ymm(), a.ymm(), u32::from(by)));
    }

    /// Replaces the lanes of a set of a half, with AVX2.
    fn select_long(&mut self, dst: Vector, yes: Source, set: Mask) {
        let (set, dst): (Register, Register) = (self.step(set).ymm(), dst.ymm());
        let code = Code::VEX_Vblendvpd_ymm_ymm_ymmm256_ymm;
        self.put(match yes.encoded(Vectors::Ymm) {
            Encoded::Register(yes) => Instruction::with4(code, dst, dst, yes, set),
            Encoded::Memory(yes) => Instruction::with4(code, dst, dst, yes, set),
        });
    }
}
