//! How applegpu writes instructions, where that is not as Mesa does.
//!
//! Its disassembler is the source of all facts here. It writes bits that it has no meaning for as numbers, and
//! some operands by a rule of its own; a [`shisa_rows::Spelling`] says so for each row. Of words that it fails on nothing is
//! said.

mod alu;
mod kind;
mod memory;
mod pixel;
mod texture;

pub(crate) use alu::*;
pub(crate) use memory::*;
pub(crate) use pixel::*;
pub(crate) use texture::*;

use shisa_rows::{Field, Modifier};

/// A suffix of the mnemonic.
const fn suffix(field: Field, names: &'static [&'static str]) -> Modifier {
    Modifier { field, names }
}
