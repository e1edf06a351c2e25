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
//! An operand is a [`Field`] (the positions of its bits) and a [`Kind`] (what the bits mean: how they are written, how
//! the text is read back, what value they are). An unusual operand is a kind of its own, never an exception in an
//! engine. [`Kind`] has six methods; [`Details`] holds what only some kinds have, and [`Hints`] what a kind states
//! for the caches of the printer and the parser.
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
pub mod code;
mod components;
mod facts;
mod isa;
mod kept;
mod kinds;
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
pub use line::{Line, Name};
pub use names::Names;
pub use nearest::{distance, nearest};
pub use parse::parse;
pub use parser::Parser;
pub use printer::Printer;
pub use scan::Scan;
pub use symbols::Symbols;
pub use text::{faithful, print, tells};
pub use word::{Field, Word, ones};
