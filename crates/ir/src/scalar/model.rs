//! Float models, which resolve rules whose `model` flag is set.

use crate::{FloatRule, Scalar};
use shisa_diag::values;

values! {
    /// The number format of a model.
    Numbers {
        /// float24, as the hardware has it. No published hardware test determines how it rounds: see the other choices.
        F24 = "f24",
        /// binary32, as emulators compute: sums and products rounded to nearest, denormals preserved.
        F32 = "f32",
    }
}
values! {
    /// Rounding direction.
    Rounding {
        /// Toward zero.
        Truncate = "truncate",
        /// To the nearest, ties to even.
        Nearest = "nearest",
        /// To the nearest, ties away from zero.
        Away = "away",
    }
}
values! {
    /// The result of an overflow.
    Overflow {
        /// Infinity.
        Infinity = "infinity",
        /// The largest finite number.
        Largest = "largest",
    }
}
values! {
    /// How arithmetic treats denormals.
    Denormals {
        /// Denormal operands and results count as zero. Comparisons, minima and maxima see them.
        Flush = "flush",
        /// Denormals are preserved.
        Keep = "keep",
    }
}
values! {
    /// The order in which a dot product adds.
    DotOrder {
        /// x, y, z, w.
        Forward = "xyzw",
        /// w, z, y, x.
        Backward = "wzyx",
        /// x and y, z and w, then both sums.
        Pairs = "pairs",
    }
}
values! {
    /// Where a dot product rounds.
    DotSteps {
        /// Each product and each sum.
        Each = "each",
        /// Once: the exact sum of the exact products, in the direction of sums.
        Once = "once",
    }
}
values! {
    /// How a float is converted to an integer.
    Whole {
        /// Toward zero.
        Truncate = "truncate",
        /// Down.
        Floor = "floor",
        /// To the nearest, ties to even.
        Nearest = "nearest",
    }
}
values! {
    /// The result of a conversion to an integer outside the range of a signed byte.
    WholeRange {
        /// Only clamped to the range of the result type.
        Wide = "wide",
        /// Only its low eight bits count, sign-extended.
        Wrap = "wrap",
        /// It is clamped to -128 … 127.
        Clamp = "clamp",
    }
}

/// How rules whose `model` flag is set are resolved. What a rule states about products with zero and about NaN applies
/// in every model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct FloatModel {
    /// The number format.
    pub numbers: Numbers,
    /// Rounding of float24 sums.
    pub add: Rounding,
    /// Rounding of float24 products.
    pub mul: Rounding,
    /// Rounding of float24 reciprocals, roots, powers and logarithms, from the exact result.
    pub special: Rounding,
    /// Overflow of float24 results.
    pub overflow: Overflow,
    /// Treatment of float24 denormals.
    pub denormals: Denormals,
    /// Order of the additions of dot products.
    pub dot_order: DotOrder,
    /// Rounding steps of float24 dot products.
    pub dot_steps: DotSteps,
    /// Rounding of conversions to integers.
    pub whole: Whole,
    /// Range of conversions to integers.
    pub whole_range: WholeRange,
}

impl FloatModel {
    /// float24 with every choice at its default.
    pub const F24: FloatModel = FloatModel {
        numbers: Numbers::F24,
        add: Rounding::Truncate,
        mul: Rounding::Truncate,
        special: Rounding::Truncate,
        overflow: Overflow::Infinity,
        denormals: Denormals::Flush,
        dot_order: DotOrder::Forward,
        dot_steps: DotSteps::Each,
        whole: Whole::Truncate,
        whole_range: WholeRange::Wide,
    };

    /// binary32 as emulators compute it. Dot products add their products to +0.
    pub const F32: FloatModel = FloatModel { numbers: Numbers::F32, ..FloatModel::F24 };

    /// Whether the sum of a dot product starts from +0, so that products that are all -0 sum to +0, as in emulators.
    /// float24 has no -0.
    pub const fn dot_from_zero(self, rule: FloatRule) -> bool {
        rule.model && matches!(self.numbers, Numbers::F32)
    }

    /// Whether an operation with this rule on this kind computes in float24.
    pub const fn is_f24(self, rule: FloatRule, scalar: Scalar) -> bool {
        rule.model && matches!((self.numbers, scalar), (Numbers::F24, Scalar::F32))
    }
}

impl DotOrder {
    /// The sum of `start`, if there is one, and of `count` terms, up to four, by `add`, in the model's order.
    pub fn sums<T: Copy>(
        self,
        start: Option<T>,
        count: usize,
        term: impl Fn(usize) -> T,
        mut add: impl FnMut(T, T) -> T,
    ) -> Option<T> {
        if let (DotOrder::Pairs, 4) = (self, count) {
            let (low, high) = (add(term(0), term(1)), add(term(2), term(3)));
            let sum = add(low, high);
            return Some(match start {
                Some(start) => add(start, sum),
                None => sum,
            });
        }
        let mut sum = start;
        for n in 0..count {
            let next = term(if self == DotOrder::Backward { count - 1 - n } else { n });
            sum = Some(match sum {
                Some(sum) => add(sum, next),
                None => next,
            });
        }
        sum
    }
}
