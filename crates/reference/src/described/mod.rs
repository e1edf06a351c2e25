//! What an instruction set states of its rows besides their bits and texts.

mod agal;
mod agx;
mod maxwell;
mod pica200;

use crate::data::{Bits, Length, Piece};
use shisa_ir::Stage;
use shisa_rows::{Form, Isa, testing::Suite};

/// An instruction set whose rows the reference describes.
pub(crate) trait Described: Isa {
    /// Its name in the façade.
    const ISA: shisa::Isa;
    /// The extension of the names of its sources.
    const EXTENSION: &'static str;
    /// What the bits of a word are in a file.
    const WORD: &'static str;
    /// The pieces of a word.
    const PIECES: &'static [Piece];
    /// The bits that distinguish most instructions.
    const OPCODE: Bits;
    /// Contexts in which its rows are valid.
    const SUITE: Suite<'static, Self>;

    /// The facts of a row.
    fn facts(form: &Form<Self>) -> Facts;

    /// A program that has an instruction of a row.
    fn program(form: &Form<Self>, text: &str) -> String;
}

/// Facts of a row.
pub(crate) struct Facts {
    pub(crate) group: &'static str,
    pub(crate) chips: Vec<String>,
    pub(crate) stages: Vec<&'static str>,
    pub(crate) timing: Option<String>,
    pub(crate) length: Option<Length>,
}

/// The names of stages.
fn names(stages: &[Stage]) -> Vec<&'static str> {
    stages.iter().map(|stage| stage.name()).collect()
}
