//! Maxwell, NVIDIA's SPA 5.x: its crate, and items for this instruction set only.
//!
//! [`assemble_into`] replaces a program of a file by assembled code, [`assemble_into_pair`] does so in NVN's pair of
//! files; [`open_pair`] opens such a pair.

mod assembling;
mod disassembly;
mod explain;
mod facts;
pub(crate) mod family;
mod file;
mod graph;
mod instructions;
mod lowering;
mod opened;
mod reports;
#[cfg(feature = "eval")]
mod running;
mod settings;
mod stages;

pub use assembling::{assemble_into, assemble_into_pair};
pub use file::open_pair;
#[cfg(feature = "eval")]
pub use running::{Cost, FastKernel, KernelCode, KernelOutput, KernelPlan, KernelRun, Served, run_kernel};
pub use settings::Settings;
pub use shisa_maxwell::Chip;
pub use shisa_maxwell::container::NvnControl;
pub use shisa_maxwell::lower::TextureKind;
pub use shisa_maxwell::*;

/// The instruction set.
pub const ISA: crate::Isa = crate::Isa::Maxwell;
