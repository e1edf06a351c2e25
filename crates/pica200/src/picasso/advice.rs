//! Warnings about a file: unused names, no position.

use super::assembler::Assembler;
use super::register::Bank;
use crate::container::DUMMY;
use alloc::{format, vec::Vec};
use shisa_diag::Diagnostic;

impl Assembler<'_, '_> {
    /// Warns of declarations that the file does not use. A file that only serves others declares names for them.
    pub(super) fn unused_names(&mut self) {
        let Some(part) = self.current.and_then(|n| self.parts.get(n)) else { return };
        let mut found = Vec::new();
        if part.hidden.is_none() {
            for alias in self.aliases.values().filter(|a| a.declares && !a.used) {
                let (code, what) = match alias.bank {
                    Bank::Input => ("pica-unused-input", "input"),
                    _ => ("pica-unused-uniform", "uniform"),
                };
                let text = format!("nothing uses the {what} {}", alias.place.text);
                found.push(Diagnostic::warning(code, text).at_text(alias.place.span(), ""));
            }
            let means = |kind| part.outputs.iter().any(|o| o.entry.kind == kind);
            if let Some(first) = part.first_output.filter(|_| !means(0) && !means(DUMMY)) {
                let d = Diagnostic::warning("pica-no-position", "no output is the position");
                found.push(d.at_text(first.span(), "the first output"));
            }
        }
        found.into_iter().for_each(|d| self.report(d));
    }
}
