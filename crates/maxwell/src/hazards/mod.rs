//! What code must wait for.
//!
//! # Concepts
//!
//! The hardware does not look for dependences: control bits say when an instruction may issue. An instruction of
//! **fixed latency** has its result some cycles after it issued; those in between must add up to enough stall
//! cycles. One of **variable latency** raises a **barrier** when its result is written, and another when its
//! sources have been read; who needs the result, or overwrites a source, must wait for that barrier.
//!
//! From each instruction on, the paths that control may take are followed until what it does is done for sure:
//! a barrier was waited for, the registers were overwritten, or enough cycles have passed. What is met on the
//! path and depends on it is a [`Dependence`], with the smallest number of cycles between both.
//!
//! How many cycles are enough nobody publishes. [`BOUNDS`] has, for each kind of dependence and each pair of
//! classes of instructions, the smallest number seen in the output of compilers.

mod bounds;
mod check;
mod count;
pub mod faults;
mod fill;
mod finding;
#[cfg(test)]
mod tests;
mod walk;

pub use bounds::{BOUNDS, Bound, Carrier, Pair, Second, bound};
pub use check::{CODES, check};
pub use fill::fill;
pub use finding::Finding;
pub use walk::{Dependence, Kind, dependences};
