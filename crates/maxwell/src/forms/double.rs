//! Binary64 arithmetic and comparison. Every operand is a pair of registers.

use super::float_values::{fadd, ffma, fmnmx, fmul, fset, fsetp};
use super::{BOOLEAN, FLOAT_COMPARISONS, flag, rounding, row};
use crate::Maxwell;
use crate::attr::{self, Attr};
use crate::operand::{
    A, B, BANK, C, Constant, D, DEST_CC, Dest, FloatNumber, IMMEDIATE, PRED_P, PRED_Q, PRED_R, REUSE_A,
    REUSE_B, REUSE_C, Source, Span, operand,
};
use shisa_ir::Scalar;
use shisa_rows::{Field, Form, Modifier, Operand};

/// Sums and products have no fourth slot in the operand cache.
const ARITHMETIC: Attr = attr::DOUBLE.with_reuse3(false);

const ROUNDED: &[Modifier] = &[rounding(39)];
const FMA: &[Modifier] = &[rounding(50)];
/// Which comparison.
const COMPARISON: Field = Field::at(48, 4);
const COMPARES: Modifier = Modifier::new(COMPARISON, FLOAT_COMPARISONS);
const SET: &[Modifier] = &[flag(52, &["", ".BF"]), COMPARES, BOOLEAN];
const SET_PREDICATE: &[Modifier] = &[COMPARES, BOOLEAN];

const DOUBLE: FloatNumber = FloatNumber::upper(Scalar::F64);
const CONSTANT: Constant = Constant::of(Source::DOUBLE);
const CONST_FACTOR: Constant = Constant::of(Source::DOUBLE_FACTOR);
const POSITIVE: Source = Source::DOUBLE_FACTOR.positive();

const DEST2_CC: Operand<Maxwell> =
    operand(D, Field::at(0, 8).then(47, 1), &Dest { codes: true, span: Span::Two });
const SUM_A: Operand<Maxwell> =
    operand(A, Field::at(8, 8).then(48, 1).then(46, 1).then(REUSE_A, 1), &Source::DOUBLE);
const SUM_B: Operand<Maxwell> =
    operand(B, Field::at(20, 8).then(45, 1).then(49, 1).then(REUSE_C, 1), &Source::DOUBLE);
const CONST_B: Operand<Maxwell> = operand(B, BANK.then(45, 1).then(49, 1), &CONSTANT);
const IMM_B: Operand<Maxwell> = operand(B, IMMEDIATE.then(45, 1).then(49, 1), &DOUBLE);
/// Sources of DMNMX.
const LESS_A: Operand<Maxwell> = operand(A, Field::at(8, 8).then(48, 1).then(46, 1), &Source::DOUBLE);
const LESS_B: Operand<Maxwell> = operand(B, Field::at(20, 8).then(45, 1).then(49, 1), &Source::DOUBLE);
const FACTOR_A: Operand<Maxwell> = operand(A, Field::at(8, 8).then(REUSE_A, 1), &POSITIVE);
const FACTOR_B: Operand<Maxwell> =
    operand(B, Field::at(20, 8).then(48, 1).then(REUSE_B, 1), &Source::DOUBLE_FACTOR);
const CONST_FACTOR_B: Operand<Maxwell> = operand(B, BANK.then(48, 1), &CONST_FACTOR);
const FACTOR_IMM_B: Operand<Maxwell> = operand(B, IMMEDIATE.then(48, 1), &DOUBLE);
const ADDEND_C: Operand<Maxwell> =
    operand(C, Field::at(39, 8).then(49, 1).then(REUSE_C, 1), &Source::DOUBLE_FACTOR);
/// Second source where the third is a constant.
const FACTOR_B39: Operand<Maxwell> =
    operand(B, Field::at(39, 8).then(48, 1).then(REUSE_B, 1), &Source::DOUBLE_FACTOR);
