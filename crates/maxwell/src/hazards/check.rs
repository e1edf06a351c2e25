//! Finds code that does not wait long enough.

use super::count::idle;
use super::finding::Finding;
use super::walk::schedule;
use super::{Dependence, Kind, Pair, bound, dependences};
use crate::attr::Latency;
use crate::code::Graph;
use crate::control::reuse_flag;
use crate::{Maxwell, Set, bundle};
use alloc::{format, string::String, vec::Vec};
use shisa_diag::{Diagnostic, Severity};
use shisa_rows::Insn;
use shisa_rows::code::RegisterSet;

/// The findings: each code with its meaning.
pub const CODES: &[(&str, &str)] = &[
    (
        "maxwell-latency",
        "A result of fixed latency is used sooner than compilers ever use one of its kind: there are too few stall cycles between the two instructions.",
    ),
    (
        "maxwell-latency-unknown",
        "A result of fixed latency is used by an instruction of a kind that was never seen to do so. The required number of cycles is not known.",
    ),
    (
        "maxwell-no-barrier",
        "An instruction of variable latency raises no barrier, but its result is used, or one of its sources overwritten. Nothing states when that may happen.",
    ),
    (
        "maxwell-no-wait",
        "A result of variable latency is used or overwritten before its barrier was waited for.",
    ),
    (
        "maxwell-source",
        "A register is overwritten that an instruction of variable latency may not have read yet: neither of its barriers was waited for.",
    ),
    (
        "maxwell-depbar-idle",
        "A DEPBAR waits for nothing: on every path, no more instructions that raise its barriers are in progress than it allows.",
    ),
    ("maxwell-wait-unset", "An instruction waits for a barrier that no instruction of the program raises."),
    (
        "maxwell-reuse-overwritten",
        "An instruction keeps a source in the operand cache whose register it overwrites. The next instruction that reads the register gets the old value.",
    ),
];

/// All places in a program that do not wait long enough, and barriers and flags that make no sense.
pub fn check(graph: &Graph, mut found: impl FnMut(Finding)) {
    dependences(graph, |d| {
        if let Some(finding) = judge(graph, &d) {
            found(finding);
        }
    });
    let raised = graph.insns().fold(0, |mask, (_, insn)| mask | raises(insn));
    for (i, insn) in graph.insns() {
        // Compilers wait for all barriers where paths join.
        let wait = schedule(insn).wait();
        let unset = wait & !raised;
        if unset != 0 && wait != EVERY && graph.may_run(i) {
            let list: Vec<String> = (0..6).filter(|b| unset >> b & 1 != 0).map(|b| format!("{b}")).collect();
            let text =
                format!("nothing raises barrier {}, for which this instruction waits", list.join(", "));
            let diagnostic = Diagnostic::warning("maxwell-wait-unset", text);
            found(Finding { insn: i, other: None, diagnostic });
        }
        let Some(effects) = graph.effects(i) else { continue };
        let stale = reused(insn).and(&effects.writes);
        if !stale.is_empty() {
            let text = format!("{stale} stays in the operand cache and is overwritten");
            let diagnostic = Diagnostic::error("maxwell-reuse-overwritten", text).help("leave .reuse out");
            found(Finding { insn: i, other: None, diagnostic });
        }
    }
    idle(graph, found);
}

/// The barriers that an instruction raises.
fn raises(insn: &Insn<Maxwell>) -> u32 {
    let bits = schedule(insn);
    [bits.write_barrier(), bits.read_barrier()].into_iter().flatten().fold(0, |mask, b| mask | 1 << b)
}

/// The registers that an instruction keeps in the operand cache.
fn reused(insn: &Insn<Maxwell>) -> Set {
    let mut all = Set::default();
    for op in insn.form().operands {
        let cached = reuse_flag(op).is_some_and(|flag| insn.word & flag != 0);
        if let Some(r) = op.kind.registers(op, insn).filter(|r| cached && r.read) {
            RegisterSet::insert(&mut all, &r);
        }
    }
    all
}

/// The fault of a dependence, if it has one.
fn judge(graph: &Graph, d: &Dependence) -> Option<Finding> {
    let (first, second) = (graph.insn(d.first)?, graph.insn(d.second)?);
    let pair = Pair::of(graph, d)?;
    let variable = first.form().attr.latency(&first.word) == Latency::Variable;
    // Results of fixed latency are written in order, and before those of variable latency.
    if d.kind == Kind::Overwrite && !variable {
        return None;
    }
    let known = bound(pair);
    if known.is_some_and(|b| d.cycles >= b.cycles) {
        return None;
    }
    let (a, b) = (first.form().name, second.form().name);
    let at = bundle::address(d.first as u32);
    let registers = &d.registers;
    let (code, text, help) = match (d.kind, variable, known) {
        (_, false, Some(known)) => (
            "maxwell-latency",
            format!(
                "{b} uses {registers} {} cycles after {a} at {at:#x}, at least {} are needed",
                d.cycles, known.cycles
            ),
            "raise the stall cycles of the instructions between them",
        ),
        (_, false, None) if d.cycles >= SURE => return None,
        (_, false, None) => (
            "maxwell-latency-unknown",
            format!(
                "{b} uses {registers} {} cycles after {a} at {at:#x}; whether that is enough is not known",
                d.cycles
            ),
            "",
        ),
        (Kind::Source, true, _) => (
            "maxwell-source",
            format!("{b} overwrites {registers}, which {a} at {at:#x} may not have read yet"),
            "let the first raise a read barrier and the second wait for it",
        ),
        (_, true, _) if schedule(first).write_barrier().is_none() => (
            "maxwell-no-barrier",
            format!(
                "{a} raises no barrier for {registers}, which {b} at {:#x} needs",
                bundle::address(d.second as u32)
            ),
            "let it raise a write barrier, and the other wait for it",
        ),
        _ => (
            "maxwell-no-wait",
            format!("{b} does not wait for {registers} of {a} at {at:#x}"),
            "add the barrier to its wait mask",
        ),
    };
    // If a barrier is missing, the first instruction is at fault; otherwise the one that does not wait.
    let (insn, other) = match code {
        "maxwell-no-barrier" => (d.first, d.second),
        "maxwell-source" if schedule(first).read_barrier().is_none() => (d.first, d.second),
        _ => (d.second, d.first),
    };
    let severity = if code == "maxwell-latency-unknown" { Severity::Note } else { Severity::Error };
    let mut diagnostic = Diagnostic::new(severity, code, text);
    if !help.is_empty() {
        diagnostic = diagnostic.help(help);
    }
    Some(Finding { insn, other: Some(other), diagnostic })
}

/// All barriers.
const EVERY: u32 = 0x3f;

/// Cycles after which every measured result of fixed latency is available.
const SURE: u32 = 15;
