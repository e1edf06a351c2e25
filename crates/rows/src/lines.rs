//! A cache of parsed lines and the instructions that they encode.

use alloc::{vec, vec::Vec};

/// Longest cached line in bytes.
const LONGEST: usize = 96;
/// Initial and largest number of slots; powers of two.
const FEW: usize = 64;
const MOST: usize = 4096;

/// The result of parsing a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct Read<W> {
    /// Number of bytes that were parsed.
    pub(crate) bytes: u8,
    /// The index of the row, and the word.
    pub(crate) row: u16,
    pub(crate) word: W,
}

/// A line, and the edition of the instruction set in which it was parsed.
#[derive(Clone, Copy, Debug)]
struct Entry<W> {
    text: [u8; LONGEST],
    len: u8,
    edition: u8,
    read: Read<W>,
}

/// The lines; the hash of a line selects its only slot, so a later line can replace an earlier one.
#[derive(Debug)]
pub(crate) struct Lines<W> {
    slots: Vec<Entry<W>>,
    /// Number of lines cached since the table last grew.
    count: usize,
}

impl<W: Copy + Default> Lines<W> {
    pub(crate) fn new() -> Self {
        Lines { slots: free(FEW), count: 0 }
    }

    /// The slot of a line; `None` if the line is too long.
    #[inline]
    fn slot(&self, line: &[u8]) -> Option<usize> {
        const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
        let mix = |hash: u64, piece: u128| {
            (hash ^ piece as u64 ^ ((piece >> 64) as u64).rotate_left(21)).wrapping_mul(ODD).rotate_left(29)
        };
        let (pieces, rest) = line.as_chunks();
        let hash =
            pieces.iter().fold(line.len() as u64, |hash, piece| mix(hash, u128::from_le_bytes(*piece)));
        let hash = match line.last_chunk() {
            Some(last) => mix(hash, u128::from_le_bytes(*last)),
            None => rest.iter().fold(hash, |hash, byte| mix(hash, u128::from(*byte))),
        };
        (line.len() <= LONGEST).then(|| (hash >> 32) as usize & (self.slots.len() - 1))
    }

    /// The instruction of a line, if it is cached.
    #[inline]
    pub(crate) fn find(&self, line: &[u8], edition: u8) -> Option<Read<W>> {
        let entry = self.slots.get(self.slot(line)?)?;
        let same = entry.text.get(..usize::from(entry.len)) == Some(line) && entry.edition == edition;
        (same && entry.read.bytes > 0).then_some(entry.read)
    }

    /// Caches the instruction of a line.
    pub(crate) fn insert(&mut self, line: &[u8], edition: u8, read: Read<W>) {
        if self.count == self.slots.len() && self.count < MOST {
            *self = Lines { slots: free(2 * self.count), count: 0 };
        }
        let slot = self.slot(line);
        if let Some(entry) = slot.and_then(|slot| self.slots.get_mut(slot)) {
            entry.text[..line.len()].copy_from_slice(line);
            (entry.len, entry.edition, entry.read) = (line.len() as u8, edition, read);
            self.count += 1;
        }
    }
}

/// A number of empty slots.
fn free<W: Copy + Default>(slots: usize) -> Vec<Entry<W>> {
    vec![Entry { text: [0; LONGEST], len: 0, edition: 0, read: Read::default() }; slots]
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;

    #[test]
    fn lines_come_back_with_what_was_read() {
        let mut lines = Lines::new();
        let line = |n: u64| format!("op{} r{n}, r{};", n % 7, n / 3);
        let read = |n: u64| Read { bytes: 5, row: n as u16, word: n };
        let mut found = 0;
        for n in 0..3 * MOST as u64 {
            assert_eq!(lines.find(line(n).as_bytes(), 1), None);
            lines.insert(line(n).as_bytes(), 1, read(n));
            assert_eq!(lines.find(line(n).as_bytes(), 1), Some(read(n)));
            assert_eq!(lines.find(line(n).as_bytes(), 2), None);
            let before = n.saturating_sub(20);
            let earlier = lines.find(line(before).as_bytes(), 1);
            assert!(earlier.is_none() || earlier == Some(read(before)));
            found += usize::from(earlier.is_some());
        }
        assert!(found > 2 * MOST && lines.slots.len() == MOST);
    }

    #[test]
    fn long_and_empty_lines_are_not_cached() {
        let (mut lines, long) = (Lines::new(), [b'x'; LONGEST + 1]);
        lines.insert(&long, 0, Read { bytes: 1, row: 1, word: 1u64 });
        assert_eq!(lines.find(&long, 0), None);
        assert_eq!(lines.find(b"", 0), None);
    }
}
