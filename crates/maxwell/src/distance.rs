//! Distances between dependent instructions in the output of compilers.

/// The pairs that a distance must be seen in before it permits anything.
const ENOUGH: u32 = 100;

/// The smallest number of cycles between two dependent instructions in the output of compilers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Distance {
    /// The cycles.
    pub cycles: u32,
    /// The number of pairs that were seen, at any distance.
    pub seen: u32,
    /// Whether something else may protect the pairs, so that the distance permits nothing.
    pub doubted: bool,
}

impl Distance {
    /// A distance that was seen in so many pairs.
    pub(crate) const fn new(cycles: u32, seen: u32) -> Distance {
        Distance { cycles, seen, doubted: false }
    }

    /// The distance, if it was seen in enough pairs (100) to permit it.
    pub const fn trusted(self) -> Option<Distance> {
        if self.seen >= ENOUGH && !self.doubted { Some(self) } else { None }
    }
}
