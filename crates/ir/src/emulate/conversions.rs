//! Numbers from integers, and integers from numbers.

use super::number::SIGN;
use super::parts::{Number, Wide};
use super::words::{WORD, Words, highest};
use crate::*;
use alloc::vec;

impl Words<'_> {
    /// An integer as a number.
    pub(super) fn integer_as_number(&mut self, bits: &[Value], signed: bool) -> Number {
        let (none, zero) = (self.truth(false), self.number(0));
        let mut negative = none;
        let mut digits = bits.to_vec();
        if signed {
            let sign = self.with(Binary::And, highest(bits), SIGN);
            negative = self.any(sign);
            let opposite = self.opposite(bits);
            digits = self.choose(negative, &opposite, bits);
        }
        Number { negative, nan: none, infinite: none, exponent: zero, digits, cancelled: None }
    }

    /// Zero minus an integer.
    fn opposite(&mut self, bits: &[Value]) -> Wide {
        let complement: Wide = bits.iter().map(|word| self.not(*word)).collect();
        let one = self.number(1);
        self.increased(&complement, one)
    }

    /// A number rounded toward zero to an integer of so many words, the nearest one if it is out of range. NaN is 0.
    pub(super) fn number_as_integer(&mut self, n: &Number, signed: bool, words: usize) -> Wide {
        use Binary::*;
        let zero = self.number(0);
        let most = words.max(n.digits.len());
        let digits = self.resized(&n.digits, most);
        let bits = WORD * most as u32;
        let (normal, shift) = self.normal(&digits);
        // How many bits the integral part has; it is 0 or less for fractions.
        let length = self.with(IAdd, n.exponent, bits);
        let length = self.op(ISub, length, shift);
        let some = self.any_of(&digits);
        let one = self.number(1);
        let is_fraction = self.op(SLt, length, one);
        let limit = self.number(bits);
        let is_long = self.op(SLt, limit, length);
        let is_long = self.and(is_long, some);
        let down = self.op(ISub, limit, length);
        let down = self.with(UMin, down, bits - 1);
        let whole = self.right_exact(&normal, down);
        let zeros = vec![zero; most];
        let whole = self.choose(is_fraction, &zeros, &whole);
        // The largest magnitude: one more for negative numbers.
        let ones = self.number(u32::MAX);
        let mut largest = self.resized(&vec![ones; words], most);
        let mut least = largest.clone();
        if signed {
            largest[words - 1] = self.number(u32::MAX >> 1);
            least = self.resized(&vec![zero; words], most);
            least[words - 1] = self.number(SIGN);
        }
        let bound = self.choose(n.negative, &least, &largest);
        let above = self.below(&bound, &whole);
        let above = self.or(above, is_long);
        let above = self.or(above, n.infinite);
        let whole = self.choose(above, &bound, &whole);
        let opposite = if signed { self.opposite(&whole) } else { zeros.clone() };
        let whole = self.choose(n.negative, &opposite, &whole);
        let mut whole = self.choose(n.nan, &zeros, &whole);
        whole.truncate(words);
        whole
    }
}
