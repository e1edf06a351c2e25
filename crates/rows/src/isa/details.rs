//! What only some kinds of operands have: named parts, registers, and text that may be omitted.

use crate::{Insn, Isa, Operand};
use shisa_ir::Reg;

/// A range of an operand's bits that has a meaning of its own, for the reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// The lowest bit, counted within the operand's field.
    pub lo: u8,
    /// Number of bits.
    pub width: u8,
    /// The meaning of the bits: `register number`.
    pub name: &'static str,
}

impl Part {
    /// `width` bits from bit `lo` of the operand's field.
    pub const fn new(lo: u8, width: u8, name: &'static str) -> Part {
        Part { lo, width, name }
    }
}

/// Registers that an operand names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Registers {
    /// The first unit.
    pub first: Reg,
    /// Number of units.
    pub units: u8,
    /// Whether they are read.
    pub read: bool,
    /// Whether they are written.
    pub written: bool,
}

/// Optional properties of a [`Kind`](crate::Kind) in addition to its six methods. Every method has a default.
pub trait Details<I: Isa> {
    /// The parts of the operand's bits in ascending order; empty if the bits are a single number. Bits that belong to
    /// no part must be zero. An operand whose field is narrower than its kind lacks the last parts, or the upper bits
    /// of the last part.
    fn parts(&self) -> &'static [Part] {
        &[]
    }

    /// The registers that the operand names, from the first to the last. Default: none.
    fn registers(&self, op: &Operand<I>, insn: &Insn<I>) -> Option<Registers> {
        let _ = (op, insn);
        None
    }

    /// Calls `found` with each run of registers that the operand names. A kind whose registers may have gaps between
    /// them must define it. Default: one run, from the first to the last.
    fn each_register(&self, op: &Operand<I>, insn: &Insn<I>, found: &mut dyn FnMut(Registers)) {
        self.registers(op, insn).into_iter().for_each(found);
    }

    /// Whether the text may omit the operand.
    fn optional(&self) -> bool {
        false
    }

    /// Sets the bits of an optional operand that the text omits. Default: they stay zero.
    fn absent(&self, op: &Operand<I>, word: &mut I::Word) {
        let _ = (op, word);
    }

    /// Whether the operand is printed. Default: an optional operand is printed if any of its bits is set.
    fn shown(&self, op: &Operand<I>, insn: &Insn<I>, ctx: I::Ctx<'_>) -> bool {
        let _ = ctx;
        !self.optional() || op.field.get(&insn.word) != 0
    }
}
