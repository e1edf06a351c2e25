//! Shifts, and fields of bits.

use super::permute::prmt;
use super::shift_values::{bfe, bfi, flo, popc, shf, shl, shr};
use super::{always, choice, flag, row};
use crate::Maxwell;
use crate::attr::Attr;
use crate::attr::VARIABLE;
use crate::operand::{
    B, BANK, CONST_B, CONST_C, Change, Constant, DEST, DEST_CC, IMM_B, IMMEDIATE, Number, REG_A, REG_B,
    REG_B39, REG_C, Source, operand,
};
use shisa_rows::{Field, Form, Modifier, Operand};

const UNSIGNED: Modifier = flag(48, &[".U32", ""]).unwritten(".S32");
const WRAP: Modifier = flag(39, &["", ".W"]);
const REVERSE: Modifier = flag(40, &["", ".BREV"]);
const LEFT: &[Modifier] = &[WRAP, flag(43, &["", ".X"])];
const RIGHT: &[Modifier] =
    &[UNSIGNED, WRAP.unwritten(".C"), choice(43, 2, &["", ".INVALIDSHRXMODE1", ".X", ".XHI"]), REVERSE];
const EXTRACT: &[Modifier] = &[UNSIGNED, REVERSE];
const FIND: &[Modifier] = &[UNSIGNED, flag(41, &["", ".SH"])];
const PERMUTE: &[Modifier] = &[choice(48, 4, PERMUTATIONS)];
#[rustfmt::skip]
const PERMUTATIONS: &[&str] = &[
    "", ".F4E", ".B4E", ".RC8", ".ECL", ".ECR", ".RC16", ".INVALIDPMODE7",
    ".???8", ".???9", ".???10", ".???11", ".???12", ".???13", ".???14", ".???15",
];
const FUNNEL_WRAP: Modifier = flag(50, &["", ".W"]);
const FUNNEL_WIDTH: Modifier = choice(37, 2, &["", ".INVALIDMAXSHIFT3", ".U64", ".S64"]).unwritten(".32");
const FUNNEL_PART: Modifier = choice(48, 2, &["", ".HI", ".X", ".XHI"]);
const FUNNEL_LEFT: &[Modifier] = &[always(&[".L"]), FUNNEL_WRAP, FUNNEL_WIDTH, FUNNEL_PART];
const FUNNEL_RIGHT: &[Modifier] = &[always(&[".R"]), FUNNEL_WRAP, FUNNEL_WIDTH, FUNNEL_PART];

/// By how much to shift.
const SHIFT_B: Operand<Maxwell> = operand(B, Field::at(20, 6), &Number::PLAIN);
const BITS_B: Operand<Maxwell> = operand(B, Field::at(20, 8).then(40, 1), &Source::BITS);
const CONST_BITS_B: Operand<Maxwell> = operand(B, BANK.then(40, 1), &Constant::of(Source::BITS));
const IMM_BITS_B: Operand<Maxwell> =
    operand(B, IMMEDIATE.then(40, 1), &Number::SIGNED.change(Change::Invert));

const FLO_TIMING: Attr = VARIABLE.reads(2, 2_788);
const POPC_TIMING: Attr = VARIABLE.reads(2, 1_726);

