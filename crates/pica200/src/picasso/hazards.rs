//! The rules of the hardware, reported at lines of the source.

use super::{Assembly, Finding, Rules};
use crate::rules::{self, Subject};
use alloc::vec::Vec;
use shisa_diag::{Diagnostic, Limits, Severity, Span};

impl Assembly {
    /// Checks the rules of the hardware.
    pub(super) fn apply_rules(&mut self, asked: Rules, limits: &Limits) {
        let Some(file) = &self.shbin else { return };
        let mut found = Vec::new();
        let (list, rest) = rules::check(file, limits);
        let weighed = |mut d: Diagnostic| {
            if asked == Rules::Warn {
                d.severity = d.severity.min(Severity::Warning);
            }
            d
        };
        for f in list {
            let Some((source, span)) = self.place(f.program, f.subject) else { continue };
            let mut d = weighed(f.diagnostic).at_text(span, "");
            for (subject, text) in f.related {
                match self.place(f.program, subject) {
                    Some((other, span)) if other == source => d = d.at_text(span, text),
                    _ => {}
                }
            }
            // The assembler reports some of these findings, too.
            let same = |f: &Finding| f.diagnostic.code == d.code && f.diagnostic.offset() == d.offset();
            if !self.findings.iter().any(|f| f.source == source && same(f)) {
                found.push(Finding { source, diagnostic: d });
            }
        }
        self.findings.extend(found);
        self.findings.extend(rest.map(|d| Finding { source: 0, diagnostic: weighed(d) }));
        self.findings
            .sort_by_key(|f| (f.source, f.diagnostic.severity == Severity::Note, f.diagnostic.offset()));
    }

    /// The source and the span in it of a part of the file. Among the tables only the outputs have one: the assembler
    /// writes the others correctly, or reports what is wrong.
    fn place(&self, program: Option<usize>, subject: Subject) -> Option<(usize, Span)> {
        match subject {
            Subject::Word(n) => self.words.get(n as usize).map(|w| (w.source as usize, w.span())),
            Subject::Output(n) => {
                let program = self.programs.get(program?)?;
                Some((program.source, *program.outputs.get(n as usize)?))
            }
            Subject::Entry | Subject::End | Subject::OutputMask => {
                let program = self.programs.get(program?)?;
                Some((program.source, program.start))
            }
            _ => None,
        }
    }
}
