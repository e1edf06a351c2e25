//! Options of every verb that reads programs.

use clap::ValueEnum;
use clap::builder::PossibleValue;
use shisa::ir::Stage;
use shisa::{Isa, Settings};
use std::sync::OnceLock;

/// Facts that a program or its source may not state.
#[derive(Debug, clap::Args)]
pub(crate) struct Reading {
    /// The instruction set; by default the content determines it. If given, bytes of no known kind are its code
    #[arg(long, value_enum)]
    pub(crate) isa: Option<IsaName>,
    /// The stage of a source or of single words, for AGAL; the first line or the name of a source may state it
    #[arg(long, value_enum)]
    pub(crate) stage: Option<StageName>,
    /// The version of AGAL, 1 to 4; by default that in the first line of a source, else 1
    #[arg(long)]
    pub(crate) version: Option<u32>,
    /// Accept sources that AGALMiniAssembler accepts, and assemble them to the same bytes
    #[arg(long)]
    pub(crate) lenient: bool,
}

impl Reading {
    /// The settings with these options.
    pub(crate) fn settings(&self, mut settings: Settings) -> Settings {
        settings.isa = self.isa.map(|isa| isa.0);
        settings.stage = self.stage.map(Into::into);
        settings.version = self.version;
        settings.lenient = self.lenient;
        settings
    }
}

/// An instruction set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct IsaName(pub(crate) Isa);

impl ValueEnum for IsaName {
    fn value_variants<'a>() -> &'a [Self] {
        static ALL: OnceLock<Vec<IsaName>> = OnceLock::new();
        ALL.get_or_init(|| Isa::ALL.iter().copied().map(IsaName).collect())
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let about = self.0.about();
        let (first, rest) = about.split_at_checked(1).unwrap_or_default();
        Some(PossibleValue::new(self.0.name()).help(first.to_uppercase() + rest))
    }
}

/// A stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum StageName {
    /// Once for each vertex
    Vertex,
    /// Once for each pixel
    Fragment,
}

impl From<StageName> for Stage {
    fn from(name: StageName) -> Self {
        match name {
            StageName::Vertex => Stage::Vertex,
            StageName::Fragment => Stage::Fragment,
        }
    }
}
