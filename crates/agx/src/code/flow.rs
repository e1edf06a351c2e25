//! Data flow over the code of a program.

use super::{Code, Step};
use alloc::vec::Vec;
use shisa_diag::Diagnostic;
use shisa_rows::code::{Analysis, Direction, solve};

/// The average number of passes over a node. Sets of registers and bounded numbers change less often.
const PASSES: u64 = 4096;

/// A forward analysis: the state at each instruction, along the paths from the first one.
pub(crate) trait Forwards {
    /// The state.
    type State: Clone;

    /// The state after an instruction.
    fn after(&self, step: &Step<'_>, state: &Self::State) -> Self::State;

    /// Adds to `state` what another path brings to node `node`; returns whether `state` changed. States only grow.
    fn join(&mut self, node: usize, state: &mut Self::State, other: &Self::State) -> bool;
}

/// The state before each instruction.
pub(crate) struct States<'c, S> {
    code: &'c Code<'c>,
    states: Vec<Option<S>>,
}

struct Over<'c, F> {
    code: &'c Code<'c>,
    what: F,
}

impl<F: Forwards> Analysis for Over<'_, F> {
    type State = F::State;

    fn pass(&mut self, node: usize, state: &F::State) -> F::State {
        match self.code.nodes.get(node).and_then(|number| self.code.step(*number as usize)) {
            Some(step) => self.what.after(&step, state),
            None => state.clone(),
        }
    }

    fn join(&mut self, node: usize, state: &mut F::State, other: &F::State) -> bool {
        self.what.join(node, state, other)
    }
}

impl Code<'_> {
    /// The number of nodes that a [`Forwards::join`] can be called for.
    pub(crate) fn nodes(&self) -> usize {
        self.nodes.len()
    }

    /// Solves an analysis, given the state before the first instruction.
    ///
    /// # Errors
    /// `internal-agx-flow` if the analysis does not settle, which is a fault of the analysis.
    pub(crate) fn solve<F: Forwards>(
        &self,
        start: F::State,
        what: F,
    ) -> Result<States<'_, F::State>, Diagnostic> {
        let fuel = PASSES.saturating_mul(self.nodes.len() as u64);
        let mut over = Over { code: self, what };
        let states =
            solve(&self.graph, Direction::Forwards, [(0, start)], &mut over, fuel).map_err(|_| {
                let d = Diagnostic::error("internal-agx-flow", "an analysis of this code does not settle");
                d.help("please report it with the file")
            })?;
        Ok(States { code: self, states })
    }
}

impl<S> States<'_, S> {
    /// The reachable instructions, each with the state before it: once for each context.
    pub(crate) fn each(&self) -> impl Iterator<Item = (Step<'_>, &S)> {
        let known = self.code.nodes.iter().zip(&self.states);
        known.filter_map(|(number, state)| Some((self.code.step(*number as usize)?, state.as_ref()?)))
    }

    /// The state at the end of the code: once for each context.
    pub(crate) fn at_end(&self) -> impl Iterator<Item = &S> {
        let end = self.code.items.pieces() as u32;
        let known = self.code.nodes.iter().zip(&self.states);
        known.filter(move |(number, _)| **number == end).filter_map(|(_, state)| state.as_ref())
    }
}
