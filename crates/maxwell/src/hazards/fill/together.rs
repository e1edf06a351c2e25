//! Waits for all instructions of one kind at once.
//!
//! A walk from each instruction is exact, but where nothing waits yet it visits most of the program. This pass joins
//! what all of the instructions have pending, so it visits each instruction a few times. It ignores guards: an
//! instruction may wait for one that never ran together with it.

use crate::code::Graph;
use crate::control::Schedule;
use crate::guard;
use crate::hazards::ahead::Firsts;
use crate::hazards::bounds::is_ordered;
use crate::hazards::dependence::Kind;
use crate::hazards::node::Node;
use crate::hazards::wait::mask;
use crate::hazards::walker::Walker;
use crate::registers::Set;
use alloc::{vec, vec::Vec};
use shisa_rows::code::{Analysis, Direction, OutOfFuel, solve};

/// What may be pending of some of the instructions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Pending {
    results: Set,
    sources: Set,
}

/// What an instruction must wait for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Needs {
    Nothing,
    Sources,
    Results,
}

/// Instructions of one kind, whose results have a barrier.
struct Together<'a> {
    graph: &'a Graph,
    nodes: &'a [Node],
    /// By number: whether it is one of the instructions.
    firsts: Vec<bool>,
    kind: Firsts,
}

/// Lets all instructions that need something of `firsts`, which are of one kind, wait for the kind's barriers.
pub(super) fn wait(walker: &mut Walker<'_>, kind: Firsts, firsts: &[usize]) -> Result<(), OutOfFuel> {
    let (graph, count) = (walker.graph, walker.nodes.len());
    let mut together = Together { graph, nodes: &walker.nodes, firsts: vec![false; count], kind };
    for first in firsts {
        together.firsts[*first] = true;
    }
    let starts = (0..count).map(|at| (at, Pending::default()));
    let before = solve(&graph.edges, Direction::Forwards, starts, &mut together, walker.fuel())?;
    let needs: Vec<Needs> =
        before.iter().enumerate().map(|(at, state)| together.at(at, &state.unwrap_or_default()).0).collect();
    walker.spend(count as u64)?;
    for (at, needs) in needs.into_iter().enumerate() {
        let barrier = match needs {
            Needs::Nothing => None,
            Needs::Sources => kind.read.or(kind.written),
            Needs::Results => kind.written,
        };
        if let Some(barrier) = barrier {
            walker.set(at, |bits| bits | Schedule::waiting(barrier));
        }
    }
    Ok(())
}

impl Together<'_> {
    /// What an instruction must wait for if this is pending before it, and what is pending after it.
    fn at(&self, at: usize, before: &Pending) -> (Needs, Pending) {
        let Pending { mut results, mut sources } = *before;
        let (Some(insn), Some(effects)) = (self.graph.insn(at), self.graph.effects(at)) else {
            return (Needs::Nothing, *before);
        };
        let node = &self.nodes[at];
        let waits = node.waits().all;
        if waits & mask(self.kind.written) != 0 {
            (results, sources) = (Set::default(), Set::default());
        }
        if waits & mask(self.kind.read) != 0 {
            sources = Set::default();
        }
        let ordered = |kind| is_ordered(kind, self.kind.class, node.class);
        let overwritten =
            if ordered(Kind::Overwrite) { Set::default() } else { results.and(&effects.writes) };
        let [read, source] = match node.needs_all {
            true => [results, sources],
            false => [results.and(&effects.reads), sources.and(&effects.writes)],
        };
        let needs = match () {
            () if !read.is_empty() || !overwritten.is_empty() => Needs::Results,
            () if !source.is_empty() && !ordered(Kind::Source) => Needs::Sources,
            () => Needs::Nothing,
        };
        match needs {
            Needs::Results => (results, sources) = (Set::default(), Set::default()),
            Needs::Sources => sources = Set::default(),
            Needs::Nothing => {}
        }
        if node.is_variable || guard::always(insn) {
            (results, sources) = (results.without(&effects.writes), sources.without(&effects.writes));
        }
        if self.firsts.get(at) == Some(&true) {
            (results, sources) = (results.or(&effects.writes), sources.or(&effects.reads.general()));
        }
        (needs, Pending { results, sources })
    }
}

impl Analysis for Together<'_> {
    type State = Pending;

    fn pass(&mut self, at: usize, before: &Pending) -> Pending {
        self.at(at, before).1
    }

    fn join(&mut self, _: usize, state: &mut Pending, other: &Pending) -> bool {
        let old = *state;
        *state = Pending { results: old.results.or(&other.results), sources: old.sources.or(&other.sources) };
        *state != old
    }
}
