//! Grids of workgroups, whose waves wait for each other at barriers.

use crate::barriers::Barriers;
use crate::count::Executed;
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

impl Dispatch {
    /// Runs all workgroups one after the other. The waves of a workgroup alternate at barriers. `load` sets the inputs
    /// of each wave. Returns the number of lane-instructions executed.
    ///
    /// # Errors
    /// `eval-dispatch` if a workgroup has no threads or too many; `eval-barrier` if waves wait at barriers for others
    /// that never arrive, or disagree about a barrier; the errors of [`Machine::run`], with the limit for all lanes applied to the whole dispatch.
    pub fn run<S: Sequencer, E: Workplace, O: Observer<S::State>>(
        &self,
        waves: &mut Waves<'_, S>,
        environment: &mut E,
        observer: &mut O,
        limits: &Limits,
        mut load: impl FnMut(&mut Machine<'_, S>, &Wave) -> Result<(), Diagnostic>,
    ) -> Result<u64, Diagnostic> {
        let size = self.workgroup.iter().fold(1u64, |n, &d| n.saturating_mul(d.into()));
        if !(1..=MOST).contains(&size) {
            let text = format!("a workgroup has {size} threads; 1 to {MOST} are allowed");
            return Err(Diagnostic::error("eval-dispatch", text));
        }
        let count = (size as usize).div_ceil(WAVE);
        while waves.machines.len() < count {
            waves.machines.push(Machine::new(waves.program, waves.sequencer, self.entry, 0));
        }
        let machines = waves.machines.get_mut(..count).ok_or_else(|| {
            Diagnostic::internal("internal-dispatch", format!("a workgroup lacks some of its {count} waves"))
        })?;
        let groups = self.groups();
        let mut done = Executed::default();
        for z in 0..groups[2] {
            for y in 0..groups[1] {
                for x in 0..groups[0] {
                    environment.begin();
                    done.work += WAVE_START * machines.len() as u64;
                    for (number, machine) in (0..).zip(machines.iter_mut()) {
                        let mut wave = Wave { group: [x, y, z], number, size: self.workgroup, lanes: 0 };
                        wave.lanes = self.lanes(&wave, size);
                        machine.restart(self.entry, wave.lanes)?;
                        load(machine, &wave)?;
                    }
                    let [across, deep] = [groups[0], groups[1]].map(u64::from);
                    let before = ((u64::from(z) * deep + u64::from(y)) * across + u64::from(x)) * size;
                    done = self.group(machines, before, environment, observer, limits, done)?;
                }
            }
        }
        Ok(done.steps)
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

    /// Runs the waves of a workgroup. `before` is the index of its first thread in the grid; `done` is what
    /// was executed before. Returns what was executed after the workgroup.
    fn group<S: Sequencer, E: Workplace, O: Observer<S::State>>(
        &self,
        machines: &mut [Machine<'_, S>],
        before: u64,
        environment: &mut E,
        observer: &mut O,
        limits: &Limits,
        mut done: Executed,
    ) -> Result<Executed, Diagnostic> {
        let mut barriers = Barriers::new(machines.iter().map(|m| m.lanes() != 0));
        while !barriers.is_done() {
            let mut stuck = true;
            for number in 0..machines.len() {
                let Some(machine) = machines.get_mut(number).filter(|_| barriers.runs(number)) else {
                    continue;
                };
                stuck = false;
                machine.continue_after(done);
                environment.enter(number as u32);
                if O::ACTIVE {
                    let first = before as usize + number * WAVE;
                    let there = |lane: usize| machine.lanes() >> lane & 1 != 0;
                    observer.wave(&std::array::from_fn::<_, WAVE, _>(|l| there(l).then_some(first + l)));
                }
                let ran = machine.run_to_barrier(environment, observer, limits);
                let progress = ran.map_err(|d| self.located(d, number, before))?;
                done = machine.total();
                let opened = match progress {
                    Progress::Barrier(arrived) => barriers.arrive(number, arrived)?.into_iter().collect(),
                    Progress::Running | Progress::Done => barriers.end(number),
                };
                for opened in opened {
                    if O::ACTIVE {
                        observer.open(&opened.arrivals);
                    }
                    for (wave, reduced) in opened.results() {
                        if let Some(machine) = machines.get_mut(wave) {
                            machine.set_reduced(reduced);
                        }
                    }
                }
            }
            if stuck {
                return Err(barriers.deadlock());
            }
            limits.check(Limit::RunSteps, "instructions of all lanes", done.steps)?;
            limits.check(Limit::RunWork, "work of all waves", done.work)?;
        }
        Ok(done)
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

#[cfg(test)]
mod tests;
