//! How floats are computed.

use shisa_ir::FloatModel;
use shisa_ir::scalar::Numbers;

/// How close results are to those of the evaluator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Precision {
    /// Equal in every bit.
    #[default]
    Exact,
    /// As fast as binary32 of this processor allows, with errors of a few ulp. float24 is computed as binary32, as
    /// emulators do.
    ///
    /// Results are those of [`Precision::Exact`] in binary32, but for these operations, where `ulp` is 2^-23 times the
    /// magnitude of the result:
    ///
    /// | operation | bound of the error |
    /// |---|---|
    /// | a product whose only use is a sum | the product is not rounded; the sum is rounded once, or both are |
    /// | a sum of products | each product and sum as above |
    /// | reciprocal square root | 2 ulp |
    /// | 2^x | 2 ulp |
    /// | base-2 logarithm | 3 ulp |
    /// | sine, cosine | 2^-22 up to a magnitude of 2^20; beyond it, results are from -1 to 1 |
    ///
    /// Operands of reciprocal square roots and logarithms that are denormals may count as zero. Powers below 2^-126 have
    /// an error of up to 2^-126. Rules on zeros, infinities and NaN hold: zero times infinity is zero where the
    /// instruction set says so, the minimum of a number and NaN is that of the instruction set. Which NaN a result is,
    /// and the sign of a zero that is a sum, may differ.
    Fast,
}

impl Precision {
    /// All precisions.
    pub const ALL: [Precision; 2] = [Precision::Exact, Precision::Fast];
}

/// How a program computes floats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Floats {
    /// The model of the instruction set.
    pub model: FloatModel,
    /// How close results are to those of the model.
    pub precision: Precision,
}

/// Exactly as a model says.
impl From<FloatModel> for Floats {
    fn from(model: FloatModel) -> Floats {
        Floats { model, precision: Precision::Exact }
    }
}

impl Floats {
    /// The model whose arithmetic is computed: that of emulators instead of float24 if results are [`Precision::Fast`].
    pub(crate) fn arithmetic(self) -> FloatModel {
        match self.precision {
            Precision::Exact => self.model,
            Precision::Fast => FloatModel { numbers: Numbers::F32, ..self.model },
        }
    }
}
