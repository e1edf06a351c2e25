//! Operations on doubles.

use super::{Signature, TWO_WORDS};
use crate::syntax::Kind;
use shisa_ir::{Binary, Convert, Op, Ternary};

/// An operation on doubles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DoubleOp {
    Add,
    Subtract,
    Multiply,
    Fma,
    Equal,
    /// Also of NaN.
    NotEqual,
    Less,
    LessEqual,
    FromSigned,
    FromUnsigned,
    /// Toward zero, the nearest integer if the number is out of range; NaN is 0.
    ToSigned,
    /// As [`DoubleOp::ToSigned`].
    ToUnsigned,
}

impl DoubleOp {
    /// The operation that computes an operation of [`shisa_ir::is_double_arithmetic`].
    pub(super) const fn of(op: Op) -> Option<DoubleOp> {
        Some(match op {
            Op::Binary { op, .. } => match op {
                Binary::FAdd => DoubleOp::Add,
                Binary::FSub => DoubleOp::Subtract,
                Binary::FMul => DoubleOp::Multiply,
                Binary::FEq => DoubleOp::Equal,
                Binary::FNe => DoubleOp::NotEqual,
                Binary::FLt => DoubleOp::Less,
                Binary::FLe => DoubleOp::LessEqual,
                _ => return None,
            },
            Op::Ternary { op: Ternary::Fma, .. } => DoubleOp::Fma,
            Op::Convert { op, .. } => match op {
                Convert::SignedToFloat => DoubleOp::FromSigned,
                Convert::UnsignedToFloat => DoubleOp::FromUnsigned,
                Convert::FloatToSigned => DoubleOp::ToSigned,
                Convert::FloatToUnsigned => DoubleOp::ToUnsigned,
                _ => return None,
            },
            _ => return None,
        })
    }

    pub(super) const fn name(self) -> &'static str {
        match self {
            DoubleOp::Add => "double_add",
            DoubleOp::Subtract => "double_subtract",
            DoubleOp::Multiply => "double_multiply",
            DoubleOp::Fma => "double_fma",
            DoubleOp::Equal => "double_equal",
            DoubleOp::NotEqual => "double_not_equal",
            DoubleOp::Less => "double_less",
            DoubleOp::LessEqual => "double_less_equal",
            DoubleOp::FromSigned => "double_from_signed",
            DoubleOp::FromUnsigned => "double_from_unsigned",
            DoubleOp::ToSigned => "double_to_signed",
            DoubleOp::ToUnsigned => "double_to_unsigned",
        }
    }

    /// What the operation takes and yields.
    pub(super) const fn signature(self) -> Signature {
        let (argument, count, result) = match self {
            DoubleOp::Equal | DoubleOp::NotEqual | DoubleOp::Less | DoubleOp::LessEqual => {
                (TWO_WORDS, 2, (Kind::Bool, 1))
            }
            DoubleOp::FromSigned | DoubleOp::FromUnsigned => ((Kind::Uint, 1), 1, TWO_WORDS),
            DoubleOp::ToSigned | DoubleOp::ToUnsigned => (TWO_WORDS, 1, (Kind::Uint, 1)),
            DoubleOp::Fma => (TWO_WORDS, 3, TWO_WORDS),
            _ => (TWO_WORDS, 2, TWO_WORDS),
        };
        Signature { argument, count, result }
    }
}
