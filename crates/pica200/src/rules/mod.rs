//! The rules that programs and their containers must obey, by the documents and on the hardware.
//!
//! # Concepts
//!
//! There are three kinds of rules. Some look at each word alone: its opcode, descriptor, registers. Some look at the paths
//! through the program: the sequencer runs all of them, with both outcomes of every condition, and an analysis finds what
//! every path to a word has written, called and begun. Some look at the tables of the container: whether they fit the
//! program and each other.
//!
//! A boolean does not change while a program runs, so there is no path on which it is both true and false; the same holds
//! for the flags between two comparisons. The number of iterations is not considered: a loop runs once or more often.
//!
//! What freezes a 3DS is an error although no emulator shows it. A [`Finding`] is about a part of the file, its
//! [`Subject`]; [`check_bytes`] finds the bytes of that part.

mod blocks;
mod codes;
mod container;
mod flow;
mod found;
mod hazards;
mod history;
mod names;
mod program;
mod subject;
#[cfg(test)]
mod tests;
mod unused;
mod words;

pub use codes::{ALL, Rule};
pub use subject::Subject;

use crate::code::{Code, NODES, Walk};
use crate::container::{Raw, Shbin};
use alloc::collections::BTreeSet;
use alloc::{string::String, vec, vec::Vec};
use core::ops::Range;
use found::Found;
use program::Program;
use shisa_diag::{Diagnostic, Limits, Severity};
use subject::Places;

/// More words than any unit holds; the paths through a longer program are not followed.
const FOLLOWED: usize = 2 * 4096;

/// A breach of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The program of the file, counted from 0; `None` for what all programs share.
    pub program: Option<usize>,
    /// The part of the file.
    pub subject: Subject,
    /// Other relevant parts, each with its text.
    pub related: Vec<(Subject, String)>,
    /// The fault, without its location.
    pub diagnostic: Diagnostic,
}

impl Finding {
    fn new(rule: Rule, subject: Subject, message: impl Into<String>) -> Finding {
        let diagnostic = Diagnostic::new(rule.severity, rule.code, message).help(rule.help);
        Finding { program: None, subject, related: Vec::new(), diagnostic }
    }

    fn severity(mut self, severity: Severity) -> Finding {
        self.diagnostic.severity = severity;
        self
    }

    fn note(mut self, text: impl Into<String>) -> Finding {
        self.diagnostic = self.diagnostic.note(text);
        self
    }

    fn with(mut self, subject: Subject, text: impl Into<String>) -> Finding {
        self.related.push((subject, text.into()));
        self
    }

    /// The diagnostic with its bytes; `bytes_of` finds the bytes of a part of a program.
    fn at(self, bytes_of: impl Fn(Option<usize>, Subject) -> Option<Range<usize>>) -> Diagnostic {
        let mut d = self.diagnostic;
        if let Some(bytes) = bytes_of(self.program, self.subject) {
            d = d.at_bytes(bytes, "");
        }
        for (subject, text) in self.related {
            if let Some(bytes) = bytes_of(self.program, subject) {
                d = d.at_bytes(bytes, text);
            }
        }
        d
    }
}

/// All faults of a file, each with its bytes; at most `limits.diagnostics` findings and a note that counts others.
///
/// # Errors
/// The errors of [`Shbin::read`].
pub fn check_bytes(bytes: &[u8], limits: &Limits) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
    let file = Shbin::read(bytes, limits)?;
    let places = Places::of(&file);
    let (list, rest) = check(&file, limits);
    let list = list.into_iter().map(|f| f.at(|program, part| places.bytes(program, part)));
    Ok(list.chain(rest).collect())
}

/// All faults of a program without a container, each with its bytes of the code; as [`check_bytes`]. Whether its
/// outputs have a meaning is not checked.
///
/// # Errors
/// The errors of [`Raw::linked`].
pub fn check_raw(raw: &Raw<'_>, limits: &Limits) -> Result<Vec<Diagnostic>, Diagnostic> {
    let (list, rest) = check(&raw.linked(limits)?, limits);
    let known = list.into_iter().filter(|f| f.diagnostic.code != codes::NO_POSITION.code);
    Ok(known.map(|finding| finding.at(|_, subject| raw_bytes(subject))).chain(rest).collect())
}

fn raw_bytes(subject: Subject) -> Option<Range<usize>> {
    match subject {
        Subject::Word(n) => Some(4 * n as usize..4 * n as usize + 4),
        _ => None,
    }
}

/// The faults of a file, in the order of its parts, and a diagnostic that counts those past `limits.diagnostics`.
pub fn check(file: &Shbin, limits: &Limits) -> (Vec<Finding>, Option<Diagnostic>) {
    let mut findings = Found::new(limits);
    container::pool(file, &mut findings);
    let followed = file.code.len() <= FOLLOWED;
    let descriptors: Vec<u32> = file.descriptors.iter().map(|d| d.bits).collect();
    let code = Code::new(if followed { &file.code } else { &[] }, &descriptors);
    let mut reached = vec![false; file.code.len()];
    let mut reported = BTreeSet::new();
    let mut nodes = NODES;
    let mut complete = followed && !file.programs.is_empty();
    for (i, dvle) in file.programs.iter().enumerate() {
        let mut found = Found::new(limits);
        container::tables(file, dvle, &mut found);
        let walk = Walk::new(&code, dvle.entry, &mut nodes);
        for (slot, here) in reached.iter_mut().zip(walk.reached(code.len())) {
            *slot |= here;
        }
        complete &= walk.complete;
        if followed {
            let program = Program::new(dvle, &descriptors, &code, &walk);
            words::check(&program, &mut found);
            flow::check(&program, &mut found);
            blocks::check(&program, &mut found);
            if hazards::check(&program, &mut found).is_err() {
                let d = Diagnostic::error("internal-pica-fuel", "the analysis of the paths did not settle");
                let subject = Subject::Entry;
                found.push(Finding { program: None, subject, related: Vec::new(), diagnostic: d });
            }
            unused::check(&program, file.programs.len() > 1, &mut found);
        }
        findings.add(found, |finding| {
            // Programs that share words would report the same finding twice.
            let words = matches!(finding.subject, Subject::Word(_));
            let new = !words || reported.insert((finding.subject, finding.diagnostic.code));
            new.then_some(Finding { program: Some(i), ..finding })
        });
    }
    if complete && !findings.derailed {
        flow::unreached(&code, &reached, &mut findings);
    }
    findings.finish()
}