const CONST_ADDEND_C: Operand<Maxwell> = operand(C, BANK.then(49, 1), &CONST_FACTOR);
/// Sources of DSET.
const SET_A: Operand<Maxwell> = operand(A, Field::at(8, 8).then(43, 1).then(54, 1), &Source::DOUBLE);
const SET_B: Operand<Maxwell> = operand(B, Field::at(20, 8).then(53, 1).then(44, 1), &Source::DOUBLE);
const SET_CONST_B: Operand<Maxwell> = operand(B, BANK.then(53, 1).then(44, 1), &CONSTANT);
const SET_IMM_B: Operand<Maxwell> = operand(B, IMMEDIATE.then(53, 1).then(44, 1), &DOUBLE);
/// Sources of DSETP, whose predicates leave two bits.
const SETP_A: Operand<Maxwell> = operand(A, Field::at(8, 8).then(43, 1).then(7, 1), &Source::DOUBLE);
const SETP_B: Operand<Maxwell> = operand(B, Field::at(20, 8).then(6, 1).then(44, 1), &Source::DOUBLE);
const SETP_CONST_B: Operand<Maxwell> = operand(B, BANK.then(6, 1).then(44, 1), &CONSTANT);
const SETP_IMM_B: Operand<Maxwell> = operand(B, IMMEDIATE.then(6, 1).then(44, 1), &DOUBLE);

const DADD_TIMING: Attr = ARITHMETIC.reads(6, 30_490);
const DMUL_TIMING: Attr = ARITHMETIC.reads(6, 17_655);
const DFMA_TIMING: Attr = ARITHMETIC.reads(6, 33_376);
const DMNMX_TIMING: Attr = attr::DOUBLE.reads(4, 314);
const DSET_TIMING: Attr = attr::DOUBLE.reads(4, 3_398);
const DSETP_TIMING: Attr = attr::DOUBLE.reads(4, 28_948);

