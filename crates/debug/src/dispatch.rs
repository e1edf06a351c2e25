//! Runs of workgroups.

use crate::run::Run;
use shisa_diag::{Diagnostic, Limits};
use shisa_eval::{Dispatch, Driver, Machine, Portion, Program, Wave, Waves, Workplace};
use shisa_ir::Sequencer;

/// The run of a dispatch. `L` sets the inputs of each wave.
pub struct DispatchRun<S, E, L> {
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
}

impl<S, E, L> Run for DispatchRun<S, E, L>
where
    S: Sequencer<State: Send + Sync> + Send + Sync + 'static,
    E: Workplace + Clone + Send + Sync + 'static,
    L: Fn(&mut Machine<'_, S>, &Wave) -> Result<(), Diagnostic> + Send + Sync + 'static,
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
}
