//! Where control may go.

use super::code::{Code, Found};
use crate::flow::{Flow, Mark};
use alloc::{format, vec, vec::Vec};
use shisa_diag::Diagnostic;

pub(super) fn check(code: &Code<'_>, found: &mut Found<'_>) {
    for missing in code.graph.missing.iter().filter(|m| code.graph.complete && code.graph.is_reached(m.insn))
    {
        let (make, leave) = names(missing.mark);
        let text = format!("{leave} leaves for a mark that no {make} has made on some way here");
        found.at(missing.insn, Diagnostic::error("maxwell-mark-missing", text));
    }
    for i in &code.graph.piled {
        let text = "a loop makes marks that nothing takes, until the stack overflows";
        found.at(*i, Diagnostic::warning("maxwell-mark-growth", text));
    }
    ends(code, found);
    if code.graph.complete {
        unused(code, found);
        endless(code, found);
    }
}

/// What makes a mark of a kind, and what leaves for it.
fn names(mark: Mark) -> (&'static str, &'static str) {
    match mark {
        Mark::Sync => ("SSY", "SYNC"),
        Mark::Break => ("PBK", "BRK"),
        Mark::Continue => ("PCNT", "CONT"),
        Mark::Return => ("CAL or PRET", "RET"),
        Mark::Exit => ("PEXIT", "EXIT"),
        Mark::LongJump => ("PLONGJMP", "LONGJMP"),
    }
}

/// Ways that lead out of the code.
fn ends(code: &Code<'_>, found: &mut Found<'_>) {
    let count = code.words.len();
    for (i, _) in code.insns().filter(|(i, _)| code.graph.is_reached(*i)) {
        let falls = i + 1 == count && matches!(code.flow(i), Some(Flow::Next | Flow::Push(..)));
        if falls || code.graph.next(i).any(|next| next >= count) {
            let text = "control may run past the end of the code from here";
            let help = "code ends in EXIT, RET or a branch that is always taken";
            found.at(i, Diagnostic::error("maxwell-past-end", text).help(help));
        }
    }
}

/// Marks for which nothing leaves.
fn unused(code: &Code<'_>, found: &mut Found<'_>) {
    let before = Before::new(code);
    for mark in [Mark::Sync, Mark::Break, Mark::Continue, Mark::LongJump] {
        let makes = |i: &usize| matches!(code.flow(*i), Some(Flow::Push(m, _)) if m == mark);
        let made: Vec<usize> = code.insns().map(|(i, _)| i).filter(makes).collect();
        if made.is_empty() {
            continue;
        }
        let leaves = code.insns().map(|(i, _)| i).filter(|i| code.flow(*i) == Some(Flow::Pop(mark)));
        let used = before.of(leaves);
        for i in made.into_iter().filter(|i| !used.get(*i).copied().unwrap_or(true)) {
            let (make, leave) = names(mark);
            let text = format!("no {leave} comes behind this {make}");
            found.at(i, Diagnostic::warning("maxwell-mark-unused", text));
        }
    }
}

/// Programs that cannot end.
fn endless(code: &Code<'_>, found: &mut Found<'_>) {
    let leaves =
        |flow| matches!(flow, Some(Flow::Pop(Mark::Exit | Mark::Return) | Flow::Anywhere | Flow::Call(_)));
    let broken = |i: usize| code.graph.insns.get(i).is_none_or(Option::is_none);
    let any = (0..code.words.len())
        .filter(|i| code.graph.is_reached(*i))
        .any(|i| leaves(code.flow(i)) || broken(i));
    if !any && !code.words.is_empty() {
        let text = "no way through the program leads to EXIT";
        found.at(0, Diagnostic::warning("maxwell-no-exit", text));
    }
}

/// Which instructions come before which.
struct Before {
    /// Where the list of each instruction begins.
    starts: Vec<usize>,
    lists: Vec<usize>,
}

impl Before {
    fn new(code: &Code<'_>) -> Before {
        let count = code.words.len();
        let edges = || {
            let all = (0..count).filter(|i| code.graph.is_reached(*i));
            all.flat_map(|i| code.graph.next(i).filter(|n| *n < count).map(move |n| (i, n)))
        };
        let mut starts = vec![0; count + 2];
        edges().for_each(|(_, n)| starts[n + 2] += 1);
        (1..starts.len()).for_each(|n| starts[n] += starts[n - 1]);
        let mut lists = vec![0; starts[count + 1]];
        for (i, n) in edges() {
            lists[starts[n + 1]] = i;
            starts[n + 1] += 1;
        }
        Before { starts, lists }
    }

    /// Whether each instruction may come before one of these.
    fn of(&self, ends: impl Iterator<Item = usize>) -> Vec<bool> {
        let mut seen = vec![false; self.starts.len()];
        let mut open: Vec<usize> = ends.collect();
        while let Some(i) = open.pop() {
            match seen.get_mut(i) {
                Some(seen) if !*seen => *seen = true,
                _ => continue,
            }
            let (from, to) = (self.starts[i], self.starts[i + 1]);
            open.extend(self.lists.get(from..to).unwrap_or_default());
        }
        seen
    }
}
