//! Samples of a pixel that a mask selects.

use crate::operand::AgxLift;
use crate::registers::{MOST_SAMPLES, OWN_SAMPLE};
use alloc::vec::Vec;
use shisa_ir::{Convert, Op, Reg, Swizzle, Type, Value};

/// The constant that a value is, looking through extensions.
pub(super) fn known(l: &AgxLift<'_, '_>, v: Value) -> Option<u64> {
    match l.nodes.op(v) {
        Op::Const(n) => Some(n),
        Op::Convert { op: Convert::ZeroExtend, a, .. } => known(l, a),
        _ => None,
    }
}

pub(super) fn read_word(l: &mut AgxLift<'_, '_>, reg: Reg) -> Value {
    l.read(reg, Swizzle::IDENTITY, Type::I32)
}

/// The number of the lane's own sample.
pub(super) fn own_sample(l: &mut AgxLift<'_, '_>) -> Value {
    match l.ctx.own_sample {
        Some(2..) => read_word(l, OWN_SAMPLE),
        _ => l.i32(0),
    }
}

/// Whether a mask has the lane's own sample.
pub(super) fn has_own(l: &mut AgxLift<'_, '_>, mask: Value) -> Value {
    let (own, one, zero) = (own_sample(l), l.i32(1), l.i32(0));
    let bit = l.lshr(mask, own);
    let bit = l.and(bit, one);
    l.ine(bit, zero)
}

/// For each sample whether a mask has it, unless that is known to be false. For a lane that runs for one sample, that
/// sample replaces the first.
pub(super) fn chosen(l: &mut AgxLift<'_, '_>, mask: Value) -> Vec<(u16, Value)> {
    if l.ctx.own_sample.is_some() {
        return Vec::from([(0, has_own(l, mask))]);
    }
    let known = known(l, mask).unwrap_or(u64::MAX);
    let may_be = |sample: &u16| known >> *sample & 1 != 0;
    let zero = l.i32(0);
    let mut list = Vec::new();
    for sample in (0..MOST_SAMPLES).filter(may_be) {
        let bit = l.i32(1 << sample);
        let bit = l.and(mask, bit);
        list.push((sample, l.ine(bit, zero)));
    }
    list
}
