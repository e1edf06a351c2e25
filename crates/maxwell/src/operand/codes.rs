//! The condition codes as values.

use super::MaxwellLift;
use super::dest::{set_codes, wants_codes};
use crate::CODES;
use shisa_ir::{Reg, Swizzle, Type, Value};

/// The unit of the code that a result is zero.
pub(crate) const ZERO: u16 = 0;
/// The unit of the code that a result is negative.
pub(crate) const SIGN: u16 = 1;
/// The unit of the carry.
pub(crate) const CARRY: u16 = 2;
/// The unit of the code that a sum of signed numbers overflowed.
pub(crate) const OVERFLOW: u16 = 3;

/// One condition code as a truth value.
pub(crate) fn code(l: &mut MaxwellLift<'_, '_>, unit: u16) -> Value {
    l.read(Reg::new(CODES, unit), Swizzle::IDENTITY, Type::BOOL)
}

/// Sets the codes, if the instruction does, as operations do that have no carry: zero and sign follow the result;
/// carry and overflow are cleared.
///
/// envytools publishes this for Tesla's logic, products and comparisons, and tests that others ran on the hardware found
/// it for I2I. No later description is public.
pub(crate) fn set_codes_of(l: &mut MaxwellLift<'_, '_>, result: Value) {
    if wants_codes(l) {
        let never = l.constant(Type::BOOL, 0);
        set_codes_with(l, result, [never, never]);
    }
}

/// Sets the codes, if the instruction does: zero and sign follow the result; carry and overflow are given.
pub(crate) fn set_codes_with(l: &mut MaxwellLift<'_, '_>, result: Value, [carry, overflow]: [Value; 2]) {
    if wants_codes(l) {
        let ty = l.ty(result);
        let zero = l.constant(ty, 0);
        let (is_zero, negative) = (l.ieq(result, zero), l.slt(result, zero));
        set_codes(l, [is_zero, negative, carry, overflow]);
    }
}
