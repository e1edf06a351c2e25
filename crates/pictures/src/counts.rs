//! What each lane of a run cost.

use crate::floats::{Bits, Floats};
use shisa_eval::{Observer, Plane, Position};
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
    /// The lanes of the wave in which a register holds a NaN.
    holding: BTreeMap<Reg, Lanes>,
    step: usize,
    /// The lanes in which the step reads a NaN.
    reading: Lanes,
    /// The lanes whose NaN of this step is counted.
    counted: Lanes,
}

impl<'c> Watch<'c> {
    pub(crate) fn new(counts: &'c mut Counts, floats: &'c Floats) -> Watch<'c> {
        let (lanes, holding) = (Vec::new(), BTreeMap::new());
        Watch { counts, floats, lanes, holding, step: 0, reading: 0, counted: 0 }
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
        self.lanes = lanes.to_vec();
        self.holding.clear();
    }

    fn step(&mut self, index: usize, active: Lanes, _: &Position<T>) {
        for (number, lane) in self.lanes.iter().enumerate() {
            let Some(lane) = *lane else { continue };
            let list =
                if active >> number & 1 != 0 { &mut self.counts.steps } else { &mut self.counts.waits };
            count(list, lane);
        }
        (self.step, self.counted) = (index, 0);
        let holding = &self.holding;
        self.reading = match holding.is_empty() {
            true => 0,
            false => {
                self.floats.reads(index).filter_map(|reg| holding.get(&reg)).fold(0, |all, set| all | set)
            }
        };
    }

    fn write(&mut self, reg: Reg, lanes: Lanes, _: &Plane, new: &Plane) {
        let bits = self.floats.written(self.step, reg);
        // A copy of a NaN is one, whatever type the copy has.
        let is_nan = |(number, value): (usize, &u32)| {
            let copied = self.reading >> number & 1 != 0
                && [Bits::Half, Bits::Single].iter().any(|bits| bits.is_nan(*value));
            bits.is_nan(*value) || copied
        };
        let all = new.0.iter().enumerate().filter(|lane| is_nan(*lane));
        let nans = lanes & all.fold(0, |set, (number, _)| set | 1 << number);
        let before = self.holding.get(&reg).copied();
        match before.map_or(0, |before| before & !lanes) | nans {
            0 => self.holding.remove(&reg),
            holding => self.holding.insert(reg, holding),
        };
        let made = nans & !self.reading & !self.counted;
        self.counted |= made;
        for lane in (0..self.lanes.len()).filter(|number| made >> number & 1 != 0) {
            if let Some(Some(lane)) = self.lanes.get(lane) {
                count(&mut self.counts.nans, *lane);
            }
        }
    }
}
