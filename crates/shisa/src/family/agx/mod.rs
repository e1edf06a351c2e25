//! AGX, Apple's GPU of the M1: its crate, and items for this instruction set only.
//!
//! [`link`](fn@link) joins shader parts, [`PartFile`], to a [`LinkedFile`]. [`run_compute`] runs compute programs,
//! and [`Drawing`] runs programs that draw, both on typed inputs.

mod disassembly;
mod explain;
pub(crate) mod family;
mod file;
mod graph;
mod instructions;
mod lowering;
mod opened;
mod partial;
mod parts;
mod replacing;
mod reports;
#[cfg(feature = "eval")]
mod running;
mod settings;
mod spelling;

pub use parts::{LinkedFile, PartFile, link};
#[cfg(feature = "eval")]
pub use running::{
    ComputeCode, ComputeOutput, ComputePlan, ComputeProgram, ComputeRun, DrawPixels, DrawVertex, Drawing,
    DrawnPixel, FastCompute, PixelOutput, Preamble, VertexOutput, from_base64, run_compute,
};
pub use settings::Settings;
pub use shisa_agx::*;
pub use shisa_agx::{Imageblock, Revision};

/// The instruction set.
pub const ISA: crate::Isa = crate::Isa::Agx;
