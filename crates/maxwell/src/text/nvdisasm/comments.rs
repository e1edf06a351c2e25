//! The comments of instructions that go to a mark or to a register: their targets.

use super::labels::{Labels, Program, branches};
use crate::bundle;
use crate::code::Graph;
use crate::container::{Cubin, Function};
use crate::flow::{Flow, Mark, Targets, flow, number};
use crate::registers::Set;
use crate::{Chip, Ctx, Maxwell};
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::{format, vec, vec::Vec};
use shisa_rows::Insn;

/// Gives the programs their comments. If an attribute lists the targets of each instruction that goes to a mark or to
/// a register, they come from there. Otherwise nvdisasm follows the paths through all code; then it also marks groups
/// whose second instruction overwrites a register of the first, and leaves out what no path reaches. A branch by a
/// register is then a call that returns to the mark of a PRET; it does none of that if there is no such mark.
pub(super) fn comment(cubin: &Cubin<'_>, chip: Chip, labels: &Labels, programs: &mut [Program<'_, '_>]) {
    let mut listed: BTreeMap<usize, BTreeMap<u32, Vec<u32>>> = BTreeMap::new();
    for (section, branch) in branches(cubin) {
        listed.entry(section).or_default().entry(branch.place).or_default().extend(branch.targets);
    }
    let graph = |function: &Function<'_>| {
        let words: Vec<u128> = super::groups::words(function.code).collect();
        Graph::new(&words, &Targets::new(), Ctx { chip, ..Ctx::default() })
    };
    let mut follows = false;
    for (function, lines) in programs.iter() {
        let known = listed.get(&function.section);
        let is_listed = |at: u32| known.is_some_and(|known| known.contains_key(&at));
        let jumps = |(i, insn): (u32, Insn<Maxwell>)| jumps(&insn, bundle::address(i)).then_some(i);
        let inferred: Vec<u32> =
            lines.insns().filter_map(jumps).filter(|i| !is_listed(bundle::address(*i))).collect();
        if inferred.is_empty() {
            continue;
        }
        follows = true;
        let graph = graph(function);
        let lost = |i: &u32| goes_anywhere(&graph, *i) && targets(&graph, *i as usize).is_empty();
        if inferred.iter().any(lost) {
            return;
        }
    }
    for (function, lines) in programs {
        let section = function.section;
        if follows {
            let graph = graph(function);
            for (i, targets) in paths(&graph) {
                let text = names(labels, section, &targets, " ");
                let call = if goes_anywhere(&graph, i) { "\"INDIRECT_CALL\"," } else { "" };
                lines.comments.insert(i, format!("(*{call}\"TARGET= {text} \"*)"));
            }
            let overwritten =
                |second: &u32| lines.group(*second).is_some() && overwrites(&graph, *second as usize);
            let count = graph.len() as u32;
            lines.slots = (1..count).filter(overwritten).map(|second| second - 1).collect();
            lines.hidden = hidden(&graph, labels.places(section));
        }
        for (at, targets) in listed.remove(&section).unwrap_or_default() {
            let text = names(labels, section, &targets, ",");
            let comment = match targets.is_empty() {
                true => "(*\"INDIRECT_CALL\"*)".into(),
                false => format!("(*\"BRANCH_TARGETS {text}\"*)"),
            };
            lines.comments.insert(number(at) as u32, comment);
        }
    }
}

/// The names of addresses.
fn names(labels: &Labels, section: usize, targets: &[u32], between: &str) -> String {
    let mut seen = BTreeSet::new();
    let targets = targets.iter().filter(|at| seen.insert(bundle::aligned(**at)));
    let name = |at: &u32| match labels.place(section, *at) {
        Some((name, 0)) => name.into(),
        Some((name, distance)) => format!("({name} + {distance:#x})"),
        None => format!("{at:#x}"),
    };
    targets.map(name).collect::<Vec<_>>().join(between)
}

/// The instructions that no path from the first one or from a label reaches.
fn hidden(graph: &Graph, labels: impl Iterator<Item = u32>) -> Vec<bool> {
    let mut hidden = vec![true; graph.len()];
    let mut next: Vec<usize> = labels.map(number).chain([0]).collect();
    while let Some(i) = next.pop() {
        if hidden.get_mut(i).is_some_and(core::mem::take) {
            next.extend(graph.next(i));
        }
    }
    hidden
}

/// Whether an instruction writes a register that the one before it writes, or reads if both can run.
fn overwrites(graph: &Graph, second: usize) -> bool {
    let insns = graph.insn(second - 1).zip(graph.insn(second));
    let both = insns.is_some_and(|(first, second)| {
        crate::guard::given(second, first) != Some(crate::guard::Guarded::IsSkipped)
    });
    let (Some(first), Some(second)) = (graph.effects(second - 1), graph.effects(second)) else {
        return false;
    };
    let overwritten = |registers: &Set| !registers.and(&second.writes).is_empty();
    overwritten(&first.writes) || both && overwritten(&first.reads)
}

/// Whether an instruction goes to a mark that is not of a call, or to where a register says.
fn jumps(insn: &Insn<Maxwell>, at: u32) -> bool {
    matches!(flow(insn, at), Flow::Pop(Mark::Sync | Mark::Break | Mark::Continue) | Flow::Anywhere)
}

/// Whether an instruction goes to where a register says.
fn goes_anywhere(graph: &Graph, i: u32) -> bool {
    graph.flow(i as usize) == Some(Flow::Anywhere)
}

/// The instructions that go to a mark or to a register, by their numbers, with their targets.
fn paths(graph: &Graph) -> BTreeMap<u32, Vec<u32>> {
    let jumps = graph.insns().filter(|(i, insn)| jumps(insn, bundle::address(*i as u32)));
    let with = |(i, _)| Some((i as u32, targets(graph, i))).filter(|(_, targets)| !targets.is_empty());
    jumps.filter_map(with).collect()
}

/// The addresses that an instruction goes to besides the next one.
fn targets(graph: &Graph, i: usize) -> Vec<u32> {
    let mut next: BTreeSet<usize> = graph.next(i).collect();
    let conditional = graph.insn(i).is_some_and(crate::flow::conditional);
    if conditional && (next.len() > 1 || goes_anywhere(graph, i as u32)) {
        next.remove(&(i + 1));
    }
    next.into_iter().map(|n| bundle::address(n as u32)).collect()
}
