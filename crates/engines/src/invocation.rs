//! A program with all that a run of it needs, and runs on one engine without another one to fall back to.

use crate::codes::unsupported;
use crate::{Choice, Engine};
use shisa_diag::{Diagnostic, Severity};
use shisa_eval::{Batch, Environment, NoObserver, Outcome};
use shisa_ir::{FloatModel, Lifted, Sequencer};
use shisa_run::{TraceSink, TraceStep};

/// A program with its inputs, memory and textures.
pub trait Invocation: Send + Sync {
    /// The program.
    fn lifted(&self) -> &Lifted;

    /// Runs the program, or another one in its place, on the wanted engine and on no other.
    ///
    /// # Errors
    /// Those of [`Choice::only`].
    fn run(&self, lifted: &Lifted, choice: &Choice<'_>) -> Result<Outcome, Diagnostic>;
}

/// Stores the first reason why an engine does not run a program.
#[derive(Default)]
struct Reason(Option<Diagnostic>);

impl TraceSink for Reason {
    fn needs_steps(&self) -> bool {
        false
    }

    fn step(&mut self, _: TraceStep) {}

    fn note(&mut self, note: Diagnostic) {
        self.0.get_or_insert(note);
    }
}

impl Choice<'_> {
    /// Runs a batch of a lifted program on the wanted engine. Unlike [`Choice::run`], no other engine takes its place.
    ///
    /// # Errors
    /// Those of the evaluator, if that is wanted; `exec-unsupported` if the engine does not take the program or the batch;
    /// `exec-divergent`; `limit-exceeded`; `internal-…` for a fault of shisa.
    pub fn only<S: Sequencer, E: Environment>(
        &self,
        batch: &Batch,
        (lifted, sequencer): (&Lifted, &S),
        model: FloatModel,
        environment: &mut E,
    ) -> Result<Outcome, Diagnostic> {
        if self.wanted == Engine::Evaluator {
            let plan = shisa_eval::Program::with_model(lifted, model, self.limits)?;
            return batch.run(&plan, sequencer, environment, &mut NoObserver, self.limits);
        }
        let mut reason = Reason::default();
        let outcome = self.run(batch, (lifted, sequencer), model, environment, &mut reason)?;
        match (outcome, reason.0) {
            (Some(outcome), None) => Ok(outcome),
            (_, Some(reason)) => Err(Diagnostic { severity: Severity::Error, ..reason }),
            (None, None) => Err(unsupported("accesses to memory or textures that the host refuses")),
        }
    }
}
