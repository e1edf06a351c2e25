//! Lines that were read before, and the instructions that they stand for.

use alloc::{vec, vec::Vec};

/// Bytes of a line that is kept, at most.
const LONGEST: usize = 96;
/// How many lines have a place at first and at most; powers of two.
const FEW: usize = 64;
const MOST: usize = 4096;

/// What was read in a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct Read<W> {
    /// How many bytes of it.
    pub(crate) bytes: u8,
    /// The number of the row, and the word.
    pub(crate) row: u16,
    pub(crate) word: W,
}

/// A line, and the edition of the instruction set in which it was read.
#[derive(Clone, Copy, Debug)]
struct Entry<W> {
    text: [u8; LONGEST],
    len: u8,
    edition: u8,
    read: Read<W>,
}

/// Lines, each at the one place that its text has. A later one takes the place of an earlier one.
#[derive(Debug)]
pub(crate) struct Lines<W> {
    places: Vec<Entry<W>>,
    /// How many were kept since there were more places.
    count: usize,
}

impl<W: Copy + Default> Lines<W> {
    pub(crate) fn new() -> Self {
        Lines { places: free(FEW), count: 0 }
    }

    /// The place of a line that is not too long.
    #[inline]
    fn place(&self, line: &[u8]) -> Option<usize> {
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
        (line.len() <= LONGEST).then(|| (hash >> 32) as usize & (self.places.len() - 1))
    }

    /// What a line stands for, if that is kept.
    #[inline]
    pub(crate) fn find(&self, line: &[u8], edition: u8) -> Option<Read<W>> {
        let entry = self.places.get(self.place(line)?)?;
        let same = entry.text.get(..usize::from(entry.len)) == Some(line) && entry.edition == edition;
        (same && entry.read.bytes > 0).then_some(entry.read)
    }

    /// Keeps what a line stands for.
    pub(crate) fn keep(&mut self, line: &[u8], edition: u8, read: Read<W>) {
        if self.count == self.places.len() && self.count < MOST {
            *self = Lines { places: free(2 * self.count), count: 0 };
        }
        let place = self.place(line);
        if let Some(entry) = place.and_then(|place| self.places.get_mut(place)) {
            entry.text[..line.len()].copy_from_slice(line);
            (entry.len, entry.edition, entry.read) = (line.len() as u8, edition, read);
            self.count += 1;
        }
    }
}

/// So many places without lines.
fn free<W: Copy + Default>(places: usize) -> Vec<Entry<W>> {
    vec![Entry { text: [0; LONGEST], len: 0, edition: 0, read: Read::default() }; places]
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
            lines.keep(line(n).as_bytes(), 1, read(n));
            assert_eq!(lines.find(line(n).as_bytes(), 1), Some(read(n)));
            assert_eq!(lines.find(line(n).as_bytes(), 2), None);
            let before = n.saturating_sub(20);
            let earlier = lines.find(line(before).as_bytes(), 1);
            assert!(earlier.is_none() || earlier == Some(read(before)));
            found += usize::from(earlier.is_some());
        }
        assert!(found > 2 * MOST && lines.places.len() == MOST);
    }

    #[test]
    fn long_and_empty_lines_are_not_kept() {
        let (mut lines, long) = (Lines::new(), [b'x'; LONGEST + 1]);
        lines.keep(&long, 0, Read { bytes: 1, row: 1, word: 1u64 });
        assert_eq!(lines.find(&long, 0), None);
        assert_eq!(lines.find(b"", 0), None);
    }
}
