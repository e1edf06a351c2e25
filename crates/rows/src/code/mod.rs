//! The code of a program: its instructions, their successors, and data flow over both.
//!
//! # Concepts
//!
//! Every analysis of a family (checks, hazards, liveness, cost, listings) needs the same four facts about an
//! instruction: its location, what it reads, what it writes, and what may run next. [`Code`] holds them. A family
//! builds it once, and no analysis walks instructions on its own.
//!
//! * [`Effects`] come from the operands of the row ([`Details::registers`](crate::Details::registers)) or, where
//!   components of vectors matter, from its lift ([`lifted_effects`]). No other code repeats them.
//! * [`Graph`] is the edges between instructions. [`explore`] finds them: a family states in [`Paths`] what one
//!   instruction does to the state of control (a stack of marks, open blocks, nothing), and the walk visits every
//!   instruction once in every state that reaches it. Its work is bounded: see [`Budget`].
//! * [`solve`] runs a data-flow [`Analysis`] over a graph, forwards or backwards, until nothing changes. Its work is
//!   bounded, too.
//!
//! No code in this module knows a family.

mod effects;
mod graph;
mod lifted;
mod paths;
mod solve;
#[cfg(test)]
mod tests;

pub use effects::{Effects, RegisterSet, each_effect, effects};
pub use graph::Graph;
pub use lifted::lifted_effects;
pub use paths::{Budget, Paths, Walk, explore, explore_all};
pub use solve::{Analysis, Direction, OutOfFuel, solve};

use crate::{Insn, Isa};
use alloc::vec::Vec;
use core::ops::Range;

/// The code of a program: instructions in the order of their offsets, and the successors of each.
#[derive(Clone, Debug)]
pub struct Code<I: Isa, S> {
    /// The instructions.
    pub items: Vec<Item<I, S>>,
    /// The successors of each instruction. The node after the last instruction is the end of the code, if the family
    /// gives it one.
    pub graph: Graph,
    /// For each node of the graph, whether it is reachable from an entry.
    pub reached: Vec<bool>,
    /// Whether every path is known: no branch goes to an unknown location and the budget sufficed.
    pub complete: bool,
}

/// An instruction and its location.
#[derive(Clone, Debug)]
pub struct Item<I: Isa, S> {
    /// The bytes that it occupies, as offsets from the start of the code.
    pub bytes: Range<usize>,
    /// The instruction; `None` for bytes that are not an instruction.
    pub insn: Option<Insn<I>>,
    /// The registers that it reads and writes; empty for bytes that are not an instruction.
    pub effects: Effects<S>,
}

impl<I: Isa, S: RegisterSet> Item<I, S> {
    /// An instruction that occupies `bytes`.
    pub fn new(insn: Insn<I>, bytes: Range<usize>) -> Self {
        Item { bytes, effects: effects(&insn), insn: Some(insn) }
    }

    /// Bytes that are not an instruction.
    pub fn unknown(bytes: Range<usize>) -> Self {
        Item { bytes, insn: None, effects: Effects::default() }
    }
}

impl<I: Isa, S> Code<I, S> {
    /// The index of the instruction that begins at an offset.
    pub fn index_of(&self, offset: usize) -> Option<usize> {
        self.items.binary_search_by_key(&offset, |i| i.bytes.start).ok()
    }

    /// Whether a node is reachable from an entry.
    pub fn is_reached(&self, node: usize) -> bool {
        self.reached.get(node).copied().unwrap_or(false)
    }

    /// The reachable instructions, each with its index.
    pub fn running(&self) -> impl Iterator<Item = (usize, &Item<I, S>)> {
        self.items.iter().enumerate().filter(|(i, _)| self.is_reached(*i))
    }
}
