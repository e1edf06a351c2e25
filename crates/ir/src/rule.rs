//! How a float operation rounds and treats special values. The lift states the rule on the operation;
//! every engine obeys it.

use crate::words::worded;

worded! {
    /// Direction of rounding of an inexact result.
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
    /// What minimum and maximum answer when an operand is NaN.
    #[derive(Default)]
    pub enum NanRule {
        /// The source does not say: the evaluator gives the other operand, a target may do as it likes.
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
    /// Denormal operands and results count as zero of the same sign.
    pub flush: bool,
    /// The result is clamped to 0 … 1; NaN becomes 0.
    pub saturate: bool,
    /// In products zero times anything, infinities included, is zero (NaN operands stay NaN).
    pub zero_product: bool,
    /// Minimum and maximum of NaN.
    pub nan: NanRule,
    /// Rounding, flush and range are those of the [`crate::FloatModel`] chosen at run time (PICA200's
    /// float24).
    pub model: bool,
}

impl FloatRule {
    /// IEEE arithmetic, round to nearest, denormals kept.
    pub const IEEE: FloatRule = FloatRule {
        round: Round::Nearest,
        flush: false,
        saturate: false,
        zero_product: false,
        nan: NanRule::Any,
        model: false,
    };
}
