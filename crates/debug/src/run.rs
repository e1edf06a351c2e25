//! Runs that can be repeated.

use shisa_diag::{Diagnostic, Limits};
use shisa_engines::{Choice, Invocation, Open, Results};
use shisa_eval::{Batch, Driver, Environment, Portion, Program};
use shisa_ir::{FileId, Lifted, Reg, Sequencer};

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

    /// What registers hold when a wave starts.
    fn start(&self) -> Start {
        Start { given: of_stacks(self.sequencer(), self.program().lifted()), continues: false }
    }

    /// The run as other engines take it; `None` if only the evaluator repeats it.
    fn invocation(&self) -> Option<&dyn Invocation> {
        None
    }
}

/// The registers that are part of the stacks of control flow.
pub fn of_stacks<S: Sequencer>(sequencer: &S, lifted: &Lifted) -> Vec<Reg> {
    let units = |id: FileId| {
        let file = lifted.files.get(usize::from(id.0)).into_iter();
        file.flat_map(move |file| (0..file.units).map(move |unit| Reg::new(id, unit)))
    };
    sequencer.files().iter().copied().flat_map(units).collect()
}

/// What registers hold when a wave starts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Start {
    /// The registers besides inputs and uniforms that have a value: those that the host or the hardware sets.
    pub given: Vec<Reg>,
    /// Whether all registers hold what they held when the wave before ended.
    pub continues: bool,
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

    fn start(&self) -> Start {
        let Batch { inputs, by_lane, uniforms, .. } = &self.batch;
        let unit = |first: Reg, by| Some(Reg::new(first.file, first.unit.checked_add(by)?));
        let units = |first: Reg, count: usize| (0..).take(count).filter_map(move |by| unit(first, by));
        let inputs = inputs.iter().flat_map(|column| units(column.reg, column.units.into()));
        let uniforms = uniforms.iter().flat_map(|(first, bits)| units(*first, bits.len()));
        let of_stacks = of_stacks(&self.sequencer, self.program.lifted());
        let given = inputs.chain(uniforms).chain(by_lane.iter().map(|(reg, _)| *reg)).chain(of_stacks);
        Start { given: given.collect(), continues: false }
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
