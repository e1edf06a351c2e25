//! float24: results are truncated. The processor truncates to binary32, and dropping seven more bits truncates to
//! float24. Results below the smallest number are zero. Infinities and NaN are rare, so results are computed as if there
//! were none, and the largest magnitude of all results shows whether that was right.

use super::arithmetic::DOWN;
use super::assembler::operations::{
    ADD, AND, DIVIDE, FUSED, FUSED_DIFFERENCE, FUSED_NEGATED, FUSED_SUM, INTEGER_SUBTRACT, MOVE, MULTIPLY,
    NEAR_RECIPROCAL_ROOT, OR, SUBTRACT, TO_INTEGRAL,
};
use super::assembler::{Comparison, Order, Relation, Source, Vector};
use super::context::Word;
use super::lower::{K, LANES, LARGEST, Lowering, OUT, T, word};
use crate::memory::Operand;

impl Lowering<'_> {
    /// `to` = the truncated binary32 in `from` as a float24.
    pub(super) fn finished24(&mut self, to: Vector, from: Vector) {
        let magnitude = T[3];
        self.asm.vector2(AND, magnitude, from, word(Word::Magnitude));
        // Magnitudes have no sign.
        let above = Comparison::Signed(Order::Above);
        self.asm.compare(above, K[0], magnitude, word(Word::BelowSmallest24), None);
        self.asm.raise(LARGEST, magnitude);
        self.asm.keep_bits(to, from, Word::Bits24, K[0]);
    }

    /// Reports lanes in which a result was too large or NaN.
    pub(super) fn settle_largest(&mut self) {
        if self.truncates {
            let too_large = Comparison::Unsigned(Order::AtLeast);
            self.asm.compare(too_large, K[0], LARGEST, word(Word::TooLarge24), None);
            self.asm.report(K[0]);
        }
    }

    pub(super) fn sum24(&mut self, to: Vector, a: Vector, b: Source) {
        self.asm.vector2(ADD, OUT, a, b);
        self.finished24(to, OUT);
    }

    pub(super) fn product24(&mut self, to: Vector, a: Vector, b: Source) {
        self.asm.vector2(MULTIPLY, OUT, a, b);
        self.finished24(to, OUT);
    }

    pub(super) fn add24(&mut self, dst: Operand, a: Operand, b: Operand) {
        let (a, b) = self.memory_last(a, b);
        let (x, y) = (self.loaded(a, T[0]), self.source(b));
        self.result(dst, |l, d| l.sum24(d, x, y));
    }

    pub(super) fn sub24(&mut self, dst: Operand, a: Operand, b: Operand) {
        let (x, y) = (self.loaded(a, T[0]), self.source(b));
        self.asm.vector2(SUBTRACT, OUT, x, y);
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
        self.asm.vector2(AND, T[1], x, word(Word::Magnitude));
        let above = Comparison::Signed(Order::Above);
        self.asm.compare(above, K[0], T[1], word(Word::BelowSmallest24), None);
        self.result(dst, |l, d| l.asm.keep(d, x, K[0]));
    }

    /// The reciprocal: the quotient is truncated.
    pub(super) fn reciprocal24(&mut self, dst: Operand, a: Operand) {
        let (one, x) = (self.register(word(Word::Number1), T[0]), self.source(a));
        self.asm.vector2(DIVIDE, OUT, one, x);
        self.result(dst, |l, d| l.finished24(d, OUT));
    }

    pub(super) fn floor24(&mut self, dst: Operand, a: Operand) {
        let x = self.source(a);
        self.asm.vector1_number(TO_INTEGRAL, OUT, x, DOWN);
        self.result(dst, |l, d| l.finished24(d, OUT));
    }

    /// The reciprocal square root `1 / sqrt(x)`: an approximation is made too large by a little and truncated, so that
    /// it is the result or the number above it. It is the result if its square times `x` is at most 1. The square is
    /// exact as a sum of two binary32, and so is the sign of the difference, unless it is tiny: then the lane is
    /// reported. So are all `x` that are not positive numbers.
    pub(super) fn reciprocal_root24(&mut self, dst: Operand, a: Operand) {
        let x = self.loaded(a, OUT);
        let asm = &mut self.asm;
        let [root, square, error, sum] = T;
        // One iteration: r * (1.5 - x * r / 2 * r).
        asm.vector1(NEAR_RECIPROCAL_ROOT, root, Source::Vector(x));
        asm.vector2(MULTIPLY, square, x, Source::Vector(root));
        asm.vector2(MULTIPLY, square, square, word(Word::NumberHalf));
        asm.splat_word(sum, Word::Number3Halves);
        asm.vector2(FUSED_NEGATED, square, root, Source::Vector(sum));
        asm.vector2(MULTIPLY, root, root, Source::Vector(square));
        asm.vector2(MULTIPLY, root, root, word(Word::Above1));
        asm.vector2(AND, root, root, word(Word::Bits24));
        // square + error = root * root; sum = square * x - 1 + error * x.
        asm.vector2(MULTIPLY, square, root, Source::Vector(root));
        asm.vector1(MOVE, error, Source::Vector(root));
        asm.vector2(FUSED_DIFFERENCE, error, root, Source::Vector(square));
        asm.splat_word(sum, Word::NumberMinus1);
        asm.vector2(FUSED, square, x, Source::Vector(sum));
        asm.vector2(FUSED_SUM, square, error, Source::Vector(x));
        // Too large: the number below is the result.
        asm.compare(Comparison::Float(Relation::Above), K[1], square, word(Word::Zero), None);
        // A difference of zero is exact if the square is.
        asm.vector2(AND, square, square, word(Word::Magnitude));
        asm.compare(Comparison::Float(Relation::NotAtLeast), K[0], square, word(Word::Tiny), Some(LANES));
        asm.vector2(OR, square, square, Source::Vector(error));
        asm.keep_with_bits(K[0], square, Word::Magnitude);
        asm.report(K[0]);
        // Positive numbers have patterns from that of the smallest to that of the largest.
        asm.vector2(INTEGER_SUBTRACT, error, x, word(Word::Smallest24));
        let outside = Comparison::Unsigned(Order::AtLeast);
        asm.compare(outside, K[0], error, word(Word::Range24), Some(LANES));
        asm.report(K[0]);
        asm.subtract_where(root, Word::Step24, K[1]);
        self.result(dst, |l, d| l.asm.vector1(MOVE, d, Source::Vector(root)));
    }
}
