//! Arithmetic and comparison of pairs of binary16, one in each half of a register.

use super::half_values::{hadd2, hfma2, hmul2, hset2, hsetp2};
use super::{BOOLEAN, FLOAT_COMPARISONS, choice, flag, row};
use crate::Maxwell;
use crate::attr::{self, Attr};
use crate::operand::{
    A, B, BANK, C, Constant, D, DEST, FloatNumber, LOW, Merged, PRED_P, PRED_Q, PRED_R, REUSE_A, REUSE_B,
    REUSE_C, Same, Source, operand,
};
use shisa_ir::Scalar;
use shisa_rows::{Field, Form, Modifier, Operand};

const LATE: Attr = attr::HALF.late();
/// Without a fourth slot in the operand cache.
const LATE3: Attr = LATE.with_reuse3(false);

/// What is written: both halves, the sum as a float, one half beside what was there.
const WRITTEN: Modifier = choice(49, 2, &["", ".F32", ".MRG_H0", ".MRG_H1"]);
const FLUSHED: &[&str] = &["", ".FTZ", ".FMZ", ".INVALID"];
/// The same, where nvdisasm has another name for what does not exist.
const FLUSHED_CONST: &[&str] = &["", ".FTZ", ".FMZ", ".INVALIDFMZ3"];
const SAT: Modifier = flag(52, &["", ".SAT"]);
const SAT_REG: Modifier = flag(32, &["", ".SAT"]);
const ADD: &[Modifier] = &[WRITTEN, flag(39, &["", ".FTZ"]), SAT];
const ADD_REG: &[Modifier] = &[WRITTEN, flag(39, &["", ".FTZ"]), SAT_REG];
const MULTIPLY: &[Modifier] = &[WRITTEN, choice(39, 2, FLUSHED), SAT];
const MULTIPLY_REG: &[Modifier] = &[WRITTEN, choice(39, 2, FLUSHED), SAT_REG];
const FMA: &[Modifier] = &[WRITTEN, choice(57, 2, FLUSHED), SAT];
const FMA_CONST: &[Modifier] = &[WRITTEN, choice(57, 2, FLUSHED_CONST), SAT];
const FMA_REG: &[Modifier] = &[WRITTEN, choice(37, 2, FLUSHED), SAT_REG];
/// Which comparison.
const COMPARISON: Field = Field::at(49, 4);
/// The same, where both sources are registers.
const COMPARISON_REG: Field = Field::at(35, 4);
const COMPARES: Modifier = Modifier::new(COMPARISON, FLOAT_COMPARISONS);
const COMPARES_REG: Modifier = Modifier::new(COMPARISON_REG, FLOAT_COMPARISONS);
const JOINED_SET: &[&str] = &[".AND", ".OR", ".XOR", ".???3"];
const SET: &[Modifier] =
    &[flag(53, &["", ".BF"]), COMPARES, flag(54, &["", ".FTZ"]), choice(45, 2, JOINED_SET)];
const SET_REG: &[Modifier] =
    &[flag(49, &["", ".BF"]), COMPARES_REG, flag(50, &["", ".FTZ"]), choice(45, 2, JOINED_SET)];
const SETP: &[Modifier] = &[COMPARES, flag(53, &["", ".H_AND"]), flag(6, &["", ".FTZ"]), BOOLEAN];
const SETP_REG: &[Modifier] = &[COMPARES_REG, flag(49, &["", ".H_AND"]), flag(6, &["", ".FTZ"]), BOOLEAN];

const FACTOR: Source = Source { absolute: false, ..Source::HALVES };
const PLAIN: Source = FACTOR.positive();
const MAGNITUDE: Source = Source::HALVES.positive();
/// Constants have no parts: they are floats of 32 bits for both halves. So tests that others ran on the hardware
/// found: a constant of two halves equals neither of them.
const CONSTANT: Constant = Constant::of(Source::FLOAT);

