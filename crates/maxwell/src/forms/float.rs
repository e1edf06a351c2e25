//! Binary32 arithmetic and comparison.

use super::float_values::{fadd, fcmp, ffma, fmnmx, fmul, fmul_scaled, fset, fsetp, fswzadd};
use super::functions::{fchk, mufu, rro};
use super::{BOOLEAN, FLOAT_COMPARISONS, choice, flag, rounding, row};
use crate::Maxwell;
use crate::attr::VARIABLE;
use crate::operand::{
    A, ADDEND_C, B, BANK, C, CONST_B, CONST_C, CONST_FACTOR_B, CONST_FLOAT_B, Constant, D, DEST, DEST_CC,
    Dest, FACTOR_A, FACTOR_B, FACTOR_IMM_B, FLOAT_A, FLOAT_B, FLOAT_IMM_B, FloatNumber, IMMEDIATE, PRED_P,
    PRED_Q, PRED_R, REG_A, REG_B, REG_B39, REG_C, REUSE_A, REUSE_B, REUSE_C, SUMMAND_B, Same, Signs, Source,
    Span, TABLE, operand,
};
use shisa_ir::Scalar;
use shisa_rows::{Field, Form, Modifier, Operand};

const SAT: Modifier = flag(50, &["", ".SAT"]);
const FLUSHED: &[&str] = &["", ".FTZ", ".FMZ", ".INVALIDFMZ3"];
const ADD: &[Modifier] = &[flag(44, &["", ".FTZ"]), rounding(39), SAT];
const FMA: &[Modifier] = &[choice(53, 2, FLUSHED), rounding(51), SAT];
const SCALES: &[&str] = &["", ".D2", ".D4", ".D8", ".M8", ".M4", ".M2", ".INVALIDSCALE37"];
/// By which power of two a product is scaled.
const SCALE: Field = Field::at(41, 3);
const MULTIPLY: &[Modifier] = &[choice(44, 2, FLUSHED), Modifier::new(SCALE, SCALES), rounding(39), SAT];
const WHOLE: &[Modifier] = &[choice(53, 2, FLUSHED), flag(55, &["", ".SAT"])];
/// Which comparison.
const COMPARISON: Field = Field::at(48, 4);
/// "Greater" is not written.
const CHOOSE: &[Modifier] = &[
    choice(
        48,
        4,
        &[
            ".F", ".LT", ".EQ", ".LE", "", ".NE", ".GE", ".NUM", ".NAN", ".LTU", ".EQU", ".LEU", ".GTU",
            ".NEU", ".GEU", ".T",
        ],
    )
    .unwritten(".GT"),
    flag(47, &["", ".FTZ"]),
];
const SET: &[Modifier] =
    &[flag(52, &["", ".BF"]), choice(48, 4, FLOAT_COMPARISONS), flag(55, &["", ".FTZ"]), BOOLEAN];
const SET_PREDICATE: &[Modifier] = &[choice(48, 4, FLOAT_COMPARISONS), flag(47, &["", ".FTZ"]), BOOLEAN];
/// Which function.
const COMPUTED: Field = Field::at(20, 4);
#[rustfmt::skip]
const FUNCTION: &[Modifier] = &[Modifier::new(COMPUTED, &[
    ".COS", ".SIN", ".EX2", ".LG2", ".RCP", ".RSQ", ".RCP64H", ".RSQ64H", ".SQRT",
    ".INVALIDMUFUOPCODE9", ".INVALIDMUFUOPCODEA", ".INVALIDMUFUOPCODEB", ".INVALIDMUFUOPCODEC",
    ".INVALIDMUFUOPCODED", ".INVALIDMUFUOPCODEE", ".INVALIDMUFUOPCODEF",
]), SAT];
/// Without the square root.
#[rustfmt::skip]
const OLDER_FUNCTION: &[Modifier] = &[choice(20, 4, &[
    ".COS", ".SIN", ".EX2", ".LG2", ".RCP", ".RSQ", ".RCP64H", ".RSQ64H", ".INVALIDMUFUOPCODE8",
    ".INVALIDMUFUOPCODE9", ".INVALIDMUFUOPCODEA", ".INVALIDMUFUOPCODEB", ".INVALIDMUFUOPCODEC",
    ".INVALIDMUFUOPCODED", ".INVALIDMUFUOPCODEE", ".INVALIDMUFUOPCODEF",
]), SAT];
/// For which function a range is reduced.
const REDUCED: Field = Field::at(39, 1);
const RANGE: &[Modifier] = &[Modifier::new(REDUCED, &[".SINCOS", ".EX2"])];
const SWIZZLED: &[Modifier] = &[flag(44, &["", ".FTZ"]), rounding(39), flag(38, &["", ".NDV"])];

