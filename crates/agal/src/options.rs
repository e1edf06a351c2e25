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

/// A choice as people see it. The sentences begin with a blank, as doc comments do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Its key on the command line.
    pub key: &'static str,
    /// What is chosen.
    pub about: &'static str,
    /// The values as written on the command line with what they mean, the default first.
    pub values: &'static [(&'static str, &'static str)],
}

macro_rules! choice {
    ($(#[doc = $doc:literal])* $name:ident, $key:literal:
     #[doc = $first_doc:literal] $first:ident = $first_text:literal,
     $(#[doc = $value_doc:literal] $variant:ident = $text:literal),+) => {
        $(#[doc = $doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub enum $name { #[doc = $first_doc] #[default] $first, $(#[doc = $value_doc] $variant),+ }
        impl $name {
            /// The choice as people see it.
            pub const CHOICE: Choice = Choice {
                key: $key,
                about: concat!($($doc),*),
                values: &[($first_text, $first_doc), $(($text, $value_doc)),+],
            };

            /// From the text of a value.
            pub fn parse(text: &str) -> Option<Self> {
                match text { $first_text => Some(Self::$first), $($text => Some(Self::$variant),)+ _ => None }
            }
        }
    };
}

choice! {
    /// When `ifg` holds. Documentation and Adobe's translator say "greater or equal"; other players
    /// compare with "greater".
    Ifg, "ifg":
    /// a ≥ b.
    GreaterEqual = "ge",
    /// a > b.
    Greater = "gt"
}
choice! {
    /// The base of `pow` and the argument of `log`, `sqt` and `rsq` when negative.
    NegBase, "neg-base":
    /// Its magnitude counts, as in Direct3D 9.
    Abs = "abs",
    /// The result is NaN.
    Nan = "nan"
}
choice! {
    /// How an index register's value becomes a whole number.
    Index, "index":
    /// Toward zero.
    Trunc = "trunc",
    /// To the nearest, ties to even.
    Round = "round",
    /// Down.
    Floor = "floor"
}
choice! {
    /// What `nrm` of a zero vector gives.
    NrmZero, "nrm-zero":
    /// 0 times infinity: NaN, as on Direct3D 10 and later.
    Nan = "nan",
    /// Zero, as on Direct3D 9.
    Zero = "zero"
}
choice! {
    /// How the offset byte of an indirect source counts.
    Offset, "offset":
    /// 0 to 255.
    Unsigned = "unsigned",
    /// -128 to 127.
    Signed = "signed"
}
choice! {
    /// Where `ted` takes its level of detail from.
    TedLevel, "ted-level":
    /// From the change of the coordinates across the quad, as `tex` does.
    Quad = "quad",
    /// From the fourth component of the coordinate.
    W = "w"
}
choice! {
    /// Where `tld` takes its level of detail from.
    TldLevel, "tld-level":
    /// From the number in the sampler options (the bias field).
    Options = "options",
    /// From the fourth component of the coordinate.
    W = "w"
}

impl Options {
    /// Every choice.
    pub const CHOICES: &'static [Choice] = &[
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
