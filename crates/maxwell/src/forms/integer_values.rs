//! What conversions of integers compute.

use super::conversion::{FROM, FROM_SIGNED, MAGNITUDE, NEGATED, PART, TO, TO_SIGNED, WIDE};
use super::convert_values::undefined;
use super::float_result::{give, give_integer, with_rule};
use super::set;
use crate::operand::{B, MaxwellLift};
use shisa_ir::{Convert, FloatRule, Round, Scalar, Type, Value};

/// An integer that is converted.
struct Integer {
    /// In 32 or 64 bits.
    value: Value,
    /// Whether it has a sign.
    signed: bool,
    /// Whether its opposite is meant, which has no room in the value.
    negated: bool,
}

/// Bits of an integer of this size.
fn width(size: u64) -> i32 {
    8 << size
}

/// The source. The magnitude and the opposite of an integer with a sign wrap around in its size; an integer without a
/// sign is its own magnitude, and its opposite is below zero. Tests that others ran on the hardware found it for I2F.
fn source(l: &mut MaxwellLift<'_, '_>) -> Integer {
    let word = l.insn.word;
    let (size, signed) = (FROM.get(&word), FROM_SIGNED.get(&word) != 0);
    let (magnitude, negated) = (MAGNITUDE.get(&word) != 0, NEGATED.get(&word) != 0);
    let value = part(l, size, signed);
    if !signed {
        return unsigned(l, value, size, negated);
    }
    let value = if magnitude { absolute(l, value) } else { value };
    let value = if negated { l.ineg(value) } else { value };
    let changed = (magnitude || negated) && size < 2;
    let value = if changed { extended(l, value, width(size), 0, true) } else { value };
    Integer { value, signed, negated: false }
}

/// An integer without a sign. The opposite of a part fits a word with a sign.
fn unsigned(l: &mut MaxwellLift<'_, '_>, value: Value, size: u64, negated: bool) -> Integer {
    match negated && size < 2 {
        true => Integer { value: l.ineg(value), signed: true, negated: false },
        false => Integer { value, signed: false, negated },
    }
}

/// The part of the source that is read, extended to 32 bits; a number of 64 bits has only its upper word in the
/// instruction.
fn part(l: &mut MaxwellLift<'_, '_>, size: u64, signed: bool) -> Value {
    let part = PART.get(&l.insn.word);
    let a = l.src(B);
    match size {
        WIDE => double(l, a),
        2 => {
            if part != 0 {
                undefined(l, "a whole register has no parts");
            }
            a
        }
        _ => {
            if size == 1 && part & 1 != 0 {
                undefined(l, "a half begins at byte 0 or 2");
            }
            extended(l, a, width(size), 8 * part as i32, signed)
        }
    }
}

fn double(l: &mut MaxwellLift<'_, '_>, a: Value) -> Value {
    if l.ty(a) != Type::I32 {
        return a;
    }
    let low = l.i32(0);
    let words = l.join(&[low, a]);
    l.pair(words, Scalar::I64)
}

/// `width` bits from `first` on, with their sign or zeros above.
fn extended(l: &mut MaxwellLift<'_, '_>, a: Value, width: i32, first: i32, signed: bool) -> Value {
    let [left, right] = [32 - width - first, 32 - width].map(|n| l.i32(n));
    let upper = l.shl(a, left);
    if signed { l.ashr(upper, right) } else { l.lshr(upper, right) }
}

fn absolute(l: &mut MaxwellLift<'_, '_>, a: Value) -> Value {
    let opposite = l.ineg(a);
    l.smax(a, opposite)
}

/// To a float. The opposite is rounded in the other direction before it is negated.
pub(super) fn i2f(l: &mut MaxwellLift<'_, '_>) {
    let a = source(l);
    let to = [Scalar::F32, Scalar::F16, Scalar::F32, Scalar::F64][TO.get(&l.insn.word) as usize & 3];
    let how = if a.signed { Convert::SignedToFloat } else { Convert::UnsignedToFloat };
    if !a.negated {
        let float = l.convert(how, a.value, to);
        return give(l, float);
    }
    let rule = FloatRule { round: opposite(l.rule.round), ..l.rule };
    let float = with_rule(l, rule, |l| l.convert(how, a.value, to));
    // The opposite of 0 has no sign.
    let zero = l.constant(to.by(1), 0);
    let float = with_rule(l, FloatRule::IEEE, |l| l.fsub(zero, float));
    give(l, float);
}

const fn opposite(round: Round) -> Round {
    match round {
        Round::Up => Round::Down,
        Round::Down => Round::Up,
        other => other,
    }
}

/// To another size. Without `.SAT` the low bits count, and zeros are above them even where the result has a sign; with
/// it the integer is clamped to the range of the result. Tests that others ran on the hardware found both.
pub(super) fn i2i(l: &mut MaxwellLift<'_, '_>) {
    let (to, from) = (TO.get(&l.insn.word), FROM.get(&l.insn.word));
    if to == WIDE || from == WIDE {
        return undefined(l, "integers of 64 bits are not converted to other sizes");
    }
    let a = source(l);
    let signed = TO_SIGNED.get(&l.insn.word) != 0;
    let integer = match set(l, ".SAT") {
        true => clamped(l, &a, width(to), signed),
        false => {
            let value = if a.negated { l.ineg(a.value) } else { a.value };
            if to < 2 { extended(l, value, width(to), 0, false) } else { value }
        }
    };
    give_integer(l, integer);
}

/// Clamped to the range of an integer of this width.
fn clamped(l: &mut MaxwellLift<'_, '_>, a: &Integer, width: i32, signed: bool) -> Value {
    let top = if signed { i32::MAX >> (32 - width) } else { (u32::MAX >> (32 - width)) as i32 };
    match (a.negated, a.signed, signed) {
        // At least as far below zero as the lowest number: it is the opposite of the largest magnitude.
        (true, ..) => {
            let lowest = l.i32(if signed { top.wrapping_add(1) } else { 0 });
            let magnitude = l.umin(a.value, lowest);
            l.ineg(magnitude)
        }
        (_, true, true) => {
            let (low, high) = (l.i32(!top), l.i32(top));
            let above = l.smax(a.value, low);
            l.smin(above, high)
        }
        (_, true, false) => {
            let (zero, top) = (l.i32(0), l.i32(top));
            let above = l.smax(a.value, zero);
            l.umin(above, top)
        }
        (_, false, _) => {
            let top = l.i32(top);
            l.umin(a.value, top)
        }
    }
}
