//! Counts the words that each vertex executes, and records what they wrote.

use crate::run::{TraceStep, TraceWrite};
use shisa_eval::{Observer, Plane, Position};
use shisa_ir::{Lanes, Lifted, Reg, WAVE};
use shisa_pica200::{LOOPS, sequencer::State};
use std::collections::VecDeque;

pub(super) struct Watch<'a> {
    lifted: &'a Lifted,
    limit: usize,
    wave: usize,
    /// Number of the run in the first lane.
    first: usize,
    counts: [u64; WAVE],
    active: Lanes,
    steps: VecDeque<TraceStep>,
}

fn lanes(active: Lanes) -> impl Iterator<Item = usize> {
    (0..WAVE).filter(move |lane| active >> lane & 1 != 0)
}

impl<'a> Watch<'a> {
    /// Records the latest `limit` steps.
    pub(super) fn new(lifted: &'a Lifted, limit: usize) -> Self {
        let (counts, steps) = ([0; WAVE], VecDeque::new());
        Watch { lifted, limit, wave: 0, first: 0, counts, active: 0, steps }
    }

    /// Begins a wave whose first lane is this run.
    pub(super) fn wave(&mut self, wave: usize, first: usize) {
        (self.wave, self.first, self.counts) = (wave, first, [0; WAVE]);
    }

    /// Words that a lane has executed since the wave began.
    pub(super) fn steps(&self, lane: usize) -> u64 {
        self.counts.get(lane).copied().unwrap_or(0)
    }

    pub(super) fn finish(self) -> Vec<TraceStep> {
        self.steps.into()
    }
}

impl Observer<State> for Watch<'_> {
    fn step(&mut self, index: usize, active: Lanes, before: &Position<State>) {
        self.active = active;
        if index < self.lifted.steps.len() {
            lanes(active).for_each(|lane| self.counts[lane] += 1);
        }
        if self.limit == 0 {
            return;
        }
        if self.steps.len() >= self.limit {
            self.steps.pop_front();
        }
        let lanes = lanes(active).map(|lane| self.first + lane).collect();
        let instruction = before.state.word() as usize;
        self.steps.push_back(TraceStep {
            wave: self.wave,
            instruction,
            lanes,
            writes: Vec::new(),
            texels: Vec::new(),
        });
    }

    fn write(&mut self, reg: Reg, _: Lanes, _: &Plane, new: &Plane) {
        let Some(step) = self.steps.back_mut().filter(|_| reg.file != LOOPS) else { return };
        let values =
            lanes(self.active).filter_map(|lane| new.get(lane)).map(|bits| format!("{bits:08x}")).collect();
        step.writes.push(TraceWrite { register: name(self.lifted, reg), values });
    }
}

/// The name of a register unit, such as `r0.x`.
fn name(lifted: &Lifted, reg: Reg) -> String {
    let file = lifted.files.get(usize::from(reg.file.0));
    let component = ["x", "y", "z", "w"][usize::from(reg.unit % 4)];
    match file.map_or("?", |f| f.name) {
        "a" => ["a0.x", "a0.y", "aL"].get(usize::from(reg.unit)).copied().unwrap_or("a?").to_owned(),
        "cmp" => format!("cmp.{component}"),
        name => format!("{name}{}.{component}", reg.unit / 4),
    }
}
