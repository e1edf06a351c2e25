//! Facts that a program or its source may not state.

use serde::{Deserialize, Deserializer};
use shisa::ir::Stage;
use shisa::{Isa, Settings};

/// Facts that a program or its source may not state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct Reading {
    /// The instruction set; by default the content determines it. If given, bytes of no known kind are its code
    #[cfg_attr(feature = "clap", arg(long, value_enum))]
    pub isa: Option<IsaName>,
    /// The stage of a source or of single words, for AGAL; the first line or the name of a source may state it
    #[cfg_attr(feature = "clap", arg(long, value_enum))]
    pub stage: Option<StageName>,
    /// The version of AGAL, 1 to 4; by default that in the first line of a source, else 1
    #[cfg_attr(feature = "clap", arg(long))]
    pub version: Option<u32>,
    /// Accept sources that AGALMiniAssembler accepts, and assemble them to the same bytes
    #[cfg_attr(feature = "clap", arg(long))]
    pub lenient: bool,
}

impl Reading {
    /// The settings with these options.
    pub fn settings(&self, mut settings: Settings) -> Settings {
        settings.isa = self.isa.map(|isa| isa.0);
        settings.stage = self.stage.map(Into::into);
        settings.version = self.version;
        settings.lenient = self.lenient;
        settings
    }
}

/// An instruction set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IsaName(pub Isa);

#[cfg(feature = "clap")]
impl clap::ValueEnum for IsaName {
    fn value_variants<'a>() -> &'a [Self] {
        static ALL: std::sync::OnceLock<Vec<IsaName>> = std::sync::OnceLock::new();
        ALL.get_or_init(|| Isa::ALL.iter().copied().map(IsaName).collect())
    }

    fn to_possible_value(&self) -> Option<clap::builder::PossibleValue> {
        let about = self.0.about();
        let (first, rest) = about.split_at_checked(1).unwrap_or_default();
        Some(clap::builder::PossibleValue::new(self.0.name()).help(first.to_uppercase() + rest))
    }
}

impl<'de> Deserialize<'de> for IsaName {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<IsaName, D::Error> {
        let name = String::deserialize(from)?;
        let found = Isa::ALL.iter().find(|isa| isa.name() == name);
        found.copied().map(IsaName).ok_or_else(|| {
            let names: Vec<&str> = Isa::ALL.iter().map(|isa| isa.name()).collect();
            serde::de::Error::custom(format!(
                "`{name}` is no instruction set; there are {}",
                names.join(", ")
            ))
        })
    }
}

/// A stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum StageName {
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
