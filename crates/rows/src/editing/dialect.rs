//! What one instruction set states about its sources.

use super::grammar::{Fold, Grammar};
use crate::{Form, Isa, Operand, Symbols};
use alloc::{string::String, vec::Vec};

/// What one instruction set states about a language of its sources. Equal dialects state the same.
pub trait Dialect: PartialEq {
    /// The instruction set.
    type Isa: Isa;

    /// The language.
    fn grammar(&self) -> &'static Grammar;

    /// The context in which instructions are parsed, with these labels.
    fn context<'a>(&'a self, symbols: &'a Symbols) -> <Self::Isa as Isa>::Ctx<'a>;

    /// The registers that programs can name, without components, and other words that stand for values.
    fn registers(&self) -> Vec<String>;

    /// Whether the rules of the instruction set allow an operand that its kind has parsed into a word. Default: they do.
    fn allows(&self, _: &Operand<Self::Isa>, _: <Self::Isa as Isa>::Word) -> bool {
        true
    }

    /// The lines that an instruction encloses.
    fn fold(&self, _: &'static Form<Self::Isa>) -> Fold {
        Fold::Nothing
    }
}
