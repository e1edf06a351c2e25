//! The states of paths that are still to be followed.

use super::pending::Pending;
use crate::code::Graph;
use alloc::collections::BinaryHeap;
use alloc::{vec, vec::Vec};
use core::cmp::Reverse;

/// The states at the instructions where paths branch or join, of one walk after the other. They are stored by
/// position, because a program has as many walks as instructions.
pub(super) struct Open {
    /// The nodes in reverse post-order.
    order: Vec<usize>,
    /// The position of each node in that order.
    ranks: Vec<u32>,
    /// The slot of each node; [`Open::START`] for nodes in straight code, which only the start of a walk needs.
    slots: Vec<u32>,
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
    const START: u32 = 0;
    /// The slot of the first instruction of a walk, which a loop may return to.
    const FIRST: u32 = 1;

    pub(super) fn new(graph: &Graph, entries: impl Fn(usize) -> u32) -> Open {
        let count = graph.len() + 1;
        let order = graph.code.graph.reverse_post_order(0..count);
        let mut ranks = vec![0; count];
        for (rank, at) in (0..).zip(&order) {
            ranks[*at] = rank;
        }
        let mut used = Open::FIRST + 1;
        let slot = |at: usize| {
            let straight = at > 0 && entries(at) == 1 && graph.next(at - 1).eq([at]);
            if straight {
                return Open::START;
            }
            used += 1;
            used - 1
        };
        let slots = (0..count).map(slot).collect();
        let (states, waiting) = (vec![(0, Pending::default()); used as usize], vec![false; used as usize]);
        Open { order, ranks, slots, states, waiting, open: BinaryHeap::new(), walk: 0, first: 0 }
    }

    /// Begins a walk from an instruction.
    pub(super) fn begin(&mut self, first: usize) {
        self.walk += 1;
        self.first = first;
    }

    fn slot(&self, at: usize) -> usize {
        let own = if at == self.first { Open::FIRST } else { self.slots[at] };
        own as usize
    }

    /// Arrives at a node. Where paths join, a state that adds nothing is not followed. A state that is still to be followed
    /// is joined everywhere: in a loop around the first instruction, the only edge to a node is passed twice.
    pub(super) fn arrive(&mut self, at: usize, joins: bool, state: Pending) {
        let slot = self.slot(at);
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
    pub(super) fn clear(&mut self) {
        while self.next().is_some() {}
    }

    /// The next node to be followed, with its state.
    pub(super) fn next(&mut self) -> Option<(usize, Pending)> {
        let Reverse(rank) = self.open.pop()?;
        let at = *self.order.get(rank as usize)?;
        let slot = self.slot(at);
        self.waiting[slot] = false;
        Some((at, self.states[slot].1))
    }
}
