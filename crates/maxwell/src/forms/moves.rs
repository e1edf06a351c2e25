//! Moves, within a lane and between lanes.

use super::{choice, row};
use crate::Maxwell;
use crate::attr;
use crate::operand::{
    A, B, BARE_A, BARE_B, C, CONST_B, D, DEST, IMM_B, IMM32, MaxwellLift, Merged, N, Number, P, PRED_R,
    Predicate, R, REG_A, REG_B, Source, operand, registers, special, unless_usual,
};
use crate::registers::special::LANE_ID;
use shisa_rows::{Field, Form, Modifier, Operand};

/// Lanes of each quad in which the move takes place, a bit each. NAK names the field so, and nouveau moves the result
/// of one lane of a quad with it.
const ALL_LANES: u64 = 15;
const MASK: Field = Field::at(39, 4);
const MASK32: Field = Field::at(12, 4);
const LANES: Operand<Maxwell> = operand(N, MASK, &unless_usual(ALL_LANES));
const LANES32: Operand<Maxwell> = operand(N, MASK32, &unless_usual(ALL_LANES));
const DEST_IN_LANES: Operand<Maxwell> = operand(D, Field::at(0, 8), &Merged::in_lanes(MASK));
const DEST_IN_LANES32: Operand<Maxwell> = operand(D, Field::at(0, 8), &Merged::in_lanes(MASK32));
const SHUFFLE: &[Modifier] = &[choice(30, 2, &[".IDX", ".UP", ".DOWN", ".BFLY"])];
/// Whether there was such a lane.
const IN_RANGE: Operand<Maxwell> = operand(P, Field::at(48, 3), &Predicate { written: true });
const LANE: Operand<Maxwell> = operand(B, Field::at(20, 5), &Number::PLAIN);
/// Where a segment of lanes ends, and which bits of a lane's number stay.
const SEGMENT: Operand<Maxwell> = operand(C, Field::at(34, 13), &Number::PLAIN);
const BARE_C: Operand<Maxwell> = operand(C, Field::at(39, 8), &Source::PLAIN);

#[rustfmt::skip]
pub(super) const ROWS: &[Form<Maxwell>] = &[
    row("MOV", 0x5c98, 0xfff8, &[DEST_IN_LANES, REG_B, LANES], copy).says("Copies a register, in some lanes of each quad or in all.")
        .examples(&[("MOV R3, R2;", 0x07e0_5c98_0780_0027_0003), ("MOV R0, R0, 0x0;", 0x07e0_5c98_0000_0007_0000)]),
    row("MOV", 0x4c98, 0xfff8, &[DEST_IN_LANES, CONST_B, LANES], copy).says("Copies a constant.")
        .examples(&[("MOV R1, c[0x0][0x20];", 0x07e0_4c98_0780_0087_0001)]),
    row("MOV", 0x3898, 0xfef8, &[DEST_IN_LANES, IMM_B, LANES], copy).says("Takes a number.")
        .examples(&[("MOV R141, -0x80000;", 0x07e0_3998_0780_0007_008d)]),
    row("MOV32I", 0x0100, 0xfff0, &[DEST_IN_LANES32, IMM32, LANES32], copy).says("Takes a number of 32 bits.")
        .examples(&[("MOV32I R2, 0x40400000;", 0x07e0_0104_0400_0007_f002)]),
    row("SEL", 0x5ca0, 0xfff8, &[DEST, REG_A, REG_B, PRED_R], select).says("Takes the first source where the predicate holds, else the second.")
        .examples(&[("SEL R0, R0, R0, P0;", 0x07e0_5ca0_0000_0007_0000)]),
    row("SEL", 0x4ca0, 0xfff8, &[DEST, REG_A, CONST_B, PRED_R], select).says("Takes the first source or a constant.")
        .examples(&[("SEL R0, R0, c[0x0][0x0], !P0;", 0x07e0_4ca0_0400_0007_0000)]),
    row("SEL", 0x38a0, 0xfef8, &[DEST, REG_A, IMM_B, PRED_R], select).says("Takes the first source or a number.")
        .examples(&[("SEL R0, R0, 0x0, P0;", 0x07e0_38a0_0000_0007_0000)]),
    shuffle(0, &[IN_RANGE, DEST, BARE_A, BARE_B, BARE_C]).says("Reads a register of another lane; segment and lane come from registers.")
        .examples(&[("SHFL.IDX P0, R0, R0, R0, R0;", 0x07e0_ef10_0000_0007_0000)]),
    shuffle(1, &[IN_RANGE, DEST, BARE_A, LANE, BARE_C]).says("Reads a register of a numbered lane; the segment comes from a register.")
        .examples(&[("SHFL.DOWN P0, R50, R218, 0x5, R97;", 0x07e0_ef10_3080_9057_da32)]),
    shuffle(2, &[IN_RANGE, DEST, BARE_A, BARE_B, SEGMENT]).says("Reads a register of another lane of a numbered segment.")
        .examples(&[("SHFL.BFLY P0, R141, R16, R201, 0x11ff;", 0x07e0_ef10_47fc_ec97_108d)]),
    shuffle(3, &[IN_RANGE, DEST, BARE_A, LANE, SEGMENT]).says("Reads a register of a numbered lane of a numbered segment.")
        .examples(&[("SHFL.UP P0, R109, R37, 0x1c, 0x1768;", 0x07e0_ef10_5da0_71c7_256d)]),
];

/// A row of SHFL; lane and segment are numbers where bits 0 and 1 of `numbers` are set.
const fn shuffle(numbers: u64, operands: &'static [Operand<Maxwell>]) -> Form<Maxwell> {
    let bits = (0xef10_0000_0000_0000 | numbers << 28, 0xfff8_0000_3000_0000);
    super::fixed("SHFL", bits, operands, super::exchange::shuffle)
        .attr(attr::SHARED.reads(4, 325_118))
        .modifiers(SHUFFLE)
}

fn select(l: &mut MaxwellLift<'_, '_>) {
    let (a, b, first) = (l.src(A), l.src(B), l.src(R));
    let chosen = l.select(first, a, b);
    l.set(D, chosen);
}

/// Lanes that the mask leaves out keep what the destination holds.
fn copy(l: &mut MaxwellLift<'_, '_>) {
    let (mut value, lanes) = (l.src(B), l.insn.field(N));
    if lanes != ALL_LANES {
        let to = l.insn.field(D);
        let old = registers(l, to, 1);
        let lane = special(l, LANE_ID);
        let [lanes, one, three, zero] = [lanes as i32, 1, 3, 0].map(|n| l.i32(n));
        let in_quad = l.and(lane, three);
        let bit = l.lshr(lanes, in_quad);
        let bit = l.and(bit, one);
        let moved = l.ine(bit, zero);
        value = l.select(moved, value, old);
    }
    l.set(D, value);
}
