//! Runs Maxwell programs on the evaluator.

mod json;
mod kernel;
mod keys;
mod memory;
mod resources;
mod runs;
mod textures;
mod watch;

pub use kernel::{KernelCode, KernelOutput, KernelRun, run_kernel};
