//! AGAL, the shader bytecode of Flash and AIR: its crate, and items for this instruction set only.
//!
//! [`run`] runs a program on typed inputs, [`prepare`] prepares one for many runs; [`check_pair`] and [`translate_pair`] take a vertex and a fragment program
//! that belong together; [`program`] returns the tokens of a program.

mod checks;
mod codes;
mod disassembly;
mod explain;
pub(crate) mod family;
mod file;
mod graph;
mod instructions;
mod lowering;
mod opened;
#[cfg(feature = "translator")]
mod pair;
mod reports;
#[cfg_attr(not(feature = "eval"), path = "no_running.rs")]
mod running;
#[cfg_attr(not(feature = "swf"), path = "no_swf.rs")]
mod swf;

pub use checks::{LinkFinding, check_pair};
pub use file::program;
#[cfg(feature = "translator")]
pub use pair::translate_pair;
#[cfg(feature = "eval")]
pub use running::{OutputColumn, Prepared, RunInput, RunOutput, TextureInput, prepare, run};
pub use shisa_agal::Options as Settings;
pub use shisa_agal::*;

/// The instruction set.
pub const ISA: crate::Isa = crate::Isa::Agal;
