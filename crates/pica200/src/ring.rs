//! The rings of blocks that run.

use core::ops::Deref;

/// A block that runs: its end, and where control then goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Open {
    pub(crate) end: u32,
    pub(crate) to: u32,
}

/// The newest blocks of a kind, at most `N`, oldest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Ring<const N: usize> {
    count: usize,
    /// The entries from `count` on are zero, so that equal rings have equal entries.
    entries: [Open; N],
}

impl<const N: usize> Ring<N> {
    /// Without entries.
    pub(crate) fn new() -> Self {
        Ring { count: 0, entries: [Open::default(); N] }
    }

    /// Adds an entry; one too many overwrites the oldest.
    pub(crate) fn push(&mut self, entry: Open) {
        if self.count == N {
            self.entries.rotate_left(1);
            self.count -= 1;
        }
        self.entries[self.count] = entry;
        self.count += 1;
    }

    /// Removes the newest entry.
    pub(crate) fn pop(&mut self) -> Option<Open> {
        self.count = self.count.checked_sub(1)?;
        Some(core::mem::take(&mut self.entries[self.count]))
    }

    /// Removes the newest entry if its block ends at `end`.
    pub(crate) fn pop_at(&mut self, end: u32) -> Option<Open> {
        self.last().is_some_and(|open| open.end == end).then(|| self.pop()).flatten()
    }
}

impl<const N: usize> Deref for Ring<N> {
    type Target = [Open];

    fn deref(&self) -> &[Open] {
        &self.entries[..self.count]
    }
}
