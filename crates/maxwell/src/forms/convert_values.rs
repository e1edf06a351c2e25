//! What conversions of floats compute.

use super::conversion::{FROM, MAKES_WHOLE, PART, TO, TO_SIGNED, TO_WHOLE_NUMBER, WIDE};
use super::float_result::{give, give_integer, with_own_nan, with_rule};
use super::{UNDEFINED, set};
use crate::operand::{B, MaxwellLift};
use shisa_diag::Diagnostic;
use shisa_ir::{Convert, FloatRule, Scalar, Type, Value};
use shisa_rows::UNSTATED;

/// The smallest and largest that a side of a conversion of floats can be.
const HALF: u64 = 1;

/// Refuses what no chip does.
pub(super) fn undefined(l: &mut MaxwellLift<'_, '_>, what: &str) {
    l.refuse(Diagnostic::error(UNDEFINED, what));
}

/// The source. `.FTZ` makes zeros of its denormals if it has 32 bits: PTX documents that it applies to no other size.
fn source(l: &mut MaxwellLift<'_, '_>) -> Value {
    let a = unflushed(l);
    flushed(l, a)
}

/// The source with its denormals.
fn unflushed(l: &mut MaxwellLift<'_, '_>) -> Value {
    let size = FROM.get(&l.insn.word);
    if size != HALF && PART.get(&l.insn.word) & 1 != 0 {
        undefined(l, "only a register of halves has parts");
    }
    l.src(B)
}

/// A float of 32 bits without denormals, where `.FTZ` is set.
fn flushed(l: &mut MaxwellLift<'_, '_>, v: Value) -> Value {
    if l.ty(v) != Type::F32 || !set(l, ".FTZ") {
        return v;
    }
    let rule = FloatRule { flush: true, ..FloatRule::IEEE };
    with_rule(l, rule, |l| {
        let one = l.f32(1.0, 1);
        l.fmul(v, one)
    })
}

/// Between sizes. Tests that others ran on a Switch found that the hardware has no conversion between halves and doubles,
/// saturates no doubles, and keeps denormals where it makes a double, with `.FTZ` too.
pub(super) fn f2f(l: &mut MaxwellLift<'_, '_>) {
    let (to, from) = (TO.get(&l.insn.word), FROM.get(&l.insn.word));
    if to.min(from) == HALF && to.max(from) == WIDE {
        undefined(l, "there is no conversion between a half and a double");
    }
    let a = if to == WIDE { unflushed(l) } else { source(l) };
    let rule = FloatRule { flush: false, saturate: false, ..l.rule };
    let to = [Scalar::F32, Scalar::F16, Scalar::F32, Scalar::F64][to as usize & 3];
    let resized = with_rule(l, rule, |l| l.convert(Convert::Float, a, to));
    finish(l, resized);
}

/// To a whole number of the same size, or the source with its sign and magnitude.
pub(super) fn f2f_whole(l: &mut MaxwellLift<'_, '_>) {
    let a = source(l);
    let value = if MAKES_WHOLE.get(&l.insn.word) != 0 { whole(l, a) } else { a };
    finish(l, value);
}

/// Neither side has a size.
pub(super) fn f2f_sizeless(l: &mut MaxwellLift<'_, '_>) {
    l.refuse(Diagnostic::error(UNSTATED, "no public source describes a conversion between floats of 8 bits"));
}

fn finish(l: &mut MaxwellLift<'_, '_>, value: Value) {
    let value = match l.ty(value).scalar {
        Scalar::F16 => with_own_nan(l, value),
        _ => flushed(l, value),
    };
    if !set(l, ".SAT") {
        return give(l, value);
    }
    if l.ty(value).scalar == Scalar::F64 || FROM.get(&l.insn.word) == WIDE {
        undefined(l, "doubles do not saturate");
    }
    let value = l.fsat(value);
    give(l, value);
}

/// The whole number that is nearest, below, above or towards zero.
fn whole(l: &mut MaxwellLift<'_, '_>, a: Value) -> Value {
    let how = TO_WHOLE_NUMBER.get(&l.insn.word);
    with_rule(l, FloatRule::IEEE, |l| match how {
        0 => l.fround(a),
        1 => l.ffloor(a),
        2 => l.fceil(a),
        _ => l.ftrunc(a),
    })
}

/// The whole number, clamped to the range of the integer, which is extended with its sign or zeros to 32 bits. Halves have
/// no conversion to 64 bits. PTX's conversion of a double to 16 bits has the same meaning as to other sizes; tests that
/// others ran on a Switch show it for NaN.
pub(super) fn f2i(l: &mut MaxwellLift<'_, '_>) {
    let (to, from) = (TO.get(&l.insn.word), FROM.get(&l.insn.word));
    if from == HALF && to == WIDE {
        undefined(l, "there is no conversion from a half to 64 bits");
    }
    let a = source(l);
    let number = whole(l, a);
    let (how, extends) = match TO_SIGNED.get(&l.insn.word) {
        0 => (Convert::FloatToUnsigned, Convert::ZeroExtend),
        _ => (Convert::FloatToSigned, Convert::SignExtend),
    };
    let integer = match to {
        HALF => {
            let short = l.convert(how, number, Scalar::I16);
            l.convert(extends, short, Scalar::I32)
        }
        WIDE => l.convert(how, number, Scalar::I64),
        _ => l.convert(how, number, Scalar::I32),
    };
    let integer = match to.max(from) {
        WIDE if to != HALF => with_nan(l, number, integer),
        _ => integer,
    };
    give_integer(l, integer);
}

/// NaN as an integer: 0, but the highest bit alone where a side has 64 bits. PTX documents it, and tests that others
/// ran on the hardware found it.
fn with_nan(l: &mut MaxwellLift<'_, '_>, number: Value, integer: Value) -> Value {
    let ty = l.ty(integer);
    let highest = l.constant(ty, 1 << (ty.scalar.bits() - 1));
    let is_number = l.feq(number, number);
    l.select(is_number, integer, highest)
}
