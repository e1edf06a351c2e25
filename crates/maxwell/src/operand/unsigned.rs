//! Sources without their sign, for operations that do more with it than negate.

use super::{Change, Constant, Lane, Magnitude, MaxwellLift, NotCached, Number, Same, Source};
use crate::Maxwell;
use core::any::Any;
use shisa_ir::Value;
use shisa_rows::{Kind, Operand, Slot};

/// The bit of an operand's field that makes it negative, if it has one.
fn sign_bit(op: &Operand<Maxwell>, kind: &'static dyn Kind<Maxwell>) -> Option<u32> {
    let last = op.field.width().checked_sub(1);
    let any: &dyn Any = kind;
    if let Some(cached) = any.downcast_ref::<NotCached>() {
        return sign_bit(op, cached.inner);
    }
    if let Some(source) = any.downcast_ref::<Source>() {
        return (source.negate && !source.inverts).then_some(8);
    }
    if let Some(constant) = any.downcast_ref::<Constant>() {
        return (constant.source.negate && !constant.source.inverts).then_some(19);
    }
    if let Some(lane) = any.downcast_ref::<Lane>() {
        return lane.negate.then_some(8);
    }
    if let Some(number) = any.downcast_ref::<Number>() {
        return last.filter(|_| number.change == Change::Negate);
    }
    if any.is::<Same>() {
        return last.map(|_| 0);
    }
    last.filter(|_| any.is::<Magnitude>())
}

/// The value of a source without its sign, and whether it is negative.
pub(crate) fn without_sign(l: &mut MaxwellLift<'_, '_>, slot: Slot) -> (Value, bool) {
    let form = l.insn.form();
    let bit = form.operand(slot).and_then(|op| Some((op, sign_bit(op, op.kind)?)));
    let Some((op, bit)) = bit else { return (l.src(slot), false) };
    let (word, bits) = (l.insn.word, op.field.get(&l.insn.word));
    if bits >> bit & 1 == 0 {
        return (l.src(slot), false);
    }
    op.field.set(&mut l.insn.word, bits & !(1 << bit));
    let value = l.src(slot);
    l.insn.word = word;
    (value, true)
}
