//! Loops over all lanes. Tests check that they yield the same bits as `shisa_ir::scalar`.
//!
//! [`Loop::of`] chooses the loop of an operation. An operation without one runs lane by lane through
//! `shisa_ir::scalar`.

mod binary;
mod convert;
mod lanes;
pub(crate) mod moves;
mod ternary;
#[cfg(test)]
mod tests;
mod unary;

pub(crate) use lanes::Loop;

use shisa_ir::scalar::Arithmetic;
use shisa_ir::{FloatModel, Ternary};

impl Loop {
    /// The loop of an operation whose operands and result have at most 32 bits, if there is one.
    pub(crate) fn of(op: Arithmetic, model: FloatModel) -> Option<Loop> {
        match op {
            Arithmetic::Unary(_, rule, kind) if model.is_f24(rule, kind) => None,
            Arithmetic::Binary(op, rule, kind) if model.is_f24(rule, kind) && !op.compares() => None,
            Arithmetic::Ternary(Ternary::Fma, rule, kind) if model.is_f24(rule, kind) => None,
            Arithmetic::Convert(_, rule, _, to) if model.is_f24(rule, to) => None,
            Arithmetic::Unary(op, rule, kind) => unary::of(op, rule, kind),
            Arithmetic::Binary(op, rule, kind) => binary::of(op, rule, kind),
            Arithmetic::Ternary(op, rule, kind) => ternary::of(op, rule, kind),
            Arithmetic::Convert(op, rule, from, to) => convert::of(op, rule, from, to, model),
        }
    }
}
