//! Results of floats: how they go to registers, and the condition codes that they set.

use super::suffixes;
use crate::operand::{D, MaxwellLift, set_codes, set_codes_of, wants_codes};
use shisa_diag::Diagnostic;
use shisa_ir::{Convert, FloatRule, Op, Scalar, Type, Value};
use shisa_rows::Slot;

/// A source as a float: registers and constants that operands take unchanged are words.
pub(super) fn float(l: &mut MaxwellLift<'_, '_>, slot: Slot) -> Value {
    let v = l.src(slot);
    if l.ty(v) == Type::I32 { l.convert(Convert::Bits, v, Scalar::F32) } else { v }
}

/// A source as a word, without any change of its bits.
pub(super) fn word(l: &mut MaxwellLift<'_, '_>, slot: Slot) -> Value {
    let v = l.src(slot);
    if l.ty(v) == Type::I32 { v } else { l.convert(Convert::Bits, v, Scalar::I32) }
}

/// Zero, of a value's type.
pub(super) fn zero(l: &mut MaxwellLift<'_, '_>, like: Value) -> Value {
    let ty = l.ty(like);
    l.constant(ty, 0)
}

/// Refuses suffixes that no chip defines.
pub(super) fn refuse_invalid(l: &mut MaxwellLift<'_, '_>) {
    if suffixes(&l.insn).any(|suffix| suffix.starts_with(".INVALID")) {
        l.refuse(Diagnostic::error(super::UNDEFINED, "no chip defines this mode"));
    }
}

/// Runs `build` with this rule.
pub(super) fn with_rule<T>(
    l: &mut MaxwellLift<'_, '_>,
    rule: FloatRule,
    build: impl FnOnce(&mut MaxwellLift<'_, '_>) -> T,
) -> T {
    let before = core::mem::replace(&mut l.rule, rule);
    let built = build(l);
    l.rule = before;
    built
}

/// Halves where NaN has all bits but the sign set: PTX documents this pattern, and tests that others ran on the hardware
/// found it.
pub(super) fn with_own_nan(l: &mut MaxwellLift<'_, '_>, halves: Value) -> Value {
    let ty = l.ty(halves);
    let (nan, is_number) = (l.constant(ty, 0x7fff), l.feq(halves, halves));
    l.select(is_number, halves, nan)
}

/// Writes a float of any size. A half goes to the lower half of a register, whose upper half becomes zero.
pub(super) fn give(l: &mut MaxwellLift<'_, '_>, value: Value) {
    refuse_invalid(l);
    if wants_codes(l) {
        float_codes(l, value);
    }
    let bits = match l.ty(value).scalar {
        Scalar::F64 => words(l, value),
        Scalar::F16 => {
            let half = l.convert(Convert::Bits, value, Scalar::I16);
            l.convert(Convert::ZeroExtend, half, Scalar::I32)
        }
        _ => l.convert(Convert::Bits, value, Scalar::I32),
    };
    l.set(D, bits);
}

/// Writes an integer of 32 or 64 bits.
pub(super) fn give_integer(l: &mut MaxwellLift<'_, '_>, value: Value) {
    refuse_invalid(l);
    set_codes_of(l, value);
    let bits = if l.ty(value) == Type::I32 { value } else { words(l, value) };
    l.set(D, bits);
}

/// The two words of a value of 64 bits.
fn words(l: &mut MaxwellLift<'_, '_>, value: Value) -> Value {
    let pair = Op::Convert { op: Convert::Pair, rule: FloatRule::IEEE, a: value };
    l.push(pair, Scalar::I32.by(2))
}

/// The codes of a float: "zero" of zero and NaN, "sign" of what is below zero and NaN, neither carry nor overflow. So
/// envytools documents them for the first chips (Tesla), and the conditions on them, which Maxwell still has, agree:
/// `.NAN` means that both hold, `.EQ` that only "zero" does.
fn float_codes(l: &mut MaxwellLift<'_, '_>, value: Value) {
    let zero = zero(l, value);
    let (below, above, not_below) = (l.flt(value, zero), l.flt(zero, value), l.fle(zero, value));
    let differs = l.or(below, above);
    let (zero, sign) = (l.not(differs), l.not(not_below));
    let no = l.constant(Type::BOOL, 0);
    set_codes(l, [zero, sign, no, no]);
}
