//! Counts the words that each vertex executes, and records what they wrote.

use super::lines::name;
use crate::run::{Steps, TraceSink, TraceStep};
use shisa_eval::{Observer, Plane, Position};
use shisa_ir::{Lanes, Lifted, Reg, WAVE};
use shisa_pica200::{LOOPS, sequencer::State};

pub(super) struct Watch<'a> {
    lifted: &'a Lifted,
    set: usize,
    wave: usize,
    /// Number of the run in the first lane.
    first: usize,
    counts: [u64; WAVE],
    active: Lanes,
    steps: Steps<'a>,
}

fn lanes(active: Lanes) -> impl Iterator<Item = usize> + Clone {
    (0..WAVE).filter(move |lane| active >> lane & 1 != 0)
}

impl<'a> Watch<'a> {
    /// For the set of runs with this number.
    pub(super) fn new(lifted: &'a Lifted, set: usize, trace: &'a mut dyn TraceSink) -> Self {
        Watch { lifted, set, wave: 0, first: 0, counts: [0; WAVE], active: 0, steps: Steps::new(trace) }
    }

    /// Begins a wave whose first lane is this run.
    pub(super) fn begin(&mut self, wave: usize, first: usize) {
        (self.wave, self.first, self.counts) = (wave, first, [0; WAVE]);
    }

    /// Words that a lane has executed since the wave began.
    pub(super) fn steps(&self, lane: usize) -> u64 {
        self.counts.get(lane).copied().unwrap_or(0)
    }
}

impl Observer<State> for Watch<'_> {
    fn wave(&mut self, lanes: &[Option<usize>]) {
        // A set that is not run as one wave has one vertex or primitive in each.
        if let Some(Some(run)) = lanes.first() {
            self.begin(*run, *run);
        }
    }

    fn step(&mut self, index: usize, active: Lanes, before: &Position<State>) {
        self.active = active;
        if index < self.lifted.steps.len() {
            lanes(active).for_each(|lane| self.counts[lane] += 1);
        }
        if !self.steps.needed {
            return;
        }
        self.steps.begin(TraceStep {
            set: Some(self.set),
            wave: self.wave,
            instruction: before.state.word() as usize,
            lanes: lanes(active).map(|lane| (self.first + lane) as u32).collect(),
            ..TraceStep::default()
        });
    }

    fn write(&mut self, reg: Reg, _: Lanes, old: &Plane, new: &Plane) {
        if self.steps.needed && reg.file != LOOPS {
            self.steps.write(name(self.lifted.files, reg), lanes(self.active), &old.0, &new.0);
        }
    }
}
