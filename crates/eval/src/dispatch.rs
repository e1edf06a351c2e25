//! Grids of workgroups, whose waves wait for each other at barriers.

use crate::barriers::{Arrived, Barriers, Reduced};
use crate::count::Executed;
use crate::driver::{Driver, Observed, Portion};
use crate::environment::Environment;
use crate::machine::Machine;
use crate::observer::{NoObserver, Observer};
use crate::plan::cost::WAVE_START;
use crate::position::Progress;
use crate::program::Program;
use crate::wave::first_lanes;
use shisa_diag::{Diagnostic, Limit, Limits};
use shisa_ir::{Lanes, Sequencer, WAVE};

/// A dispatch: the number of threads, and the size of a workgroup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dispatch {
    /// Program counter of the first instruction.
    pub entry: u32,
    /// Number of threads in x, y and z. The last workgroup of a row may have fewer threads than the others.
    pub threads: [u32; 3],
    /// Number of threads of a workgroup in x, y and z.
    pub workgroup: [u32; 3],
}

/// The position of a wave in its grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wave {
    /// The workgroup.
    pub group: [u32; 3],
    /// The wave's index in its workgroup; lane 0 is thread 32 times that index.
    pub number: u32,
    /// Number of threads of a workgroup in x, y and z.
    pub size: [u32; 3],
    /// The lanes that run threads of the grid.
    pub lanes: Lanes,
}

impl Wave {
    /// The position of the lane's thread in its workgroup.
    pub fn thread(&self, lane: u32) -> [u32; 3] {
        let [x, y, _] = self.size.map(|n| n.max(1));
        let index = self.number * WAVE as u32 + lane;
        [index % x, index / x % y, index / x / y]
    }

    /// The positions of the threads of all lanes in their workgroup, as x, y and z.
    pub fn threads(&self) -> [[u32; WAVE]; 3] {
        let [mut xs, mut ys, mut zs] = [[0; WAVE]; 3];
        let [mut x, mut y, mut z] = self.thread(0);
        for ((to_x, to_y), to_z) in xs.iter_mut().zip(&mut ys).zip(&mut zs) {
            (*to_x, *to_y, *to_z) = (x, y, z);
            x += 1;
            if x >= self.size[0] {
                (x, y) = (0, y + 1);
            }
            if y >= self.size[1].max(1) {
                (y, z) = (0, z + 1);
            }
        }
        [xs, ys, zs]
    }

    /// The position of the lane's thread in the grid.
    pub fn place(&self, lane: u32) -> [u32; 3] {
        let thread = self.thread(lane);
        [0, 1, 2].map(|i| self.group[i].wrapping_mul(self.size[i]).wrapping_add(thread[i]))
    }
}

/// The environment of a dispatch.
pub trait Workplace: Environment {
    /// Starts a workgroup: its shared memory and the memory of each thread are zero again.
    fn begin(&mut self);

    /// Selects the wave of the workgroup that runs next.
    fn enter(&mut self, number: u32);
}

/// Largest number of threads in a workgroup.
const MOST: u64 = 1024;

/// A program and the machines of its waves, which later dispatches reuse.
#[derive(Debug)]
pub struct Waves<'a, S: Sequencer> {
    program: &'a Program<'a>,
    sequencer: &'a S,
    machines: Vec<Machine<'a, S>>,
}

impl<'a, S: Sequencer> Waves<'a, S> {
    /// A new set without machines.
    pub fn new(program: &'a Program<'a>, sequencer: &'a S) -> Self {
        Waves { program, sequencer, machines: Vec::new() }
    }
}

/// Runs the waves of workgroups: the machines of the evaluator, or another engine.
pub trait Workers<E: Workplace> {
    /// Starts a wave of the next workgroup. The waves of a workgroup start in order of their numbers, before any runs.
    ///
    /// # Errors
    /// If the wave cannot run.
    fn start(&mut self, wave: &Wave) -> Result<(), Diagnostic>;

    /// Runs a wave of the workgroup until it arrives at a barrier or all of its lanes have ended.
    ///
    /// # Errors
    /// Those of the program.
    fn run(&mut self, number: usize, environment: &mut E) -> Result<Progress, Diagnostic>;

    /// Sets the result of the wave's latest arrival with a vote.
    fn set_reduced(&mut self, number: usize, reduced: Reduced);

    /// A barrier of the workgroup opened, at which these waves had arrived.
    fn opened(&mut self, _arrivals: &[(usize, Arrived)]) {}
}

