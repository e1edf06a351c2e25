//! What the assembler reports.

use super::assembler::Assembler;
use super::source_text::Piece;
use alloc::format;
use shisa_diag::{Diagnostic, Severity};
use shisa_rows::nearest;

/// Number of faults in a file for which a similar name is suggested.
const HINTS: usize = 50;
/// Number of names that are searched for it.
const CANDIDATES: usize = 1000;

impl<'s> Assembler<'_, 's> {
    /// Adds a finding about the current file.
    pub(super) fn report(&mut self, d: Diagnostic) {
        self.report_in(self.source, d);
    }

    pub(super) fn report_in(&mut self, source: usize, d: Diagnostic) {
        if let Some(sink) = self.sinks.get_mut(source) {
            sink.push(d);
        }
    }

    /// A case that picasso silently gets wrong is an error; if picasso's bytes are requested, a warning.
    pub(super) fn graded(&self, mut d: Diagnostic) -> Diagnostic {
        if self.options.picasso_compatible {
            d.severity = Severity::Warning;
        }
        d
    }

    /// Stops at a case that picasso silently gets wrong, or continues as picasso does if its bytes are requested.
    pub(super) fn quirk(&mut self, d: Diagnostic) -> Result<(), Diagnostic> {
        let d = self.graded(d);
        if d.severity == Severity::Error {
            return Err(d);
        }
        self.report(d);
        Ok(())
    }

    /// The same for another file, which is finished.
    pub(super) fn quirk_in(&mut self, source: usize, d: Diagnostic) {
        let d = self.graded(d);
        self.report_in(source, d);
    }

    /// A similar name, among the first of many. A file with many faults gets no more hints.
    pub(super) fn near<'a>(&self, name: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
        let few = self.sinks.get(self.source).is_some_and(|s| s.errors() < HINTS);
        if few { nearest(name, names.take(CANDIDATES)) } else { None }
    }

    /// Points at an earlier position, possibly in another file.
    pub(super) fn refer(&self, d: Diagnostic, source: usize, place: Piece<'s>, text: &str) -> Diagnostic {
        if source == self.source {
            return d.at_text(place.span(), text);
        }
        let Some(file) = self.sources.get(source) else { return d };
        let Some(lines) = self.located.get(source) else { return d };
        let line = lines.get_or_init(|| shisa_diag::Source::new(file.text)).line_column(place.at).0;
        d.note(format!("{text} is in {}, line {line}", file.name))
    }
}
