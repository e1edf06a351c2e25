//! Plane indices. Only the planner creates them, so that the executor never gets an index without a plane.

use core::ops::Range;

/// Any plane of the arena: a constant, a unit of a register, or scratch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct PlaneId(u32);

/// The plane of a unit of a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct RegisterId(u32);

/// A plane that an operation computes. It is above every plane that the operation reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ScratchId(u32);

/// Planes of consecutive units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RegisterSpan {
    first: u32,
    count: u32,
}

/// The plane of zeros, always the first constant.
pub(crate) const ZERO: PlaneId = PlaneId(0);

/// A component of up to 64 bits: low and high half; the high half of a narrow one is [`ZERO`].
pub(crate) type Wide = [PlaneId; 2];

impl PlaneId {
    pub(super) const fn new(number: u32) -> Self {
        PlaneId(number)
    }

    /// Its position in the arena.
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }
}

impl RegisterId {
    pub(super) const fn new(number: u32) -> Self {
        RegisterId(number)
    }

    /// Its position in the arena.
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }
}

impl ScratchId {
    pub(super) const fn new(number: u32) -> Self {
        ScratchId(number)
    }

    /// The plane that is `by` planes above.
    pub(super) const fn above(self, by: u32) -> Self {
        ScratchId(self.0 + by)
    }

    /// Its position in the arena.
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }
}

impl RegisterSpan {
    pub(super) const fn new(first: RegisterId, count: u32) -> Self {
        RegisterSpan { first: first.0, count }
    }

    /// Number of units.
    pub(crate) const fn len(self) -> u32 {
        self.count
    }

    /// The plane of each unit, in order.
    pub(crate) fn iter(self) -> impl Iterator<Item = RegisterId> {
        (self.first..self.first + self.count).map(RegisterId)
    }

    /// The positions of the planes in the arena.
    pub(crate) const fn range(self) -> Range<usize> {
        self.first as usize..(self.first + self.count) as usize
    }
}

impl From<RegisterId> for PlaneId {
    fn from(id: RegisterId) -> PlaneId {
        PlaneId(id.0)
    }
}

impl From<ScratchId> for PlaneId {
    fn from(id: ScratchId) -> PlaneId {
        PlaneId(id.0)
    }
}
