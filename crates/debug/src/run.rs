//! Runs that can be repeated.

use shisa_diag::{Diagnostic, Limits};
use shisa_engines::{Choice, Invocation, Open, Results};
use shisa_eval::{Batch, Driver, Environment, Portion, Program};
use shisa_ir::{Lifted, Sequencer};

/// A run of a program: everything that is needed to repeat it, with the same result each time.
pub trait Run: Send + Sync + 'static {
    /// The interpreter of the program's control flow.
    type Sequencer: Sequencer<State: Send + Sync> + Sync;
    /// Memory and textures.
    type Environment: Environment + Clone + Send + Sync;

    /// The program.
    fn program(&self) -> &Program<'static>;

    /// The interpreter of its control flow.
    fn sequencer(&self) -> &Self::Sequencer;

    /// Runs the program from the start; the driver runs each wave.
    ///
    /// # Errors
    /// Those of the program, and of the driver.
    fn run<D: Driver<Self::Sequencer, Self::Environment>>(&self, driver: &mut D) -> Result<(), Diagnostic>;

    /// Prepares the environment for a portion as [`Run::run`] does before the driver runs it. `first` is whether the portion
    /// is the first of its workgroup.
    fn enter(&self, environment: &mut Self::Environment, portion: &Portion, first: bool);

    /// The run as other engines take it; `None` if only the evaluator repeats it.
    fn invocation(&self) -> Option<&dyn Invocation> {
        None
    }
}

/// The run of a batch.
#[derive(Debug)]
pub struct BatchRun<S, E> {
    /// The program.
    pub program: Program<'static>,
    /// The interpreter of its control flow.
    pub sequencer: S,
    /// The lanes with their inputs.
    pub batch: Batch,
    /// Memory and textures before the run.
    pub environment: E,
    /// The limits of the run.
    pub limits: Limits,
}

impl<S, E> Run for BatchRun<S, E>
where
    S: Sequencer<State: Send + Sync> + Send + Sync + 'static,
    E: Environment + Clone + Send + Sync + 'static,
{
    type Sequencer = S;
    type Environment = E;

    fn program(&self) -> &Program<'static> {
        &self.program
    }

    fn sequencer(&self) -> &S {
        &self.sequencer
    }

    fn run<D: Driver<S, E>>(&self, driver: &mut D) -> Result<(), Diagnostic> {
        let mut environment = self.environment.clone();
        self.batch.drive(&self.program, &self.sequencer, &mut environment, driver, &self.limits)?;
        Ok(())
    }

    fn enter(&self, environment: &mut E, portion: &Portion, _: bool) {
        environment.wave(&portion.lanes);
    }

    fn invocation(&self) -> Option<&dyn Invocation> {
        Some(self)
    }
}

impl<S, E> Invocation for BatchRun<S, E>
where
    S: Sequencer + Send + Sync,
    E: Environment + Clone + Send + Sync,
{
    fn lifted(&self) -> &Lifted {
        self.program.lifted()
    }

    fn run(&self, lifted: &Lifted, choice: &Choice<'_>) -> Result<Results, Diagnostic> {
        let (mut environment, model) = (self.environment.clone(), self.program.model());
        Ok(choice.only(&self.batch, (lifted, &self.sequencer), model, &mut environment)?.into())
    }

    fn open(&self, limits: &Limits) -> Result<Option<Open<'_>>, Diagnostic> {
        let (batch, model) = (&self.batch, self.program.model());
        let func = shisa_ir::recover(self.lifted().clone(), &self.sequencer, batch.entry, limits)?;
        Ok(Some(Open { func, batch, model }))
    }
}