#[rustfmt::skip]
pub(super) const ROWS: &[Form<Maxwell>] = &[
    row("DADD", 0x5c70, 0xfff8, &[DEST2_CC, SUM_A, SUM_B], fadd).modifiers(ROUNDED).attr(DADD_TIMING).says("Adds doubles.")
        .examples(&[("DADD.RM R2, -R2, R4.reuse;", 0x0008_07e0_5c71_0080_0047_0202)]),
    row("DADD", 0x4c70, 0xfff8, &[DEST2_CC, SUM_A, CONST_B], fadd).modifiers(ROUNDED).attr(DADD_TIMING).says("Adds a constant double.")
        .examples(&[("DADD R2, R2, -|c[0x0][0x10]|;", 0x07e0_4c72_2000_0047_0202)]),
    row("DADD", 0x3870, 0xfef8, &[DEST2_CC, SUM_A, IMM_B], fadd).modifiers(ROUNDED).attr(DADD_TIMING).says("Adds a number to a double.")
        .examples(&[("DADD R2, R2, -1.5;", 0x07e0_3970_003f_f807_0202)]),
    row("DMUL", 0x5c80, 0xfff8, &[DEST2_CC, FACTOR_A, FACTOR_B], fmul).modifiers(ROUNDED).attr(DMUL_TIMING).says("Multiplies doubles.")
        .examples(&[("DMUL R2, R2, -R4;", 0x07e0_5c81_0000_0047_0202)]),
    row("DMUL", 0x4c80, 0xfff8, &[DEST2_CC, FACTOR_A, CONST_FACTOR_B], fmul).modifiers(ROUNDED).attr(DMUL_TIMING).says("Multiplies a double by a constant.")
        .examples(&[("DMUL R2.CC, R2, c[0x0][0x10];", 0x07e0_4c80_8000_0047_0202)]),
    row("DMUL", 0x3880, 0xfef8, &[DEST2_CC, FACTOR_A, FACTOR_IMM_B], fmul).modifiers(ROUNDED).attr(DMUL_TIMING).says("Multiplies a double by a number.")
        .examples(&[("DMUL R2, R2, 1.5.NEG;", 0x07e0_3881_003f_f807_0202)]),
    row("DFMA", 0x5b70, 0xfff0, &[DEST2_CC, FACTOR_A, FACTOR_B, ADDEND_C], ffma).modifiers(FMA).attr(DFMA_TIMING).says("Multiplies doubles and adds, rounding once.")
        .examples(&[("DFMA R2, R2, -R4, -R6;", 0x07e0_5b73_0300_0047_0202)]),
    row("DFMA", 0x4b70, 0xfff0, &[DEST2_CC, FACTOR_A, CONST_FACTOR_B, ADDEND_C], ffma).modifiers(FMA).attr(DFMA_TIMING).says("Multiplies a double by a constant and adds, rounding once.")
        .examples(&[("DFMA.RM R2, R2, -c[0x0][0x10], R6;", 0x07e0_4b75_0300_0047_0202)]),
    row("DFMA", 0x5370, 0xfff0, &[DEST2_CC, FACTOR_A, FACTOR_B39, CONST_ADDEND_C], ffma).modifiers(FMA).attr(DFMA_TIMING).says("Multiplies doubles and adds a constant, rounding once.")
        .examples(&[("DFMA R2, R2, R6, -c[0x0][0x10];", 0x07e0_5372_0300_0047_0202)]),
    row("DFMA", 0x3670, 0xfef0, &[DEST2_CC, FACTOR_A, FACTOR_IMM_B, ADDEND_C], ffma).modifiers(FMA).attr(DFMA_TIMING).says("Multiplies a double by a number and adds, rounding once.")
        .examples(&[("DFMA R2, R2, 1.5, R6;", 0x07e0_3670_033f_f807_0202)]),
    row("DMNMX", 0x5c50, 0xfff8, &[DEST2_CC, LESS_A, LESS_B, PRED_R], fmnmx).attr(DMNMX_TIMING).says("Takes the smaller double, or the larger where the predicate does not hold.")
        .examples(&[("DMNMX R2, -|R2|, R4, PT;", 0x07e0_5c51_4380_0047_0202)]),
    row("DMNMX", 0x4c50, 0xfff8, &[DEST2_CC, LESS_A, CONST_B, PRED_R], fmnmx).attr(DMNMX_TIMING).says("Takes the smaller of a double and a constant, or the larger.")
        .examples(&[("DMNMX R2, R2, c[0x0][0x10], !PT;", 0x07e0_4c50_0780_0047_0202)]),
    row("DMNMX", 0x3850, 0xfef8, &[DEST2_CC, LESS_A, IMM_B, PRED_R], fmnmx).attr(DMNMX_TIMING).says("Takes the smaller of a double and a number, or the larger.")
        .examples(&[("DMNMX R2, R2, 1.5, !PT;", 0x07e0_3850_07bf_f807_0202)]),
    row("DSET", 0x5900, 0xff80, &[DEST_CC, SET_A, SET_B, PRED_R], |l| fset(l, COMPARISON)).modifiers(SET).attr(DSET_TIMING).says("Compares doubles, and writes all bits or 1.0 where that and the predicate hold.")
        .examples(&[("DSET.BF.LT.AND R1, R2, R4, PT;", 0x07e0_5911_0380_0047_0201)]),
    row("DSET", 0x4900, 0xff80, &[DEST_CC, SET_A, SET_CONST_B, PRED_R], |l| fset(l, COMPARISON)).modifiers(SET).attr(DSET_TIMING).says("Compares a double with a constant, and writes all bits or 1.0 where that and the predicate hold.")
        .examples(&[("DSET.GT.AND R1, |R2|, -c[0x0][0x10], PT;", 0x07e0_4964_0380_0047_0201)]),
    row("DSET", 0x3200, 0xfe80, &[DEST_CC, SET_A, SET_IMM_B, PRED_R], |l| fset(l, COMPARISON)).modifiers(SET).attr(DSET_TIMING).says("Compares a double with a number, and writes all bits or 1.0 where that and the predicate hold.")
        .examples(&[("DSET.LE.AND R1, R2, 1.5, PT;", 0x07e0_3203_03bf_f807_0201)]),
    row("DSETP", 0x5b80, 0xfff0, &[PRED_P, PRED_Q, SETP_A, SETP_B, PRED_R], |l| fsetp(l, COMPARISON)).modifiers(SET_PREDICATE).attr(DSETP_TIMING).says("Compares doubles, and combines the result and its opposite with a predicate.")
        .examples(&[("DSETP.LT.AND P0, PT, R2, -R4, PT;", 0x07e0_5b81_0380_0047_0247)]),
    row("DSETP", 0x4b80, 0xfff0, &[PRED_P, PRED_Q, SETP_A, SETP_CONST_B, PRED_R], |l| fsetp(l, COMPARISON)).modifiers(SET_PREDICATE).attr(DSETP_TIMING).says("Compares a double with a constant, and combines the result and its opposite with a predicate.")
        .examples(&[("DSETP.GT.AND P0, PT, |R2|, c[0x0][0x10], PT;", 0x07e0_4b84_0380_0047_0287)]),
    row("DSETP", 0x3680, 0xfef0, &[PRED_P, PRED_Q, SETP_A, SETP_IMM_B, PRED_R], |l| fsetp(l, COMPARISON)).modifiers(SET_PREDICATE).attr(DSETP_TIMING).says("Compares a double with a number, and combines the result and its opposite with a predicate.")
        .examples(&[("DSETP.GEU.AND P0, PT, R2, 1.5, PT;", 0x07e0_368e_03bf_f807_0207)]),
];
