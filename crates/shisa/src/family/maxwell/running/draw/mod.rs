//! Draw calls: programs of several stages, where the outputs of one are the inputs of the next by their addresses.
//!
//! `stages` of the input has what each program needs besides: its constants and resources, and for the vertex program
//! the vertices. The results of each stage are filled in there. What a stage has then is an input for its program alone.

mod assembled;
mod chain;
mod fragments;
mod merging;
mod order;
mod patches;
mod picture;
mod rasteriser;
mod state;
mod vertices;
mod view;

pub(in super::super) use chain::run_stages;
pub(super) use chain::{is_draw, run};
