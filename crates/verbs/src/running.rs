//! Options of runs.

use serde::Deserialize;
use shisa::data::engines;
use shisa::{Isa, Settings, maxwell};

/// How a program runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct Running {
    /// The engine that runs it. What an engine does not take is run by the one before it, with a note
    #[cfg_attr(feature = "clap", arg(long, value_enum, default_value_t))]
    pub engine: Engine,
    /// How close the results of another engine than the evaluator are to those of the evaluator
    #[cfg_attr(feature = "clap", arg(long, value_enum, default_value_t))]
    pub precision: Precision,
    /// Also look for races, reads of memory that nothing wrote, and divergent barriers (maxwell)
    #[cfg_attr(feature = "clap", arg(long))]
    pub findings: bool,
    /// Also count what instructions cost: divergence, and how memory accesses are served (maxwell)
    #[cfg_attr(feature = "clap", arg(long))]
    pub profile: bool,
}

impl Running {
    /// Changes settings to those with these options.
    pub fn adjust(&self, settings: &mut Settings) {
        (settings.maxwell.findings, settings.maxwell.profile) = (self.findings, self.profile);
        (settings.engine, settings.precision) = (self.engine.of_library(), self.precision.of_library());
    }

    /// Refuses options that are not for an instruction set.
    ///
    /// # Errors
    /// Which instruction set the option is for.
    pub fn fits(&self, isa: Option<Isa>) -> Result<(), String> {
        for (option, given) in [("findings", self.findings), ("profile", self.profile)] {
            if let Some(isa) = isa.filter(|isa| given && *isa != maxwell::ISA) {
                return Err(format!("{option} is for maxwell, and this is {}", isa.name()));
            }
        }
        Ok(())
    }
}

/// The engine that runs a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Engine {
    /// The exact evaluator, which runs every program
    #[default]
    #[serde(alias = "eval")]
    #[cfg_attr(feature = "clap", value(alias = "eval"))]
    Evaluator,
    /// Many lanes at a time with the vector units of the processor
    Batch,
    /// Machine code of the processor
    #[serde(alias = "jit")]
    #[cfg_attr(feature = "clap", value(alias = "jit"))]
    MachineCode,
}

impl Engine {
    /// The engine of the library.
    pub fn of_library(self) -> engines::Engine {
        match self {
            Engine::Evaluator => engines::Engine::Evaluator,
            Engine::Batch => engines::Engine::Batch,
            Engine::MachineCode => engines::Engine::MachineCode,
        }
    }
}

/// How close results are to those of the evaluator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Precision {
    /// Equal in every bit
    #[default]
    Exact,
    /// Within a few ulp, in binary32, and faster
    Fast,
}

impl Precision {
    /// The precision of the library.
    pub fn of_library(self) -> engines::Precision {
        match self {
            Precision::Exact => engines::Precision::Exact,
            Precision::Fast => engines::Precision::Fast,
        }
    }
}
