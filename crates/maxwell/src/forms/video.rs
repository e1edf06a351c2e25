//! Video instructions: sums, comparisons and shifts of bytes and halves.

use super::video_four::{FOUR_SIGNS, ORDER_A, ORDER_B, WRITTEN_BYTES, vabsdiff4};
use super::video_values::{
    COMPARE, COMPARE_P, SCALE, SECOND, SIGN_B, vabsdiff, vadd, vmad, vmnmx, vset, vsetp, vshl, vshr,
};
use super::{BOOLEAN, always, choice, fixed, flag, row};
use crate::Maxwell;
use crate::attr::{Attr, FIXED};
use crate::operand::{
    A, ALL_SIZES_NUMBER, B, C, DEST_CC, Lane, Magnitude, MaybeSigned, NotCached, Number, PRED_P, PRED_Q,
    PRED_R, REG_C, REUSE_A, REUSE_B, REUSE_C, SIZES, SIZES_NUMBER, SIZES_UNSIGNED, SIZES_UNSIGNED_NUMBER,
    Source, operand,
};
use shisa_rows::{Field, Form, Modifier, Operand, Slot};

const LANE_A: Field = Field::at(36, 3);
const LANE_B: Field = Field::at(28, 3);

const SIZE_A: Field = LANE_A.then(48, 1);
const SIZE: Modifier = Modifier::new(SIZE_A.then(28, 3).then(49, 1), SIZES);
const SIZE_UNSIGNED: Modifier = Modifier::new(SIZE_A.then(28, 3), SIZES_UNSIGNED);
const SIZE_NUMBER: Modifier = Modifier::new(SIZE_A.then(49, 1), SIZES_NUMBER);
const SIZE_UNSIGNED_NUMBER: Modifier = Modifier::new(SIZE_A, SIZES_UNSIGNED_NUMBER);
const UNSIGNED_RESULT: Modifier = flag(54, &[".UD", ""]);
const SIGNED_RESULT: Modifier = flag(54, &["", ".SD"]);
const SATURATE: Modifier = flag(55, &["", ".SAT"]);
const PLUS_ONE: Modifier = always(&[".PO"]);
const WRAP: Modifier = flag(49, &["", ".W"]);
const LARGER: Modifier = flag(56, &["", ".MX"]).unwritten(".MN");

const ADD: &[Modifier] = &[UNSIGNED_RESULT, SIZE, SATURATE, SECOND];
const ADD_NUMBER: &[Modifier] = &[UNSIGNED_RESULT, SIZE_NUMBER, SATURATE, SECOND];
const ADD_ONE: &[Modifier] = &[UNSIGNED_RESULT, SIZE, PLUS_ONE, SATURATE, SECOND];
const ADD_ONE_NUMBER: &[Modifier] = &[UNSIGNED_RESULT, SIZE_NUMBER, PLUS_ONE, SATURATE, SECOND];
const DIFFERENCE: &[Modifier] = &[SIGNED_RESULT, SIZE, SATURATE, SECOND];
const DIFFERENCE_NUMBER: &[Modifier] = &[SIGNED_RESULT, SIZE_NUMBER, SATURATE, SECOND];
const MAD: &[Modifier] = &[SIZE, SCALE, SATURATE];
const MAD_NUMBER: &[Modifier] = &[SIZE_NUMBER, SCALE, SATURATE];
const MAD_ONE: &[Modifier] = &[SIZE, PLUS_ONE, SCALE, SATURATE];
const MAD_ONE_NUMBER: &[Modifier] = &[SIZE_NUMBER, PLUS_ONE, SCALE, SATURATE];
const MINMAX: &[Modifier] = &[UNSIGNED_RESULT, SIZE, LARGER, SATURATE, SECOND];
const MINMAX_NUMBER: &[Modifier] = &[UNSIGNED_RESULT, SIZE_NUMBER, LARGER, SATURATE, SECOND];
const SET: &[Modifier] = &[COMPARE, SIZE, SECOND];
const SET_NUMBER: &[Modifier] = &[COMPARE, SIZE_NUMBER, SECOND];
const SETP: &[Modifier] = &[COMPARE_P, SIZE, BOOLEAN];
const SETP_NUMBER: &[Modifier] = &[COMPARE_P, Modifier::new(SIZE_A.then(49, 1), ALL_SIZES_NUMBER), BOOLEAN];
const SHIFT: &[Modifier] = &[UNSIGNED_RESULT, SIZE_UNSIGNED, WRAP, SATURATE, SECOND];
const SHIFT_NUMBER: &[Modifier] = &[UNSIGNED_RESULT, SIZE_UNSIGNED_NUMBER, WRAP, SATURATE, SECOND];
/// Four bytes at once.
const FOUR: &[Modifier] = &[
    flag(38, &["", ".SD"]),
    FOUR_SIGNS,
    flag(50, &["", ".SAT"]),
    choice(53, 2, &["", ".ACC", ".INVALIDRED2", ".INVALIDRED3"]),
    WRITTEN_BYTES,
];

