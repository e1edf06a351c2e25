//! Operands that are left out where they say what is usual.

use super::{MaxwellLift, Number, PT, RZ};
use crate::{Ctx, Maxwell};
use shisa_diag::Diagnostic;
use shisa_ir::Value;
use shisa_rows::{Begins, Details, Hints, Insn, Kind, Line, Operand, Part, Registers, Scan};

/// An operand that is not written where its bits are `usual`.
pub(crate) struct Unless {
    /// The operand.
    pub(crate) kind: &'static dyn Kind<Maxwell>,
    /// The bits that are not written.
    pub(crate) usual: u64,
}

impl Kind<Maxwell> for Unless {
    fn describe(&self) -> &'static str {
        self.kind.describe()
    }

    fn print(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>, ctx: Ctx, out: &mut Line<'_>) {
        self.kind.print(op, insn, ctx, out);
    }

    fn parse(
        &self,
        op: &Operand<Maxwell>,
        word: &mut u128,
        text: &mut Scan<'_>,
        ctx: Ctx,
    ) -> Result<(), Diagnostic> {
        self.kind.parse(op, word, text, ctx)
    }

    fn faithful(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>, ctx: Ctx) -> bool {
        !self.shown(op, insn, ctx) || self.kind.faithful(op, insn, ctx)
    }

    fn read(&self, op: &Operand<Maxwell>, l: &mut MaxwellLift<'_, '_>) -> Value {
        self.kind.read(op, l)
    }

    fn write(&self, op: &Operand<Maxwell>, l: &mut MaxwellLift<'_, '_>, value: Value) {
        self.kind.write(op, l, value);
    }
}

impl Details<Maxwell> for Unless {
    fn parts(&self) -> &'static [Part] {
        self.kind.parts()
    }

    fn optional(&self) -> bool {
        true
    }

    fn absent(&self, op: &Operand<Maxwell>, word: &mut u128) {
        op.field.set(word, self.usual);
    }

    fn shown(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>, _: Ctx) -> bool {
        op.field.get(&insn.word) != self.usual
    }

    fn registers(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>) -> Option<Registers> {
        self.kind.registers(op, insn)
    }
}

impl Hints<Maxwell> for Unless {
    fn decided_by(&self, op: &Operand<Maxwell>, ctx: Ctx) -> Option<u128> {
        self.kind.decided_by(op, ctx)
    }

    fn begins(&self, op: &Operand<Maxwell>, word: &u128) -> Begins {
        self.kind.begins(op, word)
    }
}

/// A number without a sign that is not written where it is the usual one.
pub(crate) const fn unless_usual(usual: u64) -> Unless {
    Unless { kind: &Number::PLAIN, usual }
}

/// A register that is not written where it is `RZ`.
pub(crate) const fn unless_rz(kind: &'static dyn Kind<Maxwell>) -> Unless {
    Unless { kind, usual: RZ }
}

/// A predicate that is not written where it is `PT`.
pub(crate) const fn unless_pt(kind: &'static dyn Kind<Maxwell>) -> Unless {
    Unless { kind, usual: PT }
}
