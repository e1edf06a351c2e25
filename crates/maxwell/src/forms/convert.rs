//! Conversions. The sizes of both sides are modifiers, and decide how many registers there are and which parts a
//! source has.

use super::conversion::{FROM, TO, TO_WHOLE_NUMBER, WIDE};
use super::convert_values::{f2f, f2f_sizeless, f2f_whole, f2i};
use super::integer_values::{i2f, i2i};
use super::{always, fixed, flag, rounding, row};
use crate::attr::{Attr, VARIABLE};
use crate::operand::{
    B, BANK, By, ChangedNumber, Constant, D, DEST_CC, Dest, FloatNumber, IMMEDIATE, Source, Span, operand,
};
use crate::{Ctx, Maxwell};
use alloc::format;
use shisa_diag::Diagnostic;
use shisa_ir::Scalar;
use shisa_rows::{Field, Form, Insn, Modifier, Operand, Rule};

/// Sizes of both sides.
const BOTH: Field = Field::at(8, 4);

const FTZ: Modifier = flag(44, &["", ".FTZ"]);
const SAT: Modifier = flag(50, &["", ".SAT"]);
const TO_FLOAT: Modifier = Modifier::new(TO, &[".INVALIDFPDEST0", ".F16", ".F32", ".F64"]);
const FROM_FLOAT: Modifier = Modifier::new(FROM, &[".INVALIDFPSRC0", ".F16", ".F32", ".F64"]);
const TO_INTEGER: Modifier = Modifier::new(
    TO.then(12, 1),
    &[".INVALID0", ".U16", ".U32", ".U64", ".INVALID1", ".S16", ".S32", ".S64"],
);
const FROM_INTEGER: Modifier =
    Modifier::new(FROM.then(13, 1), &[".U8", ".U16", ".U32", ".U64", ".S8", ".S16", ".S32", ".S64"]);
const ROUNDED: Modifier = rounding(39);
const WHOLE: Modifier = Modifier::new(TO_WHOLE_NUMBER, &["", ".FLOOR", ".CEIL", ".TRUNC"]);
/// Between equal sizes, rounding is to whole numbers, and a bit switches it on.
const KEPT: Modifier = Modifier::new(
    TO_WHOLE_NUMBER.then(42, 1),
    &["", ".PASS", ".PASS", ".PASS", ".ROUND", ".FLOOR", ".CEIL", ".TRUNC"],
);

/// Whether the result has 64 bits.
fn to_wide(word: &u128) -> bool {
    TO.get(word) == WIDE
}

/// Whether the source has 64 bits.
fn from_wide(word: &u128) -> bool {
    FROM.get(word) == WIDE
}

const RESIZES: Attr = VARIABLE.doubles(|word| to_wide(word) || from_wide(word));
/// Compilers set bit 42 or not.
const TO_WHOLE: Attr = VARIABLE.doubles(from_wide).ignores(1 << 42);
const FROM_WHOLE: Attr = VARIABLE.doubles(to_wide);

const F2F: &[Modifier] = &[FTZ, TO_FLOAT, FROM_FLOAT, ROUNDED, SAT];
const F2F_INVALID: &[Modifier] = &[FTZ, always(&[".INVALIDFPDEST0.INVALIDFPSRC0"]), KEPT, SAT];
const F2F_HALF: &[Modifier] = &[FTZ, always(&[".F16.F16"]), KEPT, SAT];
const F2F_SINGLE: &[Modifier] = &[FTZ, always(&[".F32.F32"]), KEPT, SAT];
const F2F_DOUBLE: &[Modifier] = &[FTZ, always(&[".F64.F64"]), KEPT, SAT];
const F2I: &[Modifier] = &[FTZ, TO_INTEGER, FROM_FLOAT, WHOLE];
const I2F: &[Modifier] =
    &[Modifier::new(TO, &[".INVALIDFPSRC0", ".F16", ".F32", ".F64"]), FROM_INTEGER, ROUNDED];
