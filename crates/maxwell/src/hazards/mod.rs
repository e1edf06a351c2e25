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
//! No cycles protect a variable latency; only barriers do, and the order in which a unit works. Nobody publishes how
//! many cycles a fixed latency needs. The bounds are the smallest numbers seen in the output of compilers: `bounds`
//! and `Attr::reads`.

mod ahead;
mod bounds;
mod check;
mod count;
mod dependence;
mod fill;
mod finding;
mod measure;
mod node;
mod open;
mod pending;
mod runs;
#[cfg(test)]
mod tests;
mod wait;
mod walker;

pub use crate::PlainControl;
pub use bounds::{Needed, SURE, needed};
pub use check::{CODES, check};
pub use dependence::{Dependence, Kind};
pub use fill::fill;
pub use finding::Finding;
pub use measure::dependences;
