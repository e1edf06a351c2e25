//! Sums of integers with carry, and the condition codes that they set.
//!
//! A subtraction adds the complement and one, so its carry is set where nothing is borrowed. `.X` takes the carry of an
//! earlier instruction in place of that one, and joins zero with the earlier zero: ptxas compiles 64-bit comparisons and
//! negations to pairs that need both. envytools describes Tesla's sums, with the same carry and overflow.

use super::set;
use crate::operand::{CARRY, D, MaxwellLift, ZERO, code, set_codes, wants_codes, without_sign};
use shisa_ir::Value;
use shisa_rows::Slot;

/// A summand before its sign is applied.
#[derive(Clone, Copy)]
pub(super) struct Summand {
    /// The value without its sign.
    pub(super) value: Value,
    /// Whether it is subtracted.
    pub(super) negative: bool,
}

impl Summand {
    /// A summand that is added.
    pub(super) const fn plus(value: Value) -> Summand {
        Summand { value, negative: false }
    }

    /// A source.
    pub(super) fn source(l: &mut MaxwellLift<'_, '_>, slot: Slot) -> Summand {
        let (value, negative) = without_sign(l, slot);
        Summand { value, negative }
    }

    /// The value with its sign.
    pub(super) fn signed(self, l: &mut MaxwellLift<'_, '_>) -> Value {
        if self.negative { l.ineg(self.value) } else { self.value }
    }

    /// What an adder takes: the complement of what is subtracted.
    pub(super) fn bits(self, l: &mut MaxwellLift<'_, '_>) -> Value {
        if self.negative { l.not(self.value) } else { self.value }
    }
}

/// What an adder gives. The carry and the overflow are computed only where they are asked for.
#[derive(Clone, Copy)]
pub(super) struct Sum {
    /// The lower 32 bits.
    pub(super) value: Value,
    numbers: [Value; 2],
    /// The sum of both numbers, and what is added to it.
    more: Option<(Value, Value)>,
}

impl Sum {
    /// The carry.
    pub(super) fn carry(self, l: &mut MaxwellLift<'_, '_>) -> Value {
        // A sum below one of its parts has wrapped around; of two sums at most one does.
        let [a, _] = self.numbers;
        let Some((partial, more)) = self.more else { return l.ult(self.value, a) };
        let (first, second) = (l.ult(partial, a), l.ult(self.value, more));
        l.or(first, second)
    }

    /// Whether the sum of signed numbers does not fit 32 bits: both have the sign that the sum has not.
    pub(super) fn overflow(self, l: &mut MaxwellLift<'_, '_>) -> Value {
        let [da, db] = self.numbers.map(|number| l.xor(number, self.value));
        let (both, zero) = (l.and(da, db), l.i32(0));
        l.slt(both, zero)
    }
}

/// Adds two numbers and possibly a small one.
pub(super) fn added(l: &mut MaxwellLift<'_, '_>, a: Value, b: Value, more: Option<Value>) -> Sum {
    let partial = l.iadd(a, b);
    let value = more.map_or(partial, |more| l.iadd(partial, more));
    Sum { value, numbers: [a, b], more: more.map(|more| (partial, more)) }
}

/// The carry of an earlier instruction as a number.
pub(super) fn carry_in(l: &mut MaxwellLift<'_, '_>) -> Value {
    let (carry, one, zero) = (code(l, CARRY), l.i32(1), l.i32(0));
    l.select(carry, one, zero)
}

/// What the negation of a number of 64 bits adds to the complement of its upper half: one, if the lower half is zero.
pub(super) fn borrowed(l: &mut MaxwellLift<'_, '_>, low: Value) -> Value {
    let (one, zero) = (l.i32(1), l.i32(0));
    let none = l.ieq(low, zero);
    l.select(none, one, zero)
}

/// What is added to two summands: the carry where the suffix asks for it, else one for each that is subtracted, and
/// `more`; `None` for nothing.
fn addition(l: &mut MaxwellLift<'_, '_>, summands: [Summand; 2], more: i32) -> Option<Value> {
    let carry = set(l, ".X").then(|| carry_in(l));
    let negative = summands.iter().filter(|summand| summand.negative && carry.is_none()).count();
    let number = more + negative as i32;
    let number = (number != 0).then(|| l.i32(number));
    match (carry, number) {
        (Some(carry), Some(number)) => Some(l.iadd(carry, number)),
        (carry, number) => carry.or(number),
    }
}

/// Writes the sum of two summands, and the codes.
pub(super) fn add(l: &mut MaxwellLift<'_, '_>, summands: [Summand; 2], more: i32) {
    if wants_codes(l) || set(l, ".X") || set(l, ".SAT") {
        let sum = full(l, summands, more);
        return finish(l, sum);
    }
    let [a, b] = summands.map(|summand| summand.signed(l));
    let mut sum = l.iadd(a, b);
    if more != 0 {
        let more = l.i32(more);
        sum = l.iadd(sum, more);
    }
    l.set(D, sum);
}

/// The sum of two summands with its carry.
pub(super) fn full(l: &mut MaxwellLift<'_, '_>, summands: [Summand; 2], more: i32) -> Sum {
    let more = addition(l, summands, more);
    let [a, b] = summands.map(|summand| summand.bits(l));
    added(l, a, b, more)
}

/// Writes a sum, saturated where the suffix says so, and the codes.
pub(super) fn finish(l: &mut MaxwellLift<'_, '_>, sum: Sum) {
    let mut value = sum.value;
    if set(l, ".SAT") {
        // The sign of an overflowed sum is wrong.
        let (all, least) = (l.i32(31), l.i32(i32::MIN));
        let signs = l.ashr(value, all);
        let limit = l.xor(signs, least);
        let overflow = sum.overflow(l);
        value = l.select(overflow, limit, value);
    }
    finish_as(l, sum, value);
}

/// Writes a value that a sum became, and the codes.
pub(super) fn finish_as(l: &mut MaxwellLift<'_, '_>, sum: Sum, value: Value) {
    l.set(D, value);
    if wants_codes(l) {
        let flags = [sum.carry(l), sum.overflow(l)];
        finish_codes(l, value, flags);
    }
}

/// Sets the codes: zero and sign follow the value, and `.X` joins zero with the earlier one; carry and overflow are
/// given.
pub(super) fn finish_codes(l: &mut MaxwellLift<'_, '_>, value: Value, [carry, overflow]: [Value; 2]) {
    let zero = l.i32(0);
    let (mut is_zero, negative) = (l.ieq(value, zero), l.slt(value, zero));
    if set(l, ".X") {
        let old = code(l, ZERO);
        is_zero = l.and(is_zero, old);
    }
    set_codes(l, [is_zero, negative, carry, overflow]);
}
