//! Control flow: paths that leave the program, never end, or are never taken.

use super::program::Program;
use super::{Finding, Found, Subject, codes};
use crate::attributes::Role;
use crate::code::{Code, Fault, Problem};
use crate::sequencer::{CALL, JUMP};
use alloc::collections::BTreeSet;
use alloc::format;

pub(super) fn check(program: &Program<'_>, found: &mut Found) {
    found.extend(program.walk.problems.iter().map(|p| problem(program, p)));
    empty_calls(program, found);
    falls_through(program, found);
    if !found.derailed && program.walk.complete {
        found.extend(endless(program));
    }
    if !program.walk.complete && !program.walk.nodes.is_empty() {
        let message = "this program has too many paths to follow all of them";
        found.push(Finding::new(codes::FLOW_STATES, Subject::Entry, message));
    }
}

fn problem(program: &Program<'_>, problem: &Problem) -> Finding {
    let name = program.code.name(problem.pc);
    let (rule, message, other) = match problem.fault {
        Fault::NoEnd if program.code.control(problem.pc).op == JUMP => {
            (codes::NO_END, format!("{name} jumps out of the code"), "")
        }
        Fault::NoEnd => (codes::NO_END, format!("the code ends after this {name}, without end"), ""),
        Fault::Recursion => {
            (codes::RECURSION, format!("{name} runs a procedure that is running already"), "")
        }
        Fault::CallDepth => (codes::CALL_DEPTH, format!("{name} is the fifth nested call"), "never returns"),
        Fault::ConditionDepth => {
            (codes::IF_DEPTH, format!("{name} is the ninth nested condition"), "is forgotten")
        }
        Fault::LoopDepth => (codes::LOOP_DEPTH, format!("{name} is the fifth nested loop"), "is forgotten"),
        Fault::BreakOutside => (codes::BREAK_OUTSIDE, format!("{name} outside of a loop"), ""),
        Fault::FlowAtEnd => {
            (codes::FLOW_AT_END, format!("{name} is the last word of a block, which ends instead"), "")
        }
    };
    let finding = Finding::new(rule, Subject::Word(problem.pc), message);
    match problem.other {
        Some(pc) => finding.with(Subject::Word(pc), other),
        None => finding,
    }
}

fn empty_calls(program: &Program<'_>, found: &mut Found) {
    for word in program.words() {
        let pc = word.pc;
        let control = program.code.control(pc);
        if control.op == CALL && control.target == control.extra {
            let message = format!("{} of no words at {}", program.code.name(pc), control.target);
            found.push(Finding::new(codes::EMPTY_CALL, Subject::Word(pc), message));
        }
    }
}

/// Paths into procedures that are not calls.
fn falls_through(program: &Program<'_>, found: &mut Found) {
    let control = |pc| program.code.control(pc);
    let calls = program.words().map(|word| control(word.pc)).filter(|c| c.op == CALL);
    let called: BTreeSet<(u32, u32)> = calls.map(|c| (c.target, c.extra)).collect();
    let mut found_at = BTreeSet::new();
    for (node, &pc) in program.walk.nodes.iter().enumerate() {
        let start = pc.saturating_add(1);
        let outside = || called.range((start, 0)..(start + 1, 0)).any(|(s, e)| !(*s..*e).contains(&pc));
        let mut next = program.walk.graph.next(node).filter_map(|n| program.walk.nodes.get(n));
        if !matches!(control(pc).op, CALL | JUMP)
            && next.any(|n| *n == start)
            && outside()
            && found_at.insert(pc)
        {
            let message = "control falls through into a procedure";
            let finding = Finding::new(codes::FALLS_THROUGH, Subject::Word(pc), message);
            found.push(finding.with(Subject::Word(start), "the procedure"));
        }
    }
}

/// The first word from which no path reaches an end.
fn endless(program: &Program<'_>) -> Option<Finding> {
    let walk = program.walk;
    let end = (0..).zip(&walk.nodes).find(|(_, pc)| **pc as usize == program.code.len());
    let finishes = walk.graph.reversed().reached(end.map(|(node, _)| node));
    // The word that jumps back.
    let back = |node: usize, pc: u32| {
        walk.graph.next(node).filter_map(|n| walk.nodes.get(n)).any(|next| *next <= pc)
    };
    let stuck = walk.nodes.iter().zip(&finishes).enumerate().filter(|(_, (_, finishes))| !**finishes);
    let pc = stuck.filter(|(node, (pc, _))| back(*node, **pc)).map(|(_, (pc, _))| *pc).min()?;
    let message = format!("after this {} goes back, no end is reachable", program.code.name(pc));
    Some(Finding::new(codes::ENDLESS, Subject::Word(pc), message))
}

/// Words that no program reaches. Padding is not a finding.
pub(super) fn unreached(code: &Code, reached: &[bool], found: &mut Found) {
    let idle = |pc: usize| reached.get(pc) == Some(&false);
    let mut pc = 0;
    while pc < reached.len() {
        if !idle(pc) {
            pc += 1;
            continue;
        }
        let end = (pc..reached.len()).find(|p| !idle(*p)).unwrap_or(reached.len());
        let first = (pc..end).find(|p| code.role(*p as u32) != Some(Role::Nop));
        if let Some(first) = first {
            let words = end - first;
            let s = if words == 1 { "word is" } else { "words are" };
            let message = format!("{words} {s} never reached");
            found.push(Finding::new(codes::UNREACHABLE, Subject::Word(first as u32), message));
        }
        pc = end;
    }
}
