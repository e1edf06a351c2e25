//! The reference of four instruction sets as data and as pages.
//!
//! # Concepts
//!
//! A *row* of an instruction set states the bits, the text and the meaning of one encoding form of an instruction.
//! [`isa()`] writes the rows of all families as data: with it alone a program can decode instruction words, find their
//! operands and print a table of any form; `docs/schema/isa.schema.json` is its schema. [`pages()`] writes the reference that `shisa
//! explain` shows as a book: a page for each instruction, register, code, option and concept. [`help()`] is the index of these pages for
//! programs that show them, and [`fragment()`] the link that opens an example.
//!
//! Nothing here is stated twice: bits, chips, stages and timing come from rows, effects from their lifts, and sentences from the
//! explanations of [`shisa::explain()`].
//!
//! # How to decode with the data
//!
//! A family has a list of forms in the order in which they are tried. A form matches a word if `word & mask == bits`,
//! and the first one that matches is the instruction's. If forms have a `length`, a word is cut to the form's length
//! first: `long` bytes if the bit of this number is set, else `short` bytes. The value of an operand or a modifier is its
//! runs of bits joined, the first run lowest. A modifier's value selects one of its names.

#![forbid(unsafe_code)]

mod book;
mod data;
mod described;
mod effects;
mod family;
mod form;
mod help;
mod links;
mod sections;

pub use book::{Page, STYLES, pages};
pub use data::{Bits, Example, Family, FormData, Hex, Isa};
pub use data::{Length, ModifierData, OperandData, PartData, Piece, Pseudocode, VERSION};
pub use family::isa;
pub use help::{Help, HelpWord, help};
pub use links::fragment;
