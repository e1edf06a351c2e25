//! Runs Maxwell programs on the evaluator.

mod choices;
mod cost;
mod draw;
mod emitting;
mod fast;
mod findings;
mod json;
mod kernel;
mod keys;
mod launched;
mod lines;
mod memory;
mod pictures;
mod profile;
mod resources;
mod runs;
mod stage;
mod stage_json;
mod textures;
mod values;
mod watch;

pub use cost::{Cost, Served};
pub(super) use draw::run_stages;
pub use fast::FastKernel;
pub use kernel::{KernelCode, KernelPlan, run_kernel};
pub use launched::{KernelOutput, KernelRun};
