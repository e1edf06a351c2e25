//! Runs Maxwell programs on the evaluator.

mod chain;
mod cost;
mod emitting;
mod findings;
mod fragments;
mod json;
mod kernel;
mod keys;
mod launched;
mod memory;
mod profile;
mod resources;
mod runs;
mod stage;
mod stage_json;
mod textures;
mod values;
mod watch;

pub use chain::run_stages;
pub use cost::{Cost, Served};
pub use kernel::{KernelCode, KernelPlan, run_kernel};
pub use launched::{KernelOutput, KernelRun};
