//! Functions that are computed in binary64 and rounded once. Sums of series are precise enough to round as the exact
//! definition does, unless the sum lies near a point where rounding changes: such lanes are reported.

use super::assembler::operations::{
    AND, LONG_ADD, LONG_DIVIDE, LONG_FUSED, LONG_INTEGER_ADD, LONG_MULTIPLY, LONG_ROOT, LONG_SHIFT_LEFT_BY,
    LONG_SUBTRACT, LONG_TO_INTEGRAL, MOVE, XOR,
};
use super::assembler::{Comparison, Order, Relation, Source, Vector};
use super::context::{Long, Word};
use super::lower::{K, LANES, Lowering, OUT, T, long, word};
use crate::memory::Operand;

/// Rounds to the nearest integral number, without exceptions.
const NEAREST: u8 = 8;
/// Less; greater or equal; not equal.
const LESS: Comparison = Comparison::Double(Relation::Less);
const AT_LEAST: Comparison = Comparison::Double(Relation::AtLeast);
const DIFFERENT: Comparison = Comparison::Double(Relation::Different);

/// The factors of `2^x`, the last first.
const EXP: [Long; 12] = [
    Long::Exp11,
    Long::Exp10,
    Long::Exp9,
    Long::Exp8,
    Long::Exp7,
    Long::Exp6,
    Long::Exp5,
    Long::Exp4,
    Long::Exp3,
    Long::Exp2,
    Long::Exp1,
    Long::Exp0,
];

/// The factors of the logarithm, the last first.
const LOG: [Long; 11] = [
    Long::Log10,
    Long::Log9,
    Long::Log8,
    Long::Log7,
    Long::Log6,
    Long::Log5,
    Long::Log4,
    Long::Log3,
    Long::Log2,
    Long::Log1,
    Long::Log0,
];

/// The factors of the sine, the last first.
const SIN: [Long; 11] = [
    Long::Sin10,
    Long::Sin9,
    Long::Sin8,
    Long::Sin7,
    Long::Sin6,
    Long::Sin5,
    Long::Sin4,
    Long::Sin3,
    Long::Sin2,
    Long::Sin1,
    Long::One,
];

/// Half of the lanes, as numbers of 64 bits.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Half {
    Low,
    High,
}

