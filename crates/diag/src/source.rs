//! A text whose lines are found once.

use alloc::vec::Vec;
use core::ops::Range;

/// Bytes between offsets whose number of characters is stored.
const STEP: usize = 1 << 10;

/// A text that can state the line and the column of any offset without a scan of the text.
#[derive(Clone, Debug)]
pub struct Source<'a> {
    text: &'a str,
    /// The offset of each line.
    lines: Vec<usize>,
    /// The number of characters before each multiple of [`STEP`], and in the whole text.
    characters: Vec<usize>,
}

/// The number of characters that begin in bytes of UTF-8.
fn begun(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| **byte & 0xc0 != 0x80).count()
}

impl<'a> Source<'a> {
    /// Finds the lines of a text.
    pub fn new(text: &'a str) -> Source<'a> {
        let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
        let counts = text.as_bytes().chunks(STEP).map(begun);
        let characters = core::iter::once(0).chain(counts.scan(0, |sum, count| {
            *sum += count;
            Some(*sum)
        }));
        let characters = characters.collect();
        Source { text, lines: core::iter::once(0).chain(ends).collect(), characters }
    }

    /// The text.
    pub const fn text(&self) -> &'a str {
        self.text
    }

    /// Line and column of a byte offset, both counted from 1; the column counts characters.
    pub fn line_column(&self, offset: usize) -> (usize, usize) {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.line(offset);
        (line + 1, self.before(offset) - self.before(self.start(line)) + 1)
    }

    /// The number of the line of an offset, from 0.
    pub(crate) fn line(&self, offset: usize) -> usize {
        self.lines.partition_point(|start| *start <= offset).saturating_sub(1)
    }

    /// The bytes of some lines, counted from 0, with the end of the last one.
    pub fn range(&self, lines: Range<usize>) -> Range<usize> {
        self.start(lines.start)..self.start(lines.end)
    }

    /// The offset of a line; the end of the text after the last one.
    fn start(&self, line: usize) -> usize {
        self.lines.get(line).copied().unwrap_or(self.text.len())
    }

    /// The number of characters before an offset.
    fn before(&self, offset: usize) -> usize {
        let step = offset / STEP;
        let rest = self.text.as_bytes().get(step * STEP..offset).unwrap_or_default();
        self.characters.get(step).copied().unwrap_or(0) + begun(rest)
    }
}
