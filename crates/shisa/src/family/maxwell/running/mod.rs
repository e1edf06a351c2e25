//! Runs Maxwell programs on the evaluator.

mod json;
mod kernel;
mod keys;
mod launched;
mod memory;
mod resources;
mod runs;
mod textures;
mod watch;

pub use kernel::{KernelCode, KernelPlan, run_kernel};
pub use launched::{KernelOutput, KernelRun};
