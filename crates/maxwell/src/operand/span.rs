//! How many registers an operand names.

use super::RZ;
use crate::REGISTERS;
use shisa_ir::Reg;
use shisa_rows::Registers;

/// How many registers in a row an operand names from the one written on.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Span {
    /// One.
    One,
    /// Two, the first of them even: 64 bits.
    Two,
    /// So many.
    Count(u8),
    /// As many as other bits of the word say; 0 if the register is not used after all.
    By(fn(&u128) -> u8),
}

impl Span {
    /// How many.
    pub(crate) fn count(self, word: &u128) -> u8 {
        match self {
            Span::One => 1,
            Span::Two => 2,
            Span::Count(count) => count,
            Span::By(count) => count(word),
        }
    }

    /// The registers from number `n` on, even those past the last one; none for `RZ`.
    fn from(self, n: u64, word: &u128) -> Option<Registers> {
        let units = self.count(word);
        let first = Reg::new(REGISTERS, n as u16);
        (n != RZ && units > 0).then_some(Registers { first, units, read: false, written: false })
    }

    /// The registers from number `n` on, which are read.
    pub(crate) fn read(self, n: u64, word: &u128) -> Option<Registers> {
        Some(Registers { read: true, ..self.from(n, word)? })
    }

    /// The registers from number `n` on, which are written.
    pub(crate) fn written(self, n: u64, word: &u128) -> Option<Registers> {
        Some(Registers { written: true, ..self.from(n, word)? })
    }
}
