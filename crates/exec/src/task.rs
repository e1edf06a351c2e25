//! What a run does, how long, and why it stops.

use crate::codes::internal;
use crate::environment::Environment;
use crate::instruction::Arrive;
use crate::memory::{Lanes, Operand};
use shisa_diag::{Diagnostic, Limit, Limits};

/// What to run.
#[derive(Clone, Copy)]
pub(crate) enum Work {
    /// The instructions on uniforms.
    Uniforms,
    /// The program, for these lanes of a slab.
    Slab {
        lanes: Lanes,
        /// The number of the slab's first lane in the run.
        first: usize,
        /// Whether lanes 4k to 4k + 3 are a quad.
        quads: bool,
    },
    /// The program, after a barrier, for these lanes, which began a slab.
    Rest { lanes: Lanes },
}

/// Why a run stopped.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Stopped {
    /// All lanes ended.
    Ended,
    /// These lanes arrived at a barrier. All others have ended.
    Barrier(Lanes, Arrive<Operand>),
}

/// Instructions that may still run: of all lanes together, and of one lane.
pub(crate) struct Budget<'a> {
    pub(crate) run: &'a mut u64,
    pub(crate) lane: &'a mut u64,
}

impl Budget<'_> {
    #[inline(always)]
    pub(crate) fn take(&mut self, instructions: usize, lanes: u32) -> Result<(), End> {
        let instructions = instructions as u64 + 1;
        *self.lane = self.lane.checked_sub(instructions).ok_or(End::Lane)?;
        *self.run = self.run.checked_sub(instructions * u64::from(lanes)).ok_or(End::Run)?;
        Ok(())
    }
}

/// A run: what, for how long, and with which surroundings.
pub(crate) struct Task<'a> {
    pub(crate) work: Work,
    pub(crate) budget: Budget<'a>,
    pub(crate) environment: &'a mut dyn Environment,
}

/// Why a run ended early.
#[derive(Debug)]
pub(crate) enum End {
    /// The limit of all lanes.
    Run,
    /// The limit of one lane.
    Lane,
    /// An instruction or a barrier needs all lanes of a quad or of a wave, and only some run.
    Divergent,
    /// The error of a texture or of memory.
    Environment(Box<Diagnostic>),
    /// A fault of the compiler.
    Internal,
}

impl End {
    /// The error of a run that ended early.
    pub(crate) fn error(self, limits: &Limits) -> Diagnostic {
        match self {
            End::Run => limits.exceeded(Limit::RunSteps, "the number of instructions of all lanes"),
            End::Lane => limits.exceeded(Limit::LaneSteps, "the number of instructions of a lane"),
            End::Divergent => {
                let text =
                    "only some lanes of a quad or a wave come to an instruction that needs all of them";
                Diagnostic::error("exec-divergent", text).help("use the evaluator, which runs every program")
            }
            End::Environment(error) => *error,
            End::Internal => internal("a compiled program leads to a block that does not exist"),
        }
    }
}
