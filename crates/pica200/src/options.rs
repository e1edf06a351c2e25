//! Named choices for behaviour that no published hardware test settles, each with a documented default.

use shisa_diag::{choices, values};
use shisa_ir::FloatModel;
use shisa_ir::scalar::{Denormals, DotOrder, DotSteps, Numbers, Overflow, Rounding, Whole, WholeRange};

choices! {
    /// Choices that lifting, the evaluator and uploads obey.
    Options {
        /// The number format of arithmetic.
        "float" float: Numbers,
        /// Rounding of float24 sums, including those of `mad` and dot products.
        "add" add: Rounding,
        /// Rounding of float24 products, including those of `mad` and dot products.
        "mul" mul: Rounding,
        /// Rounding of the exact results of `rcp`, `rsq`, `ex2` and `lg2` to float24. The hardware's approximations
        /// are not known.
        "special" special: Rounding,
        /// The result of float24 operations that overflow.
        "overflow" overflow: Overflow,
        /// The treatment of denormals in float24 arithmetic.
        "denormals" denormals: Denormals,
        /// The order in which `dp3`, `dp4` and `dph` add.
        "dot-order" dot_order: DotOrder,
        /// Where float24 dot products round.
        "dot-steps" dot_steps: DotSteps,
        /// How `mova` converts to an integer.
        "mova" mova: Whole,
        /// The result of `mova` for numbers outside of a signed byte. An offset outside of it counts as zero.
        "mova-range" mova_range: WholeRange,
        /// The range of `aL`. An offset outside of a signed byte counts as zero in any case.
        "al-width" al_width: AlWidth,
        /// `aL` after a loop inside of another one, whether its iterations are over or `break` leaves it.
        "inner-al" inner_al: InnerAl,
        /// The effect of an `end` that is the last word of a loop on `aL`.
        "end-last" end_last: EndLast,
        /// The outcome of the comparison operators 6 and 7 of `cmp`.
        "cmp-6-7" cmp_6_7: Compare67,
        /// The effect of control leaving the words of the program.
        "past-end" past_end: PastEnd,
        /// The conversion of a uniform uploaded as binary32 to float24.
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
        /// Unlimited, as in emulators.
        Wide = "wide",
        /// From 0 to 255, then from 0 again.
        Byte = "byte",
    }
}
values! {
    /// `inner-al=began|stepped`.
    InnerAl {
        /// The value with which the inner loop began, as in Azahar's interpreter.
        Began = "began",
        /// The value of the iteration that ended, and a step, as after a loop that is not inside of another one.
        Stepped = "stepped",
    }
}
values! {
    /// `end-last=stop|step`.
    EndLast {
        /// `aL` does not change.
        Stop = "stop",
        /// The iteration ends first, which steps `aL`, as in Azahar's interpreter.
        Step = "step",
    }
}
values! {
    /// `past-end=refuse|end|zeros|wrap`.
    PastEnd {
        /// The run ends with a diagnostic.
        Refuse = "refuse",
        /// The program ends.
        End = "end",
        /// The rest of the 4096 words are zeros, which add with the first operand descriptor; the last is an end, as
        /// in emulators.
        Zeros = "zeros",
        /// The rest of the 4096 words are zeros; after the last word the first follows.
        Wrap = "wrap",
    }
}

impl Options {
    /// The choices of emulators: binary32, `aL` stepped by an `end` that is a loop's last word, and an end after 4095
    /// words.
    pub fn emulators() -> Options {
        Options {
            float: Numbers::F32,
            end_last: EndLast::Step,
            past_end: PastEnd::Zeros,
            ..Options::default()
        }
    }

    /// The arithmetic model.
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
