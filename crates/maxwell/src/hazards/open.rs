//! The states of paths that are still to be followed.

use super::pending::Pending;
use super::runs::Runs;
use crate::code::Graph;
use alloc::collections::BinaryHeap;
use alloc::{vec, vec::Vec};
use core::cmp::Reverse;

/// The states at the instructions where paths branch or join, of one walk after the other. They are stored by
/// position, because a program has as many walks as instructions.
pub(super) struct Open {
    /// The nodes in reverse post-order.
    order: Vec<u32>,
    /// The position of each node in that order.
    ranks: Vec<u32>,
    /// By slot: the latest state, and the walk that it belongs to.
    states: Vec<(u32, Pending)>,
    /// By slot: whether the state is to be followed.
    waiting: Vec<bool>,
    /// The ranks of nodes whose states are to be followed.
    open: BinaryHeap<Reverse<u32>>,
    walk: u32,
    first: usize,
}

impl Open {
    /// The slot of the instruction after the first one of a walk.
    const START: usize = 0;
    /// The slot of the first instruction of a walk, which a loop may return to.
    const FIRST: usize = 1;

    /// Nothing to be followed, in code with these runs. Nodes within a run share a slot, because only the start of a walk
    /// arrives at one.
    pub(super) fn new(graph: &Graph, runs: &Runs) -> Open {
        let count = graph.len() + 1;
        let order = graph.edges.reverse_post_order(0..count);
        let mut ranks = vec![0; count];
        for (rank, at) in (0..).zip(&order) {
            ranks[*at as usize] = rank;
        }
        let slots = Open::FIRST + 1 + runs.len();
        let (states, waiting) = (vec![(0, Pending::default()); slots], vec![false; slots]);
        Open { order, ranks, states, waiting, open: BinaryHeap::new(), walk: 0, first: 0 }
    }

    /// Begins a walk from an instruction.
    pub(super) fn begin(&mut self, first: usize) {
        self.walk += 1;
        self.first = first;
    }

    fn slot(&self, runs: &Runs, at: usize) -> usize {
        match runs.number(at) {
            _ if at == self.first => Open::FIRST,
            Some(run) => Open::FIRST + 1 + run,
            None => Open::START,
        }
    }

    /// Arrives at a node. Where paths join, a state that adds nothing is not followed. A state that is still to be followed
    /// is joined everywhere: in a loop around the first instruction, the only edge to a node is passed twice.
    pub(super) fn arrive(&mut self, runs: &Runs, at: usize, joins: bool, state: Pending) {
        let slot = self.slot(runs, at);
        let (walk, old) = &mut self.states[slot];
        if *walk == self.walk && (joins || self.waiting[slot]) {
            match old.join(&state) {
                Some(joined) => *old = joined,
                None => return,
            }
        } else {
            (*walk, *old) = (self.walk, state);
        }
        if !core::mem::replace(&mut self.waiting[slot], true) {
            self.open.push(Reverse(self.ranks[at]));
        }
    }

    /// Follows nothing more.
    pub(super) fn clear(&mut self, runs: &Runs) {
        while self.next(runs).is_some() {}
    }

    /// The next node to be followed, with its state.
    pub(super) fn next(&mut self, runs: &Runs) -> Option<(usize, Pending)> {
        let Reverse(rank) = self.open.pop()?;
        let at = *self.order.get(rank as usize)? as usize;
        let slot = self.slot(runs, at);
        self.waiting[slot] = false;
        Some((at, self.states[slot].1))
    }
}
