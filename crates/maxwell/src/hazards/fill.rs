//! Fills in control bits, so that the check finds nothing.

use super::walk::{schedule, waited};
use super::{Dependence, Kind, Pair, bound, dependences};
use crate::attr::Latency;
use crate::class::Class;
use crate::code::Graph;
use crate::control::{SCHEDULE, Schedule, reuse_flags};
use crate::flow::{Targets, Turn};
use crate::operand::{Bank, Constant};
use crate::{Ctx, Maxwell};
use alloc::collections::BTreeMap;
use alloc::{vec, vec::Vec};
use shisa_rows::Insn;

/// All barriers.
const EVERY: u32 = 0x3f;
/// The number of barriers.
const BARRIERS: usize = 6;
/// The most cycles that one instruction may stall.
const LONGEST: u32 = 15;
/// Cycles after which any result of fixed latency is available if no bound was measured.
const SURE: u32 = 15;
/// Rounds in which waits are added one by one; after these, all at once.
const ROUNDS: usize = 64;

/// Fills in the stall cycles, barriers and waits of a program in place; reuse flags and words that are not
/// instructions are unchanged. [`super::check`] then finds no missing wait.
///
/// Instructions keep their order. Results of variable latency get a barrier each as far as there are enough, and are
/// waited for where they are first needed on each path; the others stall exactly as long as the bounds require.
/// Instructions are marked to issue together if that delays nothing. Branches through a register go to their
/// `targets`; before control goes to an unknown address, all results are waited for.
pub fn fill(code: &mut [u128], targets: &Targets, ctx: Ctx<'_>) {
    let mut graph = Graph::new(code, targets, ctx);
    graph.drains = graph.lost();
    for i in 0..graph.len() {
        let stall = graph.insn(i).map_or(0, |insn| insn.form().attr.stall);
        set(&mut graph, i, |_| Schedule::PLAIN.0 & !31 | stall);
    }
    barriers(&mut graph);
    stalls(&mut graph);
    pairs(&mut graph);
    for (word, item) in code.iter_mut().zip(&graph.code.items) {
        if let Some(insn) = &item.insn {
            *word = insn.word;
        }
    }
}

/// Changes the 17 control bits of an instruction.
fn set(graph: &mut Graph, i: usize, change: impl FnOnce(u32) -> u32) {
    if let Some(insn) = graph.code.items.get_mut(i).and_then(|item| item.insn.as_mut()) {
        let bits = change(schedule(insn).0);
        SCHEDULE.set(&mut insn.word, u64::from(bits));
    }
}

fn is_variable(graph: &Graph, i: usize) -> bool {
    graph.insn(i).is_some_and(|insn| insn.form().attr.latency(&insn.word) == Latency::Variable)
}

/// The unprotected dependences, with the cycles that they lack; those on variable latency lack all.
fn open(graph: &Graph) -> Vec<(Dependence, u32)> {
    let mut all = Vec::new();
    dependences(graph, |d| {
        let variable = is_variable(graph, d.first);
        if d.kind == Kind::Overwrite && !variable {
            return;
        }
        let enough = Pair::of(graph, &d).and_then(bound).map(|b| b.cycles);
        let enough = if variable { enough.unwrap_or(u32::MAX) } else { enough.unwrap_or(SURE) };
        if d.cycles < enough {
            all.push((d, enough - d.cycles));
        }
    });
    all
}

/// Assigns barriers to instructions that need one, and waits to instructions that need to wait.
fn barriers(graph: &mut Graph) {
    // Without any barrier: what each instruction needs them for, and for how long.
    let (mut results, mut sources) = (BTreeMap::new(), BTreeMap::new());
    for (d, _) in open(graph).into_iter().filter(|(d, _)| is_variable(graph, d.first)) {
        let needs = if d.kind == Kind::Source { &mut sources } else { &mut results };
        let last: &mut usize = needs.entry(d.first).or_insert(d.second);
        // The first later instruction that needs it; backward paths count as far.
        let far = |i: usize| if i > d.first { i } else { usize::MAX };
        if far(d.second) < far(*last) {
            *last = d.second;
        }
    }
    // The instruction until which each barrier is in use.
    let mut taken = [0usize; BARRIERS];
    for i in 0..graph.len() {
        for (needs, lo) in [(&results, 5), (&sources, 8)] {
            let Some(&until) = needs.get(&i) else { continue };
            // The barrier of the result signals the sources, too, if it is needed sooner.
            if lo == 8 && results.get(&i).is_some_and(|r| *r <= until && *r > i) {
                continue;
            }
            let free = (0..BARRIERS).find(|b| taken[*b] <= i);
            let barrier = free.or_else(|| (0..BARRIERS).min_by_key(|b| taken[*b])).unwrap_or(0);
            taken[barrier] = taken[barrier].max(if until > i { until } else { usize::MAX });
            set(graph, i, |bits| bits & !(7 << lo) | (barrier as u32) << lo);
        }
    }
    for round in 0.. {
        let mut first_needed: BTreeMap<(usize, bool), usize> = BTreeMap::new();
        let mut added = false;
        for (d, _) in open(graph) {
            if !is_variable(graph, d.first) {
                continue;
            }
            if round >= ROUNDS {
                added |= wait(graph, &d);
                continue;
            }
            let near = first_needed.entry((d.first, d.kind == Kind::Source)).or_insert(d.second);
            let far = |i: usize| if i > d.first { i } else { usize::MAX };
            if far(d.second) < far(*near) {
                *near = d.second;
            }
        }
        for ((first, source), second) in first_needed {
            let kind = if source { Kind::Source } else { Kind::Read };
            let d =
                Dependence { kind, first, second, registers: Default::default(), cycles: 0, branched: false };
            added |= wait(graph, &d);
        }
        if !added {
            break;
        }
    }
}

