//! The contents of cartridges and installable titles, which are NCCHs.

use super::bytes::u32_at;
use super::wrapper::{MEDIA_UNIT, NCCH_MAGIC, Wrapper};
use alloc::vec::Vec;
use core::ops::Range;

/// Partitions of a cartridge.
const PARTITIONS: usize = 8;
/// The table of partitions, from the letters.
const PARTITION_TABLE: usize = 0x20;
/// The alignment of the parts of a CIA.
const ALIGNMENT: usize = 64;
/// Bytes of a title's metadata before its header: the type of its signature, the signature and zeros. Installable
/// titles have RSA-2048 with SHA-256.
const SIGNATURE: usize = 0x140;
/// Bytes of the header of a title's metadata.
const HEADER: usize = 0xc4;
/// Bytes of the information records after it: 64 of them.
const INFORMATION: usize = 64 * 0x24;
/// Bytes of the record of a content.
const RECORD: usize = 0x30;

/// A content of a cartridge or title.
#[derive(Clone, Debug)]
pub(super) struct Content {
    /// Its bytes in the file.
    pub(super) range: Range<usize>,
    /// Its record in the metadata of a title.
    pub(super) record: Option<Range<usize>>,
    /// Whether it is encrypted with the key of the title.
    pub(super) encrypted: bool,
}

impl Content {
    /// Its bytes, as far as the file has them.
    pub(super) fn of<'a>(&self, bytes: &'a [u8]) -> &'a [u8] {
        let [start, end] = [self.range.start, self.range.end].map(|at| at.min(bytes.len()));
        bytes.get(start..end).unwrap_or_default()
    }
}

/// The contents of a cartridge or a title; of other files there are none.
pub(super) fn contents(wrapper: Wrapper, bytes: &[u8]) -> Vec<Content> {
    match wrapper {
        Wrapper::Ncsd => partitions(bytes),
        Wrapper::Cia => Title::of(bytes).contents(bytes),
        _ => Vec::new(),
    }
}

/// The 32-bit number at an offset; 0 past the end, where a damaged file has no contents.
fn number(bytes: &[u8], at: usize) -> usize {
    u32_at(bytes, at).unwrap_or(0) as usize
}

/// A number whose most significant byte comes first.
fn big(bytes: &[u8], at: usize) -> usize {
    u32_at(bytes, at).unwrap_or(0).swap_bytes() as usize
}

fn partitions(bytes: &[u8]) -> Vec<Content> {
    let entry = |n: usize| {
        let at = NCCH_MAGIC + PARTITION_TABLE + 8 * n;
        let [start, size] = [number(bytes, at), number(bytes, at + 4)].map(|n| n.saturating_mul(MEDIA_UNIT));
        Content { range: start..start.saturating_add(size), record: None, encrypted: false }
    };
    (0..PARTITIONS).map(entry).filter(|c| !c.range.is_empty()).collect()
}

/// The parts of a CIA.
pub(super) struct Title {
    /// The start of the metadata.
    metadata: usize,
    /// The start of the contents.
    contents: usize,
}

impl Title {
    pub(super) fn of(bytes: &[u8]) -> Title {
        let after = |at: usize, size: usize| {
            let end = at.saturating_add(size);
            end.checked_next_multiple_of(ALIGNMENT).unwrap_or(usize::MAX)
        };
        // The header, certificates, ticket, and metadata have their sizes in the header.
        let certificates = after(0, number(bytes, 0).min(1 << 16));
        let ticket = after(certificates, number(bytes, 8));
        let metadata = after(ticket, number(bytes, 0x0c));
        Title { metadata, contents: after(metadata, number(bytes, 0x10)) }
    }

    /// The records of all contents.
    fn records(&self, bytes: &[u8]) -> Range<usize> {
        let start = self.metadata.saturating_add(SIGNATURE + HEADER + INFORMATION);
        let count = big(bytes, self.metadata.saturating_add(SIGNATURE + 0x9e)) >> 16;
        start..start.saturating_add(count * RECORD).min(bytes.len().max(start))
    }

    fn contents(&self, bytes: &[u8]) -> Vec<Content> {
        let mut at = self.contents;
        let mut found = Vec::new();
        for record in self.records(bytes).step_by(RECORD) {
            let index = big(bytes, record + 4) >> 16;
            // A bit for each content states whether the file has it.
            let present = bytes.get(0x20 + index / 8).is_some_and(|byte| byte << (index % 8) & 0x80 != 0);
            if !present {
                continue;
            }
            let encrypted = big(bytes, record + 4) & 1 != 0;
            // Sizes have 64 bits; a file that is read here has less than 32.
            let end = at.saturating_add(big(bytes, record + 0x0c));
            found.push(Content { range: at..end, record: Some(record..record + RECORD), encrypted });
            at = end;
        }
        found
    }

    /// The hashes above those in the records: each with what it covers and where it is.
    pub(super) fn hashes(&self, bytes: &[u8]) -> [(Range<usize>, usize); 2] {
        let header = self.metadata.saturating_add(SIGNATURE);
        let information = header.saturating_add(HEADER);
        [
            (self.records(bytes), information.saturating_add(4)),
            (information..information.saturating_add(INFORMATION), header.saturating_add(0xa4)),
        ]
    }
}
