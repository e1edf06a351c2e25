//! Runs the same lanes of a program on several engines, and finds the first instruction whose value differs.
//!
//! # Concepts
//!
//! The first engine is the *reference*. [`lockstep`] runs the whole program on each engine and compares the outputs of all
//! lanes, bit for bit. If an output differs, it looks for the instruction.
//!
//! A *path* is the list of instructions that a lane ran in a recording of the evaluator, with the values of all registers
//! that each instruction read. A *slice* is a straight-line program: some instructions of a path, without control flow.
//! A register that no instruction of the slice wrote is loaded from an input, with the value that it had in the recording. So
//! any slice computes what the whole program computed. A slice outputs the values that its instructions write, and those
//! that decide about control flow, addresses and the like. Every engine that compiles programs runs slices; nobody
//! has to watch it.
//!
//! The search runs the path in slices of at most [`WINDOW`] instructions: the first output of the first slice that differs
//! is the instruction. The reduction then removes instructions from the slice as long as the same value differs.
//!
//! Engines that translate programs ([`Bounds::Languages`]) may have small errors. Each instruction of their slices reads
//! recorded values, so that errors of instructions before it do not add up.
//!
//! # What slices leave out
//! Operations on memory, textures and other lanes are no part of slices: their operands are compared, their
//! results are taken from the recording. What only they compute differently has an output that differs and no
//! instruction ([`Difference::located`]).

mod blocks;
mod bounds;
mod compare;
mod copy;
#[cfg(feature = "device")]
mod device;
mod difference;
mod engine;
mod files;
mod lockstep;
mod observed;
mod path;
mod reduce;
mod report;
mod search;
mod slice;
#[cfg(test)]
mod slice_tests;
mod straight;

pub use bounds::Bounds;
#[cfg(feature = "device")]
pub use device::Translated;
pub use difference::{Compared, Difference, Located, Output, Reduced, Slot, Verdict};
pub use engine::{Engine, Native};
pub use lockstep::lockstep;
pub use observed::What;
pub use path::PATH_STEPS;
pub use search::{LAST_STEPS, WINDOW};
