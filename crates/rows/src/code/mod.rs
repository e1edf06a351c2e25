//! The code of a program: its instructions, their successors, and data flow over both.
//!
//! # Concepts
//!
//! Every analysis of a family (checks, hazards, liveness, cost, listings) needs the same four facts about an
//! instruction: its location, what it reads, what it writes, and what may run next. A family finds them once, and no
//! analysis walks instructions on its own.
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
