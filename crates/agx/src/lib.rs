//! Apple AGX (G13, the GPU of M1): shader machine code.
//!
//! # Concepts
//!
//! Instructions have 2 to 12 bytes. Most have a short and a long form, distinguished by one bit; the long form
//! continues fields in its last bytes. Rows see up to 96 bits, with zeros past the instruction; the row and that bit
//! determine the length ([`length`]). Registers are counted in halves of 16 bits: `r0l`, `r0h`, `r0` for both, `dr0`
//! for four in a row; so are uniforms `u`.
//!
//! A wave of 32 lanes has one execution mask. `r0l` of each lane counts the conditions that mask it off, and the mask
//! is the set of lanes where the count is zero. Control-flow instructions recompute it for *all* lanes
//! ([`sequencer`]). The register is the only state; the mask follows from it.
//!
//! Program counters count bytes. The text is that of Mesa's disassembler; the default adds what Mesa leaves out, such
//! as `, long`.
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

pub use code::{END, fetch, instructions, length, up_to_trap};
pub use imageblock::Imageblock;
pub use lift::{Program, lift};
pub use options::Options;
pub use registers::{
    COEFFICIENTS, Coefficient, DEPTHS, FILES, KILLED, MOST_SAMPLES, REGISTERS, SAMPLES, SPECIAL_NAMES,
    SPECIALS, STENCILS, TESTED, TILE, TILE_HALVES, UNIFORMS, VARYINGS, WORD_FILES,
};
pub use sequencer::Sequencer;
pub use sniff::sniff;
pub use stage::{Lowered, Staged, TileColor, coefficients, tile_colors};
pub use suite::SUITE;

use shisa_ir::FloatRule;
pub use shisa_rows::Symbols;
use shisa_rows::{Insn, Isa, Table};

/// The instruction set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Agx;

/// The tool whose syntax is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Syntax {
    /// Mesa's plus what Mesa leaves out: everything needed to assemble the same bytes.
    #[default]
    Full,
    /// Mesa's disassembler, byte for byte.
    Mesa,
    /// applegpu's disassembler, byte for byte. Output only.
    Applegpu,
}

/// The revision for decoding the instructions that store texture and sampler states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Revision {
    /// Mesa 25.2's.
    #[default]
    Mesa25_2,
    /// Mesa 26's: a pair of uniforms, and an offset into a heap.
    Mesa26,
}

/// The environment of an instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ctx<'a> {
    /// Its offset in bytes: targets are relative to it.
    pub pc: u32,
    /// The syntax of the text.
    pub syntax: Syntax,
    /// The revision for decoding stores of states.
    pub revision: Revision,
    /// Names of offsets, if there are any.
    pub symbols: Option<&'a Symbols>,
    /// The tile of a compute workgroup. Without one the tile is the lane's own pixel.
    pub imageblock: Option<Imageblock>,
    /// The number of samples of a pixel, if a lane runs for a single sample. With `None`, a lane runs for all
    /// samples.
    pub own_sample: Option<u16>,
    /// Choices that nothing published settles.
    pub options: Options,
}

impl Isa for Agx {
    type Word = u128;
    type Ctx<'a> = Ctx<'a>;
    type Attr = facts::Attr;

    /// The width of Mesa's column of mnemonics.
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
