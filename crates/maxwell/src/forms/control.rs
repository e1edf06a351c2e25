//! Control flow. Conditions on the condition codes are always "true" here.

use super::fixed;
use crate::Maxwell;
use crate::operand::{AT, MaxwellLift, TARGET, target};
use crate::sequencer::{BRA, BRK, EXIT, PBK, SSY, SYNC};
use shisa_diag::Diagnostic;
use shisa_ir::ControlOp;
use shisa_rows::Form;

/// No condition on the codes, in the lowest bits.
const TRUE: u64 = 0xf;
/// Which of them are fixed; bit 5 would take the target from a constant.
const CODES: u64 = 0x3f;
/// Rows without a guard leave its bits zero.
const NO_GUARD: u64 = 0xf_0000;

#[rustfmt::skip]
pub(super) const ROWS: &[Form<Maxwell>] = &[
    fixed("BRA",  (0xe240_0000_0000_0000 | TRUE, 0xfff0_0000_0000_0000 | CODES), &[TARGET], |l| go(l, BRA)).says("Goes to the target.")
        .examples(&[("BRA 0x8;", 0x07e0_e240_0fff_ff87_000f), ("@!P0 BRA 0x110;", 0x07e0_e240_0000_1008_000f)]),
    fixed("SSY",  (0xe290_0000_0000_0000, 0xfff0_0000_0000_0020 | NO_GUARD), &[TARGET], |l| go(l, SSY)).says("Marks where lanes that SYNC go on together.")
        .examples(&[("SSY 0x228;", 0x07e0_e290_0000_2180_0000)]),
    fixed("PBK",  (0xe2a0_0000_0000_0000, 0xfff0_0000_0000_0020 | NO_GUARD), &[TARGET], |l| go(l, PBK)).says("Marks where lanes that BRK go on together.")
        .examples(&[("PBK 0x98;", 0x07e0_e2a0_0000_0880_0000)]),
    fixed("SYNC", (0xf0f8_0000_0000_0000 | TRUE, 0xfff8_0000_0000_0000 | CODES), &[], |l| l.control(SYNC, None, 0, 0)).says("Waits for the lanes that the mark was set for.")
        .examples(&[("SYNC;", 0x07e0_f0f8_0000_0007_000f)]),
    fixed("BRK",  (0xe340_0000_0000_0000 | TRUE, 0xfff0_0000_0000_0000 | CODES), &[], |l| l.control(BRK, None, 0, 0)).says("Leaves for the mark of the loop.")
        .examples(&[("@P0 BRK;", 0x07e0_e340_0000_0000_000f)]),
    fixed("EXIT", (0xe300_0000_0000_0000 | TRUE, 0xfff0_0000_0000_0000 | CODES), &[], |l| l.control(EXIT, None, 0, 0)).says("Ends the lane.")
        .examples(&[("EXIT;", 0x07e0_e300_0000_0007_000f)]),
];

fn go(l: &mut MaxwellLift<'_, '_>, op: ControlOp) {
    let Ok(target) = u32::try_from(target(l.insn.field(AT), l.pc)) else {
        return l.refuse(Diagnostic::error("lift-target", "the target lies before the code"));
    };
    l.control(op, None, crate::bundle::aligned(target), 0);
}
