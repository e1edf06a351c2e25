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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::count::Count;
    use shisa_ir::{Dim, FileId, Lod, TexOp};

    /// The names of the calls.
    #[derive(Default)]
    struct Log(Vec<&'static str>);

    impl Observer<()> for Log {
        fn wave(&mut self, _: &[Option<usize>]) {
            self.0.push("wave");
        }
        fn step(&mut self, _: usize, _: Lanes, _: &Position<()>) {
            self.0.push("step");
        }
        fn write(&mut self, _: Reg, _: Lanes, _: &Plane, _: &Plane) {
            self.0.push("write");
        }
        fn access(&mut self, _: Touch, _: &Access<'_>, _: usize) {
            self.0.push("access");
        }
        fn arrive(&mut self, _: &Arrived, _: &Position<()>) {
            self.0.push("arrive");
        }
        fn open(&mut self, _: &[(usize, Arrived)]) {
            self.0.push("open");
        }
        fn texel(&mut self, _: &Sample<'_>) {
            self.0.push("texel");
        }
        fn store(&mut self, _: Space, _: usize, _: u64, _: &[u8], _: &[u8]) {
            self.0.push("store");
        }
    }

    #[test]
    fn two_observers_receive_every_call() {
        let (mut first, mut second) = (Log::default(), Log::default());
        let mut both = (&mut first, &mut second);
        let at = Position::start((), Count::default());
        let (plane, lanes) = (&Plane::ZERO, Lanes::MAX);
        let access = Access { space: Space::Shared, lanes, address: [plane; 2], bytes: 4 };
        let op = TexOp::sample(0, Dim::D1, [plane; 4], Lod::Zero);
        both.wave(&[]);
        both.step(0, lanes, &at);
        both.write(Reg::new(FileId(0), 0), lanes, plane, plane);
        both.access(Touch::Load, &access, 1);
        both.arrive(&Arrived::everybody(lanes), &at);
        both.open(&[]);
        both.texel(&Sample { op, quads: false, lanes });
        both.store(Space::Shared, 0, 0, &[], &[]);
        assert_eq!(first.0, ["wave", "step", "write", "access", "arrive", "open", "texel", "store"]);
        assert_eq!(second.0, first.0);
    }
}
