//! Instruction rows and the engines that use them.
//!
//! # Concepts
//!
//! An encoding form of an instruction is a **row**: a [`Form`], an ordinary constant. It holds the mnemonic, the fixed
//! bits, the modifiers, the operands, the rules, examples, a one-sentence summary, and `lift`, the only definition of
//! what the instruction does. No other code repeats a fact about an instruction, and no code is generated.
//!
//! Rows see a **fused word** ([`Word`]) in which everything that the instruction means is plain bit fields. Containers
//! split and fuse words.
//!
//! An operand is a [`Field`] (the positions of its bits) and a [`Kind`] (the meaning of the bits: how they are printed,
//! how the text is parsed, which value they denote). An unusual operand is a kind of its own, never an exception in an
//! engine. [`Kind`] has six methods; [`Details`] holds what only some kinds have, and [`Hints`] holds what a kind
//! states for the caches of the printer and the parser.
//!
//! The engines: [`Insn::decode`] finds the row through a small index. [`print`] prints an instruction, [`Printer`] many
//! instructions, and [`spell`] prints the text of another tool. [`Names`] and [`parse`] read the text back, [`Parser`]
//! reads many lines. [`editing`] reads sources that are being typed. [`lift`] builds IR. [`Facts`] reports what an instruction reads, writes and does. [`audit`] checks
//! a table for contradictions; every family runs it as a test.
#![no_std]
extern crate alloc;

mod audit;
mod begins;
mod bits;
mod cache;
pub mod code;
mod codes;
mod components;
pub mod editing;
mod facts;
mod isa;
mod kinds;
mod layout;
mod line;
mod lines;
mod names;
mod nearest;
mod parse;
mod parser;
mod printer;
mod scan;
pub mod source;
mod symbols;
pub mod testing;
mod text;
mod word;

pub use audit::audit;
pub use begins::Begins;
pub use codes::CODES;
pub use components::{LETTERS, mask_name, swizzle_name};
pub use facts::{Access, Facts, Memory};
pub use isa::details::{Details, Part, Registers};
pub use isa::form::{Form, Rule};
pub use isa::hints::{self, Hints};
pub use isa::lift::{Lift, UNSTATED, lift, unstated};
pub use isa::modifier::Modifier;
pub use isa::spelling::{Spelling, spell};
pub use isa::table::{Table, concat, count, keys, order, pairs, starts};
pub use isa::{Insn, Isa, Kind, Operand, Slot};
pub use kinds::{Number, OneOf};
pub use layout::layout;
pub use line::{Line, Name};
pub use names::Names;
pub use nearest::{nearest, several_nearest};
pub use parse::parse;
pub use parser::Parser;
pub use printer::Printer;
pub use scan::Scan;
pub use symbols::Symbols;
pub use text::{determines, faithful, print};
pub use word::{Field, Word, ones};
