//! Runs of workgroups.

use crate::run::Run;
use shisa_diag::{Diagnostic, Limits};
use shisa_engines::{Choice, Invocation, Results};
use shisa_eval::{Dispatch, Driver, Machine, Portion, Program, Wave, Waves, Workplace};
use shisa_ir::{Lifted, Sequencer};

/// The run of a dispatch. `L` sets the inputs of each wave, `A` runs other engines.
pub struct DispatchRun<S, E, L, A> {
    /// The program.
    pub program: Program<'static>,
    /// The interpreter of its control flow.
    pub sequencer: S,
    /// The grid of threads.
    pub dispatch: Dispatch,
    /// Memory and textures before the run.
    pub environment: E,
    /// Sets the inputs of a wave.
    pub load: L,
    /// The limits of the run.
    pub limits: Limits,
    /// Runs a program with these inputs on one engine, as [`Invocation::run`] does.
    pub alone: A,
}

impl<S, E, L, A> Run for DispatchRun<S, E, L, A>
where
    S: Sequencer<State: Send + Sync> + Send + Sync + 'static,
    E: Workplace + Clone + Send + Sync + 'static,
    L: Fn(&mut Machine<'_, S>, &Wave) -> Result<(), Diagnostic> + Send + Sync + 'static,
    A: Fn(&Lifted, &Choice<'_>) -> Result<Results, Vec<Diagnostic>> + Send + Sync + 'static,
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
        let mut waves = Waves::new(&self.program, &self.sequencer);
        let mut environment = self.environment.clone();
        let load = |machine: &mut Machine<'_, S>, wave: &Wave| (self.load)(machine, wave);
        self.dispatch.drive(&mut waves, &mut environment, driver, &self.limits, load)?;
        Ok(())
    }

    fn enter(&self, environment: &mut E, portion: &Portion, first: bool) {
        if first {
            environment.begin();
        }
        environment.enter(portion.wave as u32);
    }

    fn invocation(&self) -> Option<&dyn Invocation> {
        Some(self)
    }
}

impl<S, E, L, A> Invocation for DispatchRun<S, E, L, A>
where
    S: Send + Sync,
    E: Send + Sync,
    L: Send + Sync,
    A: Fn(&Lifted, &Choice<'_>) -> Result<Results, Vec<Diagnostic>> + Send + Sync,
{
    fn lifted(&self) -> &Lifted {
        self.program.lifted()
    }

    fn run(&self, lifted: &Lifted, choice: &Choice<'_>) -> Result<Results, Diagnostic> {
        (self.alone)(lifted, choice).map_err(|all| {
            let first = all.into_iter().next();
            first.unwrap_or_else(|| Diagnostic::internal("internal-debug", "a run failed without a reason"))
        })
    }
}