#[rustfmt::skip]
pub(super) const ROWS: &[Form<Maxwell>] = &[
    row("SHL", 0x5c48, 0xfff8, &[DEST_CC, REG_A, REG_B], shl).modifiers(LEFT).says("Shifts left.")
        .examples(&[("SHL.W.X R0, R0, R0;", 0x07e0_5c48_0880_0007_0000)]),
    row("SHL", 0x4c48, 0xfff8, &[DEST_CC, REG_A, CONST_B], shl).modifiers(LEFT).says("Shifts left by a constant.")
        .examples(&[("SHL R0, R0, c[0x0][0x0];", 0x07e0_4c48_0000_0007_0000)]),
    row("SHL", 0x3848, 0xfef8, &[DEST_CC, REG_A, IMM_B], shl).modifiers(LEFT).says("Shifts left by a number.")
        .examples(&[("SHL R0, R0, 0x0;", 0x07e0_3848_0000_0007_0000)]),
    row("SHR", 0x5c28, 0xfff8, &[DEST_CC, REG_A, REG_B], shr).modifiers(RIGHT).says("Shifts right, with or without sign.")
        .examples(&[("SHR.U32.W.BREV R0, R0, R0;", 0x07e0_5c28_0180_0007_0000)]),
    row("SHR", 0x4c28, 0xfff8, &[DEST_CC, REG_A, CONST_B], shr).modifiers(RIGHT).says("Shifts right by a constant.")
        .examples(&[("SHR.U32.XHI R0, R0, c[0x0][0x0];", 0x07e0_4c28_1800_0007_0000)]),
    row("SHR", 0x3828, 0xfef8, &[DEST_CC, REG_A, IMM_B], shr).modifiers(RIGHT).says("Shifts right by a number.")
        .examples(&[("SHR R0, R0, 0x0;", 0x07e0_3829_0000_0007_0000)]),
    row("SHF", 0x5bf8, 0xfff8, &[DEST_CC, REG_A, REG_B, REG_C], shf).modifiers(FUNNEL_LEFT).says("Shifts two registers as one number left; the upper half.")
        .examples(&[("SHF.L.W.S64.XHI R0, R0, R0, R0;", 0x07e0_5bff_0060_0007_0000)]),
    row("SHF", 0x5cf8, 0xfff8, &[DEST_CC, REG_A, REG_B, REG_C], shf).modifiers(FUNNEL_RIGHT).says("Shifts two registers as one number right; the lower half.")
        .examples(&[("SHF.R.U64 R0, R0, R0, R0;", 0x07e0_5cf8_0040_0007_0000)]),
    row("SHF", 0x36f8, 0xfef8, &[DEST_CC, REG_A, SHIFT_B, REG_C], shf).modifiers(FUNNEL_LEFT).says("Shifts two registers as one number left by a number.")
        .examples(&[("SHF.L.HI R0, R0, 0x0, R0;", 0x07e0_36f9_0000_0007_0000)]),
    row("SHF", 0x38f8, 0xfef8, &[DEST_CC, REG_A, SHIFT_B, REG_C], shf).modifiers(FUNNEL_RIGHT).says("Shifts two registers as one number right by a number.")
        .examples(&[("SHF.R R0, R0, 0x0, R0;", 0x07e0_38f8_0000_0007_0000)]),
    row("BFE", 0x5c00, 0xfff8, &[DEST_CC, REG_A, REG_B], bfe).modifiers(EXTRACT).says("Takes a field of bits; the second source's bytes say where it begins and how wide it is.")
        .examples(&[("BFE.U32.BREV R0, R0, R0;", 0x07e0_5c00_0100_0007_0000)]),
    row("BFE", 0x4c00, 0xfff8, &[DEST_CC, REG_A, CONST_B], bfe).modifiers(EXTRACT).says("Takes a field of bits that a constant describes.")
        .examples(&[("BFE R0, R0, c[0x0][0x0];", 0x07e0_4c01_0000_0007_0000)]),
    row("BFE", 0x3800, 0xfef8, &[DEST_CC, REG_A, IMM_B], bfe).modifiers(EXTRACT).says("Takes a field of bits that a number describes.")
        .examples(&[("BFE.U32 R0, R0, 0x0;", 0x07e0_3800_0000_0007_0000)]),
    row("BFI", 0x5bf0, 0xfff8, &[DEST_CC, REG_A, REG_B, REG_C], bfi).says("Puts a field of bits into the third source; the second says where and how wide.")
        .examples(&[("BFI R0.CC, R0, R0, R0;", 0x07e0_5bf0_8000_0007_0000)]),
    row("BFI", 0x4bf0, 0xfff8, &[DEST_CC, REG_A, CONST_B, REG_C], bfi).says("Puts a field of bits that a constant describes into the third source.")
        .examples(&[("BFI R0, R0, c[0x0][0x0], R0;", 0x07e0_4bf0_0000_0007_0000)]),
    row("BFI", 0x53f0, 0xfff8, &[DEST_CC, REG_A, REG_B39, CONST_C], bfi).says("Puts a field of bits into a constant.")
        .examples(&[("BFI R0, R0, R0, c[0x0][0x0];", 0x07e0_53f0_0000_0007_0000)]),
    row("BFI", 0x36f0, 0xfef8, &[DEST_CC, REG_A, IMM_B, REG_C], bfi).says("Puts a field of bits that a number describes into the third source.")
        .examples(&[("BFI R0, R0, 0x0, R0;", 0x07e0_36f0_0000_0007_0000)]),
    row("PRMT", 0x5bc0, 0xfff0, &[DEST, REG_A, REG_B, REG_C], prmt).modifiers(PERMUTE).says("Chooses four of the eight bytes of the first and third source; the second says which.")
        .examples(&[("PRMT.ECL R0, R0, R0, R0;", 0x07e0_5bc4_0000_0007_0000)]),
    row("PRMT", 0x4bc0, 0xfff0, &[DEST, REG_A, CONST_B, REG_C], prmt).modifiers(PERMUTE).says("Chooses bytes as a constant says.")
        .examples(&[("PRMT.???15 R0, R0, c[0x0][0x0], R0;", 0x07e0_4bcf_0000_0007_0000)]),
    row("PRMT", 0x53c0, 0xfff0, &[DEST, REG_A, REG_B39, CONST_C], prmt).modifiers(PERMUTE).says("Chooses bytes of a source and a constant.")
        .examples(&[("PRMT R0, R0, R0, c[0x0][0x0];", 0x07e0_53c0_0000_0007_0000)]),
    row("PRMT", 0x36c0, 0xfef0, &[DEST, REG_A, IMM_B, REG_C], prmt).modifiers(PERMUTE).says("Chooses bytes as a number says.")
        .examples(&[("PRMT R0, R0, 0x0, R0;", 0x07e0_36c0_0000_0007_0000)]),
    row("FLO", 0x5c30, 0xfff8, &[DEST_CC, BITS_B], flo).attr(FLO_TIMING).modifiers(FIND).says("Finds the highest bit that is set, or differs from the sign.")
        .examples(&[("FLO.U32.SH R0, ~R0;", 0x07e0_5c30_0300_0007_0000)]),
    row("FLO", 0x4c30, 0xfff8, &[DEST_CC, CONST_BITS_B], flo).attr(FLO_TIMING).modifiers(FIND).says("Finds the highest bit of a constant.")
        .examples(&[("FLO R0, c[0x0][0x0];", 0x07e0_4c31_0000_0007_0000)]),
    row("FLO", 0x3830, 0xfef8, &[DEST_CC, IMM_BITS_B], flo).attr(FLO_TIMING).modifiers(FIND).says("Finds the highest bit of a number.")
        .examples(&[("FLO.U32 R0, 0x0.INV;", 0x07e0_3830_0100_0007_0000)]),
    row("POPC", 0x5c08, 0xfff8, &[DEST, BITS_B], popc).attr(POPC_TIMING).says("Counts the bits that are set.")
        .examples(&[("POPC R0, ~R0;", 0x07e0_5c08_0100_0007_0000)]),
    row("POPC", 0x4c08, 0xfff8, &[DEST, CONST_BITS_B], popc).attr(POPC_TIMING).says("Counts the bits of a constant.")
        .examples(&[("POPC R0, c[0x0][0x0];", 0x07e0_4c08_0000_0007_0000)]),
    row("POPC", 0x3808, 0xfef8, &[DEST, IMM_BITS_B], popc).attr(POPC_TIMING).says("Counts the bits of a number.")
        .examples(&[("POPC R0, 0x0.INV;", 0x07e0_3808_0100_0007_0000)]),
];
