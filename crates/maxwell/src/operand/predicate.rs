//! Predicates.

use super::{MaxwellLift, PREDICATE_PARTS, PT, parse_predicate, predicate, print_predicate, set_predicate};
use crate::{Chip, Ctx, Maxwell, PREDICATES};
use shisa_diag::Diagnostic;
use shisa_ir::{Reg, Value};
use shisa_rows::{Begins, Details, Hints, Insn, Kind, Line, Operand, Part, Registers, Scan};

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
        op.field.fill(word, bits);
        Ok(())
    }

    fn faithful(&self, _: &Operand<Maxwell>, _: &Insn<Maxwell>, _: Ctx) -> bool {
        true
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

impl Details<Maxwell> for Predicate {
    fn parts(&self) -> &'static [Part] {
        PREDICATE_PARTS
    }

    fn registers(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>) -> Option<Registers> {
        named_predicate(op.field.get(&insn.word), self.written)
    }
}

impl Hints<Maxwell> for Predicate {
    fn begins(&self, op: &Operand<Maxwell>, _: &u128) -> Begins {
        Begins::with(b"P").or(b'!', op.field.width() > 3)
    }
}

/// A predicate to be written whose bits are inverted, so that 0 is `PT`. Optional ones exist on later chips only;
/// sm_50 ignores their bits.
#[derive(Debug)]
pub(crate) struct Inverted {
    /// Whether `PT` is not written.
    pub(crate) optional: bool,
}

impl Inverted {
    fn number(op: &Operand<Maxwell>, insn: &Insn<Maxwell>) -> u64 {
        PT - op.field.get(&insn.word)
    }
}

impl Kind<Maxwell> for Inverted {
    fn describe(&self) -> &'static str {
        "predicate"
    }

    fn print(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>, _: Ctx, out: &mut Line<'_>) {
        print_predicate(Self::number(op, insn), out);
    }

    fn parse(
        &self,
        op: &Operand<Maxwell>,
        word: &mut u128,
        text: &mut Scan<'_>,
        ctx: Ctx,
    ) -> Result<(), Diagnostic> {
        let at = text.pos();
        let n = parse_predicate(text)?;
        if n > PT || self.optional && ctx.chip < Chip::Sm52 && n != PT {
            return Err(Diagnostic::error("asm-operand", "this predicate cannot be written")
                .at_text(text.since(at), ""));
        }
        op.field.fill(word, PT - n);
        Ok(())
    }

    fn faithful(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>, ctx: Ctx) -> bool {
        !self.optional || ctx.chip >= Chip::Sm52 || op.field.get(&insn.word) == 0
    }

    fn read(&self, _: &Operand<Maxwell>, l: &mut MaxwellLift<'_, '_>) -> Value {
        l.no_value()
    }

    fn write(&self, op: &Operand<Maxwell>, l: &mut MaxwellLift<'_, '_>, value: Value) {
        let n = Self::number(op, &l.insn);
        set_predicate(l, n, value);
    }
}

impl Details<Maxwell> for Inverted {
    fn optional(&self) -> bool {
        self.optional
    }

    fn shown(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>, ctx: Ctx) -> bool {
        !self.optional || ctx.chip >= Chip::Sm52 && op.field.get(&insn.word) != 0
    }

    fn registers(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>) -> Option<Registers> {
        let n = Self::number(op, insn);
        let first = Reg::new(PREDICATES, n as u16);
        (n != PT).then_some(Registers { first, units: 1, read: false, written: true })
    }
}

impl Hints<Maxwell> for Inverted {
    fn begins(&self, _: &Operand<Maxwell>, _: &u128) -> Begins {
        Begins::with(b"P")
    }
}

/// The register of a predicate, unless it is `PT`.
pub(crate) fn named_predicate(bits: u64, written: bool) -> Option<Registers> {
    let first = Reg::new(PREDICATES, bits as u16 & 7);
    (bits & 7 != PT).then_some(Registers { first, units: 1, read: !written, written })
}
