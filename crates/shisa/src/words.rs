//! Single instruction words.

use crate::family::Lone;
use crate::{Isa, Listing, Result, Settings};
use shisa_diag::Diagnostic;

/// Translates single instruction words to text and back, as fast as lines can be read.
#[derive(Debug)]
pub struct Words(Box<dyn Lone>);

impl Words {
    /// For words of this instruction set. AGAL takes stage and version from the settings; Maxwell takes chip, control
    /// word and address.
    ///
    /// # Errors
    /// `words-settings` if the settings lack something that the text depends on; `not-built`.
    pub fn new(isa: Isa, listing: &Listing, settings: &Settings) -> Result<Words> {
        Ok(Words(isa.family()?.lone(listing, settings)?))
    }

    /// Appends the text of a word, which is given in hexadecimal.
    ///
    /// # Errors
    /// The reason why the digits are not a word, or the word is not an instruction.
    pub fn disassemble(&self, digits: &str, out: &mut Vec<u8>) -> std::result::Result<(), Diagnostic> {
        self.0.disassemble(digits, out)
    }

    /// Appends the hexadecimal digits of the word of an instruction.
    ///
    /// # Errors
    /// The first fault of the text.
    pub fn assemble(&self, text: &str, out: &mut Vec<u8>) -> std::result::Result<(), Diagnostic> {
        self.0.assemble(text, out)
    }
}
