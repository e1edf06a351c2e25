//! Named choices: behaviour that the hardware's documentation leaves open. A key and a value set a choice; each has a
//! documented default.

/// A choice, for the help of the command line. The sentences begin with a blank, as doc comments do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Its key on the command line.
    pub key: &'static str,
    /// What the choice decides.
    pub about: &'static str,
    /// The values as written on the command line, each with its meaning, the default first.
    pub values: &'static [(&'static str, &'static str)],
}

/// Declares an enumeration whose variants have texts: `VALUES` lists them, `parse` converts a text to a variant. The
/// first variant is the default.
#[macro_export]
macro_rules! values {
    ($(#[doc = $doc:literal])* $name:ident {
        $(#[doc = $first_doc:literal])+ $first:ident = $first_text:literal
        $(, $(#[doc = $value_doc:literal])+ $variant:ident = $text:literal)* $(,)?
    }) => {
        $(#[doc = $doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub enum $name { $(#[doc = $first_doc])+ #[default] $first, $($(#[doc = $value_doc])+ $variant),* }
        impl $name {
            /// The first variant.
            pub const DEFAULT: Self = Self::$first;

            /// The values as written on the command line, each with its meaning, the default first.
            pub const VALUES: &'static [(&'static str, &'static str)] =
                &[($first_text, concat!($($first_doc),+)), $(($text, concat!($($value_doc),+))),*];

            /// The variant of a text.
            pub fn parse(text: &str) -> Option<Self> {
                match text { $first_text => Some(Self::$first), $($text => Some(Self::$variant),)* _ => None }
            }
        }
    };
}

/// Declares a structure of choices, each with a key and an enumeration that [`values!`] declares: `CHOICES` lists them,
/// `set` sets one.
#[macro_export]
macro_rules! choices {
    ($(#[doc = $doc:literal])* $name:ident {
        $($(#[doc = $about:literal])+ $key:literal $field:ident: $values:ident),+ $(,)?
    }) => {
        $(#[doc = $doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub struct $name { $($(#[doc = $about])+ pub $field: $values),+ }
        impl $name {
            /// The default of every choice.
            pub const DEFAULT: Self = $name { $($field: $values::DEFAULT),+ };

            /// All choices.
            pub const CHOICES: &'static [$crate::Choice] = &[$($crate::Choice {
                key: $key,
                about: concat!($($about),+),
                values: $values::VALUES,
            }),+];

            /// Sets one choice; returns `false` if the key or the value does not exist.
            pub fn set(&mut self, key: &str, value: &str) -> bool {
                match key {
                    $($key => $values::parse(value).map(|v| self.$field = v).is_some(),)+
                    _ => false,
                }
            }
        }
    };
}
