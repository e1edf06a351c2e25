//! The memory that a workgroup's tile takes.

use super::instructions;
use crate::Imageblock;
use crate::facts::{Pixel, Role, role};
use crate::operand::{TARGET, number_in};

impl Imageblock {
    /// Bytes that a workgroup running this code shares for its tile: those of all samples, and, if a register selects
    /// the stored samples, room for data of unselected samples. `None` if no instruction uses the tile.
    pub fn memory(&self, code: &[u8]) -> Option<u32> {
        let pixels = instructions(code).filter_map(|(_, insn)| match role(&insn) {
            Role::Pixel(pixel @ (Pixel::Load | Pixel::Store | Pixel::Block)) => Some((pixel, insn)),
            _ => None,
        });
        let selected = |(pixel, insn)| pixel == Pixel::Store && number_in(&insn, TARGET).is_none();
        let room = |stores: bool| self.samples_end() + if stores { u32::from(self.stride()) } else { 0 };
        pixels.map(selected).reduce(|a, b| a || b).map(room)
    }
}
