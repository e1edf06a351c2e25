//! Classes of instructions that take the same time.

use crate::Maxwell;
use shisa_rows::Insn;

/// A class of instructions, by the unit that they run on.
pub type Class = &'static str;

/// The class of an instruction: its mnemonic.
pub fn class(insn: &Insn<Maxwell>) -> Class {
    insn.form().name
}
