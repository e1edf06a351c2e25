//! PICA200, the shader unit of the Nintendo 3DS: its crate, and items for this instruction set only.
//!
//! [`link`] assembles several sources into one shader binary, [`link_files`] joins objects to one, and [`put_into`] puts
//! one into a file that contains it; [`raw`] opens words without a container; [`run`] runs
//! programs on typed inputs.

mod disassembly;
mod explain;
pub(crate) mod family;
mod file;
mod graph;
mod instructions;
mod linking;
mod lowering;
mod opened;
mod putting;
mod reports;
#[cfg(feature = "eval")]
mod running;
mod settings;

pub use file::{raw, shader_binary};
pub use linking::{Linked, link};
pub use putting::{link_files, put_into};
#[cfg(feature = "eval")]
pub use running::{
    ShaderEmit, ShaderOutput, ShaderRegister, ShaderResult, ShaderRun, ShaderSet, ShaderTriangle, compile,
    run,
};
pub use settings::Settings;
pub use shisa_pica200::Outputs;
pub use shisa_pica200::container::Raw;
pub use shisa_pica200::picasso::{Finding, Source};
pub use shisa_pica200::*;

/// The instruction set.
pub const ISA: crate::Isa = crate::Isa::Pica200;
