//! Sums, products, quotients and roots of numbers, exact or with a last bit for all that is lost.

use super::parts::{Number, Wide};
use super::words::{WORD, Words, highest};
use crate::*;
use alloc::vec;

/// Zero bits above and below the digits of the operands of a sum.
const ROOM: u32 = 2;
/// The exponent of zero in a sum: below all others.
const LEAST: i32 = -100_000;

impl Words<'_> {
    /// The sum, with digits of so many words.
    pub(super) fn sum_of(&mut self, a: &Number, b: &Number, words: usize) -> Number {
        use Binary::*;
        let ((a_digits, a_exponent), (b_digits, b_exponent)) = (self.raised(a, words), self.raised(b, words));
        let (above, equal) = (self.op(SLt, b_exponent, a_exponent), self.op(IEq, a_exponent, b_exponent));
        let less = self.below(&a_digits, &b_digits);
        let at_least = self.not(less);
        let first = self.and(equal, at_least);
        let first = self.or(above, first);
        let large = self.choose(first, &a_digits, &b_digits);
        let small = self.choose(first, &b_digits, &a_digits);
        let exponent = self.select(first, a_exponent, b_exponent);
        let other = self.select(first, b_exponent, a_exponent);
        let negative = self.select(first, a.negative, b.negative);
        let distance = self.op(ISub, exponent, other);
        let distance = self.with(UMin, distance, WORD * words as u32 - 1);
        let small = self.right(&small, distance);
        let differ = self.op(Xor, a.negative, b.negative);
        // The difference is the sum with the complement, and 1.
        let complement: Wide = small.iter().map(|word| self.not(*word)).collect();
        let small = self.choose(differ, &complement, &small);
        let carry = self.bit(differ);
        let digits = self.sum(&large, &small, carry);
        let some = self.any_of(&digits);
        let none = self.not(some);
        let cancelled = self.and(differ, none);
        let both = self.and(a.infinite, b.infinite);
        let opposite = self.and(both, differ);
        let nan = self.or(a.nan, b.nan);
        let nan = self.or(nan, opposite);
        let infinite = self.or(a.infinite, b.infinite);
        let of_infinite = self.select(a.infinite, a.negative, b.negative);
        let negative = self.select(infinite, of_infinite, negative);
        let finite = self.not(infinite);
        let cancelled = Some(self.and(cancelled, finite));
        Number { negative, nan, infinite, exponent, digits, cancelled }
    }

    /// Digits at the top of so many words but for [`ROOM`], and their exponent.
    fn raised(&mut self, n: &Number, words: usize) -> (Wide, Value) {
        use Binary::*;
        let zero = self.number(0);
        let added = words - n.digits.len();
        let mut digits = vec![zero; added];
        digits.extend(&n.digits);
        let (normal, shift) = self.normal(&digits);
        let some = self.any_of(&normal);
        let room = self.number(ROOM);
        let digits = self.right(&normal, room);
        let exponent = self.op(ISub, n.exponent, shift);
        let exponent = self.with(IAdd, exponent, ROOM.wrapping_sub(WORD * added as u32));
        let least = self.number(LEAST as u32);
        (digits, self.select(some, exponent, least))
    }

    /// The product, exact.
    pub(super) fn product_of(&mut self, rule: FloatRule, a: &Number, b: &Number) -> Number {
        let negative = self.op(Binary::Xor, a.negative, b.negative);
        let exponent = self.op(Binary::IAdd, a.exponent, b.exponent);
        let mut digits = self.product(&a.digits, &b.digits);
        let (a_some, b_some) = (self.any_of(&a.digits), self.any_of(&b.digits));
        let a_zero = self.zero(a, a_some);
        let b_zero = self.zero(b, b_some);
        let (first, second) = (self.and(a.infinite, b_zero), self.and(b.infinite, a_zero));
        let odd = self.or(first, second);
        let nan = self.or(a.nan, b.nan);
        let infinite = self.or(a.infinite, b.infinite);
        if !rule.zero_product {
            let nan = self.or(nan, odd);
            return Number { negative, nan, infinite, exponent, digits, cancelled: None };
        }
        let zero = self.number(0);
        let zeros = vec![zero; digits.len()];
        digits = self.choose(odd, &zeros, &digits);
        let even = self.not(odd);
        let (infinite, negative) = (self.and(infinite, even), self.and(negative, even));
        Number { negative, nan, infinite, exponent, digits, cancelled: None }
    }

    /// Whether a number is zero, given whether its digits are not.
    fn zero(&mut self, n: &Number, some: Value) -> Value {
        let special = self.or(n.nan, n.infinite);
        let some = self.or(special, some);
        self.not(some)
    }

    /// 1 divided by a number, with so many digits and one for all that is below.
    pub(super) fn reciprocal_of(&mut self, n: &Number, count: u32) -> Number {
        use Binary::*;
        let (divisor, shift) = self.normal(&n.digits);
        let some = self.any_of(&n.digits);
        let zero_divisor = self.zero(n, some);
        // Half of the divisor's unit at the top, so that a remainder that is doubled fits: both in a word more.
        let divisor = self.resized(&divisor, divisor.len() + 1);
        let zero = self.number(0);
        let mut rest = self.high(1 << (WORD - 1), n.digits.len());
        rest.push(zero);
        let (rest, digits) = self.divided(rest, &divisor, count);
        let lost = self.any_of(&rest);
        let lost = self.bit(lost);
        let digits = self.with_lowest(&digits, lost);
        // 2^(top) / (divisor * 2^-exponent): the first digit is that of 1, the last that of 2^-(count - 1), and one more
        // digit is below.
        let top = self.number((WORD * n.digits.len() as u32 - 1).wrapping_neg());
        let exponent = self.op(IAdd, top, shift);
        let exponent = self.op(ISub, exponent, n.exponent);
        let exponent = self.with(ISub, exponent, count);
        let special = self.or(zero_divisor, n.infinite);
        let zeros = vec![zero; digits.len()];
        let digits = self.choose(special, &zeros, &digits);
        Number { infinite: zero_divisor, exponent, digits, ..n.clone() }
    }

    /// Long division: so many digits of the quotient, and the rest. The dividend is less than twice the divisor.
    fn divided(&mut self, mut rest: Wide, divisor: &[Value], count: u32) -> (Wide, Wide) {
        let mut digits = self.no_digits(count);
        for _ in 0..count {
            let less = self.below(&rest, divisor);
            let fits = self.not(less);
            let difference = self.difference(&rest, divisor);
            rest = self.choose(fits, &difference, &rest);
            digits = self.appended(&digits, fits);
            rest = self.twice(&rest);
        }
        (rest, digits)
    }

    /// The square root of a positive number, with so many digits and one for all that is below.
    pub(super) fn root_of(&mut self, n: &Number, count: u32) -> Number {
        use Binary::*;
        let some = self.any_of(&n.digits);
        let zero_root = self.zero(n, some);
        let (normal, shift) = self.normal(&n.digits);
        let words = normal.len();
        // The highest digit has an even exponent, or one digit is above it.
        let top = self.with(IAdd, n.exponent, WORD * words as u32 - 1);
        let top = self.op(ISub, top, shift);
        let odd = self.with(And, top, 1);
        let even = self.op(ISub, top, odd);
        let is_odd = self.any(odd);
        let is_even = self.not(is_odd);
        let down = self.bit(is_even);
        let mut digits_left = self.resized(&normal, words);
        digits_left = self.right(&digits_left, down);
        let zero = self.number(0);
        let (mut rest, mut digits) = (vec![zero; words + 1], self.no_digits(count));
        for _ in 0..count {
            // The next two digits of the operand.
            for _ in 0..2 {
                let next = self.with(LShr, highest(&digits_left), WORD - 1);
                rest = self.twice(&rest);
                self.set_lowest(&mut rest, next);
                digits_left = self.twice(&digits_left);
            }
            // The root so far, 4 times, and 1.
            let two = self.twice(&digits);
            let mut trial = self.twice(&two);
            trial = self.resized(&trial, words + 1);
            let one = self.number(1);
            self.set_lowest(&mut trial, one);
            let less = self.below(&rest, &trial);
            let fits = self.not(less);
            let difference = self.difference(&rest, &trial);
            rest = self.choose(fits, &difference, &rest);
            digits = self.appended(&digits, fits);
        }
        let lost = self.any_of(&rest);
        let lost = self.bit(lost);
        let digits = self.with_lowest(&digits, lost);
        let half = self.with(AShr, even, 1);
        let exponent = self.with(ISub, half, count);
        let below_zero = self.not(zero_root);
        let below_zero = self.and(below_zero, n.negative);
        let nan = self.or(n.nan, below_zero);
        let zeros = vec![zero; digits.len()];
        let digits = self.choose(zero_root, &zeros, &digits);
        let positive = self.not(below_zero);
        let infinite = self.and(n.infinite, positive);
        Number { nan, infinite, exponent, digits, ..n.clone() }
    }

    /// Zero, with room for so many digits and two more.
    fn no_digits(&mut self, count: u32) -> Wide {
        let zero = self.number(0);
        vec![zero; (count + 2).div_ceil(WORD) as usize]
    }

    /// Twice the digits, and one more.
    fn appended(&mut self, digits: &[Value], one: Value) -> Wide {
        let one = self.bit(one);
        self.with_lowest(digits, one)
    }

    /// Twice the digits, and a lowest bit.
    fn with_lowest(&mut self, digits: &[Value], bit: Value) -> Wide {
        let mut twice = self.twice(digits);
        self.set_lowest(&mut twice, bit);
        twice
    }

    fn difference(&mut self, a: &[Value], b: &[Value]) -> Wide {
        let complement: Wide = b.iter().map(|word| self.not(*word)).collect();
        let one = self.number(1);
        self.sum(a, &complement, one)
    }

    /// Rounded to an integral number. The digits have two zero bits above them.
    pub(super) fn integral_of(&mut self, round: Round, n: &Number) -> Number {
        use Binary::*;
        let zero = self.number(0);
        let fraction = self.with(SLt, n.exponent, 0);
        let by = self.op(ISub, zero, n.exponent);
        let by = self.select(fraction, by, zero);
        let by = self.with(UMin, by, WORD * n.digits.len() as u32 - 1);
        // Two bits below: half, and all that is less.
        let twice = self.twice(&n.digits);
        let raised = self.twice(&twice);
        let cut = self.right(&raised, by);
        let (half, below) = (self.with(And, cut[0], 2), self.with(And, cut[0], 1));
        let (half, below) = (self.any(half), self.any(below));
        let two = self.number(2);
        // Without the last bit for what is lost: it is one of the two.
        let whole = self.right_exact(&cut, two);
        let away = self.away(round, n.negative, (whole[0], half, below));
        let away = self.bit(away);
        let digits = self.increased(&whole, away);
        let digits = self.choose(fraction, &digits, &n.digits);
        let exponent = self.select(fraction, zero, n.exponent);
        Number { exponent, digits, ..n.clone() }
    }
}