const MERGED: Operand<Maxwell> = operand(D, Field::at(0, 8), &Merged::HALF);
/// First source with sign and magnitude.
const SIGNED_A: Operand<Maxwell> =
    operand(A, Field::at(8, 8).then(43, 2).then(47, 2).then(REUSE_A, 1), &Source::HALVES);
/// First source with magnitude.
const MAGNITUDE_A: Operand<Maxwell> =
    operand(A, Field::at(8, 8).then(44, 1).then(47, 2).then(REUSE_A, 1), &MAGNITUDE);
/// First source as it is.
const PLAIN_A: Operand<Maxwell> = operand(A, Field::at(8, 8).then(47, 2).then(REUSE_A, 1), &PLAIN);
/// First source before two whole numbers.
const WHOLE_A: Operand<Maxwell> = operand(A, Field::at(8, 8).then(53, 2).then(REUSE_A, 1), &PLAIN);
/// First source of a sum with two whole numbers.
const WHOLE_SUM_A: Operand<Maxwell> =
    operand(A, Field::at(8, 8).then(56, 1).then(53, 2).then(REUSE_A, 1), &FACTOR);
/// Second source of a sum: its slot in the operand cache is the third.
const SUMMAND_B: Operand<Maxwell> =
    operand(B, Field::at(20, 8).then(31, 1).then(30, 1).then(28, 2).then(REUSE_C, 1), &Source::HALVES);
const SIGNED_B: Operand<Maxwell> =
    operand(B, Field::at(20, 8).then(31, 1).then(30, 1).then(28, 2).then(REUSE_B, 1), &Source::HALVES);
const FACTOR_B: Operand<Maxwell> =
    operand(B, Field::at(20, 8).then(31, 1).then(28, 2).then(REUSE_B, 1), &FACTOR);
/// Addend after two registers.
const ADDEND_C: Operand<Maxwell> =
    operand(C, Field::at(39, 8).then(30, 1).then(35, 2).then(REUSE_C, 1), &FACTOR);
/// Addend after a constant or numbers.
const LAST_C: Operand<Maxwell> =
    operand(C, Field::at(39, 8).then(51, 1).then(53, 2).then(REUSE_C, 1), &FACTOR);
/// Second source where the third is a constant.
const FACTOR_B39: Operand<Maxwell> =
    operand(B, Field::at(39, 8).then(56, 1).then(53, 2).then(REUSE_B, 1), &FACTOR);
const ACCUMULATOR: Operand<Maxwell> = operand(C, Field::at(52, 1).then(REUSE_C, 1), &Same);
const CONST_B: Operand<Maxwell> = operand(B, BANK.then(56, 1).then(54, 1), &CONSTANT);
const CONST_PRODUCT_B: Operand<Maxwell> = operand(B, BANK.then(43, 1).then(54, 1), &CONSTANT);
const CONST_FACTOR_B: Operand<Maxwell> = operand(B, BANK.then(56, 1), &Constant::of(Source::FACTOR));
const CONST_ADDEND_C: Operand<Maxwell> = operand(C, BANK.then(51, 1), &Constant::of(Source::FACTOR));

/// The upper 10 bits of a number.
const UPPER: FloatNumber = FloatNumber { format: Scalar::F16, bits: 10, parts: &[] };
const WHOLE: FloatNumber = FloatNumber { format: Scalar::F16, bits: 16, parts: &[] };
/// The number of the upper half, then that of the lower.
const HIGH_B: Operand<Maxwell> = operand(B, Field::at(30, 9).then(56, 1), &UPPER);
const LOW_B: Operand<Maxwell> = operand(LOW, Field::at(20, 10), &UPPER);
const HIGH_WHOLE_B: Operand<Maxwell> = operand(B, Field::at(36, 16), &WHOLE);
const LOW_WHOLE_B: Operand<Maxwell> = operand(LOW, Field::at(20, 16), &WHOLE);

