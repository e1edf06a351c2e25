//! Moves.

use super::fixed;
use crate::Maxwell;
use crate::operand::{AT, B, CONST_B, D, DEST, IMM32, MaxwellLift, REG_B, SPECIAL};
use shisa_rows::{Form, Slot};

/// Bits that say which bytes move; compilers move all four.
const ALL_BYTES: u64 = 0xf << 39;

#[rustfmt::skip]
pub(super) const ROWS: &[Form<Maxwell>] = &[
    fixed("MOV", (0x5c98_0000_0000_0000 | ALL_BYTES, 0xfff8_0000_0000_0000 | ALL_BYTES), &[DEST, REG_B], |l| copy(l, B)).says("Copies a register.")
        .examples(&[("MOV R3, R2;", 0x07e0_5c98_0780_0027_0003)]),
    fixed("MOV", (0x4c98_0000_0000_0000 | ALL_BYTES, 0xfff8_0000_0000_0000 | ALL_BYTES), &[DEST, CONST_B], |l| copy(l, B)).says("Copies a constant.")
        .examples(&[("MOV R1, c[0x0][0x20];", 0x07e0_4c98_0780_0087_0001)]),
    fixed("MOV32I", (0x0100_0000_0000_f000, 0xfff0_0000_0000_f000), &[DEST, IMM32], |l| copy(l, B)).says("Takes a number of 32 bits.")
        .examples(&[("MOV32I R2, 0x40400000;", 0x07e0_0104_0400_0007_f002)]),
    super::row("S2R", 0xf0c8, 0xfff8, &[DEST, SPECIAL], |l| copy(l, AT)).says("Reads a special register.")
        .examples(&[("S2R R0, SR_CTAID.X;", 0x07e0_f0c8_0000_0257_0000)]),
];

fn copy(l: &mut MaxwellLift<'_, '_>, slot: Slot) {
    let v = l.src(slot);
    l.set(D, v);
}
