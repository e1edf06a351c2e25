//! Rules about control flow.

use super::code::{Code, Found};
use crate::Maxwell;
use crate::flow::{Flow, Mark};
use crate::mark::Turn;
use alloc::{format, string::String, vec::Vec};
use shisa_diag::Diagnostic;
use shisa_rows::Isa;

pub(super) fn check(code: &Code<'_>, found: &mut Found<'_>) {
    for missing in
        code.graph.missing.iter().filter(|m| code.graph.is_complete() && code.graph.is_reached(m.insn))
    {
        let (make, leave) = makers_and_leavers(missing.mark);
        let text = format!("{leave} leaves for a mark that no {make} has made on some path here");
        found.at(missing.insn, Diagnostic::error("maxwell-mark-missing", text));
    }
    for i in &code.graph.piled {
        let text = "a loop makes marks that nothing takes, until the stack overflows";
        found.at(*i, Diagnostic::warning("maxwell-mark-growth", text));
    }
    ends(code, found);
    if code.graph.is_complete() {
        unused(code, found);
        endless(code, found);
    }
}

/// The instructions that make a mark of a kind, and those that leave to it.
fn makers_and_leavers(mark: Mark) -> (String, String) {
    // A call makes the mark for its return.
    let makes = |turn| turn == Turn::Push(mark) || mark == Mark::Return && matches!(turn, Turn::Call(_));
    (names(makes), names(|turn| turn == Turn::Pop(mark)))
}

/// The names of the rows that do this to the flow of control, each once.
fn names(does: impl Fn(Turn) -> bool) -> String {
    let mut names: Vec<&str> = Vec::new();
    for form in Maxwell::table().forms().iter().filter(|form| does(form.attr.turn)) {
        if !names.contains(&form.name) {
            names.push(form.name);
        }
    }
    names.join(" or ")
}

/// Paths that lead out of the code.
fn ends(code: &Code<'_>, found: &mut Found<'_>) {
    let count = code.graph.len();
    for (i, _) in code.insns().filter(|(i, _)| code.graph.is_reached(*i)) {
        if code.graph.next(i).any(|next| next == count) {
            let text = "control may run past the end of the code from here";
            let help = "code ends in EXIT, RET or a branch that is always taken";
            found.at(i, Diagnostic::error("maxwell-past-end", text).help(help));
        }
    }
}

/// Marks to which nothing leaves.
fn unused(code: &Code<'_>, found: &mut Found<'_>) {
    let backwards = code.graph.edges.reversed();
    for mark in [Mark::Sync, Mark::Break, Mark::Continue, Mark::LongJump] {
        let makes = |i: &usize| matches!(code.flow(*i), Some(Flow::Push(m, _)) if m == mark);
        let made: Vec<usize> = code.insns().map(|(i, _)| i).filter(makes).collect();
        if made.is_empty() {
            continue;
        }
        let leaves = code.insns().map(|(i, _)| i).filter(|i| code.flow(*i) == Some(Flow::Pop(mark)));
        let used = backwards.reached(leaves);
        for i in made.into_iter().filter(|i| used.get(*i) == Some(&false)) {
            let (make, leave) = makers_and_leavers(mark);
            let text = format!("no {leave} comes after this {make}");
            found.at(i, Diagnostic::warning("maxwell-mark-unused", text));
        }
    }
}

/// Programs that cannot end.
fn endless(code: &Code<'_>, found: &mut Found<'_>) {
    let leaves =
        |flow| matches!(flow, Some(Flow::Pop(Mark::Exit | Mark::Return) | Flow::Anywhere | Flow::Call(_)));
    let broken = |i: usize| code.graph.insn(i).is_none();
    let any = (0..code.graph.len())
        .filter(|i| code.graph.is_reached(*i))
        .any(|i| leaves(code.flow(i)) || broken(i));
    if !any && !code.graph.is_empty() {
        let text = "no path through the program leads to EXIT";
        found.at(0, Diagnostic::warning("maxwell-no-exit", text));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_named_by_their_rows() {
        assert_eq!(names(|turn| turn == Turn::Push(Mark::Sync)), "SSY");
        assert_eq!(names(|turn| turn == Turn::Pop(Mark::Sync)), "SYNC");
        assert_eq!(names(|turn| matches!(turn, Turn::Call(_))), "CAL or JCAL");
        assert_eq!(names(|turn| turn == Turn::Pop(Mark::Return)), "RET");
    }
}
