//! The findings about a file or a program.

use super::{Finding, codes};
use alloc::vec::Vec;
use shisa_diag::{Diagnostic, Limits, Severity, Sink};

impl shisa_diag::Finding for Finding {
    fn severity(&self) -> Severity {
        self.diagnostic.severity
    }
}

/// Findings up to a limit.
pub(super) struct Found {
    sink: Sink<Finding>,
    /// Whether the program is known to take unintended paths. That it does not end, or never reaches some words,
    /// follows from that.
    pub(super) derailed: bool,
}

impl Found {
    pub(super) fn new(limits: &Limits) -> Found {
        Found { sink: Sink::new(limits.diagnostics), derailed: false }
    }

    pub(super) fn push(&mut self, finding: Finding) {
        let rules = [
            codes::RECURSION,
            codes::CALL_DEPTH,
            codes::LOOP_DEPTH,
            codes::IF_DEPTH,
            codes::EMPTY_CALL,
            codes::BREAK_OUTSIDE,
        ];
        self.derailed |= rules.iter().any(|r| r.code == finding.diagnostic.code);
        self.sink.push(finding);
    }

    /// Adds the findings about a program, except those for which `chosen` returns `None`.
    pub(super) fn add(&mut self, program: Found, chosen: impl FnMut(Finding) -> Option<Finding>) {
        self.derailed |= program.derailed;
        self.sink.join(program.sink, chosen);
    }

    /// The findings in the order of the parts of the file, and a diagnostic that counts those past the limit.
    pub(super) fn finish(self) -> (Vec<Finding>, Option<Diagnostic>) {
        let (mut list, rest) = self.sink.into_parts();
        list.sort_by_key(|f| (f.program, f.subject));
        (list, rest)
    }
}

impl Extend<Finding> for Found {
    fn extend<T: IntoIterator<Item = Finding>>(&mut self, findings: T) {
        findings.into_iter().for_each(|f| self.push(f));
    }
}
