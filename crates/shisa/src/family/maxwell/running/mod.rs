//! Runs Maxwell programs on the evaluator.

mod json;
mod keys;
mod kernel;
mod memory;
mod runs;
mod watch;

pub use kernel::{KernelCode, KernelOutput, KernelRun, run_kernel};