const I2I: &[Modifier] = &[
    Modifier::new(TO.then(12, 1), &[".U8", ".U16", ".U32", ".???6", ".S8", ".S16", ".S32", ".???7"]),
    Modifier::new(
        FROM.then(13, 1),
        &[".U8", ".U16", ".U32", ".INVALID6", ".S8", ".S16", ".S32", ".INVALID7"],
    ),
    SAT,
];

/// The parts of a float source: only those of 16 bits have two.
const HALVES: &[&str] = &["", ".H1"];
const IGNORED: &[&str] = &["", ""];
/// The parts of an integer source.
const BYTES: &[&str] = &["", ".B1", ".B2", ".B3"];
const SHORTS: &[&str] = &["", ".INVALIDSIZE1", ".H1", ".INVALIDSIZE3"];

const fn two_if(wide: bool) -> Span {
    if wide { Span::Two } else { Span::One }
}

fn to(word: &u128) -> Dest {
    Dest { codes: true, span: two_if(to_wide(word)) }
}

/// The source of F2I, which has parts at any size.
fn float(word: &u128) -> Source {
    Source { span: two_if(from_wide(word)), half: FROM.get(word) == 1, ..Source::FLOAT.parts(HALVES) }
}

/// The source of F2F.
fn resized(word: &u128) -> Source {
    float(word).parts(if FROM.get(word) == 1 { HALVES } else { IGNORED })
}

/// The source of I2I, which knows no 64 bits.
fn narrow(word: &u128) -> Source {
    let parts = if FROM.get(word) == 1 { SHORTS } else { BYTES };
    Source { negate: true, absolute: true, parts, ..Source::PLAIN }
}

/// The source of I2F.
fn integer(word: &u128) -> Source {
    Source { span: two_if(from_wide(word)), ..narrow(word) }
}

/// The number of F2I: as many bits as its format has of 20.
fn float_number(word: &u128) -> FloatNumber {
    let format = match FROM.get(word) {
        1 => Scalar::F16,
        WIDE => Scalar::F64,
        _ => Scalar::F32,
    };
    FloatNumber { parts: HALVES, ..FloatNumber::upper(format) }
}

/// nvdisasm sets constants off as [`Constant::spaced`] states, but for those of F2F that are not halves.
fn resized_constant(word: &u128) -> Constant {
    Constant { source: resized(word), spaced: FROM.get(word) == 1 }
}

const DEST: Operand<Maxwell> = operand(D, Field::at(0, 8).then(47, 1), &By(TO, to));
const CHANGES: Field = Field::at(20, 8).then(45, 1).then(49, 1);
const CONST_CHANGES: Field = BANK.then(45, 1).then(49, 1);
const IMM_CHANGES: Field = IMMEDIATE.then(45, 1).then(49, 1);
const RESIZED_B: Operand<Maxwell> = operand(B, CHANGES.then(41, 1), &By(FROM, resized));
const RESIZED_CONST_B: Operand<Maxwell> = operand(B, CONST_CHANGES.then(41, 1), &By(FROM, resized_constant));
const RESIZED_IMM_B: Operand<Maxwell> = operand(
    B,
    IMM_CHANGES.then(41, 1),
    &By(FROM, |word| FloatNumber { parts: resized(word).parts, ..float_number(word) }),
);
const FLOAT_B: Operand<Maxwell> = operand(B, CHANGES.then(41, 1), &By(FROM, float));
const FLOAT_CONST_B: Operand<Maxwell> =
    operand(B, CONST_CHANGES.then(41, 1), &By(FROM, |word| Constant { source: float(word), spaced: true }));
