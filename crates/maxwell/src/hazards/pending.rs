//! The state of a path.

use super::wait::Signal;
use crate::registers::Set;

/// The state of a path: what is still to be waited for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Pending {
    /// The fewest cycles since the first instruction issued.
    pub(super) cycles: u32,
    /// Whether a branch was taken.
    pub(super) branched: bool,
    /// Whether control may have gone elsewhere.
    pub(super) forked: bool,
    /// Whether the predicate that guarded the first instruction is unchanged.
    pub(super) decided: bool,
    /// What signals that the results are available.
    pub(super) written: Signal,
    /// What signals that the sources have been read.
    pub(super) read: Signal,
    /// The results that may not be available.
    pub(super) results: Set,
    /// The sources that may not have been read.
    pub(super) sources: Set,
}

impl Pending {
    /// The combined state of two paths, or `None` if it adds nothing to the first.
    pub(super) fn join(&self, other: &Pending) -> Option<Pending> {
        let joined = Pending {
            cycles: self.cycles.min(other.cycles),
            branched: self.branched || other.branched,
            // One path that control certainly takes is enough.
            forked: self.forked && other.forked,
            decided: self.decided && other.decided,
            written: self.written.join(&other.written),
            read: self.read.join(&other.read),
            results: self.results.or(&other.results),
            sources: self.sources.or(&other.sources),
        };
        (joined != *self).then_some(joined)
    }

    pub(super) fn is_complete(&self) -> bool {
        self.results.is_empty() && self.sources.is_empty()
    }
}
