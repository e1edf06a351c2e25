//! Named choices for behaviour that no player settles, each with a documented default.

use shisa_diag::{choices, values};

choices! {
    /// Choices that lifting and the rules obey.
    Options {
        /// Restrictions that nothing but Flash's table of messages confirms for AGAL 2 to 4: conditions nested deeper
        /// than 4, two constants in a condition, a colour written twice, and others. Engines exist that do not apply
        /// them.
        "agal-rules" rules: Rules,
        /// The condition of `ifg`. Documentation and Adobe's translator say "greater or equal"; other players compare
        /// with "greater".
        "ifg" ifg: Ifg,
        /// The base of `pow` and the argument of `log`, `sqt` and `rsq` when negative.
        "neg-base" neg_base: NegBase,
        /// How the value of an index register is converted to an integer.
        "index" index: Index,
        /// The result of `nrm` for a zero vector.
        "nrm-zero" nrm_zero: NrmZero,
        /// How the offset byte of an indirect source is interpreted.
        "offset" offset: Offset,
        /// The source of the level of detail of `ted`.
        "ted-level" ted_level: TedLevel,
        /// The source of the level of detail of `tld`.
        "tld-level" tld_level: TldLevel,
    }
}

values! {
    /// `agal-rules=known|strict`.
    Rules {
        /// A breach is a warning.
        Known = "known",
        /// A breach is an error.
        Strict = "strict",
    }
}
values! {
    /// `ifg=ge|gt`.
    Ifg {
        /// a ≥ b.
        GreaterEqual = "ge",
        /// a > b.
        Greater = "gt",
    }
}
values! {
    /// `neg-base=abs|nan`.
    NegBase {
        /// Its magnitude, as in Direct3D 9.
        Abs = "abs",
        /// The result is NaN.
        Nan = "nan",
    }
}
values! {
    /// `index=trunc|round|floor`.
    Index {
        /// Toward zero.
        Trunc = "trunc",
        /// To the nearest, ties to even.
        Round = "round",
        /// Down.
        Floor = "floor",
    }
}
values! {
    /// `nrm-zero=nan|zero`.
    NrmZero {
        /// 0 times infinity: NaN, as on Direct3D 10 and later.
        Nan = "nan",
        /// Zero, as on Direct3D 9.
        Zero = "zero",
    }
}
values! {
    /// `offset=unsigned|signed`.
    Offset {
        /// 0 to 255.
        Unsigned = "unsigned",
        /// -128 to 127.
        Signed = "signed",
    }
}
values! {
    /// `ted-level=quad|w`.
    TedLevel {
        /// From the change of the coordinates across the quad, as `tex` does.
        Quad = "quad",
        /// From the fourth component of the coordinate.
        W = "w",
    }
}
values! {
    /// `tld-level=options|w`.
    TldLevel {
        /// From the number in the sampler options (the bias field).
        Options = "options",
        /// From the fourth component of the coordinate.
        W = "w",
    }
}
