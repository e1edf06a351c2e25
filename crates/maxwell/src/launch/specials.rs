//! The values of special registers.

use super::Launch;
use crate::special_register;

/// Where a lane runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The block's position in the grid.
    pub block: [u32; 3],
    /// The thread's position in its block.
    pub thread: [u32; 3],
    /// The warp's number in its block.
    pub warp: u32,
    /// The lane's number in its warp.
    pub lane: u32,
}

impl Place {
    /// The lane as a bit of its warp.
    pub(crate) fn own(&self) -> u32 {
        1u32.checked_shl(self.lane).unwrap_or(0)
    }

    /// The lanes below this one.
    pub(crate) fn below(&self) -> u32 {
        self.own().wrapping_sub(1)
    }
}

impl Launch {
    /// The value of a special register in a compute program ([`crate::SpecialRegister::value`]).
    pub fn special(&self, number: u8, place: &Place) -> u32 {
        special_register(number).and_then(|register| register.value).map_or(0, |value| value(self, place))
    }
}
