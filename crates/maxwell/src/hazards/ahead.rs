//! What instructions at and after each position may still need, so that nothing is followed that nothing will need.

use super::bounds::is_ordered;
use super::dependence::Kind;
use super::pending::Pending;
use super::runs::Runs;
use super::wait::mask;
use crate::class::Class;
use crate::code::Graph;
use crate::guard;
use crate::registers::Set;
use alloc::{vec, vec::Vec};
use shisa_rows::code::{Analysis, Direction, OutOfFuel, solve};

/// Registers for which there is a path to an instruction that depends on them, before another result replaces them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Needed {
    /// If they are results.
    results: Set,
    /// If they are sources.
    sources: Set,
}

impl Needed {
    fn or(&self, other: &Needed) -> Needed {
        Needed { results: self.results.or(&other.results), sources: self.sources.or(&other.sources) }
    }
}

/// What decides of which instructions a solution states what is needed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Firsts {
    /// The class whose instructions work in order, if theirs do.
    pub(super) class: Option<Class>,
    /// The barrier that signals results.
    pub(super) written: Option<u32>,
    /// The barrier that signals sources.
    pub(super) read: Option<u32>,
}

impl Firsts {
    /// Instructions of the class, whatever their barriers are.
    pub(super) fn any_barrier(self) -> Firsts {
        Firsts { class: self.class, ..Firsts::default() }
    }
}

/// What is known of an instruction besides its registers.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Known {
    /// Whether it needs every register of the program.
    pub(super) needs_all: bool,
    /// Whether its latency is variable.
    pub(super) is_variable: bool,
    /// The barriers that it waits for.
    pub(super) waits: u32,
    /// Whether paths end here.
    pub(super) settled: bool,
}

/// What is needed of certain instructions.
pub(super) struct Ahead {
    /// At the start of each run.
    runs: Vec<Needed>,
    /// After each instruction of variable latency, of its own results and sources, as [`Set::selection`] numbers them.
    own: Vec<[u16; 2]>,
}

impl Ahead {
    /// The solution for certain instructions. It leaves out what waits for their barriers; that later instructions of
    /// the class raise barriers for them, too, does not count.
    ///
    /// # Errors
    /// [`OutOfFuel`] if there is not enough fuel, from which the number of nodes is subtracted.
    pub(super) fn new(
        graph: &Graph,
        runs: &Runs,
        firsts: Firsts,
        known: impl Fn(usize) -> Known,
        fuel: &mut u64,
    ) -> Result<Ahead, OutOfFuel> {
        let count = graph.len() + 1;
        let class = firsts.class;
        let [written, read] = [mask(firsts.written), mask(firsts.read)];
        let ordered = |i: usize, kind| class.is_some() && is_ordered(kind, class, graph.class(i));
        let all = graph.named();
        let node = |i: usize| {
            let Some((effects, insn)) = graph.effects(i).zip(graph.insn(i)) else { return Step::default() };
            let known = known(i);
            let unless = |ordered: bool| if ordered { Set::default() } else { effects.writes };
            let needed = match known.needs_all {
                true => Needed { results: all, sources: all },
                false => Needed {
                    results: effects.reads.or(&unless(ordered(i, Kind::Overwrite))),
                    sources: unless(ordered(i, Kind::Source)),
                },
            };
            let replaces = known.is_variable || guard::always(insn);
            let replaced = if replaces { effects.writes } else { Set::default() };
            // What waits for a result has its sources, too.
            let results = known.settled || known.waits & written != 0;
            let ends = [results, results || known.waits & read != 0];
            let own = Needed { results: effects.writes, sources: effects.reads.general() };
            Step { needed, replaced, ends, own: known.is_variable.then_some(own) }
        };
        let starts = (0..runs.len()).map(|run| (run, Needed::default()));
        let mut needs = Needs { runs, node: &node, left: Some(*fuel) };
        // Sets of all instructions take more memory than to compute them again.
        let solved = solve(&runs.edges(graph), Direction::Backwards, starts, &mut needs, *fuel)?;
        needs.left.ok_or(OutOfFuel)?;
        *fuel = fuel.saturating_sub(count as u64);
        let mut ahead = Ahead { runs: Vec::with_capacity(runs.len()), own: vec![[0; 2]; count] };
        for (run, after) in solved.into_iter().enumerate() {
            let mut needed = after.unwrap_or_default();
            for i in runs.nodes(run).rev() {
                let step = node(i);
                if let (Some(own), Some(entry)) = (step.own, ahead.own.get_mut(i)) {
                    let results = own.results.selection(&needed.results);
                    *entry = [results, own.sources.selection(&needed.sources)];
                }
                needed = step.before(&needed);
            }
            ahead.runs.push(needed);
        }
        Ok(ahead)
    }

    /// Removes from the state after the first instruction of a walk what nothing after it needs of all that is pending.
    pub(super) fn begin(&self, first: usize, all: &Pending, state: &mut Pending) {
        if let Some([results, sources]) = self.own.get(first) {
            state.results = state.results.and(&all.results.selected(*results));
            state.sources = state.sources.and(&all.sources.selected(*sources));
        }
    }

    /// Removes from a state at the start of a run what nothing in or after the run needs.
    pub(super) fn keep(&self, runs: &Runs, at: usize, state: &mut Pending) {
        if let Some(needed) = runs.number(at).and_then(|run| self.runs.get(run)) {
            state.results = state.results.and(&needed.results);
            state.sources = state.sources.and(&needed.sources);
        }
    }
}

/// An instruction: what it needs, the registers that no later instruction needs of an earlier one, and whether nothing
/// is needed from here on: of results, and of sources.
#[derive(Clone, Copy, Default)]
struct Step {
    needed: Needed,
    replaced: Set,
    ends: [bool; 2],
    /// The results and sources of an instruction of variable latency.
    own: Option<Needed>,
}

impl Step {
    fn before(&self, after: &Needed) -> Needed {
        let left = Needed {
            results: after.results.without(&self.replaced),
            sources: after.sources.without(&self.replaced),
        };
        let [results, sources] = self.ends;
        let all = left.or(&self.needed);
        let unless = |ends: bool, set: Set| if ends { Set::default() } else { set };
        Needed { results: unless(results, all.results), sources: unless(sources, all.sources) }
    }
}

/// The analysis of what is needed after each run.
struct Needs<'a, F> {
    runs: &'a Runs,
    node: &'a F,
    /// How many instructions it may still pass; `None` once that was not enough.
    left: Option<u64>,
}

impl<F: Fn(usize) -> Step> Analysis for Needs<'_, F> {
    type State = Needed;

    fn pass(&mut self, run: usize, after: &Needed) -> Needed {
        let nodes = self.runs.nodes(run);
        self.left = self.left.and_then(|left| left.checked_sub(nodes.len() as u64));
        // Without fuel there is no solution to be had.
        let nodes = if self.left.is_some() { nodes } else { 0..0 };
        nodes.rev().fold(*after, |after, at| (self.node)(at).before(&after))
    }

    fn join(&mut self, _: usize, state: &mut Needed, other: &Needed) -> bool {
        let old = core::mem::replace(state, state.or(other));
        *state != old
    }
}
