//! A register of which a part may be preserved.

use super::{Dest, MaxwellLift};
use crate::{Ctx, Maxwell};
use shisa_diag::Diagnostic;
use shisa_ir::Value;
use shisa_rows::{Begins, Details, Field, Hints, Insn, Kind, Line, Operand, Registers, Scan};

/// A register of which a part keeps what it holds, if the word says so.
#[derive(Debug)]
pub(crate) struct Merged {
    /// The field that says so.
    keeps: Field,
    /// Whether all of the register is written with a number in that field.
    whole: fn(u64) -> bool,
}

impl Merged {
    /// The register that half arithmetic writes: `.MRG_H0` and `.MRG_H1` write one half and keep the other.
    pub(crate) const HALF: Merged = Merged { keeps: Field::at(50, 1), whole: |bits| bits == 0 };

    /// The register that a move writes in the lanes of a quad that a mask names; the others keep it.
    pub(crate) const fn in_lanes(mask: Field) -> Merged {
        Merged { keeps: mask, whole: |bits| bits == 15 }
    }
}

impl Kind<Maxwell> for Merged {
    fn describe(&self) -> &'static str {
        Dest::ONE.describe()
    }

    fn print(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>, ctx: Ctx, out: &mut Line<'_>) {
        Dest::ONE.print(op, insn, ctx, out);
    }

    fn parse(
        &self,
        op: &Operand<Maxwell>,
        word: &mut u128,
        text: &mut Scan<'_>,
        ctx: Ctx,
    ) -> Result<(), Diagnostic> {
        Dest::ONE.parse(op, word, text, ctx)
    }

    fn faithful(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>, ctx: Ctx) -> bool {
        Dest::ONE.faithful(op, insn, ctx)
    }

    fn read(&self, op: &Operand<Maxwell>, l: &mut MaxwellLift<'_, '_>) -> Value {
        Dest::ONE.read(op, l)
    }

    fn write(&self, op: &Operand<Maxwell>, l: &mut MaxwellLift<'_, '_>, value: Value) {
        Dest::ONE.write(op, l, value);
    }
}

impl Details<Maxwell> for Merged {
    fn registers(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>) -> Option<Registers> {
        let registers = Dest::ONE.registers(op, insn)?;
        Some(Registers { read: !(self.whole)(self.keeps.get(&insn.word)), ..registers })
    }
}

impl Hints<Maxwell> for Merged {
    fn begins(&self, op: &Operand<Maxwell>, word: &u128) -> Begins {
        Dest::ONE.begins(op, word)
    }
}
