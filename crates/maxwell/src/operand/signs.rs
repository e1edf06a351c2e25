//! Signs of a sum in the lanes of a quad.

use super::{MaxwellLift, expected};
use crate::{Ctx, Maxwell};
use shisa_diag::Diagnostic;
use shisa_ir::Value;
use shisa_rows::{Begins, Details, Hints, Insn, Kind, Line, Operand, Scan};

/// Two bits for each lane of a quad, written from the last lane to the first as the signs of both sources: plus,
/// minus or zero.
#[derive(Debug)]
pub(crate) struct Signs;

/// By the two bits of a lane.
const NAMES: [&str; 4] = ["PP", "NP", "PN", "ZP"];
/// From the first lane to the last: nouveau's code generator and NAK give the first lane of a quad the highest bits.
const SHIFTS: [u32; 4] = [6, 4, 2, 0];

impl Kind<Maxwell> for Signs {
    fn describe(&self) -> &'static str {
        "signs for each lane of a quad"
    }

    fn print(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>, _: Ctx, out: &mut Line<'_>) {
        let bits = op.field.get(&insn.word);
        for shift in SHIFTS {
            out.text(NAMES[(bits >> shift & 3) as usize]);
        }
    }

    fn parse(
        &self,
        op: &Operand<Maxwell>,
        word: &mut u128,
        text: &mut Scan<'_>,
        _: Ctx,
    ) -> Result<(), Diagnostic> {
        let mut bits = 0;
        for shift in SHIFTS {
            let known = (0..).zip(NAMES).find(|(_, name)| text.eat_str(name));
            let (code, _) = known.ok_or_else(|| expected("PP, NP, PN or ZP for each of four lanes", text))?;
            bits |= code << shift;
        }
        op.field.set(word, bits);
        Ok(())
    }

    fn faithful(&self, _: &Operand<Maxwell>, _: &Insn<Maxwell>, _: Ctx) -> bool {
        true
    }

    fn read(&self, _: &Operand<Maxwell>, l: &mut MaxwellLift<'_, '_>) -> Value {
        l.no_value()
    }
}

impl Details<Maxwell> for Signs {}

impl Hints<Maxwell> for Signs {
    fn begins(&self, _: &Operand<Maxwell>, _: &u128) -> Begins {
        Begins::with(b"NPZ")
    }
}
