//! The destination's register, read as well.

use super::{D, MaxwellLift, Span, expected, parse_register, print_register, registers};
use crate::{Ctx, Maxwell};
use shisa_diag::Diagnostic;
use shisa_ir::Value;
use shisa_rows::{Begins, Details, Field, Hints, Insn, Kind, Line, Operand, Registers, Scan};

const NUMBER: Field = Field::at(0, 8);

/// A source that is written out, but is always the destination's register; a bit, if the field has one,
/// changes its sign, and another keeps it in the operand cache.
#[derive(Debug)]
pub(crate) struct Same;

impl Kind<Maxwell> for Same {
    fn describe(&self) -> &'static str {
        "destination register, read"
    }

    fn print(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>, _: Ctx, out: &mut Line<'_>) {
        let bits = op.field.get(&insn.word);
        if bits & 1 != 0 {
            out.byte(b'-');
        }
        print_register(NUMBER.get(&insn.word), out);
        if bits & 2 != 0 {
            out.text(".reuse");
        }
    }

    fn parse(
        &self,
        op: &Operand<Maxwell>,
        word: &mut u128,
        text: &mut Scan<'_>,
        _: Ctx,
    ) -> Result<(), Diagnostic> {
        let negative = op.field.width() > 0 && text.eat(b'-');
        let at = text.pos();
        if parse_register(text)? != NUMBER.get(word) {
            text.rewind(at);
            return Err(expected("the destination's register", text));
        }
        let reuse = op.field.width() > 1 && text.eat_str(".reuse");
        op.field.set(word, u64::from(negative) | u64::from(reuse) << 1);
        Ok(())
    }

    fn faithful(&self, _: &Operand<Maxwell>, _: &Insn<Maxwell>, _: Ctx) -> bool {
        true
    }

    /// The register without its sign, which is for the row to take.
    fn read(&self, _: &Operand<Maxwell>, l: &mut MaxwellLift<'_, '_>) -> Value {
        let n = l.insn.field(D) & 255;
        registers(l, n, 1)
    }
}

impl Details<Maxwell> for Same {
    fn registers(&self, _: &Operand<Maxwell>, insn: &Insn<Maxwell>) -> Option<Registers> {
        Span::One.read(NUMBER.get(&insn.word), &insn.word)
    }
}

impl Hints<Maxwell> for Same {
    fn decided_by(&self, op: &Operand<Maxwell>, _: Ctx) -> Option<u128> {
        Some(op.field.mask::<u128>() | NUMBER.mask::<u128>())
    }

    fn begins(&self, op: &Operand<Maxwell>, _: &u128) -> Begins {
        Begins::with(b"R").or(b'-', op.field.width() > 0)
    }
}
