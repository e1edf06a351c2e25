//! Instruction sets: what each one supplies to the verbs, and the list of all.
//!
//! A verb knows no instruction set. It calls an [`Opened`] file, which a [`Family`] returned. Everything that this
//! crate needs from one instruction set is in the folder with its name. The library's module with that name has the
//! folder's public items, and those of the instruction set's crate.

#[cfg(feature = "agal")]
pub mod agal;
#[cfg(feature = "agx")]
pub mod agx;
mod guessing;
mod interface;
pub(crate) mod list;
#[cfg(feature = "maxwell")]
pub mod maxwell;
pub(crate) mod names;
pub(crate) mod opened;
#[cfg(feature = "pica200")]
pub mod pica200;
mod registry;

pub(crate) use guessing::guess;
pub(crate) use interface::{Family, Guess, Lone, Sniffed, written};
pub use names::{Isa, Language};
pub(crate) use opened::{Each, Head, Opened, RunStages, Runs, collect, pass_on};
pub(crate) use registry::FAMILIES;
