//! Enumerations whose values have a word in the text form.

/// Defines an enumeration with a word for each value, and both directions between them.
macro_rules! worded {
    ($(#[$outer:meta])* pub enum $name:ident { $($(#[$doc:meta])* $value:ident = $word:expr,)* }) => {
        $(#[$outer])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $($(#[$doc])* $value,)* }

        impl $name {
            /// All values, in order.
            pub const ALL: &'static [$name] = &[$($name::$value,)*];

            /// The word in the text form of programs.
            pub const fn name(self) -> &'static str {
                match self { $($name::$value => $word,)* }
            }

            /// The value for a word of the text form.
            pub fn from_name(word: &str) -> Option<$name> {
                $name::ALL.iter().copied().find(|value| value.name() == word)
            }
        }
    };
}
pub(crate) use worded;

/// Gives each value of an enumeration a word, some followed by a number, with conversions in both directions.
macro_rules! numbered_words {
    ($name:ident { $($plain:ident = $word:literal,)* } { $($numbered:ident = $with:literal,)* }) => {
        impl $name {
            /// The word in the text form, and the number after it.
            pub(crate) const fn word(self) -> (&'static str, Option<u8>) {
                match self {
                    $($name::$plain => ($word, None),)*
                    $($name::$numbered(n) => ($with, Some(n)),)*
                }
            }

            /// The value for a word of the text form; `number` reads the number after it.
            pub(crate) fn from_word<E>(
                word: &str,
                number: impl FnOnce() -> Result<u8, E>,
            ) -> Result<Option<$name>, E> {
                Ok(match word {
                    $($word => Some($name::$plain),)*
                    $($with => Some($name::$numbered(number()?)),)*
                    _ => None,
                })
            }
        }
    };
}
pub(crate) use numbered_words;
