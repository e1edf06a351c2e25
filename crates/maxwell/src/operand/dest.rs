//! Registers to be written.

use super::parts::WRITTEN;
use super::{MaxwellLift, Span, parse_register, plain_register, print_register, set_registers};
use crate::{CODES, Ctx, Maxwell};
use shisa_diag::Diagnostic;
use shisa_ir::{Mask, Reg, Value};
use shisa_rows::{Begins, Details, Hints, Insn, Kind, Line, Operand, Part, Registers, Scan};

/// A register to be written; a further bit, where there is one, sets the condition codes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dest {
    /// Whether the operand has the bit of the condition codes.
    pub(crate) codes: bool,
    /// How many registers.
    pub(crate) span: Span,
}

impl Dest {
    /// One register.
    pub(crate) const ONE: Dest = Dest { codes: false, span: Span::One };
}

impl Kind<Maxwell> for Dest {
    fn describe(&self) -> &'static str {
        "destination register"
    }

    fn print(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>, _: Ctx, out: &mut Line<'_>) {
        let bits = op.field.get(&insn.word);
        print_register(bits & 255, out);
        out.text(if self.codes && bits >> 8 != 0 { ".CC" } else { "" });
    }

    fn parse(
        &self,
        op: &Operand<Maxwell>,
        word: &mut u128,
        text: &mut Scan<'_>,
        _: Ctx,
    ) -> Result<(), Diagnostic> {
        if let Some(n) = plain_register(text) {
            op.field.fill(word, n);
            return Ok(());
        }
        let n = parse_register(text)?;
        let codes = self.codes && text.eat_str(".CC");
        op.field.fill(word, n | u64::from(codes) << 8);
        Ok(())
    }

    fn faithful(&self, _: &Operand<Maxwell>, _: &Insn<Maxwell>, _: Ctx) -> bool {
        true
    }

    fn read(&self, _: &Operand<Maxwell>, l: &mut MaxwellLift<'_, '_>) -> Value {
        l.no_value()
    }

    /// Rows that set condition codes do so themselves ([`set_codes`]); the others refuse.
    fn write(&self, op: &Operand<Maxwell>, l: &mut MaxwellLift<'_, '_>, value: Value) {
        let n = op.field.get(&l.insn.word) & 255;
        set_registers(l, n, value);
    }
}

impl Details<Maxwell> for Dest {
    fn parts(&self) -> &'static [Part] {
        WRITTEN
    }

    fn registers(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>) -> Option<Registers> {
        self.span.written(op.field.get(&insn.word) & 255, &insn.word)
    }
}

impl Hints<Maxwell> for Dest {
    fn begins(&self, _: &Operand<Maxwell>, _: &u128) -> Begins {
        Begins::with(b"R")
    }
}

/// Whether an instruction sets the condition codes together with its destination: its operand has a bit for that
/// above the number of the register.
pub(crate) fn sets_codes(insn: &Insn<Maxwell>) -> bool {
    insn.field(super::D) >> 8 != 0
}

/// Whether the row's destination asks for condition codes.
pub(crate) fn wants_codes(l: &MaxwellLift<'_, '_>) -> bool {
    sets_codes(&l.insn)
}

/// Writes all four condition codes: zero, sign, carry, overflow.
pub(crate) fn set_codes(l: &mut MaxwellLift<'_, '_>, codes: [Value; 4]) {
    let codes = l.join(&codes);
    l.write(Reg::new(CODES, 0), Mask::ALL, codes);
}