/// The machines of the evaluator.
struct Machines<'d, 'w, 'p, S: Sequencer, D: ?Sized, L> {
    dispatch: &'d Dispatch,
    waves: &'w mut Waves<'p, S>,
    driver: &'w mut D,
    load: L,
    limits: &'w Limits,
    /// The index of the workgroup's first thread in the grid.
    before: u64,
    done: Executed,
}

impl<'p, S, E, D, L> Workers<E> for Machines<'_, '_, 'p, S, D, L>
where
    S: Sequencer,
    E: Workplace,
    D: Driver<S, E> + ?Sized,
    L: FnMut(&mut Machine<'p, S>, &Wave) -> Result<(), Diagnostic>,
{
    fn start(&mut self, wave: &Wave) -> Result<(), Diagnostic> {
        let (number, entry) = (wave.number as usize, self.dispatch.entry);
        while self.waves.machines.len() <= number {
            self.waves.machines.push(Machine::new(self.waves.program, self.waves.sequencer, entry, 0));
        }
        let machine = self.waves.machines.get_mut(number).ok_or_else(|| absent(number))?;
        self.done.work += WAVE_START;
        self.before = self.dispatch.before(wave.group);
        machine.restart(entry, wave.lanes)?;
        (self.load)(machine, wave)
    }

    fn run(&mut self, number: usize, environment: &mut E) -> Result<Progress, Diagnostic> {
        let machine = self.waves.machines.get_mut(number).ok_or_else(|| absent(number))?;
        machine.continue_after(self.done);
        let first = self.before as usize + number * WAVE;
        let there = |lane: usize| machine.lanes() >> lane & 1 != 0;
        let portion = Portion {
            group: self.before / self.dispatch.size(),
            wave: number,
            lanes: std::array::from_fn(|lane| there(lane).then_some(first + lane)),
        };
        let ran = self.driver.run(&portion, machine, environment, self.limits);
        let progress = ran.map_err(|d| self.dispatch.located(d, number, self.before))?;
        self.done = machine.total();
        self.limits.check(Limit::RunSteps, "instructions of all lanes", self.done.steps)?;
        self.limits.check(Limit::RunWork, "work of all waves", self.done.work)?;
        Ok(progress)
    }

    fn set_reduced(&mut self, number: usize, reduced: Reduced) {
        if let Some(machine) = self.waves.machines.get_mut(number) {
            machine.set_reduced(reduced);
        }
    }

    fn opened(&mut self, arrivals: &[(usize, Arrived)]) {
        self.driver.open(arrivals);
    }
}

#[cold]
fn absent(wave: usize) -> Diagnostic {
    Diagnostic::internal("internal-dispatch", format!("a workgroup lacks wave {wave}"))
}

impl Dispatch {
    /// Runs all workgroups on the evaluator, one after the other. The waves of a workgroup alternate at barriers. `load`
    /// sets the inputs of each wave. Returns the number of lane-instructions executed.
    ///
    /// # Errors
    /// Those of [`Dispatch::run_waves`]; the errors of [`Machine::run`], with the limit for all lanes applied to the
    /// whole dispatch.
    pub fn run<'p, S: Sequencer, E: Workplace, O: Observer<S::State>>(
        &self,
        waves: &mut Waves<'p, S>,
        environment: &mut E,
        observer: &mut O,
        limits: &Limits,
        load: impl FnMut(&mut Machine<'p, S>, &Wave) -> Result<(), Diagnostic>,
    ) -> Result<u64, Diagnostic> {
        self.drive(waves, environment, &mut Observed(observer), limits, load)
    }

    /// As [`Dispatch::run`]; the driver runs each wave.
    ///
    /// # Errors
    /// Those of [`Dispatch::run`] and of the driver.
    pub fn drive<'p, S: Sequencer, E: Workplace>(
        &self,
        waves: &mut Waves<'p, S>,
        environment: &mut E,
        driver: &mut dyn Driver<S, E>,
        limits: &Limits,
        load: impl FnMut(&mut Machine<'p, S>, &Wave) -> Result<(), Diagnostic>,
    ) -> Result<u64, Diagnostic> {
        let done = Executed::default();
        let mut machines = Machines { dispatch: self, waves, driver, load, limits, before: 0, done };
        self.run_waves(&mut machines, environment)?;
        Ok(machines.done.steps)
    }

    /// Runs all workgroups one after the other. The waves of a workgroup alternate at barriers.
    ///
    /// # Errors
    /// `eval-dispatch` if a workgroup has no threads or too many; `eval-barrier` if waves wait at barriers for others
    /// that never arrive, or disagree about a barrier; the errors of the workers.
    pub fn run_waves<E: Workplace, W: Workers<E>>(
        &self,
        workers: &mut W,
        environment: &mut E,
    ) -> Result<(), Diagnostic> {
        let size = self.size();
        if !(1..=MOST).contains(&size) {
            let text = format!("a workgroup has {size} threads; 1 to {MOST} are allowed");
            return Err(Diagnostic::error("eval-dispatch", text));
        }
        let count = (size as usize).div_ceil(WAVE) as u32;
        let groups = self.groups();
        let mut lanes = Vec::with_capacity(count as usize);
        for z in 0..groups[2] {
            for y in 0..groups[1] {
                for x in 0..groups[0] {
                    environment.begin();
                    lanes.clear();
                    for number in 0..count {
                        let mut wave = Wave { group: [x, y, z], number, size: self.workgroup, lanes: 0 };
                        wave.lanes = self.lanes(&wave, size);
                        lanes.push(wave.lanes);
                        workers.start(&wave)?;
                    }
                    group(&lanes, workers, environment)?;
                }
            }
        }
        Ok(())
    }

    /// Number of threads of a workgroup.
    fn size(&self) -> u64 {
        self.workgroup.iter().fold(1u64, |n, &d| n.saturating_mul(d.into()))
    }

    /// The index of a workgroup's first thread in the grid.
    fn before(&self, [x, y, z]: [u32; 3]) -> u64 {
        let [across, deep, _] = self.groups().map(u64::from);
        ((u64::from(z) * deep + u64::from(y)) * across + u64::from(x)) * self.size()
    }

    /// The lanes of a wave that run threads of the grid.
    fn lanes(&self, wave: &Wave, size: u64) -> Lanes {
        let left = size.saturating_sub(u64::from(wave.number) * WAVE as u64);
        let lanes = first_lanes(left.min(WAVE as u64) as usize);
        let inside = [0, 1, 2].map(|i| (wave.group[i] + 1).checked_mul(self.workgroup[i]));
        if (0..3).all(|i| inside[i].is_some_and(|end| end <= self.threads[i])) {
            return lanes;
        }
        let there = |lane: &u32| (0..3).all(|i| wave.place(*lane)[i] < self.threads[i]);
        lanes & (0..WAVE as u32).filter(there).fold(0, |set, lane| set | 1 << lane)
    }

    /// The number of workgroups in x, y and z.
    fn groups(&self) -> [u32; 3] {
        [0, 1, 2].map(|i| self.threads[i].div_ceil(self.workgroup[i]))
    }

    /// Adds the wave and its workgroup to an error. `before` is the index of the workgroup's first thread in the grid.
    fn located(&self, d: Diagnostic, wave: usize, before: u64) -> Diagnostic {
        let [across, deep, _] = self.groups().map(u64::from);
        let size: u64 = self.workgroup.iter().map(|n| u64::from(*n)).product();
        let group = before / size;
        let position = format!("{}, {}, {}", group % across, group / across % deep, group / across / deep);
        d.note(format!("in wave {wave} of workgroup {position}"))
    }

    /// Runs a single thread, for programs that prepare a dispatch. `load` sets the uniforms.
    ///
    /// # Errors
    /// As [`Machine::run`].
    pub fn alone<S: Sequencer, E: Workplace>(
        program: &Program<'_>,
        sequencer: &S,
        entry: u32,
        environment: &mut E,
        limits: &Limits,
        load: impl FnOnce(&mut Machine<'_, S>) -> Result<(), Diagnostic>,
    ) -> Result<(), Diagnostic> {
        let mut machine = Machine::new(program, sequencer, entry, 1);
        load(&mut machine)?;
        environment.begin();
        environment.enter(0);
        machine.run(environment, &mut NoObserver, limits)
    }
}

/// Runs the waves of a workgroup, which have these lanes.
fn group<E: Workplace, W: Workers<E>>(
    lanes: &[Lanes],
    workers: &mut W,
    environment: &mut E,
) -> Result<(), Diagnostic> {
    let mut barriers = Barriers::new(lanes.iter().map(|lanes| *lanes != 0));
    while !barriers.is_done() {
        let mut stuck = true;
        for number in 0..lanes.len() {
            if !barriers.runs(number) {
                continue;
            }
            stuck = false;
            environment.enter(number as u32);
            let opened = match workers.run(number, environment)? {
                Progress::Barrier(arrived) => barriers.arrive(number, arrived)?.into_iter().collect(),
                Progress::Running | Progress::Done => barriers.end(number),
            };
            for opened in opened {
                workers.opened(&opened.arrivals);
                opened.results().for_each(|(wave, reduced)| workers.set_reduced(wave, reduced));
            }
        }
        if stuck {
            return Err(barriers.deadlock());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
