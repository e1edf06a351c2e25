//! Options that name an instruction set and what a lone word needs besides.

use crate::stop::Stop;
use clap::ValueEnum;
use shisa::diag::Diagnostic;
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

/// What lone words are translated with.
#[derive(Debug)]
pub(super) enum Words {
    /// Tokens.
    Agal(shisa::agal::Words),
    /// `WORD:DESCRIPTOR`.
    Pica200(shisa::pica200::Words),
}

impl Words {
    /// By the options.
    pub(super) fn new(
        isa: Option<IsaName>,
        stage: Option<StageName>,
        version: Option<u32>,
    ) -> Result<Words, Stop> {
        match (isa, stage, version) {
            (Some(IsaName::Agal), Some(stage), Some(version @ 1..=4)) => {
                Ok(Words::Agal(shisa::agal::Words::new(version, stage.into())))
            }
            (Some(IsaName::Pica200), None, None) => Ok(Words::Pica200(shisa::pica200::Words::default())),
            _ => {
                let wants = "--isa pica200, or --isa agal --stage vertex|fragment --version 1..4";
                Err(Stop::Failed(format!("--words wants {wants}")))
            }
        }
    }

    /// Appends the text of a word.
    pub(super) fn disassemble(&self, digits: &str, out: &mut Vec<u8>) -> Result<(), Diagnostic> {
        match self {
            Words::Agal(words) => words.disassemble(digits, out),
            Words::Pica200(words) => words.disassemble(digits, out),
        }
    }

    /// Appends the digits of a text.
    pub(super) fn assemble(&self, text: &str, out: &mut Vec<u8>) -> Result<(), Diagnostic> {
        match self {
            Words::Agal(words) => words.assemble(text, out),
            Words::Pica200(words) => words.assemble(text, out),
        }
    }
}
