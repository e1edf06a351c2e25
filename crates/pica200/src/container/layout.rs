//! Where the parts of a file lie.

use super::tables::Entry;
use super::{Descriptor, LineEntry, Shbin};
use alloc::vec::Vec;

/// Bytes of the DVLP's header.
pub const FULL_HEADER: u32 = 0x28;
/// Bytes of the DVLP's header as nihstro writes it: it ends behind the offset of the line table.
pub const SHORT_HEADER: u32 = 0x1c;
/// Bytes of a DVLE's header.
pub(super) const DVLE_HEADER: usize = 0x40;

/// Where the parts of a file lie. Offsets count bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// Bytes of the DVLP's header: [`FULL_HEADER`] or [`SHORT_HEADER`].
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

/// Where a program lies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Placement {
    /// From the start of the file.
    pub at: u32,
    /// From [`Placement::at`]: constants, labels, outputs, uniforms, symbols.
    pub tables: [u32; 5],
}

impl Layout {
    /// As picasso lays a file out: pool first, tables one behind the other in the order of the header,
    /// symbols filled up to four bytes.
    pub fn of(file: &Shbin) -> Layout {
        let base = 8 + 4 * file.programs.len();
        let mut at = FULL_HEADER as usize;
        let mut next = |bytes: usize| {
            let start = at as u32;
            at += bytes;
            start
        };
        let mut pool = [
            next(file.code.len() * u32::BYTES),
            next(file.descriptors.len() * Descriptor::BYTES),
            next(file.lines.len() * LineEntry::BYTES),
            next(file.names.len()),
        ];
        if file.names.is_empty() {
            pool[3] = 0;
        }
        let mut at = base + at.next_multiple_of(4);
        let mut programs = Vec::with_capacity(file.programs.len());
        for dvle in &file.programs {
            let mut end = DVLE_HEADER;
            let tables = dvle.sizes().map(|bytes| {
                let start = end as u32;
                end += bytes;
                start
            });
            programs.push(Placement { at: at as u32, tables });
            at += end.next_multiple_of(4);
        }
        Layout { header: FULL_HEADER, pool, programs, size: at as u32, rest: Vec::new() }
    }
}
