//! Kernels as instructions of the processor. Results are those of the kernel, except that a NaN may be another one and
//! that zero times infinity is NaN: such lanes are found when the value leaves arithmetic ([`Lowering::settle`]).

use super::assembler::{Mask, Rounding, Source, Vector, With};
use super::context::Word;
use super::lower::{K, Lowering, T, word};
use crate::kernel::{One, Sum, Three, Two};
use crate::memory::Operand;
use iced_x86::Code;

const NONE: With = With { mask: None, zero: false, rounding: None };

/// Comparisons of numbers that are false for NaN.
const EQUAL: u8 = 0;
const LESS: u8 = 0x11;
const AT_MOST: u8 = 0x12;
const AT_LEAST: u8 = 0x1d;
/// Of numbers, none of which is NaN.
const ORDERED: u8 = 7;
/// Not equal, or NaN.
const DIFFERENT: u8 = 4;
/// Comparisons of integers.
const INTEGER_LESS: u8 = 1;
const INTEGER_AT_MOST: u8 = 2;

/// Rounding to an integral number: to nearest, down, up, toward zero, without exceptions.
const NEAREST: u8 = 8;
pub(super) const DOWN: u8 = 9;
const UP: u8 = 10;
const TOWARD_ZERO: u8 = 11;

const MOVE: Code = Code::EVEX_Vmovaps_zmm_k1z_zmmm512;
const AND: Code = Code::EVEX_Vpandd_zmm_k1z_zmm_zmmm512b32;
const XOR: Code = Code::EVEX_Vpxord_zmm_k1z_zmm_zmmm512b32;
const ADD: Code = Code::EVEX_Vaddps_zmm_k1z_zmm_zmmm512b32_er;
const MUL: Code = Code::EVEX_Vmulps_zmm_k1z_zmm_zmmm512b32_er;
const BLEND: Code = Code::EVEX_Vblendmps_zmm_k1z_zmm_zmmm512b32;
const MIN: Code = Code::EVEX_Vminps_zmm_k1z_zmm_zmmm512b32_sae;
const MAX: Code = Code::EVEX_Vmaxps_zmm_k1z_zmm_zmmm512b32_sae;
const COMPARE: Code = Code::EVEX_Vcmpps_kr_k1_zmm_zmmm512b32_imm8_sae;
const COMPARE_SIGNED: Code = Code::EVEX_Vpcmpd_kr_k1_zmm_zmmm512b32_imm8;
const COMPARE_UNSIGNED: Code = Code::EVEX_Vpcmpud_kr_k1_zmm_zmmm512b32_imm8;

