//! Judges conformance data: programs that were written for this project, and what third-party tools made of them.
//!
//! The data has two sources of one layout. The *corpus* (`tests/corpus`) is part of the repository; each family's tests
//! run all of it. The *oracle* is a folder with the whole data, from which `cargo xtask distil` makes the corpus;
//! `cargo xtask oracle` runs it.
//!
//! Every row of a set counts. A row that cannot be run has failed, and data that is missing is an error.

#[cfg(feature = "agal")]
mod agal;
#[cfg(feature = "agx")]
pub mod agx;
mod data;
#[cfg(feature = "maxwell")]
pub mod maxwell;
pub mod numbers;
#[cfg(feature = "pica200")]
mod pica200;
mod programs;
mod sets;
mod table;
mod tally;

pub use data::{Data, Pack, files, unpacked};
pub use programs::{Program, programs};
pub use sets::{SETS, Set, passes};
pub use table::{Row, Table};
pub use tally::Tally;

/// Why a set cannot be judged.
pub type Error = Box<dyn std::error::Error>;
