//! Engines by the names of options.

use clap::ValueEnum;
use shisa::data::engines;

/// The engine that runs a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Engine {
    /// The exact evaluator, which runs every program
    #[default]
    #[value(alias = "eval")]
    Evaluator,
    /// Many lanes at a time with the vector units of the processor
    Batch,
    /// Machine code of the processor
    #[value(alias = "jit")]
    MachineCode,
}

impl Engine {
    pub(crate) fn of_library(self) -> engines::Engine {
        match self {
            Engine::Evaluator => engines::Engine::Evaluator,
            Engine::Batch => engines::Engine::Batch,
            Engine::MachineCode => engines::Engine::MachineCode,
        }
    }
}

/// How close results are to those of the evaluator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Precision {
    /// Equal in every bit
    #[default]
    Exact,
    /// Within a few ulp, in binary32, and faster
    Fast,
}

impl Precision {
    pub(crate) fn of_library(self) -> engines::Precision {
        match self {
            Precision::Exact => engines::Precision::Exact,
            Precision::Fast => engines::Precision::Fast,
        }
    }
}
