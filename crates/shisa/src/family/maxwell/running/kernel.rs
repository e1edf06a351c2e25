//! Running a kernel.

use super::findings::Findings;
use super::launched::{KernelOutput, KernelRun};
use super::lines::{lines, name};
use super::memory::Memory;
use super::profile::Profile;
use crate::run::wrong;
use crate::{Result, Settings};
use shisa_debug::{Captured, DispatchRun};
use shisa_diag::{Diagnostic, Limit, Limits};
use shisa_engines::Choice;
use shisa_eval::{Clock, Dispatch, Machine, NoObserver, Observer, Plane, Wave, Waves};
use shisa_ir::{FloatModel, Lifted, Reg, Stage, WAVE};
use shisa_maxwell::launch::{Kernel, Launch, Place};
use shisa_maxwell::sequencer::State;
use shisa_maxwell::{CLOCKS, Program, SPECIALS, Scope, Sequencer, bundle, special_register, special_value};

/// A kernel whose instructions are lifted.
#[derive(Debug)]
pub struct KernelCode(Lifted);

/// The plan of a kernel, made once for any number of runs.
#[derive(Debug)]
pub struct KernelPlan<'a> {
    program: shisa_eval::Program<'a>,
    specials: Vec<u8>,
}

impl KernelCode {
    /// Lifts a kernel.
    ///
    /// # Errors
    /// What the lift refuses of instructions that may run.
    pub fn new(kernel: &Kernel) -> Result<KernelCode> {
        let code = kernel.code.clone();
        let program = Program { stage: Stage::Compute, code, workgroup: [1; 3], drawing: None };
        Ok(KernelCode(shisa_maxwell::lift(&program)?))
    }

    /// The lifted instructions.
    pub(super) fn lifted(&self) -> &Lifted {
        &self.0
    }

    /// The run for a debugger.
    ///
    /// # Errors
    /// Those of [`KernelPlan::run`] before anything runs; `limit-exceeded`.
    pub(super) fn captured(&self, run: &KernelRun, settings: &Settings) -> Result<Captured> {
        let limits = &settings.limits;
        let (launch, again, own) = (run.launch.clone(), run.clone(), settings.clone());
        let program = shisa_eval::Program::owning(self.0.clone(), FloatModel::F32, limits)?;
        let specials = specials_of(&program);
        let run_again = DispatchRun {
            program,
            sequencer: Sequencer,
            dispatch: run.dispatch(limits)?,
            environment: Memory::new(run, limits)?,
            load: move |machine: &mut Machine<'_, _>, wave: &Wave| {
                set_up(machine, wave, &launch, &specials);
                Ok(())
            },
            limits: limits.clone(),
            alone: move |lifted: &Lifted, choice: &Choice<'_>| {
                KernelCode(lifted.clone()).alone(&again, choice, &own).map_err(|e| e.diagnostics)
            },
        };
        let listing = lines(&run.kernel.code, settings.maxwell.chip.unwrap_or_default());
        Ok(Captured::new(run_again, name, listing))
    }

    /// Plans the kernel.
    ///
    /// # Errors
    /// `limit-exceeded` if there are more instructions than the limit.
    pub fn plan(&self, settings: &Settings) -> Result<KernelPlan<'_>> {
        let program = shisa_eval::Program::new(&self.0, &settings.limits)?;
        Ok(KernelPlan { specials: specials_of(&program), program })
    }
}

