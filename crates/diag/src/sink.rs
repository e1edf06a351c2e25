//! A list of findings with a limit.

use crate::diagnostic::{Diagnostic, Severity};
use crate::limits::Limit;
use alloc::{format, vec::Vec};

/// A finding with a severity, as a [`Sink`] collects it.
pub trait Finding {
    /// The severity.
    fn severity(&self) -> Severity;
}

impl Finding for Diagnostic {
    fn severity(&self) -> Severity {
        self.severity
    }
}

/// Collects findings up to a limit and counts the rest. If the limit is reached, a finding takes the slot of the last
/// one of a lower severity, so warnings never hide errors.
#[derive(Clone, Debug)]
pub struct Sink<T = Diagnostic> {
    limit: usize,
    /// The number of findings pushed.
    pushed: usize,
    /// The stored findings of each severity, with the number of those pushed before.
    stored: [Vec<(usize, T)>; Severity::COUNT],
    /// The number of findings of each severity that are not stored.
    dropped: [usize; Severity::COUNT],
}

impl<T: Finding> Sink<T> {
    /// A sink that stores at most `limit` findings.
    pub fn new(limit: usize) -> Self {
        Sink {
            limit,
            pushed: 0,
            stored: [const { Vec::new() }; Severity::COUNT],
            dropped: [0; Severity::COUNT],
        }
    }

    /// Stores a finding, or only counts it if the limit is reached by findings that are as severe.
    pub fn push(&mut self, finding: T) {
        let rank = finding.severity() as usize;
        let order = self.pushed;
        self.pushed += 1;
        if self.len() >= self.limit {
            let Some(lower) = self.stored[..rank].iter().position(|s| !s.is_empty()) else {
                self.dropped[rank] += 1;
                return;
            };
            self.stored[lower].pop();
            self.dropped[lower] += 1;
        }
        self.stored[rank].push((order, finding));
    }

    /// Adds the findings of another sink, except those for which `chosen` returns `None`, and its counts.
    pub fn join<U>(&mut self, other: Sink<U>, chosen: impl FnMut(U) -> Option<T>) {
        for (own, dropped) in self.dropped.iter_mut().zip(other.dropped) {
            *own += dropped;
        }
        self.extend(in_order(other.stored).filter_map(chosen));
    }

    /// Whether a finding of this severity would be stored.
    pub fn stores(&self, severity: Severity) -> bool {
        self.len() < self.limit || self.stored[..severity as usize].iter().any(|s| !s.is_empty())
    }

    /// Whether nothing was pushed.
    pub fn is_empty(&self) -> bool {
        self.len() + self.dropped() == 0
    }

    /// Number of errors pushed, stored or not.
    pub fn errors(&self) -> usize {
        self.stored[Severity::Error as usize].len() + self.dropped[Severity::Error as usize]
    }

    /// Number of findings pushed but not stored.
    pub fn dropped(&self) -> usize {
        self.dropped.iter().sum()
    }

    /// The stored findings, in the order of their discovery, and a diagnostic that counts the others, if there are
    /// any. Its severity is their highest.
    pub fn into_parts(self) -> (Vec<T>, Option<Diagnostic>) {
        let rest = self.rest();
        (in_order(self.stored).collect(), rest)
    }

    fn len(&self) -> usize {
        self.stored.iter().map(Vec::len).sum()
    }

    fn rest(&self) -> Option<Diagnostic> {
        let counted =
            Severity::ALL.into_iter().rev().map(|s| (s, self.dropped[s as usize])).filter(|c| c.1 > 0);
        let parts: Vec<_> =
            counted.map(|(s, n)| (s, format!("{n} {}{}", s.name(), if n == 1 { "" } else { "s" }))).collect();
        let (highest, _) = parts.first()?;
        let texts: Vec<_> = parts.iter().map(|p| p.1.as_str()).collect();
        let text = format!("{} more diagnostics are not shown: {}", self.dropped(), texts.join(", "));
        let limit = format!("the limit {}={} bounds them", Limit::Diagnostics.name(), self.limit);
        Some(Diagnostic::new(*highest, "limit-diagnostics", text).note(limit))
    }
}

/// Findings in the order of their discovery.
fn in_order<T>(stored: [Vec<(usize, T)>; Severity::COUNT]) -> impl Iterator<Item = T> {
    let mut all: Vec<(usize, T)> = stored.into_iter().flatten().collect();
    all.sort_unstable_by_key(|(order, _)| *order);
    all.into_iter().map(|(_, finding)| finding)
}

impl Sink {
    /// The stored diagnostics, in the order of their discovery; a last one reports the number of those not stored, and
    /// has their highest severity.
    pub fn finish(self) -> Vec<Diagnostic> {
        self.finish_by(|_| ())
    }

    /// [`Sink::finish`], but the stored diagnostics are sorted by a key.
    pub fn finish_by<K: Ord>(self, key: impl Fn(&Diagnostic) -> K) -> Vec<Diagnostic> {
        let (mut all, rest) = self.into_parts();
        all.sort_by_key(key);
        all.extend(rest);
        all
    }
}

impl<T: Finding> Extend<T> for Sink<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, iter: I) {
        iter.into_iter().for_each(|d| self.push(d));
    }
}
