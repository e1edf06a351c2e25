//! The register that a call writes without naming it.

use super::{AgxLift, LINKED, Size, expected, operand, write_units};
use crate::registers::LINK;
use crate::{Agx, Ctx};
use shisa_diag::Diagnostic;
use shisa_ir::Value;
use shisa_rows::{Details, Field, Hints, Insn, Kind, Line, Operand, Registers, Scan};

/// The register that receives the return offset of a call, `r1`. No bits and no text name it.
pub(crate) const RETURN_OFFSET: Operand<Agx> = operand(LINKED, Field::NONE, &ReturnOffset);

/// See [`RETURN_OFFSET`].
#[derive(Debug)]
struct ReturnOffset;

impl Kind<Agx> for ReturnOffset {
    fn describe(&self) -> &'static str {
        "return offset in r1"
    }

    fn print(&self, _: &Operand<Agx>, _: &Insn<Agx>, _: Ctx, _: &mut Line<'_>) {}

    fn parse(&self, _: &Operand<Agx>, _: &mut u128, text: &mut Scan<'_>, _: Ctx) -> Result<(), Diagnostic> {
        Err(expected("the end of the instruction", text))
    }

    fn faithful(&self, _: &Operand<Agx>, _: &Insn<Agx>, _: Ctx) -> bool {
        true
    }

    fn read(&self, _: &Operand<Agx>, l: &mut AgxLift<'_, '_>) -> Value {
        l.no_value()
    }

    fn write(&self, _: &Operand<Agx>, l: &mut AgxLift<'_, '_>, value: Value) {
        write_units(l, LINK.unit, Size::Word, value);
    }
}

impl Details<Agx> for ReturnOffset {
    fn optional(&self) -> bool {
        true
    }

    fn registers(&self, _: &Operand<Agx>, _: &Insn<Agx>) -> Option<Registers> {
        Some(Registers { first: LINK, units: Size::Word.units() as u8, read: false, written: true })
    }
}

impl Hints<Agx> for ReturnOffset {}
