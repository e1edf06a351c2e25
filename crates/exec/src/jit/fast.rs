//! Operations whose results may have errors of a few ulp
//! ([`Precision::Fast`](crate::Precision::Fast)).

use super::assembler::operations::{
    ADD, AND, DIVIDE, FUSED, FUSED_NEGATED, FUSED_SUM, INTEGER_ADD, INTEGER_SUBTRACT, MAX, MIN, MOVE,
    MULTIPLY, NEAR_RECIPROCAL_ROOT, SHIFT_LEFT_BY, SHIFT_SIGNED_BY, SUBTRACT, TO_FLOAT, XOR,
};
use super::assembler::{Comparison, Order, Relation, Source, Vector};
use super::context::Word;
use super::lower::{K, LANES, Lowering, OUT, T, word};
use crate::memory::Operand;

const UNORDERED: Comparison = Comparison::Float(Relation::Unordered);
/// Bits of a significand, without the first.
const FRACTION: u8 = 23;

/// The factors of `2^x`, of the logarithm, of the sine without the first, and of the cosine; the last first.
const EXP: [Word; 8] =
    [Word::Exp7, Word::Exp6, Word::Exp5, Word::Exp4, Word::Exp3, Word::Exp2, Word::Exp1, Word::Number1];
const LOG: [Word; 5] = [Word::Log4, Word::Log3, Word::Log2, Word::Log1, Word::Log0];
const SIN: [Word; 4] = [Word::Sin4, Word::Sin3, Word::Sin2, Word::Sin1];
const COS: [Word; 6] = [Word::Cos5, Word::Cos4, Word::Cos3, Word::Cos2, Word::Cos1, Word::Number1];