impl KernelPlan<'_> {
    /// The evaluators of its warps.
    pub fn waves(&self) -> Waves<'_, Sequencer> {
        Waves::new(&self.program, &Sequencer)
    }

    /// Runs the kernel.
    ///
    /// # Errors
    /// `run-input` for a grid or a block without threads, `eval-dispatch` for a block of too many; `eval-buffer` for
    /// buffers that overlap each other, the kernel's memory or a window; what the evaluator refuses, such as
    /// `limit-exceeded` and `eval-memory-outside`.
    pub fn run<O: Observer<State>>(
        &self,
        waves: &mut Waves<'_, Sequencer>,
        run: &KernelRun,
        observer: &mut O,
        settings: &Settings,
    ) -> Result<KernelOutput> {
        let (launch, limits) = (&run.launch, &settings.limits);
        let dispatch = run.dispatch(limits)?;
        let mut memory = Memory::new(run, limits)?;
        let load = |machine: &mut Machine<'_, _>, wave: &Wave| {
            set_up(machine, wave, launch, &self.specials);
            Ok::<(), Diagnostic>(())
        };
        let (mut findings, mut profile) = (Vec::new(), Vec::new());
        let chosen = &settings.maxwell;
        let executed = if chosen.findings || chosen.profile {
            let (mut faults, mut costs) =
                (Findings::new(self.program.lifted(), launch), Profile::new(self.program.lifted()));
            let mut both = (&mut faults, &mut costs);
            let mut all = (observer, &mut both);
            let executed = dispatch.run(waves, &mut memory, &mut all, limits, load)?;
            if chosen.findings {
                findings = faults.list();
            }
            if chosen.profile {
                profile = costs.list();
            }
            executed
        } else {
            dispatch.run(waves, &mut memory, observer, limits, load)?
        };
        let buffers = memory.buffers(&run.buffers);
        Ok(KernelOutput { buffers, textures: memory.textures, executed, findings, profile })
    }
}

impl KernelRun {
    /// The grid of threads.
    pub(super) fn dispatch(&self, limits: &Limits) -> Result<Dispatch> {
        let launch = &self.launch;
        if launch.grid.contains(&0) || launch.block.contains(&0) {
            let text = format!(
                "a grid of {:?} blocks of {:?} threads: each number is at least 1",
                launch.grid, launch.block
            );
            return Err(wrong(text));
        }
        let mut threads = [0; 3];
        for ((all, blocks), each) in threads.iter_mut().zip(launch.grid).zip(launch.block) {
            let count = u64::from(blocks) * u64::from(each);
            limits.check(Limit::RunSteps, "threads", count)?;
            *all = u32::try_from(count).map_err(|_| wrong(format!("{count} threads in one dimension")))?;
        }
        Ok(Dispatch { entry: bundle::address(0), threads, workgroup: launch.block })
    }
}

/// Runs a kernel once.
///
/// # Errors
/// Those of [`KernelCode::new`], [`KernelCode::plan`] and [`KernelPlan::run`].
pub fn run_kernel(run: &KernelRun, settings: &Settings) -> Result<KernelOutput> {
    let code = KernelCode::new(&run.kernel)?;
    let plan = code.plan(settings)?;
    plan.run(&mut plan.waves(), run, &mut NoObserver, settings)
}

/// The numbers of the special registers that a program reads.
fn specials_of(program: &shisa_eval::Program<'_>) -> Vec<u8> {
    (0..=u8::MAX).filter(|number| program.reads(Reg::new(SPECIALS, (*number).into()))).collect()
}

/// Sets the inputs of a warp whose program reads these special registers.
fn set_up(machine: &mut Machine<'_, Sequencer>, wave: &Wave, launch: &Launch, specials: &[u8]) {
    machine.set_clocks(&CLOCKS.map(|c| Clock { low: c.low, high: c.high, unit: c.unit }));
    // Compute programs have no derivatives: samples without a given level read level 0, without a bias.
    machine.set_quads(false);
    for number in specials {
        if let Some(plane) = machine.plane_mut(Reg::new(SPECIALS, (*number).into())) {
            *plane = Plane(special(*number, wave, launch));
        }
    }
}

/// The values of a special register in a warp.
pub(super) fn special(number: u8, wave: &Wave, launch: &Launch) -> [u32; WAVE] {
    let warp = Place { block: wave.group, warp: wave.number, ..Place::default() };
    let scope = special_register(number).and_then(|register| register.scope);
    if scope.is_some_and(|scope| scope != Scope::Thread) {
        return [special_value(number, launch, &warp); WAVE];
    }
    let [xs, ys, zs] = wave.threads();
    std::array::from_fn(|lane| {
        let place = Place { thread: [xs[lane], ys[lane], zs[lane]], lane: lane as u32, ..warp };
        special_value(number, launch, &place)
    })
}