impl Lowering<'_> {
    /// 2 to the power of `a`.
    pub(super) fn power_of_two(&mut self, dst: Operand, a: Operand, is_float24: bool) -> bool {
        self.in_halves(dst, a, is_float24, |l, half| {
            let [x, whole, sum, _] = T;
            l.asm.vector1_number(LONG_TO_INTEGRAL, whole, Source::Vector(x), NEAREST);
            l.asm.vector2(LONG_SUBTRACT, x, x, Source::Vector(whole));
            l.series(sum, x, &EXP);
            // The result is exact if `x` was integral.
            l.asm.compare(DIFFERENT, K[1], x, long(Long::Zero), None);
            l.asm.scale(x, sum, whole);
            if is_float24 {
                l.asm.narrow(AT_LEAST, K[1], x, long(Long::Vanishing24), OUT);
            }
            l.doubt(x, half, is_float24);
        })
    }

    /// The base-2 logarithm.
    pub(super) fn logarithm(&mut self, dst: Operand, a: Operand, is_float24: bool) -> bool {
        self.in_halves(dst, a, is_float24, |l, half| {
            let [x, whole, sum, _] = T;
            // x = 2^whole * m, with m from 0.75 to 1.5.
            l.asm.split(whole, x, sum);
            // s = (m - 1) / (m + 1), and the series in its square.
            l.asm.vector2(LONG_ADD, sum, x, long(Long::One));
            l.asm.vector2(LONG_SUBTRACT, x, x, long(Long::One));
            l.asm.vector2(LONG_DIVIDE, x, x, Source::Vector(sum));
            l.asm.vector2(LONG_MULTIPLY, OUT, x, Source::Vector(x));
            l.series(sum, OUT, &LOG);
            // The result is exact if m was 1.
            l.asm.compare(DIFFERENT, K[1], x, long(Long::Zero), None);
            l.asm.vector2(LONG_FUSED, x, sum, Source::Vector(whole));
            l.doubt(x, half, is_float24);
        })
    }

    /// The sine, or the cosine. Lanes of large numbers, infinities and NaN are reported.
    pub(super) fn sine(&mut self, dst: Operand, a: Operand, is_cosine: bool) -> bool {
        if self.truncates {
            return false;
        }
        let x = self.loaded(a, T[0]);
        self.report_large(x, T[1]);
        self.in_halves(dst, a, false, |l, half| {
            let [x, multiples, sum, _] = T;
            // x = n * pi / 2 + rest, where n is even for a sine, and odd for a cosine; rest is at most pi / 2.
            l.asm.vector2(LONG_MULTIPLY, multiples, x, long(Long::OneByPi));
            if is_cosine {
                l.asm.vector2(LONG_ADD, multiples, multiples, long(Long::MinusHalf));
            }
            l.asm.vector2(LONG_ADD, multiples, multiples, long(Long::Rounder));
            l.asm.vector2(LONG_SUBTRACT, sum, multiples, long(Long::Rounder));
            l.asm.vector2(LONG_ADD, sum, sum, Source::Vector(sum));
            if is_cosine {
                l.asm.vector2(LONG_ADD, sum, sum, long(Long::One));
                // The sign of the sine of x + pi / 2.
                l.asm.vector2(LONG_INTEGER_ADD, multiples, multiples, long(Long::OneBit));
            }
            l.asm.splat_long(OUT, Long::MinusHalfPi);
            l.asm.vector2(LONG_FUSED, OUT, sum, Source::Vector(x));
            l.asm.splat_long(x, Long::MinusHalfPiRest);
            l.asm.vector2(LONG_FUSED, x, sum, Source::Vector(OUT));
            // Every odd multiple of pi changes the sign.
            l.asm.vector1_number(LONG_SHIFT_LEFT_BY, multiples, Source::Vector(multiples), 63);
            l.asm.vector2(XOR, x, x, Source::Vector(multiples));
            l.asm.vector2(LONG_MULTIPLY, multiples, x, Source::Vector(x));
            l.series(sum, multiples, &SIN);
            // The result is exact if the rest is zero.
            l.asm.compare(DIFFERENT, K[1], x, long(Long::Zero), None);
            l.asm.vector2(LONG_MULTIPLY, x, x, Source::Vector(sum));
            l.doubt(x, half, false);
        })
    }

    /// Reports lanes whose magnitude is above that of which code computes the sine. `spare` is lost.
    pub(super) fn report_large(&mut self, x: Vector, spare: Vector) {
        self.asm.vector2(AND, spare, x, word(Word::Magnitude));
        let above = Comparison::Signed(Order::Above);
        self.asm.compare(above, K[0], spare, word(Word::MostOfSine), Some(LANES));
        self.asm.report(K[0]);
    }

    /// `1 / sqrt(a)`, rounded as the definition does.
    pub(super) fn reciprocal_root(&mut self, dst: Operand, a: Operand) -> bool {
        if self.truncates {
            return false;
        }
        self.in_halves(dst, a, false, |l, _| {
            let [x, one, ..] = T;
            l.asm.vector1(LONG_ROOT, x, Source::Vector(x));
            l.asm.splat_long(one, Long::One);
            l.asm.vector2(LONG_DIVIDE, x, one, Source::Vector(x));
        })
    }

    /// Applies `f` to both halves of an operand: it replaces the numbers in the first temporary register, and can use
    /// all but the last one.
    fn in_halves(
        &mut self,
        dst: Operand,
        a: Operand,
        is_float24: bool,
        mut f: impl FnMut(&mut Self, Half),
    ) -> bool {
        if self.truncates != is_float24 {
            // The other rounding would apply to each step.
            return false;
        }
        let number = self.source(a);
        let kept = T[3];
        for half in [Half::High, Half::Low] {
            let from = self.register(number, T[0]);
            match half {
                Half::High => {
                    self.asm.high_half(T[0], from);
                    self.asm.widened(T[0], T[0]);
                }
                Half::Low => self.asm.widened(T[0], from),
            }
            f(self, half);
            let to = if half == Half::High { kept } else { OUT };
            self.asm.narrowed(to, T[0]);
        }
        self.asm.halves(OUT, OUT, kept);
        self.result(dst, |l, d| match is_float24 {
            true => l.finished24(d, OUT),
            false => l.asm.vector1(MOVE, d, Source::Vector(OUT)),
        });
        true
    }

    /// `to` = the sum of a series in `x` by its factors, the last first.
    fn series(&mut self, to: Vector, x: Vector, factors: &[Long]) {
        let Some((last, others)) = factors.split_first() else { return };
        self.asm.splat_long(to, *last);
        for factor in others {
            self.asm.vector2(LONG_FUSED, to, x, long(*factor));
        }
    }

    /// Reports the lanes of a half whose results are too near to a point where rounding changes, unless they are exact:
    /// `K[1]` has the lanes that are not.
    fn doubt(&mut self, result: Vector, half: Half, is_float24: bool) {
        let (moved, bits) = match is_float24 {
            true => (Long::NearNumber24, Long::NearBits24),
            false => (Long::NearMiddle32, Long::NearBits32),
        };
        self.asm.vector2(LONG_INTEGER_ADD, OUT, result, long(moved));
        self.asm.lacks_bits(K[0], OUT, bits, K[1]);
        self.asm.report_half(K[0], half == Half::High, OUT);
        if !is_float24 {
            // Denormal results have fewer bits.
            self.asm.narrow(LESS, K[1], result, long(Long::Normal32), OUT);
            self.asm.narrow(AT_LEAST, K[1], result, long(Long::Vanishing32), OUT);
            self.asm.report_half(K[1], half == Half::High, OUT);
        }
    }
}
