//! picasso's layout of a file.

use super::layout::{DVLE_HEADER, FULL_HEADER, Layout, Placement};
use super::tables::Entry;
use super::{Descriptor, LineEntry, Shbin};
use alloc::vec::Vec;

impl Layout {
    /// picasso's layout: pool first, tables one after the other in the order of the header, symbols padded to four
    /// bytes.
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
