//! What code must wait for.
//!
//! # Concepts
//!
//! The machine does not look for dependences: control bits say when an instruction may issue. An instruction of
//! **fixed latency** has its result some cycles after it issued; those in between must add up to enough stall
//! cycles. One of **variable latency** raises a **barrier** when its result is written, and another when its
//! sources have been read; who needs the result, or overwrites a source, must wait for that barrier.
//!
//! From each instruction on the ways that control may take are followed until what it does is done for sure:
//! a barrier was waited for, the registers were overwritten, or enough cycles have passed. What is met on the
//! way and depends on it is a [`Dependence`], with the smallest number of cycles between both.
//!
//! How many cycles are enough nobody publishes. [`BOUNDS`] has, for each kind of dependence and each pair of
//! classes of instructions, the smallest number seen in the output of compilers.

mod blocks;
mod bounds;
mod check;
mod class;
mod count;
mod effects;
pub mod faults;
mod fill;
mod graph;
mod live;
mod set;
#[cfg(test)]
mod tests;
mod walk;

pub use blocks::{Block, Way};
pub use bounds::{BOUNDS, Bound, Carrier, Pair, Second, bound};
pub use check::{CODES, Finding, check};
pub use class::{Class, class};
pub use effects::{Effects, effects};
pub use fill::fill;
pub use graph::{Graph, Missing};
pub(crate) use live::pixel_outputs;
pub use live::{live, outputs};
pub use set::Set;
pub use walk::{Dependence, Kind, dependences};