/// What FCHK looks for; only division exists.
const CHECKED: Field = Field::at(39, 6);
#[rustfmt::skip]
const CHECK: &[Modifier] = &[Modifier::new(CHECKED, &[
    ".DIVIDE",
    ".INVALIDCHKMODE1", ".INVALIDCHKMODE2", ".INVALIDCHKMODE3", ".INVALIDCHKMODE4", ".INVALIDCHKMODE5", ".INVALIDCHKMODE6", ".INVALIDCHKMODE7",
    ".INVALIDCHKMODE8", ".INVALIDCHKMODE9", ".INVALIDCHKMODE10", ".INVALIDCHKMODE11", ".INVALIDCHKMODE12", ".INVALIDCHKMODE13", ".INVALIDCHKMODE14",
    ".INVALIDCHKMODE15", ".INVALIDCHKMODE16", ".INVALIDCHKMODE17", ".INVALIDCHKMODE18", ".INVALIDCHKMODE19", ".INVALIDCHKMODE20", ".INVALIDCHKMODE21",
    ".INVALIDCHKMODE22", ".INVALIDCHKMODE23", ".INVALIDCHKMODE24", ".INVALIDCHKMODE25", ".INVALIDCHKMODE26", ".INVALIDCHKMODE27", ".INVALIDCHKMODE28",
    ".INVALIDCHKMODE29", ".INVALIDCHKMODE30", ".INVALIDCHKMODE31", ".INVALIDCHKMODE32", ".INVALIDCHKMODE33", ".INVALIDCHKMODE34", ".INVALIDCHKMODE35",
    ".INVALIDCHKMODE36", ".INVALIDCHKMODE37", ".INVALIDCHKMODE38", ".INVALIDCHKMODE39", ".INVALIDCHKMODE40", ".INVALIDCHKMODE41", ".INVALIDCHKMODE42",
    ".INVALIDCHKMODE43", ".INVALIDCHKMODE44", ".INVALIDCHKMODE45", ".INVALIDCHKMODE46", ".INVALIDCHKMODE47", ".INVALIDCHKMODE48", ".INVALIDCHKMODE49",
    ".INVALIDCHKMODE50", ".INVALIDCHKMODE51", ".INVALIDCHKMODE52", ".INVALIDCHKMODE53", ".INVALIDCHKMODE54", ".INVALIDCHKMODE55", ".INVALIDCHKMODE56",
    ".INVALIDCHKMODE57", ".INVALIDCHKMODE58", ".INVALIDCHKMODE59", ".INVALIDCHKMODE60", ".INVALIDCHKMODE61", ".INVALIDCHKMODE62", ".INVALIDCHKMODE63",
])];

/// Second source where the third is a constant.
const FACTOR_B39: Operand<Maxwell> =
    operand(B, Field::at(39, 8).then(48, 1).then(REUSE_B, 1), &Source::FACTOR);
/// A constant as the addend.
const CONST_ADDEND_C: Operand<Maxwell> = operand(C, BANK.then(49, 1), &Constant::of(Source::FACTOR));
/// A number without changes.
const IMM_B: Operand<Maxwell> = operand(B, IMMEDIATE, &FloatNumber::upper(Scalar::F32));
/// The destination of operations on a whole number.
const DEST_WHOLE: Operand<Maxwell> =
    operand(D, Field::at(0, 8).then(52, 1), &Dest { codes: true, span: Span::One });
/// All 32 bits of a number.
const WHOLE_NUMBER: FloatNumber = FloatNumber { format: Scalar::F32, bits: 32, parts: &[] };
const WHOLE_B: Operand<Maxwell> = operand(B, Field::at(20, 32), &WHOLE_NUMBER);
const WHOLE_SIGNED_B: Operand<Maxwell> = operand(B, Field::at(20, 32).then(53, 1).then(57, 1), &WHOLE_NUMBER);
/// First source of a sum with a whole number.
const WHOLE_SUM_A: Operand<Maxwell> =
    operand(A, Field::at(8, 8).then(56, 1).then(54, 1).then(REUSE_A, 1), &Source::FLOAT);
/// First source of a product with a whole number that is added to.
const WHOLE_FACTOR_A: Operand<Maxwell> =
    operand(A, Field::at(8, 8).then(56, 1).then(REUSE_A, 1), &Source::FACTOR);
const ACCUMULATOR: Operand<Maxwell> = operand(C, Field::at(57, 1).then(REUSE_C, 1), &Same);

