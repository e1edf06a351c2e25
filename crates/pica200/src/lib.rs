//! PICA200: the shader unit of the Nintendo 3DS.
//!
//! # Concepts
//!
//! A program is 32-bit words. Most name an *operand descriptor* by number: a second word, in a pool of 128, with the
//! destination's mask and each source's swizzle and sign. Rows see both fused ([`word`]). Registers have four
//! components of float24, which a binary32 represents exactly: inputs `v`, temporaries `r`, constants `c`, outputs
//! `o`; there are also integer vectors `i`, booleans `b`, address registers `a0.x`, `a0.y`, the loop register `aL`
//! and two flags `cmp.x`, `cmp.y`.
//!
//! Calls, conditions and loops end at an address and not at an instruction: three stacks store these addresses
//! ([`sequencer`]).
//!
//! Program counters count words from 0. Arithmetic carries the `model` flag of [`shisa_ir::FloatRule`]: the engine
//! that runs it decides how float24 rounds.
//!
//! The text of single words is picasso's, with numbers in place of labels: `call 12, 3` runs three words from word
//! 12.
#![doc = include_str!("../doc/design.md")]
#![no_std]
extern crate alloc;

mod attributes;
mod bank;
mod code;
pub mod container;
mod describe;
pub mod format;
mod forms;
mod identify;
mod lift;
mod listing;
mod operand;
pub mod options;
pub mod outputs;
pub mod picasso;
pub mod primitives;
mod registers;
mod ring;
pub mod rules;
pub mod sequencer;
mod stage;
mod suite;
#[cfg(test)]
mod tests;
mod text;
pub mod upload;
mod uses;
pub mod word;

pub use attributes::{Attributes, Reads, Role};
pub use describe::result_name;
pub use identify::{Identity, Part, identify};
pub use lift::{Program, interface, lift, lift_reachable};
pub use listing::{DisOptions, LISTING, Live, Symbol, Words, disassemble, named_texts, texts};
pub use options::Options;
pub use registers::{
    ADDRESS, BANK, BOOLEANS, CONSTANTS, FILES, FLAGS, INPUTS, INTEGERS, LOOPS, OUTPUTS, TEMPORARIES,
};
pub use sequencer::Sequencer;
pub use stage::{Outputs, Staged};
pub use suite::SUITE;

use shisa_ir::{FloatRule, NanRule};
use shisa_rows::{Insn, Isa, Table};

/// The instruction set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pica200;

impl Isa for Pica200 {
    type Word = u64;
    type Ctx<'a> = &'a Options;
    type Attr = Attributes;

    fn table() -> &'static Table<Self> {
        forms::rows()
    }

    fn float_rule(_: &Insn<Self>, _: &Options) -> FloatRule {
        FloatRule { zero_product: true, nan: NanRule::Second, model: true, ..FloatRule::IEEE }
    }
}
