//! The input and the findings of rules.

use super::Expect;
use crate::Ctx;
use crate::code::{Code, Once, Step};
use alloc::{format, string::String, vec::Vec};
use core::ops::Range;
use shisa_diag::{Diagnostic, Sink};
use shisa_rows::{Line, print};

/// Code, with the facts known about it.
pub(super) struct Checked<'a> {
    pub(super) code: Code<'a>,
    pub(super) expect: &'a Expect,
}

/// The findings about code.
pub(super) struct Found<'a> {
    start: usize,
    sink: &'a mut Sink,
    once: Once,
}

impl<'a> Found<'a> {
    /// For code that begins at an offset in its file.
    pub(super) fn new(start: usize, sink: &'a mut Sink) -> Found<'a> {
        Found { start, sink, once: Once::default() }
    }

    /// Reports a finding about an instruction, once.
    pub(super) fn at(&mut self, step: &Step<'_>, d: Diagnostic) {
        // Findings past the limit are only counted and need no text.
        if !self.sink.stores(d.severity) {
            return self.sink.push(d);
        }
        let bytes = step.bytes();
        if self.once.is_new(bytes.start, &d) {
            let offset = bytes.start.saturating_sub(self.start);
            self.sink.push(d.at_bytes(bytes, "").note(format!("{offset:#06x}: {}", text(step, offset))));
        }
    }

    /// Reports a finding about bytes that are not an instruction.
    pub(super) fn at_bytes(&mut self, bytes: Range<usize>, d: Diagnostic) {
        self.sink.push(d.at_bytes(bytes, ""));
    }

    /// Reports an analysis that failed.
    pub(super) fn failed(&mut self, d: Diagnostic) {
        self.sink.push(d);
    }
}

fn text(step: &Step<'_>, offset: usize) -> String {
    let ctx = Ctx { pc: offset as u32, ..Ctx::default() };
    let mut text = Vec::new();
    print(&step.insn, ctx, &mut Line::new(&mut text));
    String::from_utf8_lossy(&text).into_owned()
}