/// Sources of FSET.
const SET_A: Operand<Maxwell> =
    operand(A, Field::at(8, 8).then(43, 1).then(54, 1).then(REUSE_A, 1), &Source::FLOAT);
const SET_B: Operand<Maxwell> =
    operand(B, Field::at(20, 8).then(53, 1).then(44, 1).then(REUSE_B, 1), &Source::FLOAT);
const SET_CONST_B: Operand<Maxwell> = operand(B, BANK.then(53, 1).then(44, 1), &Constant::of(Source::FLOAT));
const SET_IMM_B: Operand<Maxwell> =
    operand(B, IMMEDIATE.then(53, 1).then(44, 1), &FloatNumber::upper(Scalar::F32));
/// Sources of FSETP, whose predicates leave two bits.
const SETP_A: Operand<Maxwell> =
    operand(A, Field::at(8, 8).then(43, 1).then(7, 1).then(REUSE_A, 1), &Source::FLOAT);
const SETP_B: Operand<Maxwell> =
    operand(B, Field::at(20, 8).then(6, 1).then(44, 1).then(REUSE_B, 1), &Source::FLOAT);
const SETP_CONST_B: Operand<Maxwell> = operand(B, BANK.then(6, 1).then(44, 1), &Constant::of(Source::FLOAT));
const SETP_IMM_B: Operand<Maxwell> =
    operand(B, IMMEDIATE.then(6, 1).then(44, 1), &FloatNumber::upper(Scalar::F32));
/// The only source of a function.
const FUNCTION_A: Operand<Maxwell> = operand(A, Field::at(8, 8).then(48, 1).then(46, 1), &Source::FLOAT);
/// Which lanes of a quad add and subtract which source.
const SIGNS: Operand<Maxwell> = operand(TABLE, Field::at(28, 8), &Signs);
/// Second source of FSWZADD.
const SWIZZLED_B: Operand<Maxwell> = operand(B, Field::at(20, 8).then(REUSE_C, 1), &Source::PLAIN);