const PLAIN_A: Lane = Lane { lane: LANE_A, negate: false };
const PLAIN_B: Lane = Lane { lane: LANE_B, negate: false };
const NUMBER_A: Field = Field::at(8, 8);
const NUMBER_B: Field = Field::at(20, 8);
const FIRST: Operand<Maxwell> = operand(A, NUMBER_A.then(REUSE_A, 1), &PLAIN_A);
const SECOND_REG: Operand<Maxwell> = operand(B, NUMBER_B.then(REUSE_B, 1), &PLAIN_B);
const SECOND_NUMBER: Operand<Maxwell> = operand(B, Field::at(20, 16), &MaybeSigned(SIGN_B));
const PLAIN_NUMBER: Operand<Maxwell> = operand(B, Field::at(20, 16), &Number::PLAIN);
const ADD_NUMBER_B: Operand<Maxwell> = operand(B, Field::at(20, 16).then(56, 1), &Magnitude);
const SIGNED_A: Lane = Lane { negate: true, ..PLAIN_A };
const SIGNED_B: Lane = Lane { negate: true, ..PLAIN_B };
const ADD_A: Operand<Maxwell> = operand(A, NUMBER_A.then(57, 1).then(REUSE_A, 1), &SIGNED_A);
const ADD_B: Operand<Maxwell> = operand(B, NUMBER_B.then(56, 1).then(REUSE_B, 1), &SIGNED_B);

/// Products with a factor of 32 bits take their time and leave the operand cache alone.
const MAD_ATTR: Attr = FIXED.slow(wide);
const MAD_NUMBER_ATTR: Attr = FIXED.slow(wide_first);

fn wide(word: &u128) -> bool {
    wide_first(word) || LANE_B.get(word) >= 6
}

fn wide_first(word: &u128) -> bool {
    LANE_A.get(word) >= 6
}

/// An operand of a product.
const fn mad(slot: Slot, field: Field, kind: &'static NotCached) -> Operand<Maxwell> {
    operand(slot, field, kind)
}

const FACTOR_A: Field = NUMBER_A.then(54, 1).then(REUSE_A, 1);
const ADDEND_C: Field = Field::at(39, 8).then(53, 1).then(REUSE_C, 1);
const REG_C_FIELD: Field = Field::at(39, 8).then(REUSE_C, 1);
const MAD_A: Operand<Maxwell> = mad(A, FACTOR_A, &NotCached { inner: &SIGNED_A, when: wide });
const MAD_B: Operand<Maxwell> = mad(B, NUMBER_B.then(REUSE_B, 1), &NotCached { inner: &PLAIN_B, when: wide });
const MAD_C: Operand<Maxwell> = mad(C, ADDEND_C, &NotCached { inner: &Source::INTEGER, when: wide });
const MAD_NUMBER_A: Operand<Maxwell> = mad(A, FACTOR_A, &NotCached { inner: &SIGNED_A, when: wide_first });
const MAD_NUMBER_C: Operand<Maxwell> =
    mad(C, ADDEND_C, &NotCached { inner: &Source::INTEGER, when: wide_first });
const ONE_A: Operand<Maxwell> = mad(A, NUMBER_A.then(REUSE_A, 1), &NotCached { inner: &PLAIN_A, when: wide });
const ONE_C: Operand<Maxwell> = mad(C, REG_C_FIELD, &NotCached { inner: &Source::PLAIN, when: wide });
const ONE_NUMBER_A: Operand<Maxwell> =
    mad(A, NUMBER_A.then(REUSE_A, 1), &NotCached { inner: &PLAIN_A, when: wide_first });
const ONE_NUMBER_C: Operand<Maxwell> =
    mad(C, REG_C_FIELD, &NotCached { inner: &Source::PLAIN, when: wide_first });

const FOUR_A: Operand<Maxwell> =
    operand(A, NUMBER_A.then(32, 4).then(REUSE_A, 1), &Source::PLAIN.parts(ORDER_A));
const FOUR_B: Operand<Maxwell> =
    operand(B, NUMBER_B.then(28, 4).then(REUSE_B, 1), &Source::PLAIN.parts(ORDER_B));
const FOUR_NUMBER: Operand<Maxwell> = operand(B, NUMBER_B, &MaybeSigned(SIGN_B));

