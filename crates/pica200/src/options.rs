//! Named choices for what no published test of hardware settles, each with a documented default.

use shisa_diag::{choices, values};
use shisa_ir::FloatModel;
use shisa_ir::scalar::{Denormals, DotOrder, DotSteps, Numbers, Overflow, Rounding, Whole, WholeRange};

choices! {
    /// Choices that lifting, the evaluator and uploads obey.
    Options {
        /// The numbers of arithmetic.
        "float" float: Numbers,
        /// How float24 sums round, those of `mad` and dot products included.
        "add" add: Rounding,
        /// How float24 products round, those of `mad` and dot products included.
        "mul" mul: Rounding,
        /// How the exact results of `rcp`, `rsq`, `ex2` and `lg2` round to float24. What approximations the
        /// hardware makes is not known.
        "special" special: Rounding,
        /// What becomes of float24 results that are too large.
        "overflow" overflow: Overflow,
        /// What float24 arithmetic does to denormals.
        "denormals" denormals: Denormals,
        /// The order in which `dp3`, `dp4` and `dph` add.
        "dot-order" dot_order: DotOrder,
        /// Where float24 dot products round.
        "dot-steps" dot_steps: DotSteps,
        /// How `mova` makes a whole number.
        "mova" mova: Whole,
        /// What `mova` makes of numbers outside of a signed byte. An offset outside of it counts as zero.
        "mova-range" mova_range: WholeRange,
        /// How far `aL` counts. An offset outside of a signed byte counts as zero all the same.
        "al-width" al_width: AlWidth,
        /// When the comparison operators 6 and 7 of `cmp` hold.
        "cmp-6-7" cmp_6_7: Compare67,
        /// What happens when control leaves the words of the program.
        "past-end" past_end: PastEnd,
        /// How a uniform uploaded as binary32 becomes a float24.
        "upload" upload: Rounding,
    }
}

values! {
    /// `cmp-6-7=always|never`.
    Compare67 {
        /// Always.
        Always = "always",
        /// Never.
        Never = "never",
    }
}
values! {
    /// `al-width=wide|byte`.
    AlWidth {
        /// As far as it goes, as emulators have it.
        Wide = "wide",
        /// From 0 to 255, then from 0 again.
        Byte = "byte",
    }
}
values! {
    /// `past-end=refuse|end|zeros|wrap`.
    PastEnd {
        /// The run ends with a diagnostic.
        Refuse = "refuse",
        /// The program ends.
        End = "end",
        /// The rest of the 4096 words are zeros, which add by the first operand descriptor; the last is an
        /// end, as emulators have it.
        Zeros = "zeros",
        /// The rest of the 4096 words are zeros; after the last word the first follows.
        Wrap = "wrap",
    }
}

impl Options {
    /// What emulators compute: binary32, and an end after 4095 words.
    pub fn emulators() -> Options {
        Options { float: Numbers::F32, past_end: PastEnd::Zeros, ..Options::default() }
    }

    /// The model that arithmetic runs in.
    pub fn float_model(&self) -> FloatModel {
        FloatModel {
            numbers: self.float,
            add: self.add,
            mul: self.mul,
            special: self.special,
            overflow: self.overflow,
            denormals: self.denormals,
            dot_order: self.dot_order,
            dot_steps: self.dot_steps,
            whole: self.mova,
            whole_range: self.mova_range,
        }
    }
}
