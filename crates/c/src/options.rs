//! Choices for a program.

use crate::error::argument;
use shisa::data::engines::{Engine, Precision};
use shisa::{Settings, pica200};

/// The fastest engine that takes the program.
pub const BEST: u32 = 0;
/// The exact evaluator.
pub const EVALUATOR: u32 = 1;
/// The batch engine.
pub const BATCH: u32 = 2;
/// Machine code.
pub const MACHINE_CODE: u32 = 3;
/// Floats as the hardware computes them.
pub const EXACT: u32 = 0;
/// Floats as emulators compute them.
pub const F32: u32 = 1;
/// As [`F32`], with small errors.
pub const FAST: u32 = 2;

/// Choices for a program. All zeros are the defaults.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct Options {
    /// The engine that is wanted.
    pub engine: u32,
    /// How floats are computed.
    pub floats: u32,
    /// The most instructions of all lanes of a run; 0 is the default.
    pub run_steps: u64,
    /// The most instructions of one lane; 0 is the default.
    pub lane_steps: u64,
}

impl Options {
    /// The engine that is wanted.
    pub(crate) fn engine(&self) -> shisa::Result<Engine> {
        match self.engine {
            BEST | MACHINE_CODE => Ok(Engine::MachineCode),
            EVALUATOR => Ok(Engine::Evaluator),
            BATCH => Ok(Engine::Batch),
            other => Err(argument(format!("there is no engine {other}: engines are 0 to 3"))),
        }
    }

    /// The settings of the library.
    pub(crate) fn settings(&self) -> shisa::Result<Settings> {
        let mut settings = Settings::new();
        settings.pica200.options = match self.floats {
            // Emulators run the whole memory of the shader unit.
            EXACT => {
                pica200::Options { past_end: pica200::options::PastEnd::Zeros, ..pica200::Options::default() }
            }
            F32 | FAST => pica200::Options::emulators(),
            other => return Err(argument(format!("there is no float model {other}: models are 0 to 2"))),
        };
        settings.precision = if self.floats == FAST { Precision::Fast } else { Precision::Exact };
        for (limit, given) in [
            (&mut settings.limits.run_steps, self.run_steps),
            (&mut settings.limits.lane_steps, self.lane_steps),
        ] {
            *limit = if given == 0 { *limit } else { given };
        }
        Ok(settings)
    }
}

/// The number of an engine.
pub(crate) fn number(engine: Engine) -> u32 {
    match engine {
        Engine::Evaluator => EVALUATOR,
        Engine::Batch => BATCH,
        Engine::MachineCode => MACHINE_CODE,
    }
}
