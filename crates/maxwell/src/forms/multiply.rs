//! Products of integers.

use super::multiply_values::{SIGNS, TYPES, WIDE_SIGNS, imad, imadsp, imul, xmad};
use super::{UNDEFINED, always, choice, flag, row};
use crate::attr::VARIABLE;
use crate::attr::{Attr, FIXED};
use crate::operand::{
    A, B, BANK, BARE_A, BARE_B, C, CONST_B, CONST_C, CONST_HALF_B, Constant, D, DEST_CC, Dest, HALF_A,
    HALF_B, HALF_IMM_B, IMM_B, Number, REG_C, REUSE_B, Same, Source, Span, operand,
};
use crate::{Ctx, Maxwell};
use alloc::format;
use shisa_diag::Diagnostic;
use shisa_rows::{Field, Form, Insn, Modifier, Operand, Rule};

const ADDEND: Modifier = choice(50, 3, &["", ".CLO", ".CHI", ".CSFU", ".CBCC", ".???5", ".???6", ".???7"]);
const MULTIPLY: &[Modifier] =
    &[SIGNS, flag(36, &["", ".PSL"]), ADDEND, flag(37, &["", ".MRG"]), flag(38, &["", ".X"])];
const ADDEND_CONST: Modifier = choice(50, 2, &["", ".CLO", ".CHI", ".CSFU"]);
const MULTIPLY_CONST: &[Modifier] =
    &[SIGNS, flag(55, &["", ".PSL"]), ADDEND_CONST, flag(56, &["", ".MRG"]), flag(54, &["", ".X"])];
const PLUS_CONST: &[Modifier] = &[SIGNS, ADDEND_CONST, flag(54, &["", ".X"])];

const MAD_SIGNS: Modifier = Modifier::new(Field::at(48, 1).then(53, 1), WIDE_SIGNS);
const MAD_HIGH: Modifier = flag(54, &["", ".HI"]);
const MAD: &[Modifier] = &[MAD_SIGNS, MAD_HIGH, flag(50, &["", ".SAT"]), flag(49, &["", ".X"])];
const MAD_PLUS_ONE: &[Modifier] =
    &[MAD_SIGNS, MAD_HIGH, always(&[".PO"]), flag(50, &["", ".SAT"]), flag(49, &["", ".X"])];
const MAD32_SIGNS: Modifier = Modifier::new(Field::at(54, 1).then(57, 1), WIDE_SIGNS);
const MAD32: &[Modifier] = &[MAD32_SIGNS, flag(53, &["", ".HI"])];
const MAD32_PLUS_ONE: &[Modifier] = &[MAD32_SIGNS, flag(53, &["", ".HI"]), always(&[".PO"])];
const MUL: &[Modifier] = &[Modifier::new(Field::at(40, 2), WIDE_SIGNS), flag(39, &["", ".HI"])];
const MUL32: &[Modifier] = &[Modifier::new(Field::at(54, 2), WIDE_SIGNS), flag(53, &["", ".HI"])];

/// Suffixes for each type of the first source: the second's type, and the third's where the first has no
/// sign and where it has one.
macro_rules! types {
    ($second:literal, $plain:literal, $signed:literal) => {
        [
            concat!(".U32.", $second, ".", $plain),
            concat!(".S32.", $second, ".", $signed),
            concat!(".U24.", $second, ".", $plain),
            concat!(".S24.", $second, ".", $signed),
            concat!(".U16H0.", $second, ".", $plain),
            concat!(".S16H0.", $second, ".", $signed),
            concat!(".U16H1.", $second, ".", $plain),
            concat!(".S16H1.", $second, ".", $signed),
        ]
    };
}