impl Lowering<'_> {
    /// The sum of products, each step rounded once.
    pub(super) fn fast_sum(&mut self, dst: Operand, start: Option<Operand>, a: &[Operand], b: &[Operand]) {
        // The first step replaces what later ones still read.
        let is_read = a.iter().chain(b).any(|o| *o == dst);
        self.result(dst, |l, d| {
            let sum = if is_read { T[0] } else { d };
            if let Some(start) = start.map(|s| l.source(s)).filter(|s| *s != Source::Vector(sum)) {
                l.asm.vector1(MOVE, sum, start);
            }
            for (n, (x, y)) in a.iter().zip(b).enumerate() {
                let (x, y) = l.memory_last(*x, *y);
                let (x, y) = (l.loaded(x, T[1]), l.source(y));
                let op = if n == 0 && start.is_none() { MULTIPLY } else { FUSED_SUM };
                l.asm.vector2(op, sum, x, y);
            }
            l.copied(d, sum);
        });
    }

    /// An approximation `r` of the reciprocal square root, and one iteration: `r + r / 2 * (1 - r * x * r)`.
    pub(super) fn fast_reciprocal_root(&mut self, dst: Operand, a: Operand) {
        let x = self.source(a);
        self.asm.vector1(NEAR_RECIPROCAL_ROOT, T[0], x);
        self.asm.vector2(MULTIPLY, T[1], T[0], x);
        self.asm.vector2(FUSED_NEGATED, T[1], T[0], word(Word::Number1));
        self.asm.vector2(MULTIPLY, T[2], T[0], word(Word::NumberHalf));
        self.asm.vector2(FUSED, T[1], T[2], Source::Vector(T[0]));
        // Zero and infinity have no better result.
        self.asm.compare(UNORDERED, K[0], T[1], Source::Vector(T[1]), None);
        self.result(dst, |l, d| l.asm.select(d, T[1], Source::Vector(T[0]), K[0]));
    }

    /// 2 to the power of `a`.
    pub(super) fn fast_power_of_two(&mut self, dst: Operand, a: Operand) {
        let given = self.source(a);
        let [x, rounded, fraction, sum] = T;
        // Smaller powers are zero, and larger ones infinite. NaN, the second operand, stays.
        self.asm.splat_word(x, Word::LeastPower);
        self.asm.vector2(MAX, x, x, given);
        self.asm.splat_word(rounded, Word::MostPower);
        self.asm.vector2(MIN, x, rounded, Source::Vector(x));
        self.asm.vector2(ADD, rounded, x, word(Word::Rounder));
        self.asm.vector2(SUBTRACT, fraction, rounded, word(Word::Rounder));
        self.asm.vector2(SUBTRACT, fraction, x, Source::Vector(fraction));
        self.words(sum, fraction, &EXP);
        // Adds the integer to the exponent.
        self.asm.vector1_number(SHIFT_LEFT_BY, rounded, Source::Vector(rounded), FRACTION);
        self.asm.vector2(INTEGER_ADD, sum, sum, Source::Vector(rounded));
        self.asm.compare(UNORDERED, K[0], x, Source::Vector(x), None);
        self.result(dst, |l, d| l.asm.select(d, sum, Source::Vector(x), K[0]));
    }

    /// The base-2 logarithm. Lanes of infinity, NaN and numbers with the sign bit are reported.
    pub(super) fn fast_logarithm(&mut self, dst: Operand, a: Operand) {
        let given = self.source(a);
        self.asm.vector1(MOVE, OUT, given);
        let outside = Comparison::Unsigned(Order::AtLeast);
        self.asm.compare(outside, K[0], OUT, word(Word::Exponent), Some(LANES));
        self.asm.report(K[0]);
        // x = 2^whole * m, with m from 0.75 to 1.5.
        let [m, whole, square, sum] = T;
        self.asm.vector2(INTEGER_SUBTRACT, whole, OUT, word(Word::Number3Quarters));
        self.asm.vector1_number(SHIFT_SIGNED_BY, whole, Source::Vector(whole), FRACTION);
        self.asm.vector1_number(SHIFT_LEFT_BY, m, Source::Vector(whole), FRACTION);
        self.asm.vector2(INTEGER_SUBTRACT, m, OUT, Source::Vector(m));
        self.asm.vector1(TO_FLOAT, whole, Source::Vector(whole));
        // s = (m - 1) / (m + 1), and the series in its square.
        self.asm.vector2(ADD, sum, m, word(Word::Number1));
        self.asm.vector2(SUBTRACT, m, m, word(Word::Number1));
        self.asm.vector2(DIVIDE, m, m, Source::Vector(sum));
        self.asm.vector2(MULTIPLY, square, m, Source::Vector(m));
        self.words(sum, square, &LOG);
        self.asm.vector2(FUSED, sum, m, Source::Vector(whole));
        self.asm.compare(Comparison::Float(Relation::Less), K[0], OUT, word(Word::Normal), None);
        self.result(dst, |l, d| l.asm.select(d, sum, word(Word::MinusInfinity), K[0]));
    }

    /// The sine, or the cosine. Lanes of large numbers are reported.
    pub(super) fn fast_sine(&mut self, dst: Operand, a: Operand, is_cosine: bool) {
        let x = self.source(a);
        let [rest, quarters, square, sine] = T;
        let (count, cosine) = (sine, OUT);
        self.asm.vector1(MOVE, rest, x);
        self.report_large(rest, square);
        // x = quarters * pi / 2 + rest: the factors add up to pi / 2.
        self.asm.splat_word(square, Word::QuartersOfNumber);
        self.asm.vector1(MOVE, quarters, Source::Vector(rest));
        self.asm.vector2(FUSED, quarters, square, word(Word::Rounder));
        self.asm.vector2(SUBTRACT, count, quarters, word(Word::Rounder));
        for factor in [Word::Quarter0, Word::Quarter1, Word::Quarter2] {
            self.asm.vector2(FUSED_SUM, rest, count, word(factor));
        }
        if is_cosine {
            self.asm.vector2(INTEGER_ADD, quarters, quarters, word(Word::One));
        }
        self.asm.vector2(MULTIPLY, square, rest, Source::Vector(rest));
        self.words(sine, square, &SIN);
        self.words(cosine, square, &COS);
        self.asm.vector2(MULTIPLY, sine, sine, Source::Vector(square));
        self.asm.vector2(FUSED, sine, rest, Source::Vector(rest));
        self.asm.lowest_bits(K[0], quarters);
        self.asm.select(sine, sine, Source::Vector(cosine), K[0]);
        // The second bit is the sign.
        self.asm.vector1_number(SHIFT_LEFT_BY, quarters, Source::Vector(quarters), 30);
        self.asm.vector2(AND, quarters, quarters, word(Word::Sign));
        self.result(dst, |l, d| l.asm.vector2(XOR, d, sine, Source::Vector(quarters)));
    }

    /// `to` = the sum of a series in `x` by its factors, the last first.
    fn words(&mut self, to: Vector, x: Vector, factors: &[Word]) {
        let Some((last, others)) = factors.split_first() else { return };
        self.asm.splat_word(to, *last);
        for factor in others {
            self.asm.vector2(FUSED, to, x, word(*factor));
        }
    }

    fn copied(&mut self, to: Vector, from: Vector) {
        if to != from {
            self.asm.vector1(MOVE, to, Source::Vector(from));
        }
    }
}
