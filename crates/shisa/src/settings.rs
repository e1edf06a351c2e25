//! What applies to every verb.

use crate::family::list::families;
use crate::{Isa, Language};
use shisa_diag::Limits;
use shisa_ir::Stage;

/// Declares [`Settings`].
macro_rules! settings {
    ($($(#[$doc:meta])* $feature:literal $module:ident $name:ident $language:ident $about:literal;)*) => {
        /// Bounds and choices that every verb obeys.
        #[derive(Clone, Debug, Default, PartialEq, Eq)]
        #[non_exhaustive]
        pub struct Settings {
            /// The instruction set of what is opened. With `None` the content says it. With one, nothing is guessed:
            /// bytes of no container of this instruction set are its code.
            pub isa: Option<Isa>,
            /// Bounds on input and work.
            pub limits: Limits,
            /// The name of the file that is opened. Its ending can say in which language a source is (`.agalm`,
            /// `.pica`), and the part before the ending for which stage (`fog.frag.agal`), where nothing else does.
            pub name: Option<String>,
            /// The language of a source. With `None` the file's name or the first lines say it.
            pub language: Option<Language>,
            /// The stage of a source or of bare code that does not say it.
            pub stage: Option<Stage>,
            /// The version of the instruction set that a source or bare code is for, where it does not say it.
            pub version: Option<u32>,
            /// Assembles what other assemblers accept, to the same bytes.
            pub lenient: bool,
            /// Assembles without applying the rules of the instruction set to the program.
            pub unchecked: bool,
            $(
                #[cfg(feature = $feature)]
                #[doc = concat!("What concerns ", $feature, " alone.")]
                pub $module: crate::family::$module::Settings,
            )*
        }
    };
}

families!(settings);

impl Settings {
    /// The defaults: the content says what a file is.
    pub fn new() -> Settings {
        Settings::default()
    }

    /// Takes what is opened for this instruction set.
    pub fn isa(mut self, isa: Isa) -> Settings {
        self.isa = Some(isa);
        self
    }

    /// Bounds input and work.
    pub fn limits(mut self, limits: Limits) -> Settings {
        self.limits = limits;
        self
    }

    /// Takes sources to be in this language.
    pub fn language(mut self, language: Language) -> Settings {
        self.language = Some(language);
        self
    }

    /// Takes sources and bare code to be for this stage.
    pub fn stage(mut self, stage: Stage) -> Settings {
        self.stage = Some(stage);
        self
    }

    /// The stage that the file's name says: `vert` or `frag` before its ending.
    pub(crate) fn stage_of_name(&self) -> Option<Stage> {
        let (stem, _) = self.name.as_deref()?.rsplit_once('.')?;
        match stem.rsplit_once('.')?.1 {
            "vert" => Some(Stage::Vertex),
            "frag" => Some(Stage::Fragment),
            _ => None,
        }
    }
}
