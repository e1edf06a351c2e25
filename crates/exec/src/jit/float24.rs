//! float24: results are truncated. The processor truncates to binary32, and dropping seven more bits truncates to
//! float24. Results below the smallest number are zero. Infinities and NaN are rare, so results are computed as if there
//! were none, and the largest magnitude of all results shows whether that was right.

use super::arithmetic::DOWN;
use super::assembler::{Rounding, Source, Vector, With};
use super::context::Word;
use super::lower::{DOUBT, K, LANES, LARGEST, Lowering, OUT, SPLAT, T, element, word};
use crate::memory::Operand;
use iced_x86::Code;

const NONE: With = With { mask: None, zero: false, rounding: None };
const AND: Code = Code::EVEX_Vpandd_zmm_k1z_zmm_zmmm512b32;
const MUL: Code = Code::EVEX_Vmulps_zmm_k1z_zmm_zmmm512b32_er;
const COMPARE: Code = Code::EVEX_Vcmpps_kr_k1_zmm_zmmm512b32_imm8_sae;
const COMPARE_UNSIGNED: Code = Code::EVEX_Vpcmpud_kr_k1_zmm_zmmm512b32_imm8;
const AT_LEAST: u8 = 5;
/// Of numbers: greater; less, or NaN.
const ABOVE: u8 = 0x1e;
const NOT_AT_LEAST: u8 = 0x19;

