//! Where control goes: ways that leave the program, that never end, that are never taken.

use super::effects::Code;
use super::seen::Seen;
use super::walk::Fault;
use super::{Finding, Found, Subject, codes};
use crate::sequencer::{CALL, JUMP};
use alloc::collections::BTreeSet;
use alloc::{format, vec, vec::Vec};

pub(super) fn check(seen: &Seen<'_>, found: &mut Found) {
    found.extend(seen.walk.faults.iter().map(|f| fault(seen, f)));
    empty_calls(seen, found);
    falls_through(seen, found);
    if !derailed(found) && !seen.walk.incomplete {
        found.extend(endless(seen));
    }
    if seen.walk.incomplete && !seen.walk.nodes.is_empty() {
        let message = "the ways through this program are too many to follow";
        found.push(Finding::new(codes::FLOW_STATES, Subject::Entry, message));
    }
}

/// Whether the program is known to go other ways than it was meant to. That it does not end, or never
/// comes somewhere, follows from that.
pub(super) fn derailed(found: &Found) -> bool {
    let rules = [
        codes::RECURSION,
        codes::CALL_DEPTH,
        codes::LOOP_DEPTH,
        codes::IF_DEPTH,
        codes::EMPTY_CALL,
        codes::BREAK_OUTSIDE,
    ];
    found.list.iter().any(|f| rules.iter().any(|r| r.code == f.diagnostic.code))
}

fn fault(seen: &Seen<'_>, fault: &Fault) -> Finding {
    let name = seen.code.name(fault.pc);
    let (message, other) = match fault.rule.code {
        c if c == codes::NO_END.code && seen.code.control(fault.pc).op == JUMP => {
            (format!("{name} leads out of the code"), "")
        }
        c if c == codes::NO_END.code => (format!("behind this {name} the code ends, without end"), ""),
        c if c == codes::RECURSION.code => (format!("{name} runs a procedure that is running already"), ""),
        c if c == codes::CALL_DEPTH.code => {
            (format!("{name} is the fifth call inside one another"), "never returns")
        }
        c if c == codes::IF_DEPTH.code => {
            (format!("{name} is the ninth condition inside one another"), "is forgotten")
        }
        c if c == codes::LOOP_DEPTH.code => {
            (format!("{name} is the fifth loop inside one another"), "is forgotten")
        }
        c if c == codes::BREAK_OUTSIDE.code => (format!("{name} outside of a loop"), ""),
        _ => (format!("{name} is the last word of a block, which ends instead"), ""),
    };
    let finding = Finding::new(fault.rule, Subject::Word(fault.pc), message);
    fault.other.map_or(finding.clone(), |pc| finding.with(Subject::Word(pc), other))
}

fn empty_calls(seen: &Seen<'_>, found: &mut Found) {
    for (pc, ..) in seen.words() {
        let control = seen.code.control(pc);
        if control.op == CALL && control.target == control.extra {
            let message = format!("{} of no words at {}", seen.code.name(pc), control.target);
            found.push(Finding::new(codes::EMPTY_CALL, Subject::Word(pc), message));
        }
    }
}

/// Ways into procedures that are no calls.
fn falls_through(seen: &Seen<'_>, found: &mut Found) {
    let called: BTreeSet<(u32, u32)> = seen
        .words()
        .map(|(pc, ..)| seen.code.control(pc))
        .filter(|c| c.op == CALL)
        .map(|c| (c.target, c.extra))
        .collect();
    let mut told = BTreeSet::new();
    for (_, node) in seen.nodes() {
        let control = seen.code.control(node.pc);
        if matches!(control.op, CALL | JUMP) {
            continue;
        }
        let start = node.pc + 1;
        let mut outside =
            called.range((start, 0)..(start + 1, 0)).filter(|(s, e)| !(*s..*e).contains(&node.pc));
        let into = node.next.iter().any(|n| seen.walk.nodes[*n as usize].pc == start);
        if into && outside.next().is_some() && told.insert(node.pc) {
            let message = "control runs on into a procedure";
            let finding = Finding::new(codes::FALLS_THROUGH, Subject::Word(node.pc), message);
            found.push(finding.with(Subject::Word(start), "the procedure"));
        }
    }
}

/// The first place from which no way leads to an end.
fn endless(seen: &Seen<'_>) -> Option<Finding> {
    let nodes = &seen.walk.nodes;
    let before = seen.walk.before();
    let mut finishes = vec![false; nodes.len()];
    let mut todo: Vec<u32> = Vec::new();
    for (i, node) in (0u32..).zip(nodes) {
        if node.ends {
            finishes[i as usize] = true;
            todo.push(i);
        }
    }
    while let Some(i) = todo.pop() {
        for &b in &before[i as usize] {
            if !core::mem::replace(&mut finishes[b as usize], true) {
                todo.push(b);
            }
        }
    }
    // The word that leads back.
    let stuck = nodes.iter().zip(&finishes).filter(|(_, f)| !**f).map(|(n, _)| n);
    let back = |pc: u32, next: &[u32]| next.iter().any(|n| nodes[*n as usize].pc <= pc);
    let pc = stuck.filter(|n| back(n.pc, &n.next)).map(|n| n.pc).min()?;
    let message = format!("once this {} leads back, no end is reached any more", seen.code.name(pc));
    Some(Finding::new(codes::ENDLESS, Subject::Word(pc), message))
}

/// Words that no program reaches. Padding is nothing to tell.
pub(super) fn unreached(code: &Code, reached: &[bool], found: &mut Found) {
    let idle = |pc: usize| reached.get(pc) == Some(&false);
    let mut pc = 0;
    while pc < reached.len() {
        if !idle(pc) {
            pc += 1;
            continue;
        }
        let end = (pc..reached.len()).find(|p| !idle(*p)).unwrap_or(reached.len());
        let first = (pc..end).find(|p| code.name(*p as u32) != "nop");
        if let Some(first) = first {
            let words = end - first;
            let s = if words == 1 { "word is" } else { "words are" };
            let message = format!("{words} {s} never reached");
            found.push(Finding::new(codes::UNREACHABLE, Subject::Word(first as u32), message));
        }
        pc = end;
    }
}
