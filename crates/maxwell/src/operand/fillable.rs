//! A number of an instruction that a relocation can fill in.

use crate::Maxwell;
use shisa_rows::{Field, Operand};

/// A number of an instruction that a relocation can fill in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fillable {
    /// The field of its operand.
    field: Field,
    /// The first bit of the field that belongs to the number, and how many do.
    bits: (u8, u8),
    /// The number that the instruction holds, as its text shows it.
    pub(crate) held: i128,
}

impl Fillable {
    /// The number with `bits` of the field of an operand: the first one and how many.
    pub(super) const fn new(op: &Operand<Maxwell>, bits: (u8, u8), held: i128) -> Fillable {
        Fillable { field: op.field, bits, held }
    }

    /// Bits of the number.
    pub(crate) const fn width(&self) -> u8 {
        self.bits.1
    }

    /// The bit of the word that holds the number's lowest bit.
    pub(crate) fn lowest(&self) -> Option<u8> {
        self.field.part(self.bits.0, 1).next().map(|(bit, _)| bit)
    }

    /// The bits of the number that these bits of the word hold.
    pub(crate) fn within(&self, mask: u128) -> u64 {
        let (mut within, mut at) = (0, 0);
        for (lo, width) in self.field.part(self.bits.0, self.bits.1) {
            within |= ((mask >> lo) as u64 & ((1 << width) - 1)) << at;
            at += width;
        }
        within
    }
}