const FLOAT_IMM_B: Operand<Maxwell> = operand(B, IMM_CHANGES.then(41, 1), &By(FROM, float_number));
const INTEGER_B: Operand<Maxwell> = operand(B, CHANGES.then(41, 2), &By(FROM, integer));
const INTEGER_CONST_B: Operand<Maxwell> =
    operand(B, CONST_CHANGES.then(41, 2), &By(FROM, |word| Constant { source: integer(word), spaced: true }));
const INTEGER_IMM_B: Operand<Maxwell> =
    operand(B, IMM_CHANGES.then(41, 2), &By(FROM, |word| ChangedNumber { parts: narrow(word).parts }));
const NARROW_B: Operand<Maxwell> = operand(B, CHANGES.then(41, 2), &By(FROM, narrow));
const NARROW_CONST_B: Operand<Maxwell> =
    operand(B, CONST_CHANGES.then(41, 2), &By(FROM, |word| Constant { source: narrow(word), spaced: true }));

/// F2F between these equal sizes.
const fn kept(
    bits: u16,
    mask: u16,
    sizes: u64,
    operands: &'static [Operand<Maxwell>],
    modifiers: &'static [Modifier],
) -> Form<Maxwell> {
    let fixed_bits = ((bits as u64) << 48 | sizes << 8, (mask as u64) << 48 | 0xf00);
    let lift = if sizes == 0 { f2f_sizeless } else { f2f_whole };
    fixed("F2F", fixed_bits, operands, lift).modifiers(modifiers).attr(F2F_TIMING)
}

/// Rounding to a number of the same size is no rounding.
const SIZES_DIFFER: &[Rule<Maxwell>] = &[Rule {
    code: "maxwell-rounding",
    check: |insn: &Insn<Maxwell>, _: Ctx| {
        let sizes = BOTH.get(&insn.word);
        (sizes >> 2 == sizes & 3).then(|| {
            let text = format!("{} rounds to whole numbers where both sizes are the same", insn.form().name);
            Diagnostic::error("maxwell-rounding", text)
                .help("there are .ROUND, .FLOOR, .CEIL, .TRUNC and .PASS")
        })
    },
}];

const F2F_TIMING: Attr = RESIZES.reads(2, 11_443);
const I2F_TIMING: Attr = FROM_WHOLE.reads(2, 13_731);
const F2I_TIMING: Attr = TO_WHOLE.reads(2, 10_613);
const I2I_TIMING: Attr = VARIABLE.reads(2, 5_230);

