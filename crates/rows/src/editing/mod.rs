//! Sources as editors see them: their words, statements and names, and what may be written at an offset.
//!
//! An assembler stops at a fault or reports it. An editor needs an answer for text that is being typed, so [`Outline`]
//! reads every text, and takes nothing for granted but the [`Grammar`] of the language. The rows answer all else: a
//! word is a mnemonic if a row has it, and a text may be an operand if the operand's kind parses it.
//!
//! A family implements [`Dialect`]. [`Editor`] makes an [`Editing`] of it, which knows no instruction set by its type.

mod blocks;
mod candidates;
mod dialect;
mod editor;
mod grammar;
mod lines;
mod lookup;
mod outline;
mod statement;
mod symbol;
mod token;
mod tokens;
mod update;
mod usage;
mod vocabulary;

pub use candidates::Candidate;
pub use dialect::Dialect;
pub use editor::{Editing, Editor};
pub use grammar::{Directive, Fold, Grammar, Names, Position, suggest};
pub use outline::Outline;
pub use statement::Statement;
pub use symbol::{Symbol, SymbolKind};
pub use token::{Class, Token};
pub use usage::{Argument, Usage};
