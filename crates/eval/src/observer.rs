//! Observing a machine.

use crate::{environment::Sample, position::Position, wave::Plane};
use shisa_ir::{Lanes, Reg, Space};

/// Receives every step and write of a machine. `T` is the sequencer's state.
pub trait Observer<T> {
    /// Whether the observer uses any call; an inactive observer has no cost.
    const ACTIVE: bool = true;

    /// A wave begins, or continues after a barrier. For each lane of the wave, `lanes` has the lane of the batch or the
    /// thread of the dispatch that it runs, `None` for helper lanes.
    fn wave(&mut self, lanes: &[Option<usize>]) {
        let _ = lanes;
    }

    /// A step begins: its index among the program's steps, its active lanes, and the position of the wave.
    fn step(&mut self, index: usize, active: Lanes, before: &Position<T>) {
        let _ = (index, active, before);
    }

    /// A unit of a register was written in these lanes.
    fn write(&mut self, reg: Reg, lanes: Lanes, old: &Plane, new: &Plane) {
        let _ = (reg, lanes, old, new);
    }

    /// Lanes are about to write texels.
    fn texel(&mut self, store: &Sample<'_>) {
        let _ = store;
    }

    /// A lane is about to write memory.
    fn store(&mut self, space: Space, lane: usize, address: u64, old: &[u8], new: &[u8]) {
        let _ = (space, lane, address, old, new);
    }
}

/// An observer that ignores everything.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoObserver;

impl<T> Observer<T> for NoObserver {
    const ACTIVE: bool = false;
}
