//! The layout of a file.

use alloc::vec::Vec;

/// Bytes of the DVLP's header.
pub const FULL_HEADER: u32 = 0x28;
/// Size in bytes of the DVLP's header as nihstro writes it: it ends after the offset of the line table.
pub const SHORT_HEADER: u32 = 0x1c;
/// Bytes of a DVLE's header.
pub(super) const DVLE_HEADER: usize = 0x40;

/// The layout of a file. Offsets are in bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// Size of the DVLP's header in bytes: [`FULL_HEADER`] or [`SHORT_HEADER`].
    pub header: u32,
    /// From the DVLP: words, descriptors, line table, names.
    pub pool: [u32; 4],
    /// Each program.
    pub programs: Vec<Placement>,
    /// Bytes of the file.
    pub size: u32,
    /// Bytes that belong to no table, each run with its offset in the file; the others are zero.
    pub rest: Vec<(u32, Vec<u8>)>,
}

/// The position of a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Placement {
    /// From the start of the file.
    pub at: u32,
    /// From [`Placement::at`]: constants, labels, outputs, uniforms, symbols.
    pub tables: [u32; 5],
}
