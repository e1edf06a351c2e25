//! What each lane of a run cost.

use shisa_debug::{Floats, Special};
use shisa_eval::{Observer, Plane, Position, RegisterWrite, each_lane};
use shisa_ir::{Lanes, Reg};
use std::collections::BTreeMap;

/// Numbers of each lane of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Instructions that it executed.
    pub steps: Vec<u32>,
    /// Instructions that other lanes of its wave executed while it was masked off.
    pub waits: Vec<u32>,
    /// Instructions that made a NaN of values that are none.
    pub nans: Vec<u32>,
}

impl Counts {
    /// Zeros for a number of lanes.
    pub fn of(lanes: usize) -> Counts {
        Counts { steps: vec![0; lanes], waits: vec![0; lanes], nans: vec![0; lanes] }
    }

    /// Adds the numbers of a lane of another run to those of a lane.
    pub fn add(&mut self, lane: usize, other: &Counts, from: usize) {
        let lists = [&mut self.steps, &mut self.waits, &mut self.nans];
        for (to, from) in
            lists.into_iter().zip([&other.steps, &other.waits, &other.nans].map(|all| all.get(from)))
        {
            if let (Some(to), Some(from)) = (to.get_mut(lane), from) {
                *to = to.saturating_add(*from);
            }
        }
    }
}

/// Counts while a program runs.
pub(crate) struct Watch<'c> {
    counts: &'c mut Counts,
    floats: &'c Floats,
    /// The lane of the run for each lane of the wave.
    lanes: Vec<Option<usize>>,
    /// The registers that the wave has written.
    registers: BTreeMap<Reg, Plane>,
    /// The index of the latest step.
    step: usize,
    /// The lanes that the latest step ran for.
    active: Lanes,
    /// What the latest step wrote.
    writes: Vec<RegisterWrite>,
}

impl<'c> Watch<'c> {
    pub(crate) fn new(counts: &'c mut Counts, floats: &'c Floats) -> Watch<'c> {
        let (lanes, registers, writes) = (Vec::new(), BTreeMap::new(), Vec::new());
        Watch { counts, floats, lanes, registers, step: 0, active: 0, writes }
    }

    /// Counts the NaNs of the latest step. It must be called after the run.
    pub(crate) fn finish(&mut self) {
        let registers = &self.registers;
        let unwritten = |reg: Reg, lane: usize| registers.get(&reg)?.get(lane);
        let made = self.floats.made(Special::Nan, (self.step, self.active), &self.writes, unwritten);
        let made = made.fold(0, |all, (_, lanes)| all | lanes);
        for lane in each_lane(made) {
            if let Some(Some(lane)) = self.lanes.get(lane) {
                count(&mut self.counts.nans, *lane);
            }
        }
        for write in self.writes.drain(..) {
            self.registers.insert(write.reg, write.new);
        }
    }
}

/// The number of a lane in a list, to be counted.
fn count(list: &mut [u32], lane: usize) {
    if let Some(number) = list.get_mut(lane) {
        *number = number.saturating_add(1);
    }
}

impl<T> Observer<T> for Watch<'_> {
    fn wave(&mut self, lanes: &[Option<usize>]) {
        self.finish();
        self.lanes = lanes.to_vec();
        self.registers.clear();
    }

    fn step(&mut self, index: usize, active: Lanes, _: &Position<T>) {
        self.finish();
        for (number, lane) in self.lanes.iter().enumerate() {
            let Some(lane) = *lane else { continue };
            let list =
                if active >> number & 1 != 0 { &mut self.counts.steps } else { &mut self.counts.waits };
            count(list, lane);
        }
        (self.step, self.active) = (index, active);
    }

    fn write(&mut self, reg: Reg, lanes: Lanes, old: &Plane, new: &Plane) {
        self.writes.push(RegisterWrite { reg, lanes, old: *old, new: *new });
    }
}
