//! Operations on 64-bit integers.

use super::{Signature, TWO_WORDS};
use crate::syntax::Kind;
use shisa_ir::{Binary, Convert, Op};

/// An operation on 64-bit integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Int64Op {
    Add,
    Subtract,
    Multiply,
    /// By 64 and more: 0.
    ShiftLeft,
    /// As [`Int64Op::ShiftLeft`].
    ShiftRight,
    /// Copies the sign; by 64 and more as by 63.
    ShiftRightSigned,
    Equal,
    NotEqual,
    UnsignedLess,
    UnsignedLessEqual,
    SignedLess,
    SignedLessEqual,
    UnsignedMin,
    UnsignedMax,
    SignedMin,
    SignedMax,
    SignedToFloat,
    UnsignedToFloat,
    /// Toward zero, the nearest integer if the number is out of range; NaN is 0.
    FloatToSigned,
    /// As [`Int64Op::FloatToSigned`].
    FloatToUnsigned,
}

impl Int64Op {
    /// The operation that computes an operation of [`shisa_ir::is_int64_arithmetic`].
    pub(super) const fn of(op: Op) -> Option<Int64Op> {
        Some(match op {
            Op::Binary { op, .. } => match op {
                Binary::IAdd => Int64Op::Add,
                Binary::ISub => Int64Op::Subtract,
                Binary::IMul => Int64Op::Multiply,
                Binary::Shl => Int64Op::ShiftLeft,
                Binary::LShr => Int64Op::ShiftRight,
                Binary::AShr => Int64Op::ShiftRightSigned,
                Binary::IEq => Int64Op::Equal,
                Binary::INe => Int64Op::NotEqual,
                Binary::ULt => Int64Op::UnsignedLess,
                Binary::ULe => Int64Op::UnsignedLessEqual,
                Binary::SLt => Int64Op::SignedLess,
                Binary::SLe => Int64Op::SignedLessEqual,
                Binary::UMin => Int64Op::UnsignedMin,
                Binary::UMax => Int64Op::UnsignedMax,
                Binary::SMin => Int64Op::SignedMin,
                Binary::SMax => Int64Op::SignedMax,
                _ => return None,
            },
            Op::Convert { op, .. } => match op {
                Convert::SignedToFloat => Int64Op::SignedToFloat,
                Convert::UnsignedToFloat => Int64Op::UnsignedToFloat,
                Convert::FloatToSigned => Int64Op::FloatToSigned,
                Convert::FloatToUnsigned => Int64Op::FloatToUnsigned,
                _ => return None,
            },
            _ => return None,
        })
    }

    pub(super) const fn name(self) -> &'static str {
        match self {
            Int64Op::Add => "int64_add",
            Int64Op::Subtract => "int64_subtract",
            Int64Op::Multiply => "int64_multiply",
            Int64Op::ShiftLeft => "int64_shift_left",
            Int64Op::ShiftRight => "int64_shift_right",
            Int64Op::ShiftRightSigned => "int64_shift_right_signed",
            Int64Op::Equal => "int64_equal",
            Int64Op::NotEqual => "int64_not_equal",
            Int64Op::UnsignedLess => "int64_unsigned_less",
            Int64Op::UnsignedLessEqual => "int64_unsigned_less_equal",
            Int64Op::SignedLess => "int64_signed_less",
            Int64Op::SignedLessEqual => "int64_signed_less_equal",
            Int64Op::UnsignedMin => "int64_unsigned_min",
            Int64Op::UnsignedMax => "int64_unsigned_max",
            Int64Op::SignedMin => "int64_signed_min",
            Int64Op::SignedMax => "int64_signed_max",
            Int64Op::SignedToFloat => "int64_signed_to_float",
            Int64Op::UnsignedToFloat => "int64_unsigned_to_float",
            Int64Op::FloatToSigned => "int64_float_to_signed",
            Int64Op::FloatToUnsigned => "int64_float_to_unsigned",
        }
    }

    /// What the operation takes and yields.
    pub(super) const fn signature(self) -> Signature {
        let (argument, count, result) = match self {
            Int64Op::Equal
            | Int64Op::NotEqual
            | Int64Op::UnsignedLess
            | Int64Op::UnsignedLessEqual
            | Int64Op::SignedLess
            | Int64Op::SignedLessEqual => (TWO_WORDS, 2, (Kind::Bool, 1)),
            Int64Op::SignedToFloat | Int64Op::UnsignedToFloat => (TWO_WORDS, 1, (Kind::Float, 1)),
            Int64Op::FloatToSigned | Int64Op::FloatToUnsigned => ((Kind::Float, 1), 1, TWO_WORDS),
            _ => (TWO_WORDS, 2, TWO_WORDS),
        };
        Signature { argument, count, result }
    }
}
