//! Named choices for what no player can settle, each with a documented default.

/// Choices that lifting obeys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Options {
    /// `ifg=ge|gt`.
    pub ifg: Ifg,
    /// `neg-base=abs|nan`.
    pub neg_base: NegBase,
    /// `index=trunc|round|floor`.
    pub index: Index,
    /// `nrm-zero=nan|zero`.
    pub nrm_zero: NrmZero,
    /// `offset=unsigned|signed`.
    pub offset: Offset,
    /// `ted-level=quad|w`.
    pub ted_level: TedLevel,
    /// `tld-level=options|w`.
    pub tld_level: TldLevel,
}

macro_rules! choice {
    ($(#[$doc:meta])* $name:ident, $key:literal: $($(#[$vdoc:meta])* $variant:ident = $text:literal),+) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub enum $name { $($(#[$vdoc])* $variant),+ }
        impl $name {
            /// The key and the values as written on the command line, the default first.
            pub const CHOICE: (&'static str, &'static [&'static str]) = ($key, &[$($text),+]);

            /// From the text of a value.
            pub fn parse(text: &str) -> Option<Self> {
                match text { $($text => Some(Self::$variant),)+ _ => None }
            }
        }
    };
}

choice! {
    /// When `ifg` holds. Documentation and Adobe's translator say "greater or equal"; other players
    /// compare with "greater".
    Ifg, "ifg":
    /// a ≥ b.
    #[default] GreaterEqual = "ge",
    /// a > b.
    Greater = "gt"
}
choice! {
    /// The base of `pow` and the argument of `log`, `sqt` and `rsq` when negative.
    NegBase, "neg-base":
    /// Its magnitude counts, as in Direct3D 9.
    #[default] Abs = "abs",
    /// The result is NaN.
    Nan = "nan"
}
choice! {
    /// How an index register's value becomes a whole number.
    Index, "index":
    /// Toward zero.
    #[default] Trunc = "trunc",
    /// To the nearest, ties to even.
    Round = "round",
    /// Down.
    Floor = "floor"
}
choice! {
    /// What `nrm` of a zero vector gives.
    NrmZero, "nrm-zero":
    /// 0 times infinity: NaN, as on Direct3D 10 and later.
    #[default] Nan = "nan",
    /// Zero, as on Direct3D 9.
    Zero = "zero"
}
choice! {
    /// How the offset byte of an indirect source counts.
    Offset, "offset":
    /// 0 to 255.
    #[default] Unsigned = "unsigned",
    /// -128 to 127.
    Signed = "signed"
}
choice! {
    /// Where `ted` takes its level of detail from.
    TedLevel, "ted-level":
    /// From the change of the coordinates across the quad, as `tex` does.
    #[default] Quad = "quad",
    /// From the fourth component of the coordinate.
    W = "w"
}
choice! {
    /// Where `tld` takes its level of detail from.
    TldLevel, "tld-level":
    /// From the number in the sampler options (the bias field).
    #[default] Options = "options",
    /// From the fourth component of the coordinate.
    W = "w"
}

impl Options {
    /// Every key with its values, the default first.
    pub const CHOICES: &'static [(&'static str, &'static [&'static str])] = &[
        Ifg::CHOICE,
        NegBase::CHOICE,
        Index::CHOICE,
        NrmZero::CHOICE,
        Offset::CHOICE,
        TedLevel::CHOICE,
        TldLevel::CHOICE,
    ];

    /// Sets one choice; `false` when the key or the value does not exist.
    pub fn set(&mut self, key: &str, value: &str) -> bool {
        fn put<T>(at: &mut T, v: Option<T>) -> bool {
            v.map(|v| *at = v).is_some()
        }
        match key {
            "ifg" => put(&mut self.ifg, Ifg::parse(value)),
            "neg-base" => put(&mut self.neg_base, NegBase::parse(value)),
            "index" => put(&mut self.index, Index::parse(value)),
            "nrm-zero" => put(&mut self.nrm_zero, NrmZero::parse(value)),
            "offset" => put(&mut self.offset, Offset::parse(value)),
            "ted-level" => put(&mut self.ted_level, TedLevel::parse(value)),
            "tld-level" => put(&mut self.tld_level, TldLevel::parse(value)),
            _ => false,
        }
    }
}
