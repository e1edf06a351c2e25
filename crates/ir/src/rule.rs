//! How a float operation rounds and handles special values. The lift attaches the rule to the operation; every engine
//! follows it.

use crate::words::worded;

worded! {
    /// Rounding direction of an inexact result.
    #[derive(Default)]
    pub enum Round {
        /// To the nearest value, ties to even.
        #[default]
        Nearest = "rn",
        /// Toward zero.
        Zero = "rz",
        /// Toward +infinity.
        Up = "rp",
        /// Toward -infinity.
        Down = "rm",
    }
}

worded! {
    /// The result of minimum and maximum if an operand is NaN.
    #[derive(Default)]
    pub enum NanRule {
        /// Unspecified by the source: the evaluator returns the other operand, and a target may return either.
        #[default]
        Any = "any",
        /// The operand that is a number (IEEE minNum, maxNum).
        Number = "number",
        /// The second operand: `a < b ? a : b`.
        Second = "second",
    }
}

/// The rule of one float operation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FloatRule {
    /// Rounding of an inexact result.
    pub round: Round,
    /// Denormal operands and results are replaced by zero with the same sign.
    pub flush: bool,
    /// The result is clamped to 0 … 1; NaN becomes 0.
    pub saturate: bool,
    /// In products, zero times anything, infinity included, is zero (NaN operands stay NaN).
    pub zero_product: bool,
    /// The result of minimum and maximum if an operand is NaN.
    pub nan: NanRule,
    /// Rounding, flush and range follow the [`crate::FloatModel`] chosen at run time (PICA200's float24).
    pub model: bool,
}

impl FloatRule {
    /// IEEE arithmetic: round to nearest, denormals preserved.
    pub const IEEE: FloatRule = FloatRule {
        round: Round::Nearest,
        flush: false,
        saturate: false,
        zero_product: false,
        nan: NanRule::Any,
        model: false,
    };
}
