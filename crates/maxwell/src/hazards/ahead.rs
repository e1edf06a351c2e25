//! What instructions at and after each position may still need, so that nothing is followed that nothing will need.

use super::bounds::is_ordered;
use super::dependence::Kind;
use super::pending::Pending;
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

/// What is needed at each node of instructions of one class.
pub(super) struct Ahead(Vec<Needed>);

impl Ahead {
    /// The solution for instructions of a class that works in order; without a class, for all instructions.
    /// `needs_all` are nodes that need every register of the program, and `is_variable` those of variable latency.
    ///
    /// # Errors
    /// [`OutOfFuel`] if there is not enough fuel, from which the number of nodes is subtracted.
    pub(super) fn new(
        graph: &Graph,
        class: Option<Class>,
        [needs_all, is_variable]: [&dyn Fn(usize) -> bool; 2],
        fuel: &mut u64,
    ) -> Result<Ahead, OutOfFuel> {
        let count = graph.len() + 1;
        let ordered = |i: usize, kind| class.is_some() && is_ordered(kind, class, graph.class(i));
        let all = (0..count)
            .filter_map(|i| graph.effects(i))
            .fold(Set::default(), |all, effects| all.or(&effects.reads).or(&effects.writes));
        let node = |i: usize| {
            let Some((effects, insn)) = graph.effects(i).zip(graph.insn(i)) else { return Step::default() };
            let unless = |ordered: bool| if ordered { Set::default() } else { effects.writes };
            let needed = match needs_all(i) {
                true => Needed { results: all, sources: all },
                false => Needed {
                    results: effects.reads.or(&unless(ordered(i, Kind::Overwrite))),
                    sources: unless(ordered(i, Kind::Source)),
                },
            };
            let replaces = is_variable(i) || guard::always(insn);
            Step { needed, replaced: if replaces { effects.writes } else { Set::default() } }
        };
        let steps: Vec<Step> = (0..count).map(node).collect();
        let starts = (0..count).map(|i| (i, Needed::default()));
        let after = solve(&graph.code.graph, Direction::Backwards, starts, &mut Needs(&steps), *fuel)?;
        *fuel = fuel.saturating_sub(count as u64);
        let before = |(step, after): (&Step, Option<Needed>)| step.before(&after.unwrap_or_default());
        Ok(Ahead(steps.iter().zip(after).map(before).collect()))
    }

    /// Removes from a state at a node what nothing at or after the node needs.
    pub(super) fn keep(&self, at: usize, state: &mut Pending) {
        if let Some(needed) = self.0.get(at) {
            state.results = state.results.and(&needed.results);
            state.sources = state.sources.and(&needed.sources);
        }
    }
}

/// An instruction: what it needs, and the registers that no later instruction needs of an earlier one.
#[derive(Clone, Copy, Default)]
struct Step {
    needed: Needed,
    replaced: Set,
}

impl Step {
    fn before(&self, after: &Needed) -> Needed {
        let left = Needed {
            results: after.results.without(&self.replaced),
            sources: after.sources.without(&self.replaced),
        };
        left.or(&self.needed)
    }
}

/// The analysis of what is needed after each node.
struct Needs<'a>(&'a [Step]);

impl Analysis for Needs<'_> {
    type State = Needed;

    fn pass(&mut self, at: usize, after: &Needed) -> Needed {
        self.0.get(at).map_or(*after, |step| step.before(after))
    }

    fn join(&mut self, _: usize, state: &mut Needed, other: &Needed) -> bool {
        let old = core::mem::replace(state, state.or(other));
        *state != old
    }
}
