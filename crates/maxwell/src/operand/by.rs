//! Operands that other bits of the word decide.

use super::MaxwellLift;
use crate::{Ctx, Maxwell};
use core::fmt::Debug;
use shisa_diag::Diagnostic;
use shisa_ir::Value;
use shisa_rows::{Begins, Insn, Kind, Line, Operand, Registers, Scan};

/// A kind that other bits of the word decide: how wide a source is, which parts it has. They are in the word before
/// the operand is read from text.
#[derive(Debug)]
pub(crate) struct By<K: 'static>(pub(crate) fn(&u128) -> K);

impl<K: Kind<Maxwell> + Debug> Kind<Maxwell> for By<K> {
    fn describe(&self) -> &'static str {
        (self.0)(&0).describe()
    }

    #[inline]
    fn print(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>, ctx: Ctx, out: &mut Line<'_>) {
        Kind::print(&(self.0)(&insn.word), op, insn, ctx, out);
    }

    fn begins(&self, op: &Operand<Maxwell>, word: &u128) -> Begins {
        Kind::begins(&(self.0)(word), op, word)
    }

    fn parse(
        &self,
        op: &Operand<Maxwell>,
        word: &mut u128,
        text: &mut Scan<'_>,
        ctx: Ctx,
    ) -> Result<(), Diagnostic> {
        Kind::parse(&(self.0)(word), op, word, text, ctx)
    }

    fn faithful(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>, ctx: Ctx) -> bool {
        (self.0)(&insn.word).faithful(op, insn, ctx)
    }

    fn registers(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>) -> Option<Registers> {
        (self.0)(&insn.word).registers(op, insn)
    }

    fn read(&self, op: &Operand<Maxwell>, l: &mut MaxwellLift<'_, '_>) -> Value {
        (self.0)(&l.insn.word).read(op, l)
    }

    fn write(&self, op: &Operand<Maxwell>, l: &mut MaxwellLift<'_, '_>, value: Value) {
        (self.0)(&l.insn.word).write(op, l, value);
    }
}
