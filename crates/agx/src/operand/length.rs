//! The bit that distinguishes the lengths of an instruction.

use super::AgxLift;
use crate::{Agx, Ctx, Syntax};
use shisa_diag::Diagnostic;
use shisa_ir::Value;
use shisa_rows::{Details, Hints, Insn, Kind, Line, Operand, Scan};

/// The bit that selects the long form.
#[derive(Debug)]
pub(crate) struct Long {
    /// Bytes of the short form.
    pub(crate) short: u32,
    /// Whether the long form is used even if the short one would suffice.
    pub(crate) usual: bool,
}

impl Long {
    /// Whether only the long form can hold the word.
    fn needed(&self, word: u128) -> bool {
        word >> (8 * self.short) != 0
    }
}

impl Kind<Agx> for Long {
    fn describe(&self) -> &'static str {
        "length"
    }

    fn print(&self, op: &Operand<Agx>, insn: &Insn<Agx>, _: Ctx, out: &mut Line<'_>) {
        out.text(if op.field.get(&insn.word) != 0 { "long" } else { "short" });
    }

    fn parse(
        &self,
        op: &Operand<Agx>,
        word: &mut u128,
        text: &mut Scan<'_>,
        _: Ctx,
    ) -> Result<(), Diagnostic> {
        let at = text.pos();
        let long = match text.word() {
            "long" => true,
            "short" if !self.needed(*word) => false,
            "short" => {
                return Err(Diagnostic::error("asm-length", "the short form cannot hold these operands")
                    .at_text(text.since(at), ""));
            }
            _ => {
                return Err(
                    Diagnostic::error("asm-operand", "expected long or short").at_text(text.since(at), "")
                );
            }
        };
        op.field.set(word, u64::from(long));
        Ok(())
    }

    /// The short form has no bits past its end. Other tools do not write the length.
    fn faithful(&self, op: &Operand<Agx>, insn: &Insn<Agx>, ctx: Ctx) -> bool {
        let long = op.field.get(&insn.word) != 0;
        ctx.syntax == Syntax::Full && (long || !self.needed(insn.word))
    }

    fn read(&self, _: &Operand<Agx>, l: &mut AgxLift<'_, '_>) -> Value {
        l.no_value()
    }
}

impl Details<Agx> for Long {
    fn optional(&self) -> bool {
        true
    }

    fn absent(&self, op: &Operand<Agx>, word: &mut u128) {
        op.field.set(word, u64::from(self.usual || self.needed(*word)));
    }

    fn shown(&self, op: &Operand<Agx>, insn: &Insn<Agx>, ctx: Ctx) -> bool {
        ctx.syntax == Syntax::Full && self.unusual(op, insn)
    }
}

impl Hints<Agx> for Long {
    /// If it is written, all bits past the short form determine it.
    fn decided_by(&self, _: &Operand<Agx>, ctx: Ctx) -> Option<u128> {
        (ctx.syntax != Syntax::Full).then_some(0)
    }
}

impl Long {
    /// Whether the form differs from the default.
    fn unusual(&self, op: &Operand<Agx>, insn: &Insn<Agx>) -> bool {
        let bit = op.field.get(&insn.word);
        let mut bare = insn.word;
        op.field.set(&mut bare, 0);
        (bit != 0) != (self.usual || self.needed(bare))
    }
}
