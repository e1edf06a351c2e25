//! Instruction rows and the engines that walk them.
//!
//! # Concepts
//!
//! An encoding form of an instruction is a **row**: a [`Form`], an ordinary constant. It holds the
//! mnemonic, the fixed bits, the modifiers, the operands, the rules, examples, one sentence for people,
//! and `lift`, the one statement of what the instruction does. Nothing about an instruction is written
//! anywhere else, and nothing is generated.
//!
//! Rows see a **fused word** ([`Word`]) in which everything that the instruction means is plain bits.
//! Containers split and fuse.
//!
//! An operand is a [`Field`] (where its bits lie) and a [`Kind`] (what they are: how written, how read
//! back, what value they stand for). Odd operands are kinds of their own, never exceptions in an engine.
//!
//! The engines: [`Insn::decode`] finds the row through a small index; [`print`] writes text,
//! [`Printer`] that of many instructions, [`spell`] that of another tool; [`Names`]
//! and [`parse`] read it back, [`Parser`] many; [`lift`] builds IR; [`Facts`] answers what an instruction reads, writes
//! and does. [`audit`] checks a table for contradictions; every family runs it as a test.
#![no_std]
extern crate alloc;

mod audit;
mod begins;
mod bits;
mod components;
mod facts;
mod form;
mod isa;
mod kept;
mod kinds;
mod lift;
mod line;
mod lines;
mod names;
mod nearest;
mod parse;
mod parser;
mod printer;
mod scan;
pub mod source;
mod spelling;
mod symbols;
pub mod testing;
mod text;
mod word;

pub use audit::audit;
pub use begins::Begins;
pub use components::{LETTERS, mask_name, swizzle_name};
pub use facts::{Access, Facts, Memory};
pub use form::{Form, Kind, Modifier, Operand, Part, Registers, Rule, Slot};
pub use isa::{Insn, Isa, Table, concat, count, keys, order, pairs, starts};
pub use kinds::{Number, OneOf};
pub use lift::{Lift, UNSTATED, lift, unstated};
pub use line::{Line, Name};
pub use names::Names;
pub use nearest::{distance, nearest};
pub use parse::parse;
pub use parser::Parser;
pub use printer::Printer;
pub use scan::Scan;
pub use spelling::{Spelling, spell};
pub use symbols::Symbols;
pub use text::{faithful, print, tells};
pub use word::{Field, Word, ones};