impl Lowering<'_> {
    /// `to` = the truncated binary32 in `from` as a float24.
    pub(super) fn finished24(&mut self, to: Vector, from: Vector) {
        let magnitude = T[3];
        self.asm.vector2(AND, magnitude, from, word(Word::Magnitude), NONE);
        self.asm.vector2(
            Code::EVEX_Vpmaxud_zmm_k1z_zmm_zmmm512b32,
            LARGEST,
            LARGEST,
            Source::Vector(magnitude),
            With::mask(LANES),
        );
        self.asm.compare(COMPARE_UNSIGNED, K[0], magnitude, word(Word::Smallest24), AT_LEAST, NONE);
        self.asm.vector2(AND, to, from, word(Word::Bits24), With::zeroing(K[0]));
    }

    /// Reports lanes in which a result was too large or NaN.
    pub(super) fn settle_largest(&mut self) {
        if self.truncates {
            let limit = word(Word::TooLarge24);
            self.asm.compare(COMPARE_UNSIGNED, K[0], LARGEST, limit, AT_LEAST, NONE);
            self.asm.sets(Code::VEX_Korw_kr_kr_kr, DOUBT, DOUBT, K[0]);
        }
    }

    pub(super) fn sum24(&mut self, to: Vector, a: Vector, b: Source) {
        self.rounded(Code::EVEX_Vaddps_zmm_k1z_zmm_zmmm512b32_er, OUT, a, b, Rounding::TowardZero);
        self.finished24(to, OUT);
    }

    pub(super) fn product24(&mut self, to: Vector, a: Vector, b: Source) {
        self.rounded(MUL, OUT, a, b, Rounding::TowardZero);
        self.finished24(to, OUT);
    }

    pub(super) fn add24(&mut self, dst: Operand, a: Operand, b: Operand) {
        let (a, b) = self.memory_last(a, b);
        let (x, y) = (self.loaded(a, T[0]), self.source(b));
        self.result(dst, |l, d| l.sum24(d, x, y));
    }

    pub(super) fn sub24(&mut self, dst: Operand, a: Operand, b: Operand) {
        let (x, y) = (self.loaded(a, T[0]), self.source(b));
        let code = Code::EVEX_Vsubps_zmm_k1z_zmm_zmmm512b32_er;
        self.rounded(code, OUT, x, y, Rounding::TowardZero);
        self.result(dst, |l, d| l.finished24(d, OUT));
    }

    pub(super) fn mul24(&mut self, dst: Operand, a: Operand, b: Operand) {
        let (a, b) = self.memory_last(a, b);
        let (x, y) = (self.loaded(a, T[0]), self.source(b));
        self.result(dst, |l, d| l.product24(d, x, y));
    }

    /// Replaces denormals and -0 by +0.
    pub(super) fn flushed24(&mut self, dst: Operand, a: Operand) {
        let x = self.loaded(a, T[0]);
        self.asm.vector2(AND, T[1], x, word(Word::Magnitude), NONE);
        self.asm.compare(COMPARE_UNSIGNED, K[0], T[1], word(Word::Smallest24), AT_LEAST, NONE);
        let code = Code::EVEX_Vmovaps_zmm_k1z_zmmm512;
        self.result(dst, |l, d| l.asm.vector1(code, d, Source::Vector(x), With::zeroing(K[0])));
    }

    /// The reciprocal: the quotient is truncated.
    pub(super) fn reciprocal24(&mut self, dst: Operand, a: Operand) {
        let (one, x) = (self.register(word(Word::Number1), T[0]), self.source(a));
        let code = Code::EVEX_Vdivps_zmm_k1z_zmm_zmmm512b32_er;
        self.rounded(code, OUT, one, x, Rounding::TowardZero);
        self.result(dst, |l, d| l.finished24(d, OUT));
    }

    pub(super) fn floor24(&mut self, dst: Operand, a: Operand) {
        let x = self.source(a);
        let code = Code::EVEX_Vrndscaleps_zmm_k1z_zmmm512b32_imm8_sae;
        self.asm.vector1_number(code, OUT, x, DOWN, NONE);
        self.result(dst, |l, d| l.finished24(d, OUT));
    }

    /// The reciprocal square root `1 / sqrt(x)`: an approximation is made too large by a little and truncated, so that
    /// it is the result or the number above it. It is the result if its square times `x` is at most 1. The square is
    /// exact as a sum of two binary32, and so is the sign of the difference, unless it is tiny: then the lane is
    /// reported. So are all `x` that are not positive numbers.
    pub(super) fn reciprocal_root24(&mut self, dst: Operand, a: Operand) {
        const FUSED: Code = Code::EVEX_Vfmadd213ps_zmm_k1z_zmm_zmmm512b32_er;
        const FUSED_SUM: Code = Code::EVEX_Vfmadd231ps_zmm_k1z_zmm_zmmm512b32_er;
        const FUSED_DIFFERENCE: Code = Code::EVEX_Vfmsub213ps_zmm_k1z_zmm_zmmm512b32_er;
        const NEGATED: Code = Code::EVEX_Vfnmadd213ps_zmm_k1z_zmm_zmmm512b32_er;
        let x = self.loaded(a, OUT);
        let asm = &mut self.asm;
        let [root, square, error, sum] = T;
        // One iteration: r * (1.5 - x * r / 2 * r).
        asm.vector1(Code::EVEX_Vrsqrt14ps_zmm_k1z_zmmm512b32, root, Source::Vector(x), NONE);
        asm.vector2(MUL, square, x, Source::Vector(root), NONE);
        asm.vector2(MUL, square, square, word(Word::NumberHalf), NONE);
        asm.vector1(SPLAT, sum, element(Word::Number3Halves), NONE);
        asm.vector2(NEGATED, square, root, Source::Vector(sum), NONE);
        asm.vector2(MUL, root, root, Source::Vector(square), NONE);
        asm.vector2(MUL, root, root, word(Word::Above1), NONE);
        asm.vector2(AND, root, root, word(Word::Bits24), NONE);
        // square + error = root * root; sum = square * x - 1 + error * x.
        asm.vector2(MUL, square, root, Source::Vector(root), NONE);
        asm.vector1(Code::EVEX_Vmovaps_zmm_k1z_zmmm512, error, Source::Vector(root), NONE);
        asm.vector2(FUSED_DIFFERENCE, error, root, Source::Vector(square), NONE);
        asm.vector1(SPLAT, sum, element(Word::NumberMinus1), NONE);
        asm.vector2(FUSED, square, x, Source::Vector(sum), NONE);
        asm.vector2(FUSED_SUM, square, error, Source::Vector(x), NONE);
        // Too large: the number below is the result.
        asm.compare(COMPARE, K[1], square, word(Word::Zero), ABOVE, NONE);
        // A difference of zero is exact if the square is.
        asm.vector2(AND, square, square, word(Word::Magnitude), NONE);
        asm.compare(COMPARE, K[0], square, word(Word::Tiny), NOT_AT_LEAST, With::mask(LANES));
        let nonzero = Code::EVEX_Vptestmd_kr_k1_zmm_zmmm512b32;
        asm.vector2(Code::EVEX_Vpord_zmm_k1z_zmm_zmmm512b32, square, square, Source::Vector(error), NONE);
        asm.test(nonzero, K[0], square, word(Word::Magnitude), With::mask(K[0]));
        asm.sets(Code::VEX_Korw_kr_kr_kr, DOUBT, DOUBT, K[0]);
        // Positive numbers have patterns from that of the smallest to that of the largest.
        asm.vector2(Code::EVEX_Vpsubd_zmm_k1z_zmm_zmmm512b32, error, x, word(Word::Smallest24), NONE);
        asm.compare(COMPARE_UNSIGNED, K[0], error, word(Word::Range24), AT_LEAST, With::mask(LANES));
        asm.sets(Code::VEX_Korw_kr_kr_kr, DOUBT, DOUBT, K[0]);
        self.result(dst, |l, d| {
            let below = Code::EVEX_Vpsubd_zmm_k1z_zmm_zmmm512b32;
            l.asm.vector2(below, root, root, word(Word::Step24), With::mask(K[1]));
            l.asm.vector1(Code::EVEX_Vmovaps_zmm_k1z_zmmm512, d, Source::Vector(root), NONE);
        });
    }
}
