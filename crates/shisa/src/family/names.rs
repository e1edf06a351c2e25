//! Instruction sets, languages and syntaxes by name.

use super::list::families;
use serde::Serialize;

/// Declares [`Isa`].
macro_rules! isa {
    ($($(#[$doc:meta])* $feature:literal $module:ident $name:ident $language:ident $about:literal;)*) => {
        /// An instruction set.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
        #[serde(rename_all = "lowercase")]
        #[non_exhaustive]
        pub enum Isa {
            $($(#[$doc])* $name,)*
        }

        impl Isa {
            /// All instruction sets, also those that this build leaves out.
            pub const ALL: &[Isa] = &[$(Isa::$name,)*];

            /// The instruction sets of this build.
            pub(crate) const BUILT: &[Isa] = &[$(#[cfg(feature = $feature)] Isa::$name,)*];

            /// The name on the command line and in JSON, such as `agal`.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Isa::$name => $feature,)*
                }
            }

            /// Its platform, such as `Flash and AIR`.
            pub const fn about(self) -> &'static str {
                match self {
                    $(Isa::$name => $about,)*
                }
            }

            /// The language of its listings.
            pub const fn language(self) -> Language {
                match self {
                    $(Isa::$name => Language::$language,)*
                }
            }
        }
    };
}

families!(isa);

/// The language of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Language {
    /// AGAL as AGALMiniAssembler accepts it, and our listings of it.
    Agal,
    /// AGALMacroAssembler's language.
    AgalMacros,
    /// picasso's language for PICA200, and our listings of shader binaries.
    Picasso,
    /// Our listings of Maxwell code: nvdisasm's text with control notation.
    Maxwell,
    /// Our listings of AGX code, and Mesa's text.
    Agx,
}

impl Language {
    /// All languages, also those of instruction sets that this build leaves out.
    pub const ALL: &[Language] =
        &[Language::Agal, Language::AgalMacros, Language::Picasso, Language::Maxwell, Language::Agx];

    /// The instruction set that sources in it are for.
    pub const fn isa(self) -> Isa {
        match self {
            Language::Agal | Language::AgalMacros => Isa::Agal,
            Language::Picasso => Isa::Pica200,
            Language::Maxwell => Isa::Maxwell,
            Language::Agx => Isa::Agx,
        }
    }

    /// The language that the extension of a file name states.
    pub(crate) fn of_name(name: &str) -> Option<Language> {
        match name.rsplit_once('.')?.1 {
            "agalm" => Some(Language::AgalMacros),
            "pica" => Some(Language::Picasso),
            "maxwell" => Some(Language::Maxwell),
            "agx" => Some(Language::Agx),
            _ => None,
        }
    }
}

/// The tool whose syntax is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Syntax {
    /// Ours, which every instruction set has, and which assembles to the same bytes.
    #[default]
    Default,
    /// The syntax of Adobe's C++ disassembler, for AGAL.
    Adobe,
    /// The syntax of nvdisasm 12, for Maxwell. It cannot show words that are not instructions.
    Nvdisasm,
    /// The syntax of Mesa 25.2's disassembler, for AGX.
    Mesa,
    /// The syntax of applegpu's disassembler, for AGX.
    Applegpu,
}

impl Syntax {
    /// The instruction set that the syntax is for; `None` for the default.
    pub const fn isa(self) -> Option<Isa> {
        match self {
            Syntax::Default => None,
            Syntax::Adobe => Some(Isa::Agal),
            Syntax::Nvdisasm => Some(Isa::Maxwell),
            Syntax::Mesa | Syntax::Applegpu => Some(Isa::Agx),
        }
    }
}