#[rustfmt::skip]
pub(super) const ROWS: &[Form<Maxwell>] = &[
    row("VADD", 0x2304, 0xff04, &[DEST_CC, FIRST, SECOND_REG, REG_C], vadd).modifiers(ADD_ONE).refined().says("Adds parts of registers, plus one, then merges with the third source.")
        .examples(&[("VADD.UD.U8.U8.PO.MRG_16H R0, R0, R0, R0;", 0x07e0_2304_0000_0007_0000)]),
    row("VADD", 0x2300, 0xff04, &[DEST_CC, FIRST, PLAIN_NUMBER, REG_C], vadd).modifiers(ADD_ONE_NUMBER).refined().says("Adds a number, plus one, then merges with the third source.")
        .examples(&[("VADD.UD.U8.U16.PO.MRG_16H R0, R0, 0x0, R0;", 0x07e0_2300_0000_0007_0000)]),
    row("VADD", 0x2004, 0xfc04, &[DEST_CC, ADD_A, ADD_B, REG_C], vadd).modifiers(ADD).refined().yields_to("VADD").says("Adds parts of registers, then merges with the third source.")
        .examples(&[("VADD.UD.U8.U8.MRG_16H R0, R0.B3, -R0, R0;", 0x07e0_2104_0030_0007_0000), ("VADD.UD.U16.S16.MAX R0, R0.H1, R0, R0;", 0x07e0_2036_0050_4007_0000)]),
    row("VADD", 0x2000, 0xfc04, &[DEST_CC, ADD_A, ADD_NUMBER_B, REG_C], vadd).modifiers(ADD_NUMBER).refined().yields_to("VADD").says("Adds a number, then merges with the third source.")
        .examples(&[("VADD.UD.U8.S16.MRG_16H R0, R0, -0x8000, R0;", 0x07e0_2102_0008_0007_0000)]),
    row("VABSDIFF", 0x5404, 0xff04, &[DEST_CC, FIRST, SECOND_REG, REG_C], vabsdiff).modifiers(DIFFERENCE).refined().says("Takes the magnitude of the difference of parts of registers, then merges with the third source.")
        .examples(&[("VABSDIFF.SD.U8.U8.SAT.MRG_16H R0, R0, R0, R0;", 0x07e0_54c4_0000_0007_0000)]),
    row("VABSDIFF", 0x5400, 0xff04, &[DEST_CC, FIRST, SECOND_NUMBER, REG_C], vabsdiff).modifiers(DIFFERENCE_NUMBER).refined().says("Takes the magnitude of the difference to a number.")
        .examples(&[("VABSDIFF.U8.U16.MRG_16H R0, R0, 0x0, R0;", 0x07e0_5400_0000_0007_0000)]),
    fixed("VABSDIFF4", (0x5000_0000_f000_0000, 0xff80_0000_f000_0000), &[DEST_CC, FOUR_A, FOUR_NUMBER, REG_C], |l| vabsdiff4(l, true)).modifiers(FOUR).says("Takes the magnitudes of the differences of four bytes to a number.")
        .examples(&[("VABSDIFF4.U8.U8.???0 R0, R0.0000, 0x0, R0;", 0x07e0_5000_0000_f007_0000)]),
    row("VABSDIFF4", 0x5000, 0xff80, &[DEST_CC, FOUR_A, FOUR_B, REG_C], |l| vabsdiff4(l, false)).modifiers(FOUR).yields_to("VABSDIFF4").says("Takes the magnitudes of the differences of four bytes.")
        .examples(&[("VABSDIFF4.SAT.???0 R0, R0, R0.4444, R0;", 0x07e0_5007_0004_0007_0000)]),
    row("VMAD", 0x5f64, 0xff64, &[DEST_CC, ONE_A, MAD_B, ONE_C], vmad).attr(MAD_ATTR).modifiers(MAD_ONE).refined().says("Multiplies parts of registers and adds, plus one.")
        .examples(&[("VMAD.U8.U8.PO.SHR_7 R0, R0, R0, R0;", 0x07e0_5f6c_0000_0007_0000)]),
    row("VMAD", 0x5f60, 0xff64, &[DEST_CC, ONE_NUMBER_A, PLAIN_NUMBER, ONE_NUMBER_C], vmad).attr(MAD_NUMBER_ATTR).modifiers(MAD_ONE_NUMBER).refined().says("Multiplies by a number and adds, plus one.")
        .examples(&[("VMAD.U8.U16.PO R0, R0, 0x0, R0;", 0x07e0_5f60_0000_0007_0000)]),
    row("VMAD", 0x5f04, 0xff04, &[DEST_CC, MAD_A, MAD_B, MAD_C], vmad).attr(MAD_ATTR).modifiers(MAD).refined().yields_to("VMAD").says("Multiplies parts of registers and adds.")
        .examples(&[("VMAD.U8.U8.SHR_15.SAT R0, R0, R0, -R0;", 0x07e0_5fb4_0000_0007_0000)]),
    row("VMAD", 0x5f00, 0xff04, &[DEST_CC, MAD_NUMBER_A, PLAIN_NUMBER, MAD_NUMBER_C], vmad).attr(MAD_NUMBER_ATTR).modifiers(MAD_NUMBER).refined().yields_to("VMAD").says("Multiplies by a number and adds.")
        .examples(&[("VMAD.U8.U16 R0, -R0, 0x0, R0;", 0x07e0_5f40_0000_0007_0000)]),
    row("VMNMX", 0x3a04, 0xfe04, &[DEST_CC, FIRST, SECOND_REG, REG_C], vmnmx).modifiers(MINMAX).refined().says("Takes the smaller or the larger of parts of registers, then merges with the third source.")
        .examples(&[("VMNMX.UD.U8.U8.MX.SAT.MRG_16H R0, R0, R0, R0;", 0x07e0_3b84_0000_0007_0000)]),
    row("VMNMX", 0x3a00, 0xfe04, &[DEST_CC, FIRST, SECOND_NUMBER, REG_C], vmnmx).modifiers(MINMAX_NUMBER).refined().says("Takes the smaller or the larger of a part and a number.")
        .examples(&[("VMNMX.U8.U16.MRG_16H R0, R0, 0x0, R0;", 0x07e0_3a40_0000_0007_0000)]),
    row("VSET", 0x4004, 0xfe04, &[DEST_CC, FIRST, SECOND_REG, REG_C], vset).modifiers(SET).refined().says("Compares parts of registers, then merges with the third source.")
        .examples(&[("VSET.LT.U8.U8.MRG_16H R0, R0, R0, R0;", 0x07e0_4044_0000_0007_0000)]),
    row("VSET", 0x4000, 0xfe04, &[DEST_CC, FIRST, SECOND_NUMBER, REG_C], vset).modifiers(SET_NUMBER).refined().says("Compares a part with a number.")
        .examples(&[("VSET.F.U8.U16.MRG_16H R0, R0, 0x0, R0;", 0x07e0_4000_0000_0007_0000)]),
    row("VSETP", 0x50f4, 0xfffc, &[PRED_P, PRED_Q, FIRST, SECOND_REG, PRED_R], vsetp).modifiers(SETP).refined().says("Compares parts of registers, and combines the result and its opposite with a predicate.")
        .examples(&[("VSETP.GT.U8.U8.AND P0, P0, R0, R0, P0;", 0x07e0_50f4_8000_0007_0000)]),
    row("VSETP", 0x50f0, 0xfffc, &[PRED_P, PRED_Q, FIRST, SECOND_NUMBER, PRED_R], vsetp).modifiers(SETP_NUMBER).refined().says("Compares a part with a number.")
        .examples(&[("VSETP.F.U8.U16.OR P0, P0, R0, 0x0, P0;", 0x07e0_50f0_2000_0007_0000)]),
    row("VSHL", 0x5704, 0xff04, &[DEST_CC, FIRST, SECOND_REG, REG_C], vshl).modifiers(SHIFT).refined().says("Shifts a part left, then merges with the third source.")
        .examples(&[("VSHL.UD.U8.U16.W.MRG_16H R0, R0, R0.H1, R0;", 0x07e0_5706_0000_5007_0000)]),
    row("VSHL", 0x5700, 0xff04, &[DEST_CC, FIRST, PLAIN_NUMBER, REG_C], vshl).modifiers(SHIFT_NUMBER).refined().says("Shifts a part left by a number.")
        .examples(&[("VSHL.UD.U8.U16.MRG_16H R0, R0, 0x0, R0;", 0x07e0_5700_0000_0007_0000)]),
    row("VSHR", 0x5604, 0xff04, &[DEST_CC, FIRST, SECOND_REG, REG_C], vshr).modifiers(SHIFT).refined().says("Shifts a part right, then merges with the third source.")
        .examples(&[("VSHR.UD.U8.U8.W.MRG_16H R0, R0, R0, R0;", 0x07e0_5606_0000_0007_0000)]),
    row("VSHR", 0x5600, 0xff04, &[DEST_CC, FIRST, PLAIN_NUMBER, REG_C], vshr).modifiers(SHIFT_NUMBER).refined().says("Shifts a part right by a number.")
        .examples(&[("VSHR.UD.U8.U16.SAT.MRG_16H R0, R0, 0x0, R0;", 0x07e0_5680_0000_0007_0000)]),
];
