//! The values of special registers.

use super::{LOCAL_WINDOW, Launch, SHARED_WINDOW, WINDOW};

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

/// `SR_VIRTCFG`: warps of 32 lanes, 64 warps and 32 blocks of one multiprocessor.
const CONFIGURATION: u32 = 32 | 64 << 8 | 1 << 20 | 2 << 29;

impl Launch {
    /// The value of a special register in a compute program ([`crate::SPECIAL_REGISTERS`]), as the description of
    /// `S2R` defines its fields. A register that is reserved, that belongs to graphics, or whose value the description
    /// leaves to the driver is 0. Clocks are not launch state: the engine that runs the program advances them.
    pub fn special(&self, number: u8, place: &Place) -> u32 {
        let [x, y, z] = place.thread;
        let lane = place.lane;
        let own = 1u32.checked_shl(lane).unwrap_or(0);
        let below = own.wrapping_sub(1);
        match number {
            0 => lane,
            2 => CONFIGURATION,
            3 => lane | place.warp << 8,
            32 => x | y << 16 | z << 26,
            33 => x,
            34 => y,
            35 => z,
            37..=39 => place.block[usize::from(number - 37)],
            40 => self.threads() as u32,
            42 => (self.threads() as u32).next_multiple_of(32),
            48 => SHARED_WINDOW as u32,
            49 | 53 => WINDOW as u32,
            50 => self.all_shared().next_multiple_of(128),
            51 => 32,
            52 => LOCAL_WINDOW as u32,
            54 => self.local.next_multiple_of(16),
            55 => self.stack_bottom(),
            56 => own,
            57 => below,
            58 => own | below,
            59 => !(own | below),
            60 => !below,
            61 => self.registers,
            _ => 0,
        }
    }
}
