//! Data flow: facts that hold at each instruction on all paths.

use super::Graph;
use alloc::{collections::BinaryHeap, vec, vec::Vec};
use core::cmp::Reverse;

/// The direction in which facts propagate along edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From an instruction to its successors.
    Forwards,
    /// From an instruction to its predecessors.
    Backwards,
}

/// A data-flow problem.
pub trait Analysis {
    /// The facts at a point of the code.
    type State: Clone;

    /// The transfer function: the facts after node `at`, in the direction of the analysis, if `state` holds before it.
    fn pass(&mut self, at: usize, state: &Self::State) -> Self::State;

    /// The facts that hold along the edge from `from` to `to`, in the direction of the analysis.
    fn along(&mut self, from: usize, to: usize, state: &Self::State) -> Self::State {
        let _ = (from, to);
        state.clone()
    }

    /// Merges into `state`, at node `at`, the facts of another path; returns whether `state` changed. It must be
    /// monotone: states only grow. An analysis whose states could grow without end widens them here.
    fn join(&mut self, at: usize, state: &mut Self::State, other: &Self::State) -> bool;
}

/// The analysis did not converge within its fuel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfFuel;

/// The facts before each node, in the direction of the analysis; `None` for nodes that are not reachable from `starts`.
/// `starts` are nodes with the facts before them.
///
/// Nodes are visited in reverse post-order, so code without loops is visited once.
///
/// # Errors
/// [`OutOfFuel`] if [`Analysis::pass`] would be called more than `fuel` times.
pub fn solve<A: Analysis>(
    graph: &Graph,
    direction: Direction,
    starts: impl IntoIterator<Item = (usize, A::State)>,
    analysis: &mut A,
    mut fuel: u64,
) -> Result<Vec<Option<A::State>>, OutOfFuel> {
    let reversed;
    let graph = match direction {
        Direction::Forwards => graph,
        Direction::Backwards => {
            reversed = graph.reversed();
            &reversed
        }
    };
    let starts: Vec<_> = starts.into_iter().filter(|(node, _)| *node < graph.len()).collect();
    let order = graph.reverse_post_order(starts.iter().map(|(node, _)| *node));
    let mut states: Vec<Option<A::State>> = vec![None; graph.len()];
    let mut roots = Vec::new();
    for (node, state) in starts {
        match &mut states[node] {
            Some(old) => {
                analysis.join(node, old, &state);
            }
            none => {
                *none = Some(state);
                roots.push(node);
            }
        }
    }
    let mut rank = vec![0u32; graph.len()];
    for (n, node) in order.iter().enumerate() {
        rank[*node as usize] = n as u32;
    }
    let mut waiting = vec![false; graph.len()];
    let mut open = BinaryHeap::new();
    for root in roots {
        waiting[root] = true;
        open.push(Reverse(rank[root]));
    }
    while let Some(Reverse(first)) = open.pop() {
        let Some(&node) = order.get(first as usize) else { continue };
        let node = node as usize;
        waiting[node] = false;
        fuel = fuel.checked_sub(1).ok_or(OutOfFuel)?;
        let Some(state) = &states[node] else { continue };
        let after = analysis.pass(node, state);
        for to in graph.next(node) {
            let brought = analysis.along(node, to, &after);
            let changed = match &mut states[to] {
                Some(old) => analysis.join(to, old, &brought),
                none => {
                    *none = Some(brought);
                    true
                }
            };
            if changed && !waiting[to] {
                waiting[to] = true;
                open.push(Reverse(rank[to]));
            }
        }
    }
    Ok(states)
}
