//! Operands that other bits of the word decide.

use super::MaxwellLift;
use crate::{Ctx, Maxwell};
use core::fmt::Debug;
use shisa_diag::Diagnostic;
use shisa_ir::Value;
use shisa_rows::{Begins, Details, Field, Hints, Insn, Kind, Line, Operand, Registers, Scan};

/// A kind that other bits of the word, those of the field, decide: how wide a source is, which parts it has. They are
/// in the word before the operand is read from text.
#[derive(Debug)]
pub(crate) struct By<K: 'static>(pub(crate) Field, pub(crate) fn(&u128) -> K);

impl<K: Kind<Maxwell> + Debug> Kind<Maxwell> for By<K> {
    fn describe(&self) -> &'static str {
        (self.1)(&0).describe()
    }

    fn print(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>, ctx: Ctx, out: &mut Line<'_>) {
        Kind::print(&(self.1)(&insn.word), op, insn, ctx, out);
    }

    fn parse(
        &self,
        op: &Operand<Maxwell>,
        word: &mut u128,
        text: &mut Scan<'_>,
        ctx: Ctx,
    ) -> Result<(), Diagnostic> {
        Kind::parse(&(self.1)(word), op, word, text, ctx)
    }

    fn faithful(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>, ctx: Ctx) -> bool {
        (self.1)(&insn.word).faithful(op, insn, ctx)
    }

    fn read(&self, op: &Operand<Maxwell>, l: &mut MaxwellLift<'_, '_>) -> Value {
        (self.1)(&l.insn.word).read(op, l)
    }

    fn write(&self, op: &Operand<Maxwell>, l: &mut MaxwellLift<'_, '_>, value: Value) {
        (self.1)(&l.insn.word).write(op, l, value);
    }
}

impl<K: Kind<Maxwell> + Debug> Details<Maxwell> for By<K> {
    fn registers(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>) -> Option<Registers> {
        (self.1)(&insn.word).registers(op, insn)
    }
}

impl<K: Kind<Maxwell> + Debug> Hints<Maxwell> for By<K> {
    fn decided_by(&self, op: &Operand<Maxwell>, _: Ctx) -> Option<u128> {
        Some(op.field.mask::<u128>() | self.0.mask::<u128>())
    }

    fn begins(&self, op: &Operand<Maxwell>, word: &u128) -> Begins {
        Hints::begins(&(self.1)(word), op, word)
    }
}
