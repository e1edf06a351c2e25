//! Options that name an instruction set and what a lone word needs besides.

use crate::stop::Stop;
use clap::ValueEnum;
use shisa::agal::Words;
use shisa::ir::Stage;

/// An instruction set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum IsaName {
    /// Flash and AIR
    Agal,
    /// The Nintendo 3DS
    Pica200,
}

impl From<IsaName> for shisa::Isa {
    fn from(name: IsaName) -> Self {
        match name {
            IsaName::Agal => shisa::Isa::Agal,
            IsaName::Pica200 => shisa::Isa::Pica200,
        }
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

/// What words are translated with.
pub(super) fn words(
    isa: Option<IsaName>,
    stage: Option<StageName>,
    version: Option<u32>,
) -> Result<Words, Stop> {
    match (isa, stage, version) {
        (Some(IsaName::Agal), Some(stage), Some(version @ 1..=4)) => Ok(Words::new(version, stage.into())),
        _ => Err(Stop::Failed("--words wants --isa agal --stage vertex|fragment --version 1..4".into())),
    }
}
