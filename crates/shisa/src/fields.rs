//! The bits of an instruction, with what they hold.

use serde::Serialize;
use shisa_rows::{Insn, Isa, Word, layout};

/// A run of bits of an instruction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Field {
    /// The lowest bit. Bit 0 is the lowest bit of the instruction's first byte; bits past its last byte are stored elsewhere,
    /// as the control bits of Maxwell are.
    pub lo: u8,
    /// How many bits there are.
    pub width: u8,
    /// The bits in words, such as `12-18` or `descriptor 0-3`.
    pub bits: String,
    /// What they hold, such as `operand 2, source: register`; fixed bits have their value.
    pub what: String,
    /// Their value in hexadecimal.
    pub value: String,
}

/// The fields of an instruction below the bit `end`, from the lowest up. `names` spells a run of bits, given its lowest bit
/// and width.
pub(crate) fn of<I: Isa>(insn: &Insn<I>, end: u8, names: impl Fn(u8, u8) -> String) -> Vec<Field> {
    let field = |(lo, width, what): (u8, u8, String)| {
        let width = width.min(end.saturating_sub(lo));
        let value = format!("{:#x}", insn.word.get(u32::from(lo), u32::from(width)));
        Field { lo, width, bits: names(lo, width), what, value }
    };
    layout(insn.form()).into_iter().filter(|(lo, ..)| *lo < end).map(field).collect()
}
