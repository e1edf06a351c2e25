//! The toolchain for shader machine code: AGAL, PICA200, Maxwell and AGX.
//!
//! # Concepts
//!
//! A [`File`] is opened from bytes: a program, a container of programs, or a source. Only [`File::open`] decides what
//! bytes are; with [`Settings::isa`] nothing is guessed. The file is read once, and each of its programs is a
//! [`Program`], which does what the `shisa` command does: [`Program::listing`], [`Program::check`],
//! [`Program::cfg()`], [`Program::run_json`], [`Program::lower`], [`Program::translate`], [`Program::extract`],
//! [`Program::report`]. [`assemble()`] assembles a source in any [`Language`] to the bytes of a file, and
//! [`explain()`] is the reference.
//!
//! [`Settings`] limit input and work, and make the choices that hardware leaves open. Fallible functions return an
//! [`Error`] with every fault found, each a [`diag::Diagnostic`] with a stable code and its location in the input. No
//! input makes them panic.
//!
//! Items of a single instruction set are in the module with its name, together with the public items of its own
//! crate: [`agal`], [`pica200`], [`maxwell`], [`agx`]. A program is lifted to operations of the [`ir`] by the rows of
//! its instruction set, the single definition of what each instruction does; the evaluator and the translators both
//! work on those operations.
//!
//! # From bytes to the first diagnostic
#![doc = include_str!("../doc/families.md")]
//!
//! # Four small programs
#![doc = include_str!("../doc/examples.md")]
//!
//! # Features
//!
//! One for each instruction set (`agal`, `pica200`, `maxwell`, `agx`), `eval` (running programs), `exec` (running
//! batches fast), `translate` (translation), `swf` (programs in SWF files), `render` (diagnostics with source excerpts). All except `render` are
//! on by default.
#![cfg_attr(
    not(all(feature = "agal", feature = "pica200", feature = "agx", feature = "eval", feature = "swf")),
    allow(dead_code, unused_imports, reason = "parts that only some instruction sets use")
)]

mod assemble;
mod assembly;
mod cfg;
mod code;
pub mod data;
mod error;
pub mod explain;
mod family;
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

pub use assemble::assemble;
pub use assembly::Assembly;
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
#[cfg(feature = "exec")]
pub use shisa_exec as exec;
pub use shisa_ir as ir;
pub use shisa_rows as rows;
#[cfg(feature = "translator")]
pub use shisa_translate as translation;
