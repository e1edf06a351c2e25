//! What instructions at and after each position may still need, so that nothing is followed that nothing will need.

use super::bounds::is_ordered;
use super::dependence::Kind;
use super::pending::Pending;
use super::wait::mask;
use crate::class::Class;
use crate::code::Graph;
use crate::guard;
use crate::registers::Set;
use alloc::vec::Vec;
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

/// What is needed at each node of certain instructions.
pub(super) struct Ahead(Vec<Needed>);

impl Ahead {
    /// The solution for certain instructions. It leaves out what waits for their barriers; that later instructions of
    /// the class raise barriers for them, too, does not count.
    ///
    /// # Errors
    /// [`OutOfFuel`] if there is not enough fuel, from which the number of nodes is subtracted.
    pub(super) fn new(
        graph: &Graph,
        firsts: Firsts,
        known: impl Fn(usize) -> Known,
        fuel: &mut u64,
    ) -> Result<Ahead, OutOfFuel> {
        let count = graph.len() + 1;
        let class = firsts.class;
        let [written, read] = [mask(firsts.written), mask(firsts.read)];
        let ordered = |i: usize, kind| class.is_some() && is_ordered(kind, class, graph.class(i));
        let all = (0..count)
            .filter_map(|i| graph.effects(i))
            .fold(Set::default(), |all, effects| all.or(&effects.reads).or(&effects.writes));
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
            Step { needed, replaced, ends }
        };
        let starts = (0..count).map(|i| (i, Needed::default()));
        // Sets of all instructions take more memory than to compute them again.
        let after = solve(&graph.code.graph, Direction::Backwards, starts, &mut Needs(&node), *fuel)?;
        *fuel = fuel.saturating_sub(count as u64);
        let before = |(i, after): (usize, Option<Needed>)| node(i).before(&after.unwrap_or_default());
        Ok(Ahead(after.into_iter().enumerate().map(before).collect()))
    }

    /// Removes from a state at a node what nothing at or after the node needs.
    pub(super) fn keep(&self, at: usize, state: &mut Pending) {
        if let Some(needed) = self.0.get(at) {
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

/// The analysis of what is needed after each node.
struct Needs<'a, F>(&'a F);

impl<F: Fn(usize) -> Step> Analysis for Needs<'_, F> {
    type State = Needed;

    fn pass(&mut self, at: usize, after: &Needed) -> Needed {
        self.0(at).before(after)
    }

    fn join(&mut self, _: usize, state: &mut Needed, other: &Needed) -> bool {
        let old = core::mem::replace(state, state.or(other));
        *state != old
    }
}
