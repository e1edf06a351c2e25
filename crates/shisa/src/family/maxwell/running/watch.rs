//! Records what instructions wrote.

use super::lines::name;
use crate::run::{Steps, TraceSink, TraceStep};
use shisa_eval::{Observer, Plane, Position};
use shisa_ir::{Lanes, Lifted, Reg, WAVE};
use shisa_maxwell::sequencer::State;

/// Records the steps of a run.
pub(super) struct Watch<'a> {
    lifted: &'a Lifted,
    /// The thread of each lane of the warp.
    threads: [Option<usize>; WAVE],
    active: Lanes,
    steps: Steps<'a>,
}

impl<'a> Watch<'a> {
    pub(super) fn new(lifted: &'a Lifted, trace: &'a mut dyn TraceSink) -> Self {
        Watch { lifted, threads: [None; WAVE], active: 0, steps: Steps::new(trace) }
    }

    /// The lanes that the latest step ran for.
    fn lanes(&self) -> impl Iterator<Item = usize> + Clone + use<> {
        let active = self.active;
        (0..WAVE).filter(move |lane| active >> lane & 1 != 0)
    }
}

impl Observer<State> for Watch<'_> {
    fn wave(&mut self, threads: &[Option<usize>]) {
        for (slot, thread) in self.threads.iter_mut().zip(threads) {
            *slot = *thread;
        }
    }

    fn step(&mut self, index: usize, active: Lanes, _: &Position<State>) {
        self.active = active;
        let lanes = self.lanes().filter_map(|lane| self.threads[lane]).map(|thread| thread as u32).collect();
        let wave = self.threads.iter().flatten().next().copied().unwrap_or(0);
        let instruction = self.lifted.steps.get(index).map_or(0, |step| step.pc as usize);
        self.steps.begin(TraceStep { wave, instruction, lanes, ..TraceStep::default() });
    }

    fn write(&mut self, reg: Reg, _: Lanes, old: &Plane, new: &Plane) {
        let lanes = self.lanes();
        self.steps.write(name(self.lifted.files, reg), lanes, &old.0, &new.0);
    }
}
