//! Observing a machine.

use crate::barriers::Arrived;
use crate::environment::{Access, Sample};
use crate::position::Position;
use crate::wave::Plane;
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

    /// Lanes are about to access this many consecutive components in memory.
    fn access(&mut self, touch: Touch, access: &Access<'_>, count: usize) {
        let _ = (touch, access, count);
    }

    /// The wave arrives at a barrier of its workgroup; the position is that of the instruction.
    fn arrive(&mut self, arrived: &Arrived, at: &Position<T>) {
        let _ = (arrived, at);
    }

    /// A barrier opens: these waves of the workgroup had arrived.
    fn open(&mut self, arrivals: &[(usize, Arrived)]) {
        let _ = arrivals;
    }

    /// Lanes are about to write texels.
    fn texel(&mut self, store: &Sample<'_>) {
        let _ = store;
    }

    /// A lane wrote a component of a value to memory, in place of `old`.
    fn store(&mut self, space: Space, lane: usize, address: u64, old: &[u8], new: &[u8]) {
        let _ = (space, lane, address, old, new);
    }
}

/// What an access does to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Touch {
    /// It reads.
    Load,
    /// It writes.
    Store,
    /// It reads and writes as one operation.
    Atomic,
}

/// Two observers, the first one first.
impl<T, A: Observer<T>, B: Observer<T>> Observer<T> for (&mut A, &mut B) {
    const ACTIVE: bool = A::ACTIVE || B::ACTIVE;

    fn wave(&mut self, lanes: &[Option<usize>]) {
        self.0.wave(lanes);
        self.1.wave(lanes);
    }

    fn step(&mut self, index: usize, active: Lanes, before: &Position<T>) {
        self.0.step(index, active, before);
        self.1.step(index, active, before);
    }

    fn write(&mut self, reg: Reg, lanes: Lanes, old: &Plane, new: &Plane) {
        self.0.write(reg, lanes, old, new);
        self.1.write(reg, lanes, old, new);
    }

    fn access(&mut self, touch: Touch, access: &Access<'_>, count: usize) {
        self.0.access(touch, access, count);
        self.1.access(touch, access, count);
    }

    fn arrive(&mut self, arrived: &Arrived, at: &Position<T>) {
        self.0.arrive(arrived, at);
        self.1.arrive(arrived, at);
    }

    fn open(&mut self, arrivals: &[(usize, Arrived)]) {
        self.0.open(arrivals);
        self.1.open(arrivals);
    }

    fn texel(&mut self, store: &Sample<'_>) {
        self.0.texel(store);
        self.1.texel(store);
    }

    fn store(&mut self, space: Space, lane: usize, address: u64, old: &[u8], new: &[u8]) {
        self.0.store(space, lane, address, old, new);
        self.1.store(space, lane, address, old, new);
    }
}

/// An observer that ignores everything.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoObserver;

impl<T> Observer<T> for NoObserver {
    const ACTIVE: bool = false;
}
