//! applegpu's text of instructions, where it differs from Mesa's.
//!
//! Its disassembler is the source of all facts here. It writes bits of unknown meaning as numbers, and some operands
//! by a rule of its own; a [`shisa_rows::Spelling`] states that for each row. Words on which it fails are not
//! covered.

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
    Modifier::new(field, names)
}