#[rustfmt::skip]
pub(super) const ROWS: &[Form<Maxwell>] = &[
    row("I2F", 0x5cb8, 0xfff8, &[DEST, INTEGER_B], i2f).modifiers(I2F).attr(I2F_TIMING).says("Converts an integer to a float.")
        .examples(&[("I2F.F32.S32 R1, R6;", 0x07e0_5cb8_0000_0067_2a01), ("I2F.F32.U8 R1, -|R6.B3|;", 0x07e0_5cba_2600_0067_0201)]),
    row("I2F", 0x4cb8, 0xfff8, &[DEST, INTEGER_CONST_B], i2f).modifiers(I2F).attr(I2F_TIMING).says("Converts a constant integer to a float.")
        .examples(&[("I2F.F32.U16 R1, c[0x0] [0x18].H1;", 0x07e0_4cb8_0400_0067_0601), ("I2F.F32.S32 R1, c[0x0] [0x18];", 0x07e0_4cb8_0000_0067_2a01)]),
    row("I2F", 0x38b8, 0xfef8, &[DEST, INTEGER_IMM_B], i2f).modifiers(I2F).attr(I2F_TIMING).says("Converts a number to a float.")
        .examples(&[("I2F.F32.S8 R1, -0x7fffa.NEG;", 0x07e0_39b8_2000_0067_2201)]),
    row("F2I", 0x5cb0, 0xfff8, &[DEST, FLOAT_B], f2i).modifiers(F2I).attr(F2I_TIMING).says("Converts a float to an integer.")
        .examples(&[("F2I.S32.F32.TRUNC R1, R6;", 0x07e0_5cb0_0180_0067_1a01)]),
    row("F2I", 0x4cb0, 0xfff8, &[DEST, FLOAT_CONST_B], f2i).modifiers(F2I).attr(F2I_TIMING).says("Converts a constant float to an integer.")
        .examples(&[("F2I.U32.F16 R1, -|c[0x0] [0x18].H1|;", 0x07e0_4cb2_2200_0067_0601), ("F2I.S32.F32 R1, c[0x0] [0x18];", 0x07e0_4cb0_0000_0067_1a01)]),
    row("F2I", 0x38b0, 0xfef8, &[DEST, FLOAT_IMM_B], f2i).modifiers(F2I).attr(F2I_TIMING).says("Converts a number to an integer.")
        .examples(&[("F2I.S32.F32 R1, 1;", 0x07e0_38b0_003f_8007_1a01)]),
    row("I2I", 0x5ce0, 0xfff8, &[DEST_CC, NARROW_B], i2i).modifiers(I2I).attr(I2I_TIMING).says("Converts an integer to another size.")
        .examples(&[("I2I.U32.S8.SAT R1, R6.B1;", 0x07e0_5ce4_0200_0067_2201), ("I2I.S32.S32 R1, R6;", 0x07e0_5ce0_0000_0067_3a01)]),
    row("I2I", 0x4ce0, 0xfff8, &[DEST_CC, NARROW_CONST_B], i2i).modifiers(I2I).attr(I2I_TIMING).says("Converts a constant integer to another size.")
        .examples(&[("I2I.U8.U16 R1, c[0x0] [0x18].H1;", 0x07e0_4ce0_0400_0067_0401), ("I2I.S32.S32 R1, c[0x0] [0x18];", 0x07e0_4ce0_0000_0067_3a01)]),
    row("I2I", 0x38e0, 0xfef8, &[DEST_CC, INTEGER_IMM_B], i2i).modifiers(I2I).attr(I2I_TIMING).says("Converts a number to another size.")
        .examples(&[("I2I.U8.U8 R1, -0x7fffa.NEG;", 0x07e0_39e0_2000_0067_0001)]),
    kept(0x5ca8, 0xfff8, 0x0, &[DEST, RESIZED_B], F2F_INVALID).says("Does not exist: neither size is one of floats.")
        .examples(&[("F2F.INVALIDFPDEST0.INVALIDFPSRC0 R1, R6;", 0x07e0_5ca8_0000_0067_0001)]),
    kept(0x5ca8, 0xfff8, 0x5, &[DEST, RESIZED_B], F2F_HALF).says("Rounds a half to a whole number.")
        .examples(&[("F2F.F16.F16.ROUND R1, R6.H1;", 0x07e0_5ca8_0600_0067_0501)]),
    kept(0x5ca8, 0xfff8, 0xa, &[DEST, RESIZED_B], F2F_SINGLE).says("Rounds a float to a whole number.")
        .examples(&[("F2F.F32.F32.FLOOR R1, R6;", 0x07e0_5ca8_0480_0067_0a01)]),
    kept(0x5ca8, 0xfff8, 0xf, &[DEST, RESIZED_B], F2F_DOUBLE).says("Rounds a double to a whole number.")
        .examples(&[("F2F.F64.F64.TRUNC R2, R6;", 0x07e0_5ca8_0580_0067_0f02)]),
    kept(0x4ca8, 0xfff8, 0x0, &[DEST, RESIZED_CONST_B], F2F_INVALID).says("Does not exist: neither size is one of floats.")
        .examples(&[("F2F.INVALIDFPDEST0.INVALIDFPSRC0 R1, c[0x0][0x18];", 0x07e0_4ca8_0000_0067_0001)]),
    kept(0x4ca8, 0xfff8, 0x5, &[DEST, RESIZED_CONST_B], F2F_HALF).says("Rounds a constant half to a whole number.")
        .examples(&[("F2F.F16.F16.ROUND R1, c[0x0] [0x18].H1;", 0x07e0_4ca8_0600_0067_0501)]),
    kept(0x4ca8, 0xfff8, 0xa, &[DEST, RESIZED_CONST_B], F2F_SINGLE).says("Rounds a constant float to a whole number.")
        .examples(&[("F2F.F32.F32 R1, -|c[0x0][0x18]|;", 0x07e0_4caa_2000_0067_0a01)]),
    kept(0x4ca8, 0xfff8, 0xf, &[DEST, RESIZED_CONST_B], F2F_DOUBLE).says("Rounds a constant double to a whole number.")
        .examples(&[("F2F.F64.F64.TRUNC R2, c[0x0][0x18];", 0x07e0_4ca8_0580_0067_0f02)]),
    kept(0x38a8, 0xfef8, 0x0, &[DEST, RESIZED_IMM_B], F2F_INVALID).says("Does not exist: neither size is one of floats.")
        .examples(&[("F2F.INVALIDFPDEST0.INVALIDFPSRC0 R1, 3.4438311059246704335e-41;", 0x07e0_38a8_0000_0067_0001)]),
    kept(0x38a8, 0xfef8, 0x5, &[DEST, RESIZED_IMM_B], F2F_HALF).says("Rounds a number to a whole half.")
        .examples(&[("F2F.F16.F16 R1, 2;", 0x07e0_38a8_0004_0007_0501)]),
    kept(0x38a8, 0xfef8, 0xa, &[DEST, RESIZED_IMM_B], F2F_SINGLE).says("Rounds a number to a whole float.")
        .examples(&[("F2F.F32.F32 R1, 1;", 0x07e0_38a8_003f_8007_0a01)]),
    kept(0x38a8, 0xfef8, 0xf, &[DEST, RESIZED_IMM_B], F2F_DOUBLE).says("Rounds a number to a whole double.")
        .examples(&[("F2F.F64.F64 R2, 1.5;", 0x07e0_38a8_003f_f807_0f02)]),
    row("F2F", 0x5ca8, 0xfff8, &[DEST, RESIZED_B], f2f).modifiers(F2F).attr(F2F_TIMING).rules(SIZES_DIFFER).yields_to("F2F").says("Converts a float to another size.")
        .examples(&[("F2F.F32.F16 R1, |R6.H1|;", 0x07e0_5caa_0200_0067_0601), ("F2F.F32.F64.RM R1, R6;", 0x07e0_5ca8_0080_0067_0e01), ("F2F.F16.F32 R1, R6;", 0x07e0_5ca8_0000_0067_0901), ("F2F.F64.F32 R2, R6;", 0x07e0_5ca8_0000_0067_0b02)]),
    row("F2F", 0x4ca8, 0xfff8, &[DEST, RESIZED_CONST_B], f2f).modifiers(F2F).attr(F2F_TIMING).rules(SIZES_DIFFER).yields_to("F2F").says("Converts a constant float to another size.")
        .examples(&[("F2F.F32.F16 R1, c[0x0] [0x18].H1;", 0x07e0_4ca8_0200_0067_0601), ("F2F.F32.F64 R1, c[0x0][0x18];", 0x07e0_4ca8_0000_0067_0e01), ("F2F.F16.F32 R1, c[0x0][0x18];", 0x07e0_4ca8_0000_0067_0901), ("F2F.F64.F32 R2, c[0x0][0x18];", 0x07e0_4ca8_0000_0067_0b02)]),
    row("F2F", 0x38a8, 0xfef8, &[DEST, RESIZED_IMM_B], f2f).modifiers(F2F).attr(F2F_TIMING).rules(SIZES_DIFFER).yields_to("F2F").says("Converts a number to another size of float.")
        .examples(&[("F2F.F32.F64 R1, -1.5.NEG;", 0x07e0_39a8_203f_f807_0e01)]),
];
