//! Findings of code that runs in several contexts.

use alloc::{collections::BTreeSet, string::String};
use shisa_diag::{Code, Diagnostic};

/// The findings that were reported, so that an instruction with the same finding in several contexts has it once.
#[derive(Debug, Default)]
pub(crate) struct Once {
    seen: BTreeSet<(usize, Code, String)>,
}

impl Once {
    /// Whether a finding about the instruction at an offset is new.
    pub(crate) fn is_new(&mut self, offset: usize, d: &Diagnostic) -> bool {
        self.seen.insert((offset, d.code, d.message.clone()))
    }
}
