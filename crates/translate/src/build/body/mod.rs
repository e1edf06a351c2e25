//! The program's function: one file for each kind of operation. All files extend [`Body`], which `state` declares,
//! and import no other file of this folder.

mod components;
mod constants;
mod float;
mod integer;
mod lanes;
mod memory;
mod operations;
mod outputs;
mod patch;
mod query;
mod read;
mod resources;
mod sample;
mod state;
mod statements;
mod texel;
mod values;
mod wide;

pub(crate) use state::{Body, EXPRESSIONS, Made, Tables};
