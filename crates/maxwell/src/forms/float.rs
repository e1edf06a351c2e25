//! Binary32 arithmetic.

use super::{ROUNDING, choice, flag, row};
use crate::Maxwell;
use crate::operand::{
    A, ADDEND_C, B, C, CONST_FACTOR_B, CONST_FLOAT_B, D, DEST_CC, FACTOR_A, FACTOR_B, FACTOR_IMM_B, FLOAT_A,
    FLOAT_B, FLOAT_IMM_B, MaxwellLift, refuse_codes,
};
use shisa_ir::{Convert, Scalar};
use shisa_rows::{Form, Modifier};

const ADD: &[Modifier] = &[flag(44, &["", ".FTZ"]), choice(39, 2, ROUNDING), flag(50, &["", ".SAT"])];
const FMA: &[Modifier] =
    &[choice(53, 2, &["", ".FTZ", ".FMZ", ".INVALIDFMZ3"]), choice(51, 2, ROUNDING), flag(50, &["", ".SAT"])];

#[rustfmt::skip]
pub(super) const ROWS: &[Form<Maxwell>] = &[
    row("FADD", 0x5c58, 0xfff8, &[DEST_CC, FLOAT_A, FLOAT_B], fadd).modifiers(ADD).says("Adds.")
        .examples(&[("FADD R2, R3.reuse, R0;", 0x0002_07e0_5c58_0000_0007_0302), ("@P0 FADD.FTZ R1, -|R2|, |R3|;", 0x07e0_5c5b_5000_0030_0201)]),
    row("FADD", 0x4c58, 0xfff8, &[DEST_CC, FLOAT_A, CONST_FLOAT_B], fadd).modifiers(ADD).says("Adds a constant.")
        .examples(&[("@P5 FADD.RZ R144.CC, R56, |c[0xb][-0x3500]|;", 0x07e0_4c5a_81af_2c05_3890)]),
    row("FADD", 0x3858, 0xfef8, &[DEST_CC, FLOAT_A, FLOAT_IMM_B], fadd).modifiers(ADD).says("Adds a number.")
        .examples(&[("@!P6 FADD.FTZ.RM.SAT R104, |R89|, 1.00534755201717056307e+22.NEG.ABS;", 0x07e0_385e_70e4_084e_5968), ("@P5 FADD R52, R80, -6.3796429407827187632e-33.NEG;", 0x07e0_3958_200a_0485_5034)]),
    row("FFMA", 0x5980, 0xff80, &[DEST_CC, FACTOR_A, FACTOR_B, ADDEND_C], ffma).modifiers(FMA).says("Multiplies and adds, rounding once.")
        .examples(&[("FFMA R2, R3, R3, R2;", 0x07e0_5980_0100_0037_0302)]),
    row("FFMA", 0x3280, 0xfe80, &[DEST_CC, FACTOR_A, FACTOR_IMM_B, ADDEND_C], ffma).modifiers(FMA).says("Multiplies by a number and adds, rounding once.")
        .examples(&[("FFMA.FTZ R12, R9, -2, R11;", 0x07e0_33a0_05c0_0007_090c)]),
    row("FFMA", 0x4980, 0xff80, &[DEST_CC, FACTOR_A, CONST_FACTOR_B, ADDEND_C], ffma).modifiers(FMA).says("Multiplies by a constant and adds, rounding once.")
        .examples(&[("FFMA.FTZ.SAT R1, R2.reuse, c[0x2][0x80], R4;", 0x0002_07e0_49a4_0208_0207_0201)]),
];

fn fadd(l: &mut MaxwellLift<'_, '_>) {
    let (a, b) = (l.src(A), l.src(B));
    let sum = l.fadd(a, b);
    refuse_codes(l);
    let bits = l.convert(Convert::Bits, sum, Scalar::I32);
    l.set(D, bits);
}

fn ffma(l: &mut MaxwellLift<'_, '_>) {
    let (a, b, c) = (l.src(A), l.src(B), l.src(C));
    let sum = l.fma(a, b, c);
    refuse_codes(l);
    let bits = l.convert(Convert::Bits, sum, Scalar::I32);
    l.set(D, bits);
}
