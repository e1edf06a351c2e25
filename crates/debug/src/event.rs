//! What a step did.

use crate::history::Time;
use crate::view::View;
use crate::watched::Watch;
use shisa_eval::{Access, MemoryWrite, Observer, Plane, Position, Progress, RegisterWrite, Touch, each_lane};
use shisa_ir::{Lanes, Reg, Space};

/// An access of a lane to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryAccess {
    /// Whether it reads, writes, or does both as one operation.
    pub touch: Touch,
    /// The memory.
    pub space: Space,
    /// The lane.
    pub lane: usize,
    /// The address of the first byte.
    pub address: u64,
    /// The number of bytes.
    pub bytes: usize,
    /// Which of the step's operations on memory it belongs to, from 0.
    pub operation: usize,
}

impl MemoryAccess {
    /// The memory in which it is, and the address there; `None` if it is not within memory.
    pub(crate) fn reached(&self, view: &dyn View) -> Option<(Space, u64)> {
        view.reached(self.space, self.lane, self.address, self.bytes)
    }

    /// Whether two accesses to one memory have bytes in common.
    pub(crate) fn overlaps(&self, other: &MemoryAccess) -> bool {
        let end = |a: &MemoryAccess| a.address.saturating_add(a.bytes as u64);
        self.address < end(other) && other.address < end(self)
    }
}

/// A step that was repeated.
pub struct Event<'e> {
    /// The number of steps before it.
    pub time: Time,
    /// The index of the step in its program; implied steps come after the instructions.
    pub index: usize,
    /// The lanes that it ran for.
    pub active: Lanes,
    /// The lanes whose outputs were discarded before it.
    pub killed: Lanes,
    /// What it wrote to registers, in order.
    pub writes: &'e [RegisterWrite],
    /// What it wrote to memory, in order.
    pub stores: &'e [MemoryWrite],
    /// Its accesses to memory, in order of its operations; of each in order of lanes.
    pub accesses: &'e [MemoryAccess],
    /// The lanes that sampled a texture or accessed its texels.
    pub textures: Lanes,
    /// The lanes that emitted a vertex.
    pub emitted: Lanes,
    /// Whether the wave arrived at a barrier or ended.
    pub progress: Progress,
    /// The state after it. At the end of a portion it is still that of the same wave.
    pub after: &'e mut dyn View,
}

/// What a step did to registers and memory.
#[derive(Default)]
pub(crate) struct Notes {
    pub(crate) index: usize,
    pub(crate) active: Lanes,
    pub(crate) killed: Lanes,
    pub(crate) writes: Vec<RegisterWrite>,
    pub(crate) stores: Vec<MemoryWrite>,
    pub(crate) accesses: Vec<MemoryAccess>,
    /// The number of operations on memory.
    operations: usize,
}

/// What a step did to textures and primitives.
#[derive(Default)]
pub(crate) struct Outside {
    pub(crate) textures: Lanes,
    pub(crate) emitted: Lanes,
}

impl Notes {
    /// Forgets the step, but not the memory of its lists.
    pub(crate) fn clear(&mut self) {
        self.writes.clear();
        self.stores.clear();
        self.accesses.clear();
        self.operations = 0;
    }
}

impl<T> Observer<T> for Notes {
    fn step(&mut self, index: usize, active: Lanes, before: &Position<T>) {
        (self.index, self.active, self.killed) = (index, active, before.killed);
    }

    fn write(&mut self, reg: Reg, lanes: Lanes, old: &Plane, new: &Plane) {
        self.writes.push(RegisterWrite { reg, lanes, old: *old, new: *new });
    }

    fn access(&mut self, touch: Touch, access: &Access<'_>, count: usize) {
        let (bytes, operation) = (access.bytes * count, self.operations);
        self.operations += 1;
        let one = |lane| {
            Some(MemoryAccess {
                touch,
                space: access.space,
                lane,
                address: access.at(lane)?,
                bytes,
                operation,
            })
        };
        self.accesses.extend(each_lane(access.lanes).filter_map(one));
    }

    fn store(&mut self, space: Space, lane: usize, address: u64, old: &[u8], new: &[u8]) {
        self.stores.push(MemoryWrite::new(space, lane, address, [old, new]));
    }
}

impl Watch for Outside {
    fn texture(&mut self, lanes: Lanes) {
        self.textures |= lanes;
    }

    fn emit(&mut self, lane: usize) {
        self.emitted |= 1 << lane;
    }
}
