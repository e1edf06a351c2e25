//! Pure operations on one component as values, for engines.

use crate::{Binary, Convert, FloatModel, FloatRule, Scalar, Ternary, Unary};

/// A pure operation on one component, with everything that its result depends on except the operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    /// [`super::unary`] on a kind.
    Unary(Unary, FloatRule, Scalar),
    /// [`super::binary`] on a kind.
    Binary(Binary, FloatRule, Scalar),
    /// [`super::ternary`] on a kind.
    Ternary(Ternary, FloatRule, Scalar),
    /// [`super::convert`] from a kind to another.
    Convert(Convert, FloatRule, Scalar, Scalar),
}

impl Arithmetic {
    /// The result in a float model; operands beyond those of the operation are ignored.
    pub fn evaluate(self, model: FloatModel, [a, b, c]: [u64; 3]) -> u64 {
        match self {
            Arithmetic::Unary(op, rule, kind) => model.unary(op, rule, kind, a),
            Arithmetic::Binary(op, rule, kind) => model.binary(op, rule, kind, a, b),
            Arithmetic::Ternary(op, rule, kind) => model.ternary(op, rule, kind, a, b, c),
            Arithmetic::Convert(op, rule, from, to) => model.convert(op, rule, from, to, a),
        }
    }

    /// The operation without flushing, if flushing the operands has the same effect. The second result is whether the
    /// result must be flushed, too.
    pub fn unflushed(self) -> Option<(Arithmetic, bool)> {
        let plain =
            |rule: FloatRule| (rule.flush && !rule.model).then_some(FloatRule { flush: false, ..rule });
        match self {
            Arithmetic::Unary(Unary::FNeg | Unary::FAbs, ..) => None,
            Arithmetic::Unary(op, rule, Scalar::F32) => {
                Some((Arithmetic::Unary(op, plain(rule)?, Scalar::F32), true))
            }
            Arithmetic::Binary(op, rule, Scalar::F32) => {
                let exact = op.compares() || matches!(op, Binary::FMin | Binary::FMax);
                Some((Arithmetic::Binary(op, plain(rule)?, Scalar::F32), !exact))
            }
            Arithmetic::Ternary(Ternary::Fma, rule, Scalar::F32) => {
                Some((Arithmetic::Ternary(Ternary::Fma, plain(rule)?, Scalar::F32), true))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests;
