//! Dependences that code must wait for.
//!
//! # Concepts
//!
//! The hardware does not detect dependences: control bits state when an instruction may issue. An instruction of
//! **fixed latency** has its result some cycles after it issued; the instructions in between must have enough stall
//! cycles. One of **variable latency** raises a **barrier** when its result is written, and another when its sources
//! have been read; an instruction that needs the result, or overwrites a source, must wait for that barrier.
//!
//! From each instruction, the paths that control may take are followed until its effect is certainly complete: a
//! barrier was waited for, the registers were overwritten, or enough cycles have passed. An instruction on the path
//! that depends on it makes a [`Dependence`], with the smallest number of cycles between both.
//!
//! Nobody publishes how many cycles are enough. [`BOUNDS`] has, for each kind of dependence and each pair of classes
//! of instructions, the smallest number seen in the output of compilers.

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
