//! Floats as sign, exponent and digits in words, and back with one rounding. The same steps as in `scalar/soft.rs`, which
//! defines them on numbers.

use super::parts::{Cut, Number, Wide};
use super::words::{WORD, Words, highest, highest_mut};
use crate::*;
use alloc::vec;

/// A format of floats: widths of the exponent and the fraction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Format {
    exponent: u32,
    pub(super) fraction: u32,
    pub(super) words: usize,
}

impl Format {
    pub(super) const F32: Format = Format { exponent: 8, fraction: 23, words: 1 };
    pub(super) const F64: Format = Format { exponent: 11, fraction: 52, words: 2 };

    /// The format of a kind; `None` if its operations are not emulated.
    pub(super) fn of(scalar: Scalar) -> Option<Format> {
        match scalar {
            Scalar::F32 => Some(Format::F32),
            Scalar::F64 => Some(Format::F64),
            _ => None,
        }
    }

    /// Bits of the fraction in the highest word.
    fn top_fraction(self) -> u32 {
        self.fraction - WORD * (self.words as u32 - 1)
    }

    /// The field of infinity and NaN.
    fn most(self) -> u32 {
        (1 << self.exponent) - 1
    }

    pub(super) fn bias(self) -> u32 {
        self.most() >> 1
    }

    /// The highest word of infinity, of the canonical NaN, and of 1.
    pub(super) fn infinity(self) -> u32 {
        self.most() << self.top_fraction()
    }

    pub(super) fn nan(self) -> u32 {
        self.infinity() | 1 << (self.top_fraction() - 1)
    }

    pub(super) fn one(self) -> u32 {
        self.bias() << self.top_fraction()
    }
}

/// The sign bit.
pub(super) const SIGN: u32 = 1 << 31;

