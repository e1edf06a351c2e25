//! Executes planned operations on the planes of a wave.

mod exchange;
mod executor;
mod memory;
mod registers;
mod run;
mod surroundings;

pub(crate) use executor::Executor;
pub(crate) use surroundings::{Effects, Events, Reporter, Surroundings};
