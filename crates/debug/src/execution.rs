//! Runs batches on the wanted engine, with a trace, or for a debugger.

use crate::captured::Captured;
use crate::names::NameOf;
use crate::run::BatchRun;
use crate::text::Line;
use serde_json::Value;
use shisa_diag::Diagnostic;
use shisa_engines::Choice;
use shisa_eval::{Batch, Environment, NoObserver, Observer, Outcome, Program};
use shisa_ir::{FloatModel, Lifted, Sequencer};
use shisa_run::{TraceSink, TraceStep};
use std::any::Any;

/// The code of a batch.
pub struct Code<'c, S> {
    /// Its instructions.
    pub lifted: &'c Lifted,
    /// The interpreter of its control flow.
    pub sequencer: S,
    /// What its float operations compute.
    pub model: FloatModel,
    /// The names of its registers.
    pub name_of: NameOf,
    /// Other names of registers, each with the register's own name.
    pub symbols: &'static [(&'static str, &'static str)],
    /// Its listing, for a debugger.
    pub lines: &'c dyn Fn() -> Vec<Line>,
}

impl<S> Code<'_, S>
where
    S: Sequencer<State: Send + Sync> + Clone + Send + Sync + 'static,
{
    /// Runs a batch on the wanted engine, or on the evaluator if that is the next one or `trace` needs steps, which
    /// `observer` gets. A debugger gets the run before it begins.
    ///
    /// # Errors
    /// What the evaluator refuses.
    pub fn run<'t, E, O>(
        &self,
        batch: &Batch,
        environment: &mut E,
        trace: &'t mut dyn TraceSink,
        observer: impl FnOnce(&'t mut dyn TraceSink) -> O,
        choice: &Choice<'_>,
    ) -> Result<Outcome, Diagnostic>
    where
        E: Environment + Clone + Send + Sync + 'static,
        O: Observer<S::State>,
    {
        let (lifted, limits, model) = (self.lifted, choice.limits, self.model);
        if trace.takes_runs() {
            let run = BatchRun {
                program: Program::owning(lifted.clone(), model, limits)?,
                sequencer: self.sequencer.clone(),
                batch: batch.clone(),
                environment: environment.clone(),
                limits: limits.clone(),
            };
            let symbols =
                self.symbols.iter().map(|(name, register)| ((*name).to_owned(), (*register).to_owned()));
            trace.run(None, Box::new(Captured::new(run, self.name_of, (self.lines)()).named(symbols)));
        }
        if let Some(outcome) = choice.run(batch, (lifted, &self.sequencer), model, environment, trace)? {
            return Ok(outcome);
        }
        let plan = Program::with_model(lifted, model, limits)?;
        Ok(match trace.needs_steps() {
            true => batch.run(&plan, &self.sequencer, environment, &mut observer(trace), limits)?,
            false => batch.run(&plan, &self.sequencer, environment, &mut NoObserver, limits)?,
        })
    }
}

/// Takes the runs of what is run, and no steps.
#[derive(Default)]
struct Runs(Vec<Captured>);

impl TraceSink for Runs {
    fn needs_steps(&self) -> bool {
        false
    }

    fn step(&mut self, _: TraceStep) {}

    fn takes_runs(&self) -> bool {
        true
    }

    fn run(&mut self, stage: Option<&'static str>, run: Box<dyn Any>) {
        self.0.extend(run.downcast::<Captured>().ok().map(|run| run.of_stage(stage)));
    }
}

/// The runs that `run` makes, in order, for a debugger. It runs programs as with any other trace.
///
/// # Errors
/// Those of `run`, if they end it before the first run of a program.
pub fn captured<E>(run: impl FnOnce(&mut dyn TraceSink) -> Result<Value, E>) -> Result<Vec<Captured>, E> {
    let mut runs = Runs::default();
    match run(&mut runs) {
        // The recording of a run shows its error, at the instruction.
        Err(error) if runs.0.is_empty() => Err(error),
        _ => Ok(runs.0),
    }
}
