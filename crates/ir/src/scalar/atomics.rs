//! The definition of atomic operations.

use super::{Arithmetic, FloatModel};
use crate::{Atomic, FloatRule, Scalar};

/// What an atomic operation stores where `there` was. All values have this kind.
pub fn stored(op: Atomic, model: FloatModel, kind: Scalar, there: u64, [value, expected]: [u64; 2]) -> u64 {
    let combined = |op, rule| Arithmetic::Binary(op, rule, kind).evaluate(model, [there, value, 0]);
    match op {
        Atomic::Combine(op) => combined(op, FloatRule::IEEE),
        Atomic::CombineFloats(op, rule) => combined(op, rule),
        Atomic::Increment if there >= value => 0,
        Atomic::Increment => there + 1,
        Atomic::Decrement if there == 0 || there > value => value,
        Atomic::Decrement => there - 1,
        Atomic::CompareExchange if there != expected => there,
        Atomic::Exchange | Atomic::CompareExchange => value,
    }
}
