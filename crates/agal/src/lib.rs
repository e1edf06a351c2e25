//! AGAL 1 to 4: the shader bytecode of Flash and AIR (Stage3D).
//!
//! # Concepts
//!
//! A program is a seven-byte header (version, stage) and tokens of 24 bytes ([`token`]): an opcode, a
//! destination with a write mask, and two sources with swizzles; the second source of a texture read is
//! a sampler. Registers ([`RegType`]) have four components of binary32. A vertex program reads
//! attributes `va` and constants `vc` and writes the position `op` and varyings `v`; a fragment program
//! reads varyings, constants `fc` and samplers `fs` and writes colours `fo` and depth `fd`.
//!
//! Version 2 adds conditions, derivatives, several colours and depth; version 3 more constants and the
//! instance number; version 4 textures in vertex programs.
//!
//! Program counters count tokens from 0. Every diagnostic code `agal-NNNN` carries Flash Player's error
//! number.
//!
//! [`assemble`] reads AGALMiniAssembler's text and [`disassemble`] writes it; [`assemble_macros`] reads
//! AGALMacroAssembler's.
//!
//! The rows are in `forms`; the control flow is in [`sequencer`]; what players leave open is a choice in
//! [`Options`].
#![no_std]
extern crate alloc;

mod attr;
mod container;
mod editing;
mod forms;
mod identify;
mod identify_source;
mod layout;
mod lift;
mod macro_language;
mod operand;
pub mod options;
mod registers;
pub mod rules;
pub mod sequencer;
mod shape;
mod suite;
mod text;
pub mod token;

pub use attr::{Attr, Effect, Yields};
pub use container::Program;
pub use editing::editing;
pub use identify::{Identity, identify};
pub use identify_source::{SourceGuess, identify_source};
pub use layout::{HEADER_BYTES, LAST_VERSION, embedded_glsl};
pub use lift::{interface, lift, lift_in};
pub use macro_language::assemble_macros;
pub use operand::{Role, destination};
pub use options::Options;
pub use registers::{FRAGMENT_FILES, MAX_NESTING, RegType, VERTEX_FILES, files, max_tokens};
pub use sequencer::Sequencer;
pub use shape::{Want, Wants};
pub use suite::SUITE;
pub use text::{
    AsmOptions, Assembly, DisOptions, Syntax, TokenLine, Words, assemble, disassemble, print_token,
};
pub use token::{Dest, SamplerBits, Source, Token};

use shisa_ir::Stage;
use shisa_rows::{Isa, Table};

/// The instruction set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Agal;

/// The environment of an instruction.
#[derive(Clone, Copy, Debug)]
pub struct Ctx<'a> {
    /// AGAL version, 1 to 4.
    pub version: u32,
    /// [`Stage::Vertex`] or [`Stage::Fragment`].
    pub stage: Stage,
    /// Choices that lifting obeys.
    pub options: &'a Options,
}

impl Isa for Agal {
    type Word = Token;
    type Ctx<'a> = Ctx<'a>;
    type Attr = Attr;

    fn table() -> &'static Table<Self> {
        forms::rows()
    }
}