/// Makes the second of two instructions wait for the first; returns whether it did not before.
fn wait(graph: &mut Graph, d: &Dependence) -> bool {
    let Some(insn) = graph.insn(d.first) else { return false };
    let bits = schedule(insn);
    let told = match d.kind {
        Kind::Source => bits.read_barrier().or(bits.write_barrier()),
        _ => bits.write_barrier(),
    };
    let Some(second) = graph.insn(d.second) else { return false };
    let Some(barrier) = told.filter(|b| waited(second) >> b & 1 == 0) else { return false };
    set(graph, d.second, |bits| bits | Schedule::waiting(barrier));
    true
}

/// Stalls until every result of fixed latency is available.
fn stalls(graph: &mut Graph) {
    // A barrier is visible from the second cycle.
    for i in 1..graph.len() {
        let (Some(insn), Some(next)) = (graph.insn(i - 1), graph.insn(i)) else { continue };
        let bits = schedule(insn);
        let raised = [bits.write_barrier(), bits.read_barrier()].into_iter().flatten();
        if raised.into_iter().any(|b| waited(next) >> b & 1 != 0) && bits.stall() < 2 {
            set(graph, i - 1, |bits| bits & !15 | 2);
        }
    }
    loop {
        let mut changed = false;
        let mut grown = vec![false; graph.len()];
        for (d, lacks) in open(graph) {
            if is_variable(graph, d.first) {
                continue;
            }
            // As late as possible; on paths other than straight-line ones, where all of them begin.
            let places: Vec<usize> = match d.branched || d.second <= d.first {
                true => vec![d.first],
                false => (d.first..d.second).rev().collect(),
            };
            // An increase in this round may have been enough for this dependence, too.
            if places.iter().any(|i| grown[*i]) {
                changed = true;
                continue;
            }
            let mut lacks = lacks;
            for i in places {
                let Some(insn) = graph.insn(i) else { continue };
                let stall = schedule(insn).stall();
                let more = lacks.min(LONGEST - stall);
                if more > 0 {
                    set(graph, i, |bits| bits & !15 | (stall + more));
                    grown[i] = true;
                    changed = true;
                    lacks -= more;
                }
                if lacks == 0 {
                    break;
                }
            }
        }
        if !changed {
            break;
        }
    }
}

/// The control bits of the first of two instructions that issue together: no stall, and no other warp in between.
const TOGETHER: u32 = 16;

/// Lets arithmetic issue together with a next instruction of another unit, as far as nothing is then used too soon.
///
/// This follows compilers' output: of 1,109 pairs in the conformance data all begin with an instruction of fixed
/// latency that raises no barrier; none ends with arithmetic or with an operand that is cached, none has constants in
/// both, and none uses in the second what the first writes. A pair stays within its bundle, since nvdisasm accepts no
/// other.
fn pairs(graph: &mut Graph) {
    let mut entered = vec![false; graph.len() + 1];
    for i in (0..graph.len()).filter(|i| graph.insn(*i).is_none_or(leaves)) {
        graph.next(i).for_each(|next| entered[next] = true);
    }
    let mut paired = vec![false; graph.len()];
    for first in 0..graph.len().saturating_sub(1) {
        if first % 3 != 2 && !entered[first + 1] && together(graph, first) {
            set(graph, first, |bits| bits & !15 | TOGETHER);
            paired[first] = true;
        }
    }
    loop {
        let mut apart = Vec::new();
        for (d, _) in open(graph) {
            let straight = if d.branched { 0..paired.len() } else { d.first..d.second.max(d.first) };
            apart.extend(straight.filter(|i| paired[*i]));
        }
        if apart.is_empty() {
            break;
        }
        for i in apart {
            paired[i] = false;
            set(graph, i, |bits| bits & !31 | 1);
        }
    }
}

/// Whether control may go elsewhere than to the next instruction.
fn leaves(insn: &Insn<Maxwell>) -> bool {
    match insn.form().attr.turn {
        Turn::Next | Turn::Push(_) => false,
        Turn::Branch(_) | Turn::Pop(_) | Turn::Call => true,
    }
}

/// Whether an instruction may issue together with the next one.
fn together(graph: &Graph, first: usize) -> bool {
    let (Some(a), Some(b)) = (graph.insn(first), graph.insn(first + 1)) else { return false };
    let (Some(own), Some(other)) = (graph.effects(first), graph.effects(first + 1)) else { return false };
    let class = |insn: &Insn<Maxwell>| insn.form().attr.class(&insn.word);
    let elsewhere = !matches!(class(b), Class::Arithmetic | Class::Half | Class::Double);
    let free = own.writes.and(&other.reads.or(&other.writes)).is_empty();
    let cached = reuse_flags(b.word) != 0;
    let constants = constant(a) && constant(b);
    class(a) == Class::Arithmetic
        && !own.writes.is_empty()
        && schedule(a).0 & !(EVERY << 11) == Schedule::PLAIN.0 & !31 | 1
        && elsewhere
        && free
        && !cached
        && !constants
        && waited(b) == 0
}

/// Whether an instruction has an operand from a bank of constants.
fn constant(insn: &Insn<Maxwell>) -> bool {
    insn.form().operands.iter().any(|op| {
        let kind = op.kind as &dyn core::any::Any;
        kind.is::<Bank>() || kind.is::<Constant>()
    })
}