impl Words<'_> {
    /// The words without the sign, and whether the sign bit is set.
    pub(super) fn magnitude(&mut self, bits: &[Value]) -> (Wide, Value) {
        let sign = self.with(Binary::And, highest(bits), SIGN);
        let mut magnitude = bits.to_vec();
        *highest_mut(&mut magnitude) = self.with(Binary::And, highest(bits), !SIGN);
        (magnitude, self.any(sign))
    }

    /// A float; denormals are zero if the rule says so.
    pub(super) fn unpacked(&mut self, format: Format, rule: FloatRule, bits: &[Value]) -> Number {
        let (magnitude, negative) = self.magnitude(bits);
        let high = highest(&magnitude);
        let fraction = self.with(Binary::And, high, (1 << format.top_fraction()) - 1);
        let field = self.with(Binary::LShr, high, format.top_fraction());
        let mut digits = magnitude;
        *highest_mut(&mut digits) = fraction;
        let some = self.any_of(&digits);
        let special = self.with(Binary::IEq, field, format.most());
        let infinite = self.not(some);
        let (nan, infinite) = (self.and(special, some), self.and(special, infinite));
        let small = self.with(Binary::IEq, field, 0);
        let whole = self.with(Binary::Or, fraction, 1 << format.top_fraction());
        let zero = self.number(0);
        *highest_mut(&mut digits) = self.select(small, fraction, whole);
        if rule.flush {
            let zeros = vec![zero; digits.len()];
            digits = self.choose(small, &zeros, &digits);
        }
        let one = self.number(1);
        let field = self.select(small, one, field);
        let exponent = self.with(Binary::ISub, field, format.bias() + format.fraction);
        Number { negative, nan, infinite, exponent, digits, cancelled: None }
    }

    /// The float nearest to a number in the rule's direction, flushed and clamped if the rule says so.
    pub(super) fn finished(&mut self, format: Format, rule: FloatRule, n: &Number) -> Wide {
        let cut = self.cut(format, n);
        self.rounded(format, rule, &cut)
    }

    /// The digits of a number that a format has, and what is below them.
    pub(super) fn cut(&mut self, format: Format, n: &Number) -> Cut {
        use Binary::*;
        let zero = self.number(0);
        // The lowest bits of a short number are zeros.
        let words = n.digits.len().max(format.words);
        let mut low = vec![zero; words - n.digits.len()];
        let padding = WORD * low.len() as u32;
        low.extend(&n.digits);
        let (normal, shift) = self.normal(&low);
        let some = self.any_of(&normal);
        // The exponent field of the highest bit.
        let field = self.with(
            IAdd,
            n.exponent,
            (WORD * words as u32 - 1).wrapping_sub(padding).wrapping_add(format.bias()),
        );
        let field = self.op(ISub, field, shift);
        let one = self.number(1);
        // Denormals have fewer digits.
        let small = self.op(SLt, field, one);
        let lack = self.op(ISub, one, field);
        let lack = self.select(small, lack, zero);
        let lack = self.with(UMin, lack, WORD * words as u32 - 1);
        let normal = self.right(&normal, lack);
        let field = self.op(SMax, field, one);
        // Digits, and what is cut off.
        let cut = WORD - 1 - format.top_fraction();
        let rest_by = WORD - cut;
        let (lower, upper) = normal.split_at(words - format.words);
        let (by, back) = (self.number(cut), self.number(rest_by));
        let digits = self.down(upper, by, back);
        let rest = self.with(Shl, upper[0], rest_by);
        let half = self.with(And, rest, SIGN);
        let half = self.any(half);
        let mut below = lower.to_vec();
        below.push(self.with(Shl, rest, 1));
        let below = self.any_of(&below);
        Cut { number: n.clone(), digits, field, some, half, below }
    }

    /// The float nearest to a number in the rule's direction, flushed and clamped if the rule says so.
    pub(super) fn rounded(&mut self, format: Format, rule: FloatRule, cut: &Cut) -> Wide {
        use Binary::*;
        let mut n = cut.number.clone();
        if let Some(cancelled) = n.cancelled {
            let down = self.truth(rule.round == Round::Down);
            n.negative = self.select(cancelled, down, n.negative);
        }
        let (zero, one) = (self.number(0), self.number(1));
        let away = self.away(rule.round, n.negative, (cut.digits[0], cut.half, cut.below));
        let away = self.bit(away);
        let mut bits = self.increased(&cut.digits, away);
        // The highest digit counts as one more, and so does a carry into the exponent.
        let field_less = self.op(ISub, cut.field, one);
        let moved = self.with(Shl, field_less, format.top_fraction());
        *highest_mut(&mut bits) = self.op(IAdd, highest(&bits), moved);
        bits = self.limited(format, rule.round, n.negative, cut.field, bits);
        let zeros = vec![zero; bits.len()];
        bits = self.choose(cut.some, &bits, &zeros);
        if rule.flush {
            let denormal = self.with(ULt, highest(&bits), 1 << format.top_fraction());
            bits = self.choose(denormal, &zeros, &bits);
        }
        self.special(format, rule, &n, bits)
    }

    /// Whether digits are increased: by the last of them, half a unit, and what is below.
    pub(super) fn away(
        &mut self,
        round: Round,
        negative: Value,
        (last, half, below): (Value, Value, Value),
    ) -> Value {
        match round {
            Round::Nearest => {
                let odd = self.with(Binary::And, last, 1);
                let odd = self.any(odd);
                let more = self.or(odd, below);
                self.and(half, more)
            }
            Round::Zero => self.truth(false),
            Round::Up => {
                let (some, positive) = (self.or(half, below), self.not(negative));
                self.and(some, positive)
            }
            Round::Down => {
                let some = self.or(half, below);
                self.and(some, negative)
            }
        }
    }

    /// Magnitudes past the largest one, by their exponent field and their bits.
    fn limited(&mut self, format: Format, round: Round, negative: Value, field: Value, bits: Wide) -> Wide {
        let infinity = self.high(format.infinity(), bits.len());
        let mut largest = vec![self.number(u32::MAX); bits.len()];
        *highest_mut(&mut largest) = self.number(format.infinity() - 1);
        let beyond = match round {
            Round::Nearest => infinity,
            Round::Zero => largest,
            Round::Up => self.choose(negative, &largest, &infinity),
            Round::Down => self.choose(negative, &infinity, &largest),
        };
        let (most, infinite) = (self.number(format.most()), self.number(format.infinity()));
        let (by_field, by_bits) =
            (self.op(Binary::SLe, most, field), self.op(Binary::ULe, infinite, highest(&bits)));
        let is_beyond = self.or(by_field, by_bits);
        self.choose(is_beyond, &beyond, &bits)
    }

    /// With the sign, unless the number is infinite or none; clamped if the rule says so.
    fn special(&mut self, format: Format, rule: FloatRule, n: &Number, bits: Wide) -> Wide {
        let zero = self.number(0);
        let [infinity, nan, one] =
            [format.infinity(), format.nan(), format.one()].map(|top| self.high(top, bits.len()));
        let mut bits = self.choose(n.infinite, &infinity, &bits);
        if rule.saturate {
            let above = self.below(&one, &bits);
            bits = self.choose(above, &one, &bits);
            let none = self.or(n.negative, n.nan);
            return self.choose(none, &vec![zero; bits.len()], &bits);
        }
        let sign = self.number(SIGN);
        let sign = self.select(n.negative, sign, zero);
        *highest_mut(&mut bits) = self.or(highest(&bits), sign);
        self.choose(n.nan, &nan, &bits)
    }
}
