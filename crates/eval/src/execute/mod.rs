//! Executes planned operations on the planes of a wave.

mod exchange;
mod executor;
mod memory;
mod run;

pub(crate) use executor::Executor;
