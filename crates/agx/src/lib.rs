//! Apple AGX (G13, the GPU of M1): shader machine code.
//!
//! # Concepts
//!
//! Instructions have 2 to 12 bytes; most have a short and a long form, distinguished by one bit, and the
//! long form continues fields in its last bytes. Rows see up to 96 bits, those beyond the instruction
//! zero; the length follows from the row and that bit ([`length`]). Registers are counted in halves of
//! 16 bits: `r0l`, `r0h`, `r0` for both, `dr0` for four in a row; so are uniforms `u`.
//!
//! A wave of 32 lanes has one execution mask. `r0l` of each lane counts the conditions that mask it
//! off, and the mask is the lanes where it is zero; instructions of control flow compute it anew for
//! *all* lanes ([`sequencer`]). The register is the only truth; the mask follows from it.
//!
//! Program counters count bytes. The text is that of Mesa's disassembler; the default adds what that
//! leaves out, such as `, long`.
//!
#![doc = include_str!("../doc/design.md")]
#![no_std]
extern crate alloc;

pub mod abi;
mod applegpu;
mod code;
pub mod container;
pub mod facts;
mod forms;
mod imageblock;
mod lift;
pub mod link;
mod operand;
pub mod options;
pub mod part;
mod registers;
pub mod report;
pub mod rules;
mod sample_loop;
pub mod sequencer;
mod sets;
mod sniff;
mod stage;
mod suite;
pub mod text;

#[cfg(test)]
mod tests;

pub use code::{fetch, instructions, length, up_to_trap};
pub use imageblock::Imageblock;
pub use lift::{Program, lift};
pub use options::Options;
pub use registers::{
    COEFFICIENTS, Coefficient, DEPTHS, FILES, KILLED, MOST_SAMPLES, REGISTERS, SAMPLES, SPECIAL_NAMES,
    SPECIALS, STENCILS, TESTED, TILE, TILE_HALVES, UNIFORMS, VARYINGS,
};
pub use sequencer::Sequencer;
pub use sniff::sniff;
pub use stage::{Lowered, Staged};
pub use suite::SUITE;

use shisa_ir::FloatRule;
pub use shisa_rows::Symbols;
use shisa_rows::{Insn, Isa, Table};

/// The instruction set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Agx;

/// Whose text it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Syntax {
    /// Mesa's and what that leaves out: everything that assembling the same bytes needs.
    #[default]
    Full,
    /// That of Mesa's disassembler, byte for byte.
    Mesa,
    /// That of applegpu's disassembler, byte for byte. It is only written.
    Applegpu,
}

/// Which reading of the instructions that store texture and sampler states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Revision {
    /// Mesa 25.2's.
    #[default]
    Mesa25_2,
    /// Mesa 26's: a pair of uniforms, and an offset into a heap.
    Mesa26,
}

/// What surrounds an instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ctx<'a> {
    /// Its offset in bytes: targets are relative to it.
    pub pc: u32,
    /// Whose text it is.
    pub syntax: Syntax,
    /// How stores of states are read.
    pub revision: Revision,
    /// Names of offsets, if there are any.
    pub symbols: Option<&'a Symbols>,
    /// The tile of a workgroup that computes. Without one the tile is the pixel that a lane stands for.
    pub imageblock: Option<Imageblock>,
    /// Of a pixel with so many samples a lane stands for one. Without this it stands for all.
    pub own_sample: Option<u16>,
    /// What nothing published settles.
    pub options: Options,
}

impl Isa for Agx {
    type Word = u128;
    type Ctx<'a> = Ctx<'a>;
    type Attr = facts::Attr;

    /// As wide as Mesa's column of mnemonics.
    const COLUMN: usize = 8;

    fn table() -> &'static Table<Self> {
        forms::rows()
    }

    /// Binary32 flushes denormals; a further bit saturates.
    fn float_rule(insn: &Insn<Self>, _: Ctx) -> FloatRule {
        let saturate = insn.field(operand::SATURATES) != 0;
        FloatRule { flush: true, saturate, ..FloatRule::IEEE }
    }
}