impl Lowering<'_> {
    /// Code for a kernel of one operand; `false` if there is none.
    pub(super) fn one(&mut self, kernel: One, dst: Operand, a: Operand) -> bool {
        match kernel {
            One::Copy => self.simple1(MOVE, dst, a),
            One::FNeg => self.with_word(XOR, dst, a, Word::Sign),
            One::FAbs => self.with_word(AND, dst, a, Word::Magnitude),
            One::FSat => {
                self.settle(&[a]);
                let x = self.loaded(a, T[0]);
                // NaN and zeros yield the second operand.
                self.asm.vector2(MAX, T[0], x, word(Word::Zero), NONE);
                self.result(dst, |l, d| l.asm.vector2(MIN, d, T[0], word(Word::Number1), NONE));
            }
            One::FFloor => self.integral(DOWN, dst, a),
            One::FCeil => self.integral(UP, dst, a),
            One::FTrunc => self.integral(TOWARD_ZERO, dst, a),
            One::FRound => self.integral(NEAREST, dst, a),
            One::FSqrt => {
                let x = self.source(a);
                let code = Code::EVEX_Vsqrtps_zmm_k1z_zmmm512b32_er;
                self.result(dst, |l, d| l.rounded1(code, d, x, Rounding::Nearest));
            }
            One::FRcp => {
                let (one, x) = (self.register(word(Word::Number1), T[0]), self.source(a));
                let code = Code::EVEX_Vdivps_zmm_k1z_zmm_zmmm512b32_er;
                self.result(dst, |l, d| l.rounded(code, d, one, x, Rounding::Nearest));
            }
            One::FRsqrt => return self.reciprocal_root(dst, a),
            One::FExp2 => return self.power_of_two(dst, a, false),
            One::FLog2 => return self.logarithm(dst, a, false),
            One::Exp24 => return self.power_of_two(dst, a, true),
            One::Log24 => return self.logarithm(dst, a, true),
            One::Flush => {
                let x = self.loaded(a, T[0]);
                self.asm.vector2(AND, T[1], x, word(Word::Sign), NONE);
                let code = Code::EVEX_Vptestmd_kr_k1_zmm_zmmm512b32;
                self.asm.test(code, K[0], x, word(Word::Exponent), NONE);
                self.result(dst, |l, d| {
                    l.asm.vector2(BLEND, d, T[1], Source::Vector(x), With::mask(K[0]));
                });
            }
            One::INeg => {
                self.settle(&[a]);
                let x = self.source(a);
                self.asm.vector2(XOR, T[0], T[0], Source::Vector(T[0]), NONE);
                self.result(dst, |l, d| {
                    l.asm.vector2(Code::EVEX_Vpsubd_zmm_k1z_zmm_zmmm512b32, d, T[0], x, NONE);
                });
            }
            One::Not => self.integer_with_word(XOR, dst, a, Word::Ones),
            One::NotBit => self.integer_with_word(XOR, dst, a, Word::One),
            One::SignExtend8 => self.sign_extended(24, dst, a),
            One::SignExtend16 => self.sign_extended(16, dst, a),
            One::SignedToFloat => self.converted(Code::EVEX_Vcvtdq2ps_zmm_k1z_zmmm512b32_er, dst, a),
            One::UnsignedToFloat => self.converted(Code::EVEX_Vcvtudq2ps_zmm_k1z_zmmm512b32_er, dst, a),
            One::FloatToSigned => {
                self.settle(&[a]);
                let x = self.loaded(a, T[0]);
                let converted = Source::Vector(x);
                self.asm.vector1(Code::EVEX_Vcvttps2dq_zmm_k1z_zmmm512b32_sae, T[1], converted, NONE);
                self.asm.compare(COMPARE, K[0], x, word(Word::SignedEnd), AT_LEAST, NONE);
                self.asm.vector2(BLEND, T[1], T[1], word(Word::SignedMax), With::mask(K[0]));
                self.asm.compare(COMPARE, K[0], x, Source::Vector(x), ORDERED, NONE);
                self.result(dst, |l, d| {
                    l.asm.vector1(MOVE, d, Source::Vector(T[1]), With::zeroing(K[0]));
                });
            }
            One::FloatToUnsigned => {
                self.settle(&[a]);
                let x = self.loaded(a, T[0]);
                self.asm.vector2(MAX, T[0], x, word(Word::Zero), NONE);
                self.result(dst, |l, d| {
                    let code = Code::EVEX_Vcvttps2udq_zmm_k1z_zmmm512b32_sae;
                    l.asm.vector1(code, d, Source::Vector(T[0]), NONE);
                });
            }
            One::Flush24 => self.flushed24(dst, a),
            One::UnsignedZero => {
                let x = self.loaded(a, T[0]);
                self.asm.compare(COMPARE_SIGNED, K[0], x, word(Word::Sign), DIFFERENT, NONE);
                self.result(dst, |l, d| l.asm.vector1(MOVE, d, Source::Vector(x), With::zeroing(K[0])));
            }
            One::Rcp24 => self.reciprocal24(dst, a),
            One::Floor24 => self.floor24(dst, a),
            One::FSin | One::FCos | One::FSinc => return false,
            One::PopCount | One::LeadingZeros | One::ReverseBits | One::FromHalf | One::ToHalf => {
                return false;
            }
        }
        true
    }

    /// Code for a kernel of two operands; `false` if there is none.
    pub(super) fn two(&mut self, kernel: Two, dst: Operand, [a, b]: [Operand; 2]) -> bool {
        match kernel {
            Two::FAdd => self.nearest(ADD, dst, a, b),
            Two::FSub => self.nearest(Code::EVEX_Vsubps_zmm_k1z_zmm_zmmm512b32_er, dst, a, b),
            Two::FMul | Two::FMulZero => self.nearest(MUL, dst, a, b),
            Two::FDiv => self.nearest(Code::EVEX_Vdivps_zmm_k1z_zmm_zmmm512b32_er, dst, a, b),
            // The second operand is the result of equal numbers, and where one is NaN.
            Two::FMinSecond => self.settled(MIN, dst, a, b),
            Two::FMaxSecond => self.settled(MAX, dst, a, b),
            Two::FMin => self.chosen(0b0100, dst, a, b),
            Two::FMax => self.chosen(0b0101, dst, a, b),
            Two::FEq => self.compared(COMPARE, EQUAL, dst, a, b),
            Two::FNe => self.compared(COMPARE, DIFFERENT, dst, a, b),
            Two::FLt => self.compared(COMPARE, LESS, dst, a, b),
            Two::FLe => self.compared(COMPARE, AT_MOST, dst, a, b),
            Two::IAdd => self.settled(Code::EVEX_Vpaddd_zmm_k1z_zmm_zmmm512b32, dst, a, b),
            Two::ISub => self.settled(Code::EVEX_Vpsubd_zmm_k1z_zmm_zmmm512b32, dst, a, b),
            Two::IMul => self.settled(Code::EVEX_Vpmulld_zmm_k1z_zmm_zmmm512b32, dst, a, b),
            Two::UMin => self.settled(Code::EVEX_Vpminud_zmm_k1z_zmm_zmmm512b32, dst, a, b),
            Two::UMax => self.settled(Code::EVEX_Vpmaxud_zmm_k1z_zmm_zmmm512b32, dst, a, b),
            Two::SMin => self.settled(Code::EVEX_Vpminsd_zmm_k1z_zmm_zmmm512b32, dst, a, b),
            Two::SMax => self.settled(Code::EVEX_Vpmaxsd_zmm_k1z_zmm_zmmm512b32, dst, a, b),
            Two::And => self.settled(AND, dst, a, b),
            Two::Or => self.settled(Code::EVEX_Vpord_zmm_k1z_zmm_zmmm512b32, dst, a, b),
            Two::Xor => self.settled(XOR, dst, a, b),
            // Counts of 32 and more shift everything out.
            Two::Shl => self.settled(Code::EVEX_Vpsllvd_zmm_k1z_zmm_zmmm512b32, dst, a, b),
            Two::LShr => self.settled(Code::EVEX_Vpsrlvd_zmm_k1z_zmm_zmmm512b32, dst, a, b),
            Two::AShr => self.settled(Code::EVEX_Vpsravd_zmm_k1z_zmm_zmmm512b32, dst, a, b),
            Two::IEq => self.compared(COMPARE_SIGNED, EQUAL, dst, a, b),
            Two::INe => self.compared(COMPARE_SIGNED, DIFFERENT, dst, a, b),
            Two::ULt => self.compared(COMPARE_UNSIGNED, INTEGER_LESS, dst, a, b),
            Two::ULe => self.compared(COMPARE_UNSIGNED, INTEGER_AT_MOST, dst, a, b),
            Two::SLt => self.compared(COMPARE_SIGNED, INTEGER_LESS, dst, a, b),
            Two::SLe => self.compared(COMPARE_SIGNED, INTEGER_AT_MOST, dst, a, b),
            Two::Add24 => self.add24(dst, a, b),
            Two::Sub24 => self.sub24(dst, a, b),
            Two::Mul24 | Two::MulZero24 => self.mul24(dst, a, b),
            Two::UMulHi | Two::SMulHi => return false,
        }
        true
    }

    /// Code for a kernel of three operands; `false` if there is none.
    pub(super) fn three(&mut self, kernel: Three, dst: Operand, [a, b, c]: [Operand; 3]) -> bool {
        match kernel {
            Three::Select => {
                let cond = self.condition(a);
                let (yes, no) = (self.source(b), self.loaded(c, T[0]));
                self.result(dst, |l, d| l.asm.vector2(BLEND, d, no, yes, With::mask(cond)));
            }
            Three::Fma => {
                let x = self.source(a);
                self.asm.vector1(MOVE, T[0], x, NONE);
                let (y, z) = (self.loaded(b, T[1]), self.source(c));
                self.rounded(Code::EVEX_Vfmadd213ps_zmm_k1z_zmm_zmmm512b32_er, T[0], y, z, Rounding::Nearest);
                self.result(dst, |l, d| l.asm.vector1(MOVE, d, Source::Vector(T[0]), NONE));
            }
            Three::MulAdd | Three::MulAddZero => {
                let (a, b) = self.memory_last(a, b);
                let (x, y, z) = (self.loaded(a, T[0]), self.source(b), self.source(c));
                self.rounded(MUL, T[0], x, y, Rounding::Nearest);
                self.result(dst, |l, d| l.rounded(ADD, d, T[0], z, Rounding::Nearest));
            }
            Three::MulAddZero24 => {
                let (a, b) = self.memory_last(a, b);
                let (x, y) = (self.loaded(a, T[0]), self.source(b));
                self.product24(T[0], x, y);
                let z = self.source(c);
                self.result(dst, |l, d| l.sum24(d, T[0], z));
            }
            Three::FmaHalf => return false,
        }
        true
    }

    /// The sum of `start` and products, from the first to the last.
    pub(super) fn sum(
        &mut self,
        kernel: Sum,
        dst: Operand,
        start: Option<Operand>,
        a: &[Operand],
        b: &[Operand],
    ) {
        let exact24 = kernel == Sum::Zero24;
        let mut partial: Option<Source> = start.map(|s| self.source(s));
        if exact24 && start.is_some_and(|s| self.program.constant(s) == Some(0)) {
            // float24 has no -0, so zero plus a number is that number.
            partial = None;
        }
        for (n, (x, y)) in a.iter().zip(b).enumerate() {
            let is_last = n + 1 == a.len();
            let (x, y) = self.memory_last(*x, *y);
            let (x, y) = (self.loaded(x, T[2]), self.source(y));
            let Some(partial) = partial.replace(Source::Vector(T[0])) else {
                self.step(exact24, T[0], x, y);
                continue;
            };
            self.step(exact24, T[1], x, y);
            let add = |l: &mut Self, to: Vector| match exact24 {
                true => l.sum24(to, T[1], partial),
                false => l.rounded(ADD, to, T[1], partial, Rounding::Nearest),
            };
            if is_last { self.result(dst, add) } else { add(self, T[0]) }
        }
    }

    fn step(&mut self, exact24: bool, to: Vector, x: Vector, y: Source) {
        if exact24 { self.product24(to, x, y) } else { self.rounded(MUL, to, x, y, Rounding::Nearest) }
    }

    /// An instruction on one operand.
    fn simple1(&mut self, code: Code, dst: Operand, a: Operand) {
        let x = self.source(a);
        self.result(dst, |l, d| l.asm.vector1(code, d, x, NONE));
    }

    /// An instruction on an operand and a constant, for numbers.
    fn with_word(&mut self, code: Code, dst: Operand, a: Operand, b: Word) {
        let x = self.loaded(a, T[0]);
        self.result(dst, |l, d| l.asm.vector2(code, d, x, word(b), NONE));
    }

    /// As [`Lowering::with_word`], for integers.
    fn integer_with_word(&mut self, code: Code, dst: Operand, a: Operand, b: Word) {
        self.settle(&[a]);
        self.with_word(code, dst, a, b);
    }

    fn integral(&mut self, how: u8, dst: Operand, a: Operand) {
        let (code, x) = (Code::EVEX_Vrndscaleps_zmm_k1z_zmmm512b32_imm8_sae, self.source(a));
        self.result(dst, |l, d| l.asm.vector1_number(code, d, x, how, NONE));
    }

    fn sign_extended(&mut self, by: u8, dst: Operand, a: Operand) {
        self.settle(&[a]);
        let x = self.source(a);
        self.asm.vector1_number(Code::EVEX_Vpslld_zmm_k1z_zmmm512b32_imm8, T[0], x, by, NONE);
        let code = Code::EVEX_Vpsrad_zmm_k1z_zmmm512b32_imm8;
        self.result(dst, |l, d| l.asm.vector1_number(code, d, Source::Vector(T[0]), by, NONE));
    }

    fn converted(&mut self, code: Code, dst: Operand, a: Operand) {
        self.settle(&[a]);
        let x = self.source(a);
        self.result(dst, |l, d| l.rounded1(code, d, x, Rounding::Nearest));
    }

    /// Arithmetic that is rounded to nearest.
    fn nearest(&mut self, code: Code, dst: Operand, a: Operand, b: Operand) {
        let (a, b) = if matches!(code, ADD | MUL) { self.memory_last(a, b) } else { (a, b) };
        let (x, y) = (self.loaded(a, T[0]), self.source(b));
        self.result(dst, |l, d| l.rounded(code, d, x, y, Rounding::Nearest));
    }

    /// The operands of an instruction for which their order does not matter: one in memory is the second.
    pub(super) fn memory_last(&self, a: Operand, b: Operand) -> (Operand, Operand) {
        if self.registers.get(a).is_none() { (b, a) } else { (a, b) }
    }

    /// An instruction whose result does not show that an operand was NaN.
    fn settled(&mut self, code: Code, dst: Operand, a: Operand, b: Operand) {
        self.settle(&[a, b]);
        let (x, y) = (self.loaded(a, T[0]), self.source(b));
        self.result(dst, |l, d| l.asm.vector2(code, d, x, y, NONE));
    }

    /// The smaller or larger number, as the processor's own instruction numbers it.
    fn chosen(&mut self, how: u8, dst: Operand, a: Operand, b: Operand) {
        self.settle(&[a, b]);
        let (x, y) = (self.loaded(a, T[0]), self.source(b));
        let code = Code::EVEX_Vrangeps_zmm_k1z_zmm_zmmm512b32_imm8_sae;
        self.result(dst, |l, d| l.asm.vector2_number(code, d, x, y, how));
    }

    fn compared(&mut self, code: Code, how: u8, dst: Operand, a: Operand, b: Operand) {
        self.settle(&[a, b]);
        let (x, y) = (self.loaded(a, T[0]), self.source(b));
        self.comparison(dst, |l, k: Mask| l.asm.compare(code, k, x, y, how, NONE));
    }
}
