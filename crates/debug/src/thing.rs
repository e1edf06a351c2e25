//! What a debugger follows through a run.

use shisa_ir::{FileId, Reg, Space};

/// Something that has a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Thing {
    /// A unit of a register in a lane of a wave.
    Register {
        /// The index of the wave's workgroup, and of the wave in it.
        wave: (u64, usize),
        /// The lane of the wave.
        lane: usize,
        /// The unit.
        reg: Reg,
    },
    /// Bytes of memory, as a lane of a wave sees them.
    Memory {
        /// The index of the wave's workgroup, and of the wave in it.
        wave: (u64, usize),
        /// The lane of the wave.
        lane: usize,
        /// The memory.
        space: Space,
        /// The address of the first byte.
        address: u64,
        /// The number of bytes.
        bytes: usize,
    },
    /// Any register of a file that a step indexes; its number is not followed.
    File(FileId),
    /// The texels that a step sampled.
    Texture,
    /// What other waves contributed to a barrier.
    Barrier,
}
