//! Fused words: bits 0–31 are the instruction, 32–63 its operand descriptor.
//!
//! Only the bits of a descriptor that the row reads are fused: words that share a descriptor ignore each other's
//! bits. The instruction alone determines the row, and the row states where the number of the descriptor is.

use crate::Pica200;
use crate::operand::NUMBER;
use shisa_rows::Insn;

/// The most descriptors that a program has.
pub const DESCRIPTORS: usize = 128;

/// Decodes a word with its descriptor; `None` if no row has its opcode. A descriptor that is not in the pool counts as
/// zero.
pub fn decode(word: u32, pool: &[u32]) -> Option<Insn<Pica200>> {
    let mut insn = Insn::<Pica200>::decode(word.into())?;
    if let Some(op) = insn.form().operand(NUMBER) {
        let descriptor = pool.get(op.field.get(&insn.word) as usize).copied().unwrap_or(0);
        insn.word |= u64::from(descriptor) << 32 & insn.form().known();
    }
    Some(insn)
}

/// The number of the descriptor that a word names; `None` if it names none or no row has its opcode.
pub fn descriptor(word: u32) -> Option<usize> {
    let insn = Insn::<Pica200>::decode(word.into())?;
    Some(insn.form().operand(NUMBER)?.field.get(&insn.word) as usize)
}

/// The bits of a word that are the number of its descriptor; 0 if it names none.
pub(crate) fn number_bits(word: u32) -> u32 {
    let number = Insn::<Pica200>::decode(word.into()).and_then(|insn| insn.form().operand(NUMBER));
    number.map_or(0, |op| op.field.mask::<u64>() as u32)
}

/// Joins a word with its descriptor, as [`decode`] does; a word without a row stays alone.
pub fn fuse(word: u32, pool: &[u32]) -> u64 {
    decode(word, pool).map_or(word.into(), |insn| insn.word)
}

/// The instruction and its descriptor.
pub const fn split(fused: u64) -> (u32, u32) {
    (fused as u32, (fused >> 32) as u32)
}
