//! Values of operands that engines read, besides registers.

use super::fragment::iterated;
use super::listed::{Either, Listed};
use super::selected::Selected;
use super::source::{FLOAT, Source};
use super::vote::Vote;
use super::{A, D, TAKEN, X, Y};
use crate::Agx;
use crate::registers::{NESTING, REGISTERS};
use core::any::Any;
use core::ops::Range;
use shisa_rows::{Insn, Number, Operand, Registers, Slot};

/// The number in a slot's operand, unless it names registers.
pub(crate) fn number_in(insn: &Insn<Agx>, slot: Slot) -> Option<u64> {
    let op = insn.form().operand(slot)?;
    let kind: &dyn Any = op.kind;
    if kind.is::<Number>() {
        Some(op.field.get(&insn.word))
    } else if kind.is::<Listed<Either>>() {
        Either::number(op, insn.word)
    } else if kind.is::<Selected>() {
        Selected::number(op, insn.word)
    } else {
        None
    }
}

fn registers(op: &Operand<Agx>, insn: &Insn<Agx>) -> Option<Registers> {
    op.kind.registers(op, insn)
}

/// What a selection writes to `r0l` where its comparison holds, and elsewhere: a number, or `None` for `r0l` itself.
/// `None` if it writes another register or selects anything else.
pub(crate) fn counters_selected(insn: &Insn<Agx>) -> Option<[Option<u8>; 2]> {
    let is_counter = |slot| {
        let op = insn.form().operand(slot)?;
        registers(op, insn).filter(|r| r.first == NESTING && r.units == 1)
    };
    let chosen = |slot| match number_in(insn, slot) {
        Some(n) => u8::try_from(n).ok().map(Some),
        None => is_counter(slot).map(|_| None),
    };
    is_counter(D)?;
    Some([chosen(X)?, chosen(Y)?])
}

/// The coefficient registers that slot `A` names by number: as many as registers are written, or one.
pub(crate) fn coefficients_named(insn: &Insn<Agx>, values: bool) -> Option<Range<u32>> {
    let op = insn.form().operand(A)?;
    if registers(op, insn).is_some_and(|r| r.first.file == REGISTERS) {
        return None;
    }
    let first = op.field.get(&insn.word) as u32 & 0xff;
    let count = if values { iterated(insn).into() } else { 1 };
    Some(first..first + count)
}

/// Whether a memory access takes an operand besides the address: it is atomic.
pub(crate) fn is_atomic(insn: &Insn<Agx>) -> bool {
    insn.form().operand(TAKEN).is_some()
}

/// If a source names nothing: whether its hint is the reason, and not its type.
pub(crate) fn lacks_hint(op: &Operand<Agx>, insn: &Insn<Agx>) -> Option<bool> {
    let kind: &dyn Any = op.kind;
    let bits = op.field.get(&insn.word);
    let source = match kind.downcast_ref::<Source>() {
        Some(source) => source,
        None if kind.is::<Vote>() => &FLOAT,
        None if kind.is::<Selected>() => return Some(bits >> 6 & 7 == 0),
        None => return None,
    };
    // With a hint it would name a register.
    Some(bits >> 6 & 3 == 0 && source.decode(bits | 1 << 6).0.is_some())
}
