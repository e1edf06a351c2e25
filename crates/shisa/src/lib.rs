//! The toolchain for shader machine code: AGAL, PICA200, Maxwell and AGX.
//!
#![doc = include_str!("../doc/concepts.md")]
//!
//! # From bytes to the first diagnostic
#![doc = include_str!("../doc/families.md")]
//!
//! # Four small programs
#![doc = include_str!("../doc/examples.md")]
//!
#![doc = include_str!("../doc/features.md")]
#![cfg_attr(
    not(all(feature = "agal", feature = "pica200", feature = "agx", feature = "eval", feature = "swf")),
    allow(dead_code, unused_imports, reason = "parts that only some instruction sets use")
)]

mod assembly;
mod cfg;
mod code;
pub mod data;
#[cfg_attr(not(feature = "eval"), path = "no_engines.rs")]
mod engines;
mod error;
pub mod explain;
mod family;
mod fields;
mod file;
mod finding;
mod identity;
mod inner;
mod instruction;
mod listing;
mod listing_json;
mod lower;
mod program;
mod report;
mod run;
mod settings;
mod text;
#[cfg(feature = "translator")]
mod translate;
mod words;

pub use assembly::{Assembly, assemble};
pub use cfg::Cfg;
pub use error::{Error, Result};
pub use explain::explain;
pub use family::*;
pub use file::File;
pub use identity::Identity;
pub use listing::Listing;
pub use lower::Lowered;
pub use program::Program;
use report::Report;
pub use run::RunOptions;
pub use settings::Settings;

pub use shisa_diag as diag;
#[cfg(feature = "eval")]
pub use shisa_eval as eval;
pub use shisa_ir as ir;
pub use shisa_rows as rows;
#[cfg(feature = "translator")]
pub use shisa_translate as translation;
