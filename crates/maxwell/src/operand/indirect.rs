//! Targets in registers.

use super::{MaxwellLift, Span, fit, parse_register, parse_signed, print_register, print_signed, sign};
use crate::{Ctx, Maxwell};
use shisa_diag::Diagnostic;
use shisa_ir::Value;
use shisa_rows::{Begins, Insn, Kind, Line, Operand, Registers, Scan};

/// A target: register, then an offset with a sign, which a blank separates.
#[derive(Debug)]
pub(crate) struct Indirect;

impl Kind<Maxwell> for Indirect {
    fn describe(&self) -> &'static str {
        "target in a register"
    }

    fn print(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>, _: Ctx, out: &mut Line<'_>) {
        let bits = op.field.get(&insn.word);
        print_register(bits & 255, out);
        let offset = sign(bits >> 8, op.field.width() - 8);
        if offset != 0 {
            out.byte(b' ');
            print_signed(offset, out);
        }
    }

    fn begins(&self, _: &Operand<Maxwell>, _: &u128) -> Begins {
        Begins::with(b"R")
    }

    fn parse(
        &self,
        op: &Operand<Maxwell>,
        word: &mut u128,
        text: &mut Scan<'_>,
        _: Ctx,
    ) -> Result<(), Diagnostic> {
        let n = parse_register(text)?;
        let at = text.blanks().pos();
        let offset = if matches!(text.peek(), Some(b'0' | b'-')) { parse_signed(text)? } else { 0 };
        op.field.set(word, n | fit(offset, op.field.width() - 8, text, at)? << 8);
        Ok(())
    }

    fn faithful(&self, _: &Operand<Maxwell>, _: &Insn<Maxwell>, _: Ctx) -> bool {
        true
    }

    fn registers(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>) -> Option<Registers> {
        Span::One.read(op.field.get(&insn.word) & 255, &insn.word)
    }

    fn read(&self, _: &Operand<Maxwell>, l: &mut MaxwellLift<'_, '_>) -> Value {
        l.no_value()
    }
}
