//! Settings of every verb.

use crate::family::list::families;
use crate::{Isa, Language};
use shisa_diag::Limits;
use shisa_ir::Stage;

/// Declares [`Settings`].
macro_rules! settings {
    ($($(#[$doc:meta])* $feature:literal $module:ident $name:ident $language:ident $about:literal;)*) => {
        /// Limits and choices that every verb obeys.
        #[derive(Clone, Debug, Default, PartialEq, Eq)]
        #[non_exhaustive]
        pub struct Settings {
            /// The instruction set of the input. With `None` the content determines it. Otherwise nothing is guessed:
            /// bytes that are not a container of this instruction set are its code.
            pub isa: Option<Isa>,
            /// Limits on input and work.
            pub limits: Limits,
            /// The name of the file. Its extension can determine the language of a source (`.agalm`, `.pica`), and
            /// the part before the extension the stage (`fog.frag.agal`), if nothing else does.
            pub name: Option<String>,
            /// The language of a source. With `None` the file name or the first lines determine it.
            pub language: Option<Language>,
            /// The stage of a source or of bare code that does not state it.
            pub stage: Option<Stage>,
            /// The version of the instruction set, for a source or bare code that does not state it.
            pub version: Option<u32>,
            /// Accepts what other assemblers accept, and assembles it to the same bytes.
            pub lenient: bool,
            /// Assembles without applying the rules of the instruction set to the program.
            pub unchecked: bool,
            /// Lowers exchange between the lanes of a wave to operations of subgroups. [`Program::translate`] does so for
            /// languages that have them, and if the waves of a workgroup are full. Without it, or otherwise, lanes exchange
            /// values through shared memory.
            ///
            /// [`Program::translate`]: crate::Program::translate
            pub subgroups: bool,
            /// The engine that runs programs; one that does not take a program falls back to the one before it.
            #[cfg(feature = "eval")]
            pub engine: shisa_engines::Engine,
            /// How close results of another engine than the evaluator are to those of the evaluator.
            #[cfg(feature = "eval")]
            pub precision: shisa_engines::Precision,
            /// Lists pieces of programs, too: text in a container that is joined with other text.
            pub pieces: bool,
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
    /// The defaults: the content determines the kind of a file.
    pub fn new() -> Settings {
        Settings::default()
    }

    /// Settings for files of strangers, as a service gets them: the defaults with [`Limits::untrusted`].
    pub fn untrusted() -> Settings {
        Settings::new().limits(Limits::untrusted())
    }

    /// Sets the instruction set of the input.
    pub fn isa(mut self, isa: Isa) -> Settings {
        self.isa = Some(isa);
        self
    }

    /// Sets the limits on input and work.
    pub fn limits(mut self, limits: Limits) -> Settings {
        self.limits = limits;
        self
    }

    /// Sets the language of sources.
    pub fn language(mut self, language: Language) -> Settings {
        self.language = Some(language);
        self
    }

    /// Sets the stage of sources and bare code.
    pub fn stage(mut self, stage: Stage) -> Settings {
        self.stage = Some(stage);
        self
    }

    /// The choice of an engine.
    #[cfg(feature = "eval")]
    pub(crate) fn choice(&self) -> shisa_engines::Choice<'_> {
        shisa_engines::Choice::new(self.engine, &self.limits).with_precision(self.precision)
    }

    /// The stage in the file name: `vert` or `frag` before its extension.
    pub(crate) fn stage_of_name(&self) -> Option<Stage> {
        let (stem, _) = self.name.as_deref()?.rsplit_once('.')?;
        match stem.rsplit_once('.')?.1 {
            "vert" => Some(Stage::Vertex),
            "frag" => Some(Stage::Fragment),
            _ => None,
        }
    }
}