#[rustfmt::skip]
pub(super) const ROWS: &[Form<Maxwell>] = &[
    row("FADD", 0x5c58, 0xfff8, &[DEST_CC, FLOAT_A, SUMMAND_B], fadd).modifiers(ADD).says("Adds.")
        .examples(&[("FADD R2, R3.reuse, R0;", 0x0002_07e0_5c58_0000_0007_0302), ("@P0 FADD.FTZ R1, -|R2|, |R3|.reuse;", 0x0008_07e0_5c5b_5000_0030_0201)]),
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
    row("FFMA", 0x5180, 0xff80, &[DEST_CC, FACTOR_A, FACTOR_B39, CONST_ADDEND_C], ffma).modifiers(FMA).says("Multiplies and adds a constant, rounding once.")
        .examples(&[("FFMA R1, R2, -R3, -c[0x0][0x10];", 0x07e0_5183_0180_0047_0201)]),
    row("FMUL", 0x5c68, 0xfff8, &[DEST_CC, FACTOR_A, FACTOR_B], |l| fmul_scaled(l, SCALE)).modifiers(MULTIPLY).says("Multiplies.")
        .examples(&[("FMUL.D8.RZ R1, R2, -R4;", 0x07e0_5c69_0780_0047_0201)]),
    row("FMUL", 0x4c68, 0xfff8, &[DEST_CC, FACTOR_A, CONST_FACTOR_B], |l| fmul_scaled(l, SCALE)).modifiers(MULTIPLY).says("Multiplies by a constant.")
        .examples(&[("FMUL R1.CC, R2, c[0x0][0x10];", 0x07e0_4c68_8000_0047_0201)]),
    row("FMUL", 0x3868, 0xfef8, &[DEST_CC, FACTOR_A, FACTOR_IMM_B], |l| fmul_scaled(l, SCALE)).modifiers(MULTIPLY).says("Multiplies by a number.")
        .examples(&[("FMUL.FTZ.RM R1, R2, 1.NEG;", 0x07e0_3869_10bf_8007_0201)]),
    row("FADD32I", 0x0800, 0xfc00, &[DEST_WHOLE, WHOLE_SUM_A, WHOLE_SIGNED_B], fadd).modifiers(&[flag(55, &["", ".FTZ"])]).says("Adds a number of 32 bits.")
        .examples(&[("FADD32I.FTZ R1, -R2, 0.10000000149011611938.NEG;", 0x07e0_09a3_dccc_ccd7_0201)]),
    row("FFMA32I", 0x0c00, 0xfc00, &[DEST_WHOLE, WHOLE_FACTOR_A, WHOLE_B, ACCUMULATOR], ffma).modifiers(WHOLE).says("Multiplies by a number of 32 bits and adds to the destination, rounding once.")
        .examples(&[("FFMA32I R1, R2, 0.10000000149011611938, -R1;", 0x07e0_0e03_dccc_ccd7_0201)]),
    row("FMUL32I", 0x1e00, 0xff00, &[DEST_WHOLE, FACTOR_A, WHOLE_B], fmul).modifiers(WHOLE).says("Multiplies by a number of 32 bits.")
        .examples(&[("FMUL32I.FTZ R1, R2, 0.10000000149011611938;", 0x07e0_1e23_dccc_ccd7_0201)]),
    row("FMNMX", 0x5c60, 0xfff8, &[DEST_CC, FLOAT_A, FLOAT_B, PRED_R], fmnmx).modifiers(&[flag(44, &["", ".FTZ"])]).says("Takes the smaller, or the larger where the predicate does not hold.")
        .examples(&[("FMNMX.FTZ R1, -|R2|, R4, P3;", 0x07e0_5c61_5180_0047_0201)]),
    row("FMNMX", 0x4c60, 0xfff8, &[DEST_CC, FLOAT_A, CONST_FLOAT_B, PRED_R], fmnmx).modifiers(&[flag(44, &["", ".FTZ"])]).says("Takes the smaller of a register and a constant, or the larger.")
        .examples(&[("FMNMX R1, R2, c[0x0][0x10], !PT;", 0x07e0_4c60_0780_0047_0201)]),
    row("FMNMX", 0x3860, 0xfef8, &[DEST_CC, FLOAT_A, FLOAT_IMM_B, PRED_R], fmnmx).modifiers(&[flag(44, &["", ".FTZ"])]).says("Takes the smaller of a register and a number, or the larger.")
        .examples(&[("FMNMX R1, R2, 1, !PT;", 0x07e0_3860_07bf_8007_0201)]),
    row("FCMP", 0x5ba0, 0xfff0, &[DEST, REG_A, REG_B, REG_C], |l| fcmp(l, COMPARISON)).modifiers(CHOOSE).says("Takes the first source where the third compares so with zero, else the second.")
        .examples(&[("FCMP.LT R1, R2, R4, R3;", 0x07e0_5ba1_0180_0047_0201), ("FCMP R1, R2, R4, R3;", 0x07e0_5ba4_0180_0047_0201)]),
    row("FCMP", 0x4ba0, 0xfff0, &[DEST, REG_A, CONST_B, REG_C], |l| fcmp(l, COMPARISON)).modifiers(CHOOSE).says("Takes a register where the third source compares so with zero, else a constant.")
        .examples(&[("FCMP.NE.FTZ R1, R2, c[0x0][0x10], R3;", 0x07e0_4ba5_8180_0047_0201)]),
    row("FCMP", 0x53a0, 0xfff0, &[DEST, REG_A, REG_B39, CONST_C], |l| fcmp(l, COMPARISON)).modifiers(CHOOSE).says("Takes one of two registers by how a constant compares with zero.")
        .examples(&[("FCMP.GE R1, R2, R3, c[0x0][0x10];", 0x07e0_53a6_0180_0047_0201)]),
    row("FCMP", 0x36a0, 0xfef0, &[DEST, REG_A, IMM_B, REG_C], |l| fcmp(l, COMPARISON)).modifiers(CHOOSE).says("Takes a register where the third source compares so with zero, else a number.")
        .examples(&[("FCMP.LE R1, R2, 1, R3;", 0x07e0_36a3_01bf_8007_0201)]),
    row("FSET", 0x5800, 0xff00, &[DEST_CC, SET_A, SET_B, PRED_R], |l| fset(l, COMPARISON)).modifiers(SET).says("Compares, and writes all bits or 1.0 where that and the predicate hold.")
        .examples(&[("FSET.BF.LT.OR R1, R2, -R4, P3;", 0x07e0_5831_2180_0047_0201)]),
    row("FSET", 0x4800, 0xff00, &[DEST_CC, SET_A, SET_CONST_B, PRED_R], |l| fset(l, COMPARISON)).modifiers(SET).says("Compares with a constant, and writes all bits or 1.0 where that and the predicate hold.")
        .examples(&[("FSET.BF.EQ.AND R1, R2, c[0x0][0x10], PT;", 0x07e0_4812_0380_0047_0201)]),
    row("FSET", 0x3000, 0xfe00, &[DEST_CC, SET_A, SET_IMM_B, PRED_R], |l| fset(l, COMPARISON)).modifiers(SET).says("Compares with a number, and writes all bits or 1.0 where that and the predicate hold.")
        .examples(&[("FSET.BF.LE.FTZ.AND R1, R2, 1, PT;", 0x07e0_3093_03bf_8007_0201)]),
    row("FSETP", 0x5bb0, 0xfff0, &[PRED_P, PRED_Q, SETP_A, SETP_B, PRED_R], |l| fsetp(l, COMPARISON)).modifiers(SET_PREDICATE).says("Compares, and combines the result and its opposite with a predicate.")
        .examples(&[("FSETP.LT.FTZ.AND P0, PT, |R2|, -R4, PT;", 0x07e0_5bb1_8380_0047_02c7)]),
    row("FSETP", 0x4bb0, 0xfff0, &[PRED_P, PRED_Q, SETP_A, SETP_CONST_B, PRED_R], |l| fsetp(l, COMPARISON)).modifiers(SET_PREDICATE).says("Compares with a constant, and combines the result and its opposite with a predicate.")
        .examples(&[("FSETP.GT.AND P0, PT, R2, -c[0x0][0x10], PT;", 0x07e0_4bb4_0380_0047_0247)]),
    row("FSETP", 0x36b0, 0xfef0, &[PRED_P, PRED_Q, SETP_A, SETP_IMM_B, PRED_R], |l| fsetp(l, COMPARISON)).modifiers(SET_PREDICATE).says("Compares with a number, and combines the result and its opposite with a predicate.")
        .examples(&[("FSETP.LE.AND P0, PT, R2, 1, PT;", 0x07e0_36b3_03bf_8007_0207)]),
    row("FCHK", 0x5c88, 0xfff8, &[PRED_P, FLOAT_A, FLOAT_B], |l| fchk(l, CHECKED)).modifiers(CHECK).says("Determines whether a quotient needs the slow method.")
        .examples(&[("FCHK.DIVIDE P0, R2, R4;", 0x07e0_5c88_0000_0047_0200)]),
    row("FCHK", 0x4c88, 0xfff8, &[PRED_P, FLOAT_A, CONST_FLOAT_B], |l| fchk(l, CHECKED)).modifiers(CHECK).says("Determines whether a quotient by a constant needs the slow method.")
        .examples(&[("FCHK.DIVIDE P0, R2, c[0x0][0x10];", 0x07e0_4c88_0000_0047_0200)]),
    row("FCHK", 0x3888, 0xfef8, &[PRED_P, FLOAT_A, FLOAT_IMM_B], |l| fchk(l, CHECKED)).modifiers(CHECK).says("Determines whether a quotient by a number needs the slow method.")
        .examples(&[("FCHK.DIVIDE P0, R0, 1.5;", 0x07e0_3888_003f_c007_0000)]),
    row("RRO", 0x5c90, 0xfff8, &[DEST, FLOAT_B], |l| rro(l, REDUCED)).modifiers(RANGE).says("Reduces the range for MUFU.")
        .examples(&[("RRO.EX2 R1, R4;", 0x07e0_5c90_0080_0047_0001)]),
    row("RRO", 0x4c90, 0xfff8, &[DEST, CONST_FLOAT_B], |l| rro(l, REDUCED)).modifiers(RANGE).says("Reduces the range of a constant for MUFU.")
        .examples(&[("RRO.SINCOS R7, c[0x0][0x154];", 0x07e0_4c90_0000_0557_0007)]),
    row("RRO", 0x3890, 0xfef8, &[DEST, FLOAT_IMM_B], |l| rro(l, REDUCED)).modifiers(RANGE).says("Reduces the range of a number for MUFU.")
        .examples(&[("RRO.SINCOS R1, 1;", 0x07e0_3890_003f_8007_0001)]),
    row("MUFU", 0x5080, 0xfff8, &[DEST, FUNCTION_A], |l| mufu(l, COMPUTED)).modifiers(FUNCTION).attr(VARIABLE.reads(2, 13_680)).older(OLDER_FUNCTION).says("Computes a function of one source, nearly.")
        .examples(&[("MUFU.RCP R1, -|R2|;", 0x07e0_5081_4000_0047_0201), ("MUFU.SQRT.SAT R1, R2;", 0x07e0_5084_0000_0087_0201)]),
    row("FSWZADD", 0x50f8, 0xfff8, &[DEST_CC, REG_A, SWIZZLED_B, SIGNS], fswzadd).modifiers(SWIZZLED).says("Adds or subtracts, as a suffix states for each lane of a quad.")
        .examples(&[("FSWZADD.NDV R4, R5, R4, ZPPPZPPP;", 0x07e0_50f8_004c_c047_0504)]),
];
