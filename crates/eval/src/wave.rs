//! One value for each lane of a wave.

use shisa_ir::scalar::lanes::votes;
use shisa_ir::{Lanes, WAVE};

/// One 32-bit word for each lane. Narrower kinds are in the low bits, with zeros above.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub struct Plane(pub [u32; WAVE]);

impl Plane {
    /// Zero in every lane.
    pub const ZERO: Plane = Plane::splat(0);

    /// The same bits in every lane.
    pub const fn splat(bits: u32) -> Plane {
        Plane([bits; WAVE])
    }

    /// The lanes whose lowest bit is set.
    pub fn lanes(&self) -> Lanes {
        votes(&self.0)
    }

    /// The lane's bits; `None` if the wave does not have the lane.
    pub fn get(&self, lane: usize) -> Option<u32> {
        self.0.get(lane).copied()
    }

    /// All ones in the lanes of the set, zero in the others.
    pub(crate) fn mask(lanes: Lanes) -> Plane {
        Plane(std::array::from_fn(|l| 0u32.wrapping_sub(lanes >> l & 1)))
    }

    /// This plane with `new` where `mask` has ones.
    pub(crate) fn blended(&self, new: &Plane, mask: &Plane) -> Plane {
        Plane(std::array::from_fn(|l| (self.0[l] & !mask.0[l]) | (new.0[l] & mask.0[l])))
    }
}

/// The lanes of a set, in ascending order.
pub fn each(lanes: Lanes) -> impl Iterator<Item = usize> {
    let mut left = lanes;
    std::iter::from_fn(move || {
        let lane = left.trailing_zeros() as usize;
        left &= left.wrapping_sub(1);
        (lane < WAVE).then_some(lane)
    })
}

/// The 64-bit component of a lane, from its low and high 32 bits.
#[inline]
pub(crate) fn joined([low, high]: [&Plane; 2], lane: usize) -> u64 {
    u64::from(low.0[lane]) | u64::from(high.0[lane]) << 32
}

/// The first `count` lanes, at most all.
pub fn first_lanes(count: usize) -> Lanes {
    if count >= WAVE { Lanes::MAX } else { (1 << count) - 1 }
}
