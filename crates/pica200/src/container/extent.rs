//! Shader binaries anywhere in a file, and how far they reach.

use super::Shbin;
use super::bytes::u32_at;
use super::layout::{DVLE_HEADER, FULL_HEADER, SHORT_HEADER};
use core::ops::Range;

/// Bytes of the entries of the tables of a DVLE: constants, labels, outputs, uniforms, symbols.
const DVLE_ENTRIES: [usize; 5] = [20, 16, 8, 8, 1];
/// Bytes of the entries of the tables of a DVLP: words, descriptors, lines, names.
const DVLP_ENTRIES: [usize; 4] = [4, 8, 8, 1];

impl Shbin {
    /// The number of bytes of the binary that `bytes` begin with: up to the end of its last header or table,
    /// and zeros up to a whole word. `None` if
    /// there is none, if a table reaches past the bytes, or if its programs are not one after the other.
    pub fn extent(bytes: &[u8]) -> Option<usize> {
        if !Shbin::sniff(bytes) {
            return None;
        }
        let field = |at: usize| u32_at(bytes, at).map(|n| n as usize);
        let count = field(4)?;
        let pool = count.checked_mul(4)?.checked_add(8)?;
        if !bytes.get(pool..)?.starts_with(b"DVLP") {
            return None;
        }
        let mut end = pool + SHORT_HEADER as usize;
        let mut table = |base: usize, at: usize, entry: usize| {
            let (offset, count) = (field(at)?, field(at + 4)?);
            if count > 0 {
                end = end.max(base.checked_add(offset)?.checked_add(count.checked_mul(entry)?)?);
            }
            Some(offset)
        };
        let (mut last, mut nearest) = (pool, usize::MAX);
        for n in 0..count {
            let start = field(8 + 4 * n)?;
            // Programs that overlap would make the search quadratic.
            if start < last + 4 || !bytes.get(start..)?.starts_with(b"DVLE") {
                return None;
            }
            for (n, entry) in DVLE_ENTRIES.into_iter().enumerate() {
                table(start, start + 24 + 8 * n, entry)?;
            }
            (last, nearest) = (start, nearest.min(start));
        }
        // Something else may be where the rest of a full header would be.
        let code = table(pool, pool + 8, DVLP_ENTRIES[0])?.min(table(pool, pool + 16, DVLP_ENTRIES[1])?);
        let full = pool + FULL_HEADER as usize;
        if code >= FULL_HEADER as usize && nearest >= full {
            table(pool, pool + 24, DVLP_ENTRIES[2])?;
            table(pool, pool + 32, DVLP_ENTRIES[3])?;
            end = end.max(full);
        }
        if count > 0 {
            end = end.max(last + DVLE_HEADER);
        }
        // Assemblers fill the last word with zeros.
        let padding = bytes.get(end..)?.iter().take(end.next_multiple_of(4) - end);
        Some(end + padding.take_while(|b| **b == 0).count())
    }
}

/// The shader binaries of a file, from the first to the last. None overlaps another.
pub(super) fn scan(bytes: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    core::iter::from_fn(move || {
        loop {
            let rest = bytes.get(at..)?;
            at += rest.iter().position(|b| *b == b'D')?;
            match bytes.get(at..).and_then(Shbin::extent) {
                Some(size) => {
                    let found = at..at + size;
                    at += size;
                    return Some(found);
                }
                None => at += 1,
            }
        }
    })
}
