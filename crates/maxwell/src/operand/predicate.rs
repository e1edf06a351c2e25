//! Predicates.

use super::{MaxwellLift, PT, parse_predicate, predicate, print_predicate, set_predicate};
use crate::{Ctx, Maxwell, PREDICATES};
use shisa_diag::Diagnostic;
use shisa_ir::{Reg, Value};
use shisa_rows::{Insn, Kind, Line, Operand, Registers, Scan};

/// A predicate; a fourth bit, where there is one, negates.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Predicate {
    /// Whether it is written instead of read.
    pub(crate) written: bool,
}

impl Kind<Maxwell> for Predicate {
    fn describe(&self) -> &'static str {
        "predicate"
    }

    fn print(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>, _: Ctx, out: &mut Line<'_>) {
        print_predicate(op.field.get(&insn.word), out);
    }

    fn parse(
        &self,
        op: &Operand<Maxwell>,
        word: &mut u128,
        text: &mut Scan<'_>,
        _: Ctx,
    ) -> Result<(), Diagnostic> {
        let at = text.pos();
        let bits = parse_predicate(text)?;
        if bits >> op.field.width() != 0 {
            return Err(Diagnostic::error("asm-operand", "this predicate cannot be negated")
                .at_text(text.since(at), ""));
        }
        op.field.set(word, bits);
        Ok(())
    }

    fn faithful(&self, _: &Operand<Maxwell>, _: &Insn<Maxwell>, _: Ctx) -> bool {
        true
    }

    fn registers(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>) -> Option<Registers> {
        named_predicate(op.field.get(&insn.word), self.written)
    }

    fn read(&self, op: &Operand<Maxwell>, l: &mut MaxwellLift<'_, '_>) -> Value {
        let bits = op.field.get(&l.insn.word);
        predicate(l, bits)
    }

    fn write(&self, op: &Operand<Maxwell>, l: &mut MaxwellLift<'_, '_>, value: Value) {
        let n = op.field.get(&l.insn.word);
        set_predicate(l, n, value);
    }
}

/// The register of a predicate, unless it is `PT`.
pub(crate) fn named_predicate(bits: u64, written: bool) -> Option<Registers> {
    let first = Reg::new(PREDICATES, bits as u16 & 7);
    (bits & 7 != PT).then_some(Registers { first, units: 1, read: !written, written })
}
