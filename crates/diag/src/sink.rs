//! A list of findings with a limit.

use crate::diagnostic::{Diagnostic, Severity};
use crate::limits::Limit;
use alloc::vec::Vec;

/// Collects diagnostics up to a limit and counts the rest.
#[derive(Clone, Debug, Default)]
pub struct Sink {
    list: Vec<Diagnostic>,
    limit: usize,
    dropped: usize,
    errors: usize,
}

impl Sink {
    /// A sink that stores at most `limit` diagnostics.
    pub fn new(limit: usize) -> Self {
        Sink { limit, ..Sink::default() }
    }

    /// Stores a diagnostic, or only counts it if the limit is reached.
    pub fn push(&mut self, d: Diagnostic) {
        self.errors += usize::from(d.severity == Severity::Error);
        if self.list.len() < self.limit {
            self.list.push(d);
        } else {
            self.dropped += 1;
        }
    }

    /// Counts diagnostics that were found but not created, as if they were pushed after the limit was reached.
    pub fn count(&mut self, more: usize) {
        self.dropped += more;
    }

    /// Number of errors pushed, stored or not.
    pub fn errors(&self) -> usize {
        self.errors
    }

    /// Number of diagnostics pushed but not stored.
    pub fn dropped(&self) -> usize {
        self.dropped
    }

    /// The stored diagnostics, in the order of their discovery.
    pub fn list(&self) -> &[Diagnostic] {
        &self.list
    }

    /// The stored diagnostics; a last note reports the number of those not stored.
    pub fn finish(mut self) -> Vec<Diagnostic> {
        if self.dropped > 0 {
            let text = alloc::format!("{} more diagnostics are not shown", self.dropped);
            let limit = alloc::format!("the limit {}={} bounds them", Limit::Diagnostics.name(), self.limit);
            self.list.push(Diagnostic::new(Severity::Note, "limit-diagnostics", text).note(limit));
        }
        self.list
    }
}

impl Extend<Diagnostic> for Sink {
    fn extend<T: IntoIterator<Item = Diagnostic>>(&mut self, iter: T) {
        iter.into_iter().for_each(|d| self.push(d));
    }
}
