//! All predicates or all condition codes at once.

use super::{MaxwellLift, condition};
use crate::{Ctx, Maxwell, PREDICATES};
use shisa_diag::Diagnostic;
use shisa_ir::{Reg, Value};
use shisa_rows::{Begins, Details, Field, Hints, Insn, Kind, Line, OneOf, Operand, Registers, Scan};

const NAMES: OneOf = OneOf::new("predicates or condition codes", &["PR", "CC"]);
const CODES_ONLY: OneOf = OneOf::new("condition codes", &["CC"]);

/// The predicates as one number, or, where the field has a bit and it is set, the condition codes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Flags {
    /// Whether they are written.
    pub(crate) written: bool,
    /// Where the instruction holds the number that says which of them, if it does.
    pub(crate) mask: Option<Field>,
}

impl Flags {
    /// The predicates that the mask names, a bit each; all where it is not known.
    fn named(&self, word: &u128) -> u64 {
        const ALL: u64 = 0x7f;
        self.mask.map_or(ALL, |field| field.get(word) & ALL)
    }

    /// The predicates from one to before another.
    fn run(&self, first: u32, end: u32) -> Registers {
        let (first, units) = (Reg::new(PREDICATES, first as u16), (end - first) as u8);
        Registers { first, units, read: !self.written, written: self.written }
    }
}

impl Kind<Maxwell> for Flags {
    fn describe(&self) -> &'static str {
        NAMES.what
    }

    fn print(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>, ctx: Ctx, out: &mut Line<'_>) {
        Kind::<Maxwell>::print(&NAMES, op, insn, ctx, out);
    }

    fn parse(
        &self,
        op: &Operand<Maxwell>,
        word: &mut u128,
        text: &mut Scan<'_>,
        ctx: Ctx,
    ) -> Result<(), Diagnostic> {
        NAMES.parse(op, word, text, ctx)
    }

    fn faithful(&self, _: &Operand<Maxwell>, _: &Insn<Maxwell>, _: Ctx) -> bool {
        true
    }

    fn read(&self, _: &Operand<Maxwell>, l: &mut MaxwellLift<'_, '_>) -> Value {
        l.no_value()
    }
}

impl Details<Maxwell> for Flags {
    fn registers(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>) -> Option<Registers> {
        if op.field.get(&insn.word) != 0 {
            return Some(condition::codes(self.written));
        }
        let named = self.named(&insn.word);
        let (first, end) = (named.trailing_zeros(), u64::BITS - named.leading_zeros());
        (named != 0).then(|| self.run(first, end))
    }

    fn each_register(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>, found: &mut dyn FnMut(Registers)) {
        if op.field.get(&insn.word) != 0 {
            return found(condition::codes(self.written));
        }
        let named = self.named(&insn.word);
        (0..u64::BITS).filter(|n| named >> n & 1 != 0).for_each(|n| found(self.run(n, n + 1)));
    }
}

impl Hints<Maxwell> for Flags {
    fn begins(&self, op: &Operand<Maxwell>, word: &u128) -> Begins {
        Hints::<Maxwell>::begins(&NAMES, op, word)
    }
}

/// The condition codes as the only choice, of which a suffix says the condition.
#[derive(Debug)]
pub(crate) struct Codes;

impl Kind<Maxwell> for Codes {
    fn describe(&self) -> &'static str {
        CODES_ONLY.what
    }

    fn print(&self, _: &Operand<Maxwell>, _: &Insn<Maxwell>, _: Ctx, out: &mut Line<'_>) {
        out.text("CC");
    }

    fn parse(
        &self,
        op: &Operand<Maxwell>,
        word: &mut u128,
        text: &mut Scan<'_>,
        ctx: Ctx,
    ) -> Result<(), Diagnostic> {
        CODES_ONLY.parse(op, word, text, ctx)
    }

    fn faithful(&self, _: &Operand<Maxwell>, _: &Insn<Maxwell>, _: Ctx) -> bool {
        true
    }

    fn read(&self, _: &Operand<Maxwell>, l: &mut MaxwellLift<'_, '_>) -> Value {
        l.no_value()
    }
}

impl Details<Maxwell> for Codes {
    fn registers(&self, _: &Operand<Maxwell>, _: &Insn<Maxwell>) -> Option<Registers> {
        Some(condition::codes(false))
    }
}

impl Hints<Maxwell> for Codes {
    fn begins(&self, op: &Operand<Maxwell>, word: &u128) -> Begins {
        Hints::<Maxwell>::begins(&CODES_ONLY, op, word)
    }
}