const fn flatten(rows: &[[&'static str; 8]; 12]) -> [&'static str; 96] {
    let (mut out, mut i) = ([""; 96], 0);
    while i < 96 {
        out[i] = rows[i / 8][i % 8];
        i += 1;
    }
    out
}

const SPECIAL: &[Modifier] = &[Modifier::new(TYPES, &TYPE_NAMES)];
#[rustfmt::skip]
const TYPE_NAMES: [&str; 96] = flatten(&[
    types!("U24", "U32", "S32"), types!("S24", "S32", "S32"), types!("U16H0", "U32", "S32"), types!("S16H0", "S32", "S32"),
    types!("U24", "U24", "S24"), types!("S24", "S24", "S24"), types!("U16H0", "U24", "S24"), types!("S16H0", "S24", "S24"),
    types!("U24", "U16H0", "S16H0"), types!("S24", "S16H0", "S16H0"), types!("U16H0", "U16H0", "S16H0"), types!("S16H0", "S16H0", "S16H0"),
]);

/// What no source may have.
const NO_TYPE: &[Rule<Maxwell>] = &[Rule { code: UNDEFINED, check: no_type }];

fn no_type(insn: &Insn<Maxwell>, _: Ctx) -> Option<Diagnostic> {
    let undefined = TYPES.get(&insn.word) >= TYPE_NAMES.len() as u64;
    undefined.then(|| {
        let text = format!("{} has no type 3 of the third source (bits 51 and 52)", insn.form().name);
        Diagnostic::error(UNDEFINED, text)
    })
}

/// Third source without a reuse flag.
const BARE_C: Operand<Maxwell> = operand(C, Field::at(39, 8), &Source::PLAIN);
/// Second source in the slot of the third.
const BARE_B39: Operand<Maxwell> = operand(B, Field::at(39, 8), &Source::PLAIN);
const INT_A52: Operand<Maxwell> = operand(A, Field::at(8, 8).then(52, 1), &Source::INTEGER);
const INT_C51: Operand<Maxwell> = operand(C, Field::at(39, 8).then(51, 1), &Source::INTEGER);
const CONST_C51: Operand<Maxwell> = operand(C, BANK.then(51, 1), &Constant::of(Source::INTEGER));
const INT_A56: Operand<Maxwell> = operand(A, Field::at(8, 8).then(56, 1), &Source::INTEGER);
/// The third source where 32 bits are in the instruction: the destination's register.
const SAME_C: Operand<Maxwell> = operand(C, Field::at(55, 1), &Same);
const BARE_SAME_C: Operand<Maxwell> = operand(C, Field::NONE, &Same);
const DEST_CC32: Operand<Maxwell> =
    operand(D, Field::at(0, 8).then(52, 1), &Dest { codes: true, span: Span::One });
const SIGNED32: Operand<Maxwell> = operand(B, Field::at(20, 32), &Number::SIGNED);
const HALF_B39: Operand<Maxwell> = operand(B, Field::at(39, 8).then(52, 1).then(REUSE_B, 1), &Source::HALF);

const XMAD_TIMING: Attr = FIXED.reads_codes(13, 834);

#[rustfmt::skip]
pub(super) const ROWS: &[Form<Maxwell>] = &[
    row("IMAD", 0x5a18, 0xff98, &[DEST_CC, BARE_A, BARE_B, BARE_C], |l| imad(l, 1)).attr(VARIABLE).modifiers(MAD_PLUS_ONE).says("Multiplies and adds, plus one.")
        .examples(&[("IMAD.U32.U32.PO R0, R0, R0, R0;", 0x07e0_5a18_0000_0007_0000)]),
    row("IMAD", 0x4a18, 0xff98, &[DEST_CC, BARE_A, CONST_B, BARE_C], |l| imad(l, 1)).attr(VARIABLE).modifiers(MAD_PLUS_ONE).says("Multiplies by a constant and adds, plus one.")
        .examples(&[("IMAD.U32.U32.PO R0, R0, c[0x0][0x0], R0;", 0x07e0_4a18_0000_0007_0000)]),
    row("IMAD", 0x5218, 0xff98, &[DEST_CC, BARE_A, BARE_B39, CONST_C], |l| imad(l, 1)).attr(VARIABLE).modifiers(MAD_PLUS_ONE).says("Multiplies and adds a constant, plus one.")
        .examples(&[("IMAD.U32.U32.PO R0, R0, R0, c[0x0][0x0];", 0x07e0_5218_0000_0007_0000)]),
    row("IMAD", 0x3418, 0xfe98, &[DEST_CC, BARE_A, IMM_B, BARE_C], |l| imad(l, 1)).attr(VARIABLE).modifiers(MAD_PLUS_ONE).says("Multiplies by a number and adds, plus one.")
        .examples(&[("IMAD.U32.U32.PO R0, R0, 0x0, R0;", 0x07e0_3418_0000_0007_0000)]),
    row("IMAD", 0x5a00, 0xff80, &[DEST_CC, INT_A52, BARE_B, INT_C51], |l| imad(l, 0)).attr(VARIABLE).modifiers(MAD).yields_to("IMAD").says("Multiplies and adds.")
        .examples(&[("IMAD.U32.U32 R0, R0, R0, -R0;", 0x07e0_5a08_0000_0007_0000)]),
    row("IMAD", 0x4a00, 0xff80, &[DEST_CC, INT_A52, CONST_B, INT_C51], |l| imad(l, 0)).attr(VARIABLE).modifiers(MAD).yields_to("IMAD").says("Multiplies by a constant and adds.")
        .examples(&[("IMAD.U32.U32 R0, R0, c[0x0][0x0], -R0;", 0x07e0_4a08_0000_0007_0000)]),
    row("IMAD", 0x5200, 0xff80, &[DEST_CC, INT_A52, BARE_B39, CONST_C51], |l| imad(l, 0)).attr(VARIABLE).modifiers(MAD).yields_to("IMAD").says("Multiplies and adds a constant.")
        .examples(&[("IMAD.U32.U32 R0, R0, R0, -c[0x0][0x0];", 0x07e0_5208_0000_0007_0000)]),
    row("IMAD", 0x3400, 0xfe80, &[DEST_CC, INT_A52, IMM_B, INT_C51], |l| imad(l, 0)).attr(VARIABLE).modifiers(MAD).yields_to("IMAD").says("Multiplies by a number and adds.")
        .examples(&[("IMAD.U32.U32 R0, R0, 0x0, -R0;", 0x07e0_3408_0000_0007_0000)]),
    row("IMAD32I", 0x1180, 0xfd80, &[DEST_CC32, BARE_A, SIGNED32, BARE_SAME_C], |l| imad(l, 1)).attr(VARIABLE).modifiers(MAD32_PLUS_ONE).says("Multiplies by a number of 32 bits and adds, plus one.")
        .examples(&[("IMAD32I.U32.U32.PO R0, R0, 0x0, R0;", 0x07e0_1180_0000_0007_0000)]),
    row("IMAD32I", 0x1000, 0xfc00, &[DEST_CC32, INT_A56, SIGNED32, SAME_C], |l| imad(l, 0)).attr(VARIABLE).modifiers(MAD32).yields_to("IMAD32I").says("Multiplies by a number of 32 bits and adds to what the destination holds.")
        .examples(&[("IMAD32I.U32.U32.HI R1.CC, -R0, -0x80000000, R1;", 0x07e0_1138_0000_0007_0001)]),
    row("IMADSP", 0x5a80, 0xff80, &[DEST_CC, BARE_A, BARE_B, BARE_C], imadsp).attr(VARIABLE).modifiers(SPECIAL).rules(NO_TYPE).says("Multiplies narrow sources and adds.")
        .examples(&[("IMADSP.S16H1.S24.S24 R0, R0, R0, R0;", 0x07e0_5aaf_0000_0007_0000)]),
    row("IMADSP", 0x4a80, 0xff80, &[DEST_CC, BARE_A, CONST_B, BARE_C], imadsp).attr(VARIABLE).modifiers(SPECIAL).rules(NO_TYPE).says("Multiplies narrow sources by a constant and adds.")
        .examples(&[("IMADSP.S16H1.S24.S24 R0, R0, c[0x0][0x0], R0;", 0x07e0_4aaf_0000_0007_0000)]),
    row("IMADSP", 0x5280, 0xff80, &[DEST_CC, BARE_A, BARE_B39, CONST_C], imadsp).attr(VARIABLE).modifiers(SPECIAL).rules(NO_TYPE).says("Multiplies narrow sources and adds a constant.")
        .examples(&[("IMADSP.S16H1.S24.S24 R0, R0, R0, c[0x0][0x0];", 0x07e0_52af_0000_0007_0000)]),
    row("IMADSP", 0x3480, 0xfe80, &[DEST_CC, BARE_A, IMM_B, BARE_C], imadsp).attr(VARIABLE).modifiers(SPECIAL).rules(NO_TYPE).says("Multiplies narrow sources by a number and adds.")
        .examples(&[("IMADSP.S16H1.S24.S24 R0, R0, 0x0, R0;", 0x07e0_34af_0000_0007_0000)]),
    row("IMUL", 0x5c38, 0xfff8, &[DEST_CC, BARE_A, BARE_B], imul).attr(VARIABLE.reads(4, 16)).modifiers(MUL).says("Multiplies; the lower or the upper 32 bits.")
        .examples(&[("IMUL.S32.U32.HI R0, R0, R0;", 0x07e0_5c38_0180_0007_0000)]),
    row("IMUL", 0x4c38, 0xfff8, &[DEST_CC, BARE_A, CONST_B], imul).attr(VARIABLE.reads(4, 16)).modifiers(MUL).says("Multiplies by a constant; the lower or the upper 32 bits.")
        .examples(&[("IMUL.S32.U32.HI R0, R0, c[0x0][0x0];", 0x07e0_4c38_0180_0007_0000)]),
    row("IMUL", 0x3838, 0xfef8, &[DEST_CC, BARE_A, IMM_B], imul).attr(VARIABLE.reads(4, 16)).modifiers(MUL).says("Multiplies by a number; the lower or the upper 32 bits.")
        .examples(&[("IMUL.S32.U32.HI R0, R0, 0x0;", 0x07e0_3838_0180_0007_0000)]),
    row("IMUL32I", 0x1f00, 0xff00, &[DEST_CC32, BARE_A, SIGNED32], imul).attr(VARIABLE).modifiers(MUL32).says("Multiplies by a number of 32 bits; the lower or the upper 32 bits.")
        .examples(&[("IMUL32I.HI R0, R0, 0x0;", 0x07e0_1fe0_0000_0007_0000)]),
    row("XMAD", 0x5b00, 0xffc0, &[DEST_CC, HALF_A, HALF_B, REG_C], xmad).attr(XMAD_TIMING).modifiers(MULTIPLY).says("Multiplies halves and adds.")
        .examples(&[("XMAD.PSL.CBCC R5, R4.H1, R5.H1, R1;", 0x07e0_5b30_0098_0057_0405), ("XMAD.MRG R5, R4.reuse, R3.H1, RZ;", 0x0002_07e0_5b00_7fa8_0037_0405)]),
    row("XMAD", 0x3600, 0xfec0, &[DEST_CC, HALF_A, HALF_IMM_B, REG_C], xmad).attr(XMAD_TIMING).modifiers(MULTIPLY).says("Multiplies a half by a number and adds.")
        .examples(&[("XMAD.PSL R1, R1.H1, 0x6, R2;", 0x07e0_3620_0110_0067_0101)]),
    row("XMAD", 0x4e00, 0xfe00, &[DEST_CC, HALF_A, CONST_HALF_B, REG_C], xmad).attr(XMAD_TIMING).modifiers(MULTIPLY_CONST).says("Multiplies halves, one of a constant, and adds.")
        .examples(&[("XMAD.CLO.X R0, R34, c[0x0] [0x6010], R8;", 0x07e0_4e44_0401_8047_2200)]),
    row("XMAD", 0x5100, 0xff80, &[DEST_CC, HALF_A, HALF_B39, CONST_C], xmad).attr(XMAD_TIMING).modifiers(PLUS_CONST).says("Multiplies halves and adds a constant.")
        .examples(&[("XMAD.S16.S16.CLO R0, R0.H1, R0, c[0x0][0x0];", 0x07e0_5127_0000_0007_0000)]),
];
