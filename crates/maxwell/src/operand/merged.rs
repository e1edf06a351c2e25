//! A register of which a half may be preserved.

use super::{Dest, MaxwellLift};
use crate::{Ctx, Maxwell};
use shisa_diag::Diagnostic;
use shisa_ir::Value;
use shisa_rows::{Begins, Details, Field, Hints, Insn, Kind, Line, Operand, Registers, Scan};

/// The register that half arithmetic writes: `.MRG_H0` and `.MRG_H1` write one half and keep the other.
#[derive(Debug)]
pub(crate) struct Merged;

/// Whether a half is preserved.
const KEEPS: Field = Field::at(50, 1);

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
        Some(Registers { read: KEEPS.get(&insn.word) != 0, ..registers })
    }
}

impl Hints<Maxwell> for Merged {
    fn begins(&self, op: &Operand<Maxwell>, word: &u128) -> Begins {
        Dest::ONE.begins(op, word)
    }
}
