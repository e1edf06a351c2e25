//! Finds code that does not wait long enough.

use super::bounds::{is_doubtful, is_fault, needed};
use super::count::idle;
use super::finding::Finding;
use super::wait::schedule;
use super::walker::Walker;
use super::{Dependence, Kind};
use crate::code::Graph;
use crate::control::reuse_flag;
use crate::{Distance, Maxwell, Options, Set, bundle, guard};
use alloc::{format, string::String, vec, vec::Vec};
use shisa_diag::{Diagnostic, Limit, Limits, Severity};
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
        "A DEPBAR waits for nothing: on no path an instruction that raises one of its barriers is in progress.",
    ),
    (
        "maxwell-more-waits",
        "Waits are missing at so many instructions that the search for further ones ended. Add the missing waits and check again.",
    ),
    ("maxwell-wait-unset", "An instruction waits for a barrier that no instruction of the program raises."),
    (
        "maxwell-schedule-plain",
        "Control bits were to be filled in, but the analysis takes more steps than the limit `fuel`. All instructions get `{--:-:-:Y:0}`, after which hardware waits by itself.",
    ),
    (
        "maxwell-reuse-overwritten",
        "An instruction keeps a source in the operand cache whose register it overwrites. The next instruction that reads the register gets the old value.",
    ),
];

/// Reports all uses that do not wait long enough, and barriers and flags that make no sense. If the search for
/// missing waits takes more steps than [`Limits::fuel`], it ends with an error that names the limit.
pub fn check(graph: &Graph, options: Options, limits: &Limits, mut found: impl FnMut(Finding)) {
    if let Err(stopped) = missing(graph, options, limits.fuel, &mut found) {
        let what = "the number of steps of the search for missing waits";
        let diagnostic = limits.exceeded(Limit::Fuel, what);
        found(Finding { insn: stopped, other: None, diagnostic });
    }
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

/// About how many uses of one instruction's result are reported. In code that waits for nothing the number of pairs is
/// quadratic.
const MOST: usize = 2;
/// After how many steps of all searches for each instruction of the program one use of a result is enough.
const TOGETHER: u64 = 16;

/// The steps of searches that may find one instruction, if they are more than a step for each instruction of the program.
const SEARCHES: u64 = 1 << 14;

/// How many steps searches that find something take for each instruction of the program, and in any program, before the
/// search ends.
const FRUITFUL: u64 = 32;
const FRUITFUL_ANYWHERE: u64 = 1 << 18;

/// Dependences without a wait; on failure the instruction at which the fuel was used up. An instruction that misses
/// waits counts as waiting for everything once searches that found it took long, and the search ends once all of these
/// took long: the result of a program that waits for nothing is needed at many instructions, each after many others.
fn missing(graph: &Graph, options: Options, fuel: u64, found: &mut impl FnMut(Finding)) -> Result<(), usize> {
    let mut walker = Walker::new(graph, options.plain_control, fuel);
    walker.trust_units();
    let mut spent = vec![0; graph.len() + 1];
    let mut total = 0u64;
    let mut fruitful = FRUITFUL_ANYWHERE.max(FRUITFUL * graph.len() as u64);
    let (mut all, mut done) = (Vec::new(), Ok(()));
    let mut cut = None;
    let firsts = walker.by_kind(0..graph.len());
    for (n, first) in firsts.iter().copied().enumerate() {
        if fruitful == 0 {
            cut = Some((first, firsts.len() - n));
            break;
        }
        let mut left = u64::MAX;
        let most = if total > TOGETHER * graph.len() as u64 { 1 } else { MOST };
        let Ok((met, _)) = walker.walk_near(first, most, &mut left, |_, d| is_fault(graph, d)) else {
            done = Err(first);
            break;
        };
        total += u64::MAX - left;
        let start = all.len();
        all.extend(met.values().copied());
        if all.len() > start {
            fruitful = fruitful.saturating_sub(u64::MAX - left);
        }
        for d in all.get(start..).unwrap_or_default() {
            if let Some(spent) = spent.get_mut(d.second) {
                *spent += u64::MAX - left;
                walker.nodes[d.second].settled = *spent > SEARCHES.max(graph.len() as u64);
            }
        }
    }
    all.sort_by_key(|d| d.first);
    all.iter().filter_map(|d| finding(graph, d)).for_each(&mut *found);
    if let Some((insn, rest)) = cut {
        let text = format!("{} missing waits were found before the search for others ended", all.len());
        let diagnostic = Diagnostic::warning("maxwell-more-waits", text)
            .note(format!("the results of {rest} of {} instructions were not followed", firsts.len()))
            .help("add the missing waits and check again");
        found(Finding { insn, other: None, diagnostic });
    }
    done
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

/// The fault of an open dependence.
fn finding(graph: &Graph, d: &Dependence) -> Option<Finding> {
    let (first, second) = (graph.insn(d.first)?, graph.insn(d.second)?);
    let variable = first.form().attr.is_variable(&first.word);
    let (a, b) = (first.form().name, second.form().name);
    let at = bundle::address(d.first as u32);
    let registers = &d.registers;
    let seen = needed(graph, d).seen;
    if is_doubtful(graph, d) {
        return None;
    }
    let (code, text, help) = match (d.kind, variable, seen.and_then(Distance::trusted)) {
        (_, false, Some(known)) => (
            "maxwell-latency",
            format!(
                "{b} uses {registers} {} cycles after {a} at {at:#x}; compilers leave at least {}, as seen {} times",
                d.cycles, known.cycles, known.seen
            ),
            "raise the stall cycles of the instructions between them",
        ),
        // Too few pairs permit nothing, but they are no reason to doubt.
        (_, false, None) if seen.is_some_and(|seen| d.cycles >= seen.cycles) => return None,
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
    // What is only believed is a warning. Code that was scheduled by hand relies on what its author knows of the paths.
    let own_guard = !variable && graph.effects(d.first).is_some_and(|e| !e.guard.and(registers).is_empty());
    // Code that was scheduled by hand has guards of which never both hold.
    let guards = !guard::always(first) && !guard::always(second) && guard::given(second, first).is_none();
    let severity = match d.forked || own_guard || guards || code == "maxwell-latency-unknown" {
        true => Severity::Warning,
        false => Severity::Error,
    };
    let mut diagnostic = Diagnostic::new(severity, code, text);
    if d.forked {
        diagnostic =
            diagnostic.note("control may go elsewhere between both; if it always does, nothing is missing");
    }
    if guards {
        diagnostic = diagnostic.note(format!("if {a} and {b} never both run, nothing is missing"));
    }
    if own_guard {
        let text = format!(
            "{a} writes the predicate that guards it; if the value stays the same, nothing is missing"
        );
        diagnostic = diagnostic.note(text);
    }
    if !help.is_empty() {
        diagnostic = diagnostic.help(help);
    }
    Some(Finding { insn, other: Some(other), diagnostic })
}

/// All barriers.
const EVERY: u32 = 0x3f;
