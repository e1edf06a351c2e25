//! Conversions between 64-bit integers and 32-bit floats.

use super::{Made, Narrower};
use crate::*;

/// The bits of a 32-bit float below its exponent, and the bias of the exponent.
const DIGITS: u32 = 23;
const BIAS: u32 = 127;

impl Narrower {
    /// A conversion between a 64-bit integer and a 32-bit float; `None` for others.
    pub(super) fn convert_whole_numbers(
        &mut self,
        op: Convert,
        rule: FloatRule,
        a: Value,
        ty: Type,
    ) -> Option<Made> {
        let from = self.was(a).scalar;
        if rule.model {
            return None;
        }
        match (op, from, ty.scalar) {
            (Convert::FloatToSigned | Convert::FloatToUnsigned, Scalar::F32, Scalar::I64) => {
                let a = self.one(a);
                Some(self.truncated(a, op == Convert::FloatToSigned))
            }
            (Convert::SignedToFloat | Convert::UnsignedToFloat, Scalar::I64, Scalar::F32) => {
                let a = self.halves(a);
                let float = self.nearest(a, op == Convert::SignedToFloat, rule.round);
                Some(Made::One(self.finished(rule, float)))
            }
            _ => None,
        }
    }

    /// A float rounded towards zero to a 64-bit integer, the nearest one if it is out of range. NaN is 0.
    fn truncated(&mut self, a: Value, signed: bool) -> Made {
        use Binary::*;
        let (sign, magnitude) = self.sign_and_magnitude(a);
        let exponent = self.with(LShr, magnitude, DIGITS);
        let fraction = self.with(And, magnitude, (1 << DIGITS) - 1);
        let digits = self.with(Or, fraction, 1 << DIGITS);
        // Shifts by 32 and more, and by negative numbers, which are large ones, yield 0.
        let up = self.with(ISub, exponent, BIAS + DIGITS);
        let [zero, half, ones] = [0, 32, u32::MAX].map(|n| self.number(n, magnitude));
        let (down, rest, over) =
            (self.binary(ISub, zero, up), self.binary(ISub, half, up), self.binary(ISub, up, half));
        let is_fraction = self.binary(SLt, up, zero);
        let (small, low) = (self.binary(LShr, digits, down), self.binary(Shl, digits, up));
        let low = self.select(is_fraction, small, low);
        let (crossing, beyond) = (self.binary(LShr, digits, rest), self.binary(Shl, digits, over));
        let high = self.binary(Or, crossing, beyond);
        let high = self.select(is_fraction, zero, high);
        let is_negative = self.binary(INe, sign, zero);
        let (of_negative, lowest, most) = if signed {
            let [low_end, high_end] = [1 << 31, u32::MAX >> 1].map(|n| self.number(n, high));
            let ends = (self.select(is_negative, zero, ones), self.select(is_negative, low_end, high_end));
            (self.opposite(low, high), ends.0, ends.1)
        } else {
            let end = self.select(is_negative, zero, ones);
            ((zero, zero), end, end)
        };
        let low = self.select(is_negative, of_negative.0, low);
        let high = self.select(is_negative, of_negative.1, high);
        // Finite numbers of more digits, infinity, and NaN.
        let [limit, infinity] =
            [BIAS + if signed { 63 } else { 64 }, 0x7f80_0000].map(|n| self.number(n, exponent));
        let is_beyond = self.binary(ULe, limit, exponent);
        let (low, high) = (self.select(is_beyond, lowest, low), self.select(is_beyond, most, high));
        let is_nan = self.binary(ULt, infinity, magnitude);
        Made::Halves(self.select(is_nan, zero, low), self.select(is_nan, zero, high))
    }

    /// Zero minus a 64-bit integer.
    fn opposite(&mut self, low: Value, high: Value) -> (Value, Value) {
        use Binary::*;
        let zero = self.number(0, low);
        let borrow = self.binary(ULt, zero, low);
        let borrow = self.bit(borrow);
        let high = self.binary(IAdd, high, borrow);
        (self.binary(ISub, zero, low), self.binary(ISub, zero, high))
    }

    /// The float that is nearest to a 64-bit integer in a direction.
    fn nearest(&mut self, (low, high): (Value, Value), signed: bool, round: Round) -> Value {
        use Binary::*;
        let [zero, half] = [0, 32].map(|n| self.number(n, low));
        let sign = if signed { self.with(And, high, 1 << 31) } else { zero };
        let is_negative = self.binary(INe, sign, zero);
        let of_negative = self.opposite(low, high);
        let low = self.select(is_negative, of_negative.0, low);
        let high = self.select(is_negative, of_negative.1, high);
        let is_short = self.binary(IEq, high, zero);
        let (of_low, of_high) = (self.unary(Unary::LeadingZeros, low), self.unary(Unary::LeadingZeros, high));
        let of_low = self.binary(IAdd, of_low, half);
        let zeros = self.select(is_short, of_low, of_high);
        // Shifts by 32 and more, and by negative numbers, which are large ones, yield 0.
        let (rest, over) = (self.binary(ISub, half, zeros), self.binary(ISub, zeros, half));
        let (top, crossing, beyond) =
            (self.binary(Shl, high, zeros), self.binary(LShr, low, rest), self.binary(Shl, low, over));
        let top = self.binary(Or, top, crossing);
        let top = self.binary(Or, top, beyond);
        let below = self.binary(Shl, low, zeros);
        let digits = self.with(LShr, top, 31 - DIGITS);
        // What is cut off, in half units of its highest bit, with the last bit for all bits below.
        let cut = self.with(And, top, (1 << (31 - DIGITS)) - 1);
        let cut = self.with(Shl, cut, 1);
        let more = self.binary(INe, below, zero);
        let more = self.bit(more);
        let cut = self.binary(Or, cut, more);
        let is_inexact = self.binary(INe, cut, zero);
        let away = match round {
            Round::Nearest => {
                let last = self.with(And, digits, 1);
                let cut = self.binary(IAdd, cut, last);
                let middle = self.number(1 << (31 - DIGITS), cut);
                self.binary(ULt, middle, cut)
            }
            Round::Zero => self.binary(ULt, zero, zero),
            Round::Up => {
                let is_positive = self.binary(IEq, sign, zero);
                self.binary(And, is_inexact, is_positive)
            }
            Round::Down => self.binary(And, is_inexact, is_negative),
        };
        let away = self.bit(away);
        let digits = self.binary(IAdd, digits, away);
        // The highest digit counts as one more.
        let largest = self.number(BIAS + 62, zeros);
        let exponent = self.binary(ISub, largest, zeros);
        let exponent = self.with(Shl, exponent, DIGITS);
        let magnitude = self.binary(IAdd, exponent, digits);
        let any = self.binary(Or, low, high);
        let is_zero = self.binary(IEq, any, zero);
        let magnitude = self.select(is_zero, zero, magnitude);
        let bits = self.binary(Or, magnitude, sign);
        self.float_of(bits)
    }
}
