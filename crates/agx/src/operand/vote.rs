//! Sources of votes.

use super::source::FLOAT;
use super::{A, AgxLift, B, operand};
use crate::{Agx, Ctx, Syntax};
use shisa_diag::Diagnostic;
use shisa_ir::Value;
use shisa_rows::{Details, Field, Hints, Insn, Kind, Line, Operand, Part, Registers, Scan, Slot};

/// Float sources of votes.
pub(crate) const VOTE_A: Operand<Agx> = vote(A, 16, 42);
/// See [`VOTE_A`].
pub(crate) const VOTE_B: Operand<Agx> = vote(B, 28, 40);

const fn vote(slot: Slot, lo: u8, ext: u8) -> Operand<Agx> {
    operand(slot, Field::at(lo, FLOAT.width()).then(ext, 2), &Vote)
}

/// A float source of a vote. Mesa reads the high bits of its number as those of magnitude and sign.
#[derive(Debug)]
pub(super) struct Vote;

impl Kind<Agx> for Vote {
    fn describe(&self) -> &'static str {
        Kind::describe(&FLOAT)
    }

    fn print(&self, op: &Operand<Agx>, insn: &Insn<Agx>, ctx: Ctx, out: &mut Line<'_>) {
        let bits = op.field.get(&insn.word);
        let (at, width) = (FLOAT.changes_at(), FLOAT.width());
        let mesa = bits & ((1 << at) - 1) | (bits >> width) << at;
        FLOAT.print_bits(if ctx.syntax == Syntax::Mesa { mesa } else { bits }, ctx.syntax, out);
    }

    fn parse(
        &self,
        op: &Operand<Agx>,
        word: &mut u128,
        text: &mut Scan<'_>,
        ctx: Ctx,
    ) -> Result<(), Diagnostic> {
        FLOAT.parse(op, word, text, ctx)
    }

    fn faithful(&self, op: &Operand<Agx>, insn: &Insn<Agx>, ctx: Ctx) -> bool {
        FLOAT.faithful(op, insn, ctx)
            && !(ctx.syntax == Syntax::Mesa && op.field.get(&insn.word) >> FLOAT.changes_at() != 0)
    }

    fn read(&self, op: &Operand<Agx>, l: &mut AgxLift<'_, '_>) -> Value {
        FLOAT.read(op, l)
    }
}

impl Details<Agx> for Vote {
    fn parts(&self) -> &'static [Part] {
        FLOAT.parts()
    }

    fn registers(&self, op: &Operand<Agx>, insn: &Insn<Agx>) -> Option<Registers> {
        FLOAT.registers(op, insn)
    }
}

impl Hints<Agx> for Vote {}