#[rustfmt::skip]
pub(super) const ROWS: &[Form<Maxwell>] = &[
    row("HADD2", 0x5d10, 0xfff8, &[MERGED, SIGNED_A, SUMMAND_B], hadd2).modifiers(ADD_REG).attr(LATE).says("Adds halves.")
        .examples(&[("HADD2.F32.SAT R1, -R2.F32.reuse, -|R4.H1_H1|.reuse;", 0x000a_07e0_5d12_8801_f047_0201)]),
    row("HADD2", 0x7a80, 0xfe80, &[MERGED, SIGNED_A, CONST_B], hadd2).modifiers(ADD).attr(LATE).says("Adds a constant float to both halves.")
        .examples(&[("HADD2 R1, R2, -|c[0x0][0x10]|;", 0x07e0_7bc0_0000_0047_0201)]),
    row("HADD2", 0x7a00, 0xfe80, &[MERGED, SIGNED_A, HIGH_B, LOW_B], hadd2).modifiers(ADD).attr(LATE).says("Adds two numbers.")
        .examples(&[("HADD2.MRG_H1.SAT R1, R2.F32, 1, 1;", 0x07e0_7a16_803c_0f07_0201)]),
    row("HMUL2", 0x5d08, 0xfff8, &[MERGED, MAGNITUDE_A, SIGNED_B], hmul2).modifiers(MULTIPLY_REG).attr(LATE).says("Multiplies halves.")
        .examples(&[("HMUL2.FTZ R1, R2.H0_H0, -R4;", 0x07e0_5d09_0080_8047_0201)]),
    row("HMUL2", 0x7880, 0xfe80, &[MERGED, MAGNITUDE_A, CONST_PRODUCT_B], hmul2).modifiers(MULTIPLY).attr(LATE).says("Multiplies both halves by a constant float.")
        .examples(&[("HMUL2 R1, R2, -c[0x0][0x10];", 0x07e0_7880_0800_0047_0201)]),
    row("HMUL2", 0x7800, 0xfe80, &[MERGED, SIGNED_A, HIGH_B, LOW_B], hmul2).modifiers(MULTIPLY).attr(LATE).says("Multiplies by two numbers.")
        .examples(&[("HMUL2.MRG_H0.FMZ R1, R2, 1, 1;", 0x07e0_7804_013c_0f07_0201)]),
    row("HFMA2", 0x5d00, 0xfff8, &[MERGED, PLAIN_A, FACTOR_B, ADDEND_C], hfma2).modifiers(FMA_REG).attr(LATE).says("Multiplies halves and adds, rounding once.")
        .examples(&[("HFMA2.F32 R1, R2, R4.H1_H1, -R3;", 0x07e0_5d02_0180_7047_0201)]),
    row("HFMA2", 0x7080, 0xf880, &[MERGED, PLAIN_A, CONST_FACTOR_B, LAST_C], hfma2).modifiers(FMA).attr(LATE).says("Multiplies both halves by a constant float and adds, rounding once.")
        .examples(&[("HFMA2 R1, R2, -c[0x0][0x10], -R3;", 0x07e0_7188_0180_0047_0201)]),
    row("HFMA2", 0x6080, 0xf880, &[MERGED, PLAIN_A, FACTOR_B39, CONST_ADDEND_C], hfma2).modifiers(FMA_CONST).attr(LATE3).says("Multiplies halves and adds a constant float to both, rounding once.")
        .examples(&[("HFMA2 R1, R2, -R3.H1_H1, -c[0x0][0x10];", 0x07e0_61e8_0180_0047_0201)]),
    row("HFMA2", 0x7000, 0xf880, &[MERGED, PLAIN_A, HIGH_B, LOW_B, LAST_C], hfma2).modifiers(FMA).attr(LATE).says("Multiplies by two numbers and adds, rounding once.")
        .examples(&[("HFMA2.FTZ.SAT R1, R2, 1, 1, -R3;", 0x07e0_7218_01bc_0f07_0201)]),
    row("HADD2_32I", 0x2c00, 0xfe00, &[DEST, WHOLE_SUM_A, HIGH_WHOLE_B, LOW_WHOLE_B], hadd2).modifiers(&[flag(55, &["", ".FTZ"]), SAT]).attr(LATE).says("Adds two numbers of 16 bits.")
        .examples(&[("HADD2_32I R1, -R2.H0_H0, 1, 2.1171875;", 0x07e0_2d43_c004_03c7_0201)]),
    row("HMUL2_32I", 0x2a00, 0xfe00, &[DEST, WHOLE_A, HIGH_WHOLE_B, LOW_WHOLE_B], hmul2).modifiers(&[choice(55, 2, FLUSHED), SAT]).attr(LATE).says("Multiplies by two numbers of 16 bits.")
        .examples(&[("HMUL2_32I R1, R2, 1, 2.1171875;", 0x07e0_2a03_c004_03c7_0201)]),
    row("HFMA2_32I", 0x2800, 0xfe00, &[DEST, WHOLE_A, HIGH_WHOLE_B, LOW_WHOLE_B, ACCUMULATOR], hfma2).modifiers(&[choice(55, 2, FLUSHED_CONST)]).attr(LATE3).says("Multiplies by two numbers of 16 bits and adds to the destination, rounding once.")
        .examples(&[("HFMA2_32I R1, R2, 1, 2.1171875, -R1;", 0x07e0_2813_c004_03c7_0201)]),
    row("HSET2", 0x5d18, 0xfff8, &[DEST, SIGNED_A, SIGNED_B, PRED_R], |l| hset2(l, COMPARISON_REG)).modifiers(SET_REG).attr(LATE).says("Compares halves, and writes all bits or 1.0 in each half where that and the predicate hold.")
        .examples(&[("HSET2.BF.LT.AND R1, R2, R4, PT;", 0x07e0_5d1a_0388_0047_0201)]),
    row("HSET2", 0x7c80, 0xfe80, &[DEST, SIGNED_A, CONST_FACTOR_B, PRED_R], |l| hset2(l, COMPARISON)).modifiers(SET).attr(LATE).says("Compares with a constant float, and writes all bits or 1.0 in each half where that and the predicate hold.")
        .examples(&[("HSET2.GT.AND R1, R2, -c[0x0][0x10], PT;", 0x07e0_7d88_0380_0047_0201)]),
    row("HSET2", 0x7c00, 0xfe80, &[DEST, SIGNED_A, HIGH_B, LOW_B, PRED_R], |l| hset2(l, COMPARISON)).modifiers(SET).attr(LATE).says("Compares with two numbers, and writes all bits or 1.0 in each half where that and the predicate hold.")
        .examples(&[("HSET2.LT.AND R1, R2, 1, 1, PT;", 0x07e0_7c02_03bc_0f07_0201)]),
    row("HSETP2", 0x5d20, 0xfff8, &[PRED_P, PRED_Q, SIGNED_A, SIGNED_B, PRED_R], |l| hsetp2(l, COMPARISON_REG)).modifiers(SETP_REG).attr(LATE3).says("Compares halves, and combines both results, or their conjunction and its opposite, with a predicate.")
        .examples(&[("HSETP2.LT.H_AND.AND P0, P1, R2, R4, PT;", 0x07e0_5d22_0388_0047_0201)]),
    row("HSETP2", 0x7e80, 0xfe80, &[PRED_P, PRED_Q, SIGNED_A, CONST_B, PRED_R], |l| hsetp2(l, COMPARISON)).modifiers(SETP).attr(LATE3).says("Compares with a constant float, and combines the results with a predicate.")
        .examples(&[("HSETP2.GT.AND P0, P1, R2, -|c[0x0][0x10]|, PT;", 0x07e0_7fc8_0380_0047_0201)]),
    row("HSETP2", 0x7e00, 0xfe80, &[PRED_P, PRED_Q, SIGNED_A, HIGH_B, LOW_B, PRED_R], |l| hsetp2(l, COMPARISON)).modifiers(SETP).attr(LATE3).says("Compares with two numbers, and combines the results with a predicate.")
        .examples(&[("HSETP2.LT.H_AND.AND P0, P1, R2, 1, 1, PT;", 0x07e0_7e22_03bc_0f07_0201)]),
];
