//! The rules that programs and their containers must obey, on paper and on the machine.
//!
//! # Concepts
//!
//! Three kinds of rules. Each word by itself: its opcode, descriptor, registers. The ways through the
//! program: the sequencer runs them all, with both outcomes of every condition, and what each way has
//! written, called and begun is known in front of every word. The tables of the container: whether they
//! fit the program and each other.
//!
//! A boolean does not change while a program runs, so a way on which it is both is no way; the same holds
//! for the flags between two comparisons. Numbers of turns are not looked at: a loop runs once or more
//! often.
//!
//! What freezes a 3DS is an error although no emulator shows it. A [`Finding`] is about a part of the
//! file, its [`Subject`]; [`check_bytes`] turns that into bytes.

mod blocks;
mod codes;
mod container;
mod effects;
mod facts;
mod flow;
mod hazards;
mod place;
mod seen;
#[cfg(test)]
mod tests;
mod uses;
mod walk;
mod words;

pub use codes::{ALL, Rule};
pub use place::Subject;

use crate::container::{Raw, Shbin};
use alloc::collections::BTreeSet;
use alloc::{string::String, vec, vec::Vec};
use core::ops::Range;
use effects::{Code, Effects};
use place::Places;
use seen::Seen;
use shisa_diag::{Diagnostic, Limits, Severity, Sink};
use walk::Walk;

/// More words than any unit holds; the ways through a program that is longer are not followed.
const FOLLOWED: usize = 2 * 4096;

/// How many nodes the walks through all programs of a file may have together.
const NODES: usize = 1 << 20;

/// A breach of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The program of the file, counted from 0; `None` for what all programs share.
    pub program: Option<usize>,
    /// The part of the file.
    pub subject: Subject,
    /// Other parts that matter, with what is said there.
    pub related: Vec<(Subject, String)>,
    /// What is wrong, without a place.
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

    /// The diagnostic with the bytes that it is about, of which `places` tells those of a part of a program.
    fn at(self, places: impl Fn(Option<usize>, Subject) -> Option<Range<usize>>) -> Diagnostic {
        let mut d = self.diagnostic;
        if let Some(bytes) = places(self.program, self.subject) {
            d = d.at_bytes(bytes, "");
        }
        for (subject, text) in self.related {
            if let Some(bytes) = places(self.program, subject) {
                d = d.at_bytes(bytes, text);
            }
        }
        d
    }
}

/// Findings up to a limit; what comes behind is dropped.
struct Found {
    list: Vec<Finding>,
    limit: usize,
}

impl Found {
    fn push(&mut self, finding: Finding) {
        if self.list.len() < self.limit {
            self.list.push(finding);
        }
    }
}

impl Extend<Finding> for Found {
    fn extend<T: IntoIterator<Item = Finding>>(&mut self, findings: T) {
        findings.into_iter().for_each(|f| self.push(f));
    }
}

/// Everything that is wrong with a file, each with its bytes; at most `limits.diagnostics` findings and a
/// note that counts others.
///
/// # Errors
/// What [`Shbin::read`] reports.
pub fn check_bytes(bytes: &[u8], limits: &Limits) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
    let file = Shbin::read(bytes, limits)?;
    let places = Places::of(&file);
    let mut told = Sink::new(limits.diagnostics);
    told.extend(check(&file, limits).into_iter().map(|f| f.at(|program, part| places.bytes(program, part))));
    Ok(told.finish())
}

/// Everything that is wrong with a program without a container, each with its bytes of the code; as
/// [`check_bytes`]. What its outputs mean is not asked.
///
/// # Errors
/// What [`Raw::linked`] reports.
pub fn check_raw(raw: &Raw<'_>, limits: &Limits) -> Result<Vec<Diagnostic>, Diagnostic> {
    let findings = check(&raw.linked(limits)?, limits);
    let mut told = Sink::new(limits.diagnostics);
    let known = findings.into_iter().filter(|f| f.diagnostic.code != codes::NO_POSITION.code);
    told.extend(known.map(|finding| finding.at(|_, subject| raw_bytes(subject))));
    Ok(told.finish())
}

/// The components of inputs that a program reads and of outputs that it writes, four bits a register with x
/// the lowest: of the words that its ways reach, or of all words where these are too many to follow.
pub(crate) fn used(code: &[u32], descriptors: &[u32], entry: u32) -> (u64, u64) {
    let code = Code::new(code, descriptors);
    let mut nodes = NODES;
    let walk = Walk::new(&code, entry, &mut nodes);
    let reached = walk.nodes.iter().filter(|n| !n.implied).filter_map(|n| code.effects.get(n.pc as usize));
    let join = |all: (u64, u64), e: &Effects| (all.0 | e.inputs, all.1 | e.outputs);
    if walk.incomplete { code.effects.iter().fold((0, 0), join) } else { reached.fold((0, 0), join) }
}

fn raw_bytes(subject: Subject) -> Option<Range<usize>> {
    match subject {
        Subject::Word(n) => Some(4 * n as usize..4 * n as usize + 4),
        _ => None,
    }
}

/// Everything that is wrong with a file, in the order of its parts. Programs behind the one that brings
/// the findings above `limits.diagnostics` are not looked at.
pub fn check(file: &Shbin, limits: &Limits) -> Vec<Finding> {
    let limit = limits.diagnostics.saturating_add(1);
    let mut findings = Found { list: Vec::new(), limit };
    container::pool(file, &mut findings);
    let followed = file.code.len() <= FOLLOWED;
    let descriptors: Vec<u32> = file.descriptors.iter().map(|d| d.bits).collect();
    let code = Code::new(if followed { &file.code } else { &[] }, &descriptors);
    let mut reached = vec![false; file.code.len()];
    let mut told = BTreeSet::new();
    let mut nodes = NODES;
    let mut complete = followed && !file.programs.is_empty();
    for (i, dvle) in file.programs.iter().enumerate() {
        let mut found = Found { list: Vec::new(), limit };
        container::tables(file, dvle, &mut found);
        let walk = Walk::new(&code, dvle.entry, &mut nodes);
        for node in walk.nodes.iter().filter(|n| !n.implied) {
            if let Some(slot) = reached.get_mut(node.pc as usize) {
                *slot = true;
            }
        }
        complete &= !walk.incomplete;
        if followed {
            let seen = Seen::new(dvle, &descriptors, &code, &walk);
            words::check(&seen, &mut found);
            flow::check(&seen, &mut found);
            blocks::check(&seen, &mut found);
            hazards::check(&seen, &mut found);
            uses::check(&seen, file.programs.len() > 1, &mut found);
        }
        for finding in found.list {
            // Programs that share words would tell the same twice.
            let words = matches!(finding.subject, Subject::Word(_));
            if !words || told.insert((finding.subject, finding.diagnostic.code)) {
                findings.push(Finding { program: Some(i), ..finding });
            }
        }
        if findings.list.len() == limit {
            complete = false;
            break;
        }
    }
    if complete && !flow::derailed(&findings) {
        flow::unreached(&code, &reached, &mut findings);
    }
    findings.list.sort_by_key(|f| (f.program, f.subject));
    findings.list
}
