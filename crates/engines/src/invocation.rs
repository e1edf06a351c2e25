//! A program with all that a run of it needs, and runs on one engine without another one to fall back to.

use crate::codes::unsupported;
use crate::{Choice, Engine};
use shisa_diag::{Diagnostic, Limits, Severity};
use shisa_eval::{Batch, Environment, NoObserver, Outcome};
use shisa_ir::{FloatModel, Func, Lifted, Sequencer};
use shisa_run::{TraceSink, TraceStep};

/// What a run leaves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Results {
    /// The outputs of the lanes; of a compute program none.
    pub lanes: Outcome,
    /// The contents of memory, buffer by buffer; none if the engines do not run programs that change memory.
    pub buffers: Vec<Vec<u8>>,
}

impl From<Outcome> for Results {
    fn from(lanes: Outcome) -> Results {
        Results { lanes, buffers: Vec::new() }
    }
}

impl Results {
    /// Those of a compute program.
    pub fn of_memory(buffers: Vec<Vec<u8>>) -> Results {
        Results { lanes: Outcome { outputs: Vec::new(), killed: Vec::new(), executed: 0 }, buffers }
    }
}

/// A program with its inputs, memory and textures.
pub trait Invocation: Send + Sync {
    /// The program.
    fn lifted(&self) -> &Lifted;

    /// Runs the program, or a changed one, on the wanted engine and on no other.
    ///
    /// # Errors
    /// Those of [`Choice::only`].
    fn run(&self, lifted: &Lifted, choice: &Choice<'_>) -> Result<Results, Diagnostic>;

    /// The program and its lanes, for engines of other crates; `None` if lanes are not all that runs, as in a dispatch.
    ///
    /// # Errors
    /// Those of [`shisa_ir::recover`].
    fn open(&self, _: &Limits) -> Result<Option<Open<'_>>, Diagnostic> {
        Ok(None)
    }
}

/// A program with its lanes. Memory and textures, if it has any, are not part of it.
#[derive(Debug)]
pub struct Open<'i> {
    /// The program, whose registers are not values yet.
    pub func: Func,
    /// The lanes.
    pub batch: &'i Batch,
    /// The model of floats whose rule leaves them to a model.
    pub model: FloatModel,
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
    /// Runs a batch of a lifted program on the wanted engine. Unlike [`Choice::run`], it uses no other engine instead.
    ///
    /// # Errors
    /// Those of the evaluator, if that is wanted; `exec-unsupported` if the engine does not take the program or the batch;
    /// `exec-divergent`; `limit-exceeded`; `internal-…` for a fault of shisa.
    pub fn only<S: Sequencer>(
        &self,
        batch: &Batch,
        (lifted, sequencer): (&Lifted, &S),
        model: FloatModel,
        mut environment: &mut dyn Environment,
    ) -> Result<Outcome, Diagnostic> {
        if self.wanted == Engine::Evaluator {
            let plan = shisa_eval::Program::with_model(lifted, model, self.limits)?;
            return batch.run(&plan, sequencer, &mut environment, &mut NoObserver, self.limits);
        }
        alone(|sink| self.run(batch, (lifted, sequencer), model, environment, sink))
    }
}

/// The result of a run of an engine to which no other one falls back: `run` returns `None` or passes on a note if the engine does
/// not take the program.
///
/// # Errors
/// Those of `run`; the note as an error, or `exec-unsupported` if there is none.
pub fn alone<T, E: From<Diagnostic>>(
    run: impl FnOnce(&mut dyn TraceSink) -> Result<Option<T>, E>,
) -> Result<T, E> {
    let mut reason = Reason::default();
    let result = run(&mut reason)?;
    match (result, reason.0) {
        (Some(result), None) => Ok(result),
        (_, Some(reason)) => Err(Diagnostic { severity: Severity::Error, ..reason }.into()),
        (None, None) => Err(unsupported("accesses to memory or textures that the host refuses").into()),
    }
}
