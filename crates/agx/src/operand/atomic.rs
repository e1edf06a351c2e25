//! Operands of atomic operations.

use super::list::{List, ahead};
use super::listed::{Listed, Lists};
use super::{AgxLift, D, OPERATION, Size, TAKEN, operand};
use crate::{Agx, Ctx};
use shisa_diag::Diagnostic;
use shisa_ir::Value;
use shisa_rows::{Field, Line, OneOf, Operand, Scan};

/// The atomic operation.
pub(crate) const ATOMIC_OP: Operand<Agx> = operand(OPERATION, Field::at(6, 4), &OneOf::new("name", ATOMICS));
/// The destination of the old value.
pub(crate) const ATOMIC_DEST: Operand<Agx> =
    operand(D, Field::at(10, 6).then(40, 2).then(47, 1), &Listed(Answer { tag: 1 }));
/// The operand of an atomic operation.
pub(crate) const ATOMIC_SOURCE: Operand<Agx> =
    operand(TAKEN, Field::at(48, 8), &Listed(Taken { op: ATOMIC_OP.field }));

pub(super) const ATOMICS: &[&str] =
    &["add", "sub", "xchg", "cmpxchg", "umin", "imin", "umax", "imax", "and", "or", "xor"];
/// The atomic operation with a new value and an expected one.
pub(crate) const CMPXCHG: u64 = 3;

/// The destination of an atomic operation's old value: a 32-bit register if bits above its number are set, else
/// nowhere.
#[derive(Debug)]
pub(super) struct Answer {
    /// How many bits above the number must be set.
    pub(super) tag: u32,
}

impl Lists for Answer {
    fn describe(&self) -> &'static str {
        "destination register or none"
    }

    fn list(&self, op: &Operand<Agx>, word: u128, _: Ctx) -> Option<List> {
        let bits = op.field.get(&word);
        (bits >> 8 & 1 != 0).then(|| List::of(bits as u16 & 0xff, Size::Word, 1))
    }

    fn written(&self) -> bool {
        true
    }

    fn print_other(&self, _: u64, out: &mut Line<'_>) {
        out.byte(b'_');
    }

    fn parse(&self, _: &Operand<Agx>, _: &mut u128, text: &mut Scan<'_>, _: Ctx) -> Result<u64, Diagnostic> {
        if text.eat(b'_') {
            return Ok(0);
        }
        let unit = List::parse_like(List::of(0, Size::Word, 1), text)?;
        Ok(u64::from(unit) | ((1 << self.tag) - 1) << 8)
    }

    fn faithful(&self, op: &Operand<Agx>, word: u128, _: Ctx) -> bool {
        let bits = op.field.get(&word);
        bits == 0 || bits >> 8 == (1 << self.tag) - 1 && bits & 1 == 0
    }

    fn read(&self, _: &Operand<Agx>, l: &mut AgxLift<'_, '_>) -> Value {
        l.no_value()
    }
}

/// The operand of an atomic operation: a 32-bit register, or the new value and the expected one.
#[derive(Debug)]
pub(super) struct Taken {
    /// The operation.
    pub(super) op: Field,
}

impl Lists for Taken {
    fn describe(&self) -> &'static str {
        "source registers"
    }

    fn beside(&self) -> u128 {
        self.op.mask()
    }

    fn list(&self, op: &Operand<Agx>, word: u128, _: Ctx) -> Option<List> {
        let count = if self.op.get(&word) == CMPXCHG { 2 } else { 1 };
        Some(List::of(op.field.get(&word) as u16, Size::Word, count))
    }

    fn parse(&self, _: &Operand<Agx>, _: &mut u128, text: &mut Scan<'_>, _: Ctx) -> Result<u64, Diagnostic> {
        let two = ahead(text, ATOMICS) == Some(CMPXCHG as usize);
        Ok(u64::from(List::parse_like(List::of(0, Size::Word, 1 + u16::from(two)), text)?))
    }
}
