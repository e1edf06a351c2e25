//! Conversions between integers and floats. A 16-bit register holds a half if a float is meant.

use super::row;
use crate::Agx;
use crate::applegpu;
use crate::facts::Facts;
use crate::operand::{A, AgxLift, CONVERTED, D, DEST_44, ROUND, ROUNDING, Size, as_float, dest_bits, word};
use shisa_diag::Diagnostic;
use shisa_ir::{Convert, Round, Scalar};
use shisa_rows::{Form, Operand};

const OPERANDS: &[Operand<Agx>] = &[DEST_44, CONVERTED, ROUND];

/// A row by the number of its conversion.
const fn cvt(name: &'static str, mode: u128, lift: fn(&mut AgxLift<'_, '_>)) -> Form<Agx> {
    row(name, Facts::UNMEASURED, 6, (0xcc0_03ff_807f, 0x803e | mode << 16), OPERANDS, lift)
        .spelled(applegpu::CONVERT)
}

#[rustfmt::skip]
pub(super) const ROWS: &[Form<Agx>] = &[
    cvt("u8_to_f", 0, |l| to_float(l, Scalar::I8, false)).says("Converts the lowest 8 bits, unsigned, to a float.")
        .examples(&[("u8_to_f  r36, r14l, rte", 0x1005_c400_913e)]),
    cvt("s8_to_f", 1, |l| to_float(l, Scalar::I8, true)).says("Converts the lowest 8 bits, signed, to a float.")
        .examples(&[("s8_to_f  r15, r9h, rte", 0x0005_3401_bd3e)]),
    cvt("f_to_u16", 4, |l| to_integer(l, Scalar::I16, false)).says("Converts a float to an unsigned 16-bit integer, clamped to its range.")
        .examples(&[("f_to_u16 r7l, r0, rtz", 0x0024_0004_9c3e)]),
    cvt("f_to_s16", 5, |l| to_integer(l, Scalar::I16, true)).says("Converts a float to a signed 16-bit integer, clamped to its range.")
        .examples(&[("f_to_s16 r7l, r0, rtz", 0x0024_0005_9c3e)]),
    cvt("u16_to_f", 6, |l| to_float(l, Scalar::I16, false)).says("Converts the lowest 16 bits, unsigned, to a float.")
        .examples(&[("u16_to_f r0, r1l, rte", 0x0004_2406_813e)]),
    cvt("s16_to_f", 7, |l| to_float(l, Scalar::I16, true)).says("Converts the lowest 16 bits, signed, to a float.")
        .examples(&[("s16_to_f r18, r13l, rte", 0x0005_a407_c93e)]),
    cvt("f_to_u32", 8, |l| to_integer(l, Scalar::I32, false)).says("Converts a float to an unsigned integer, clamped to its range.")
        .examples(&[("f_to_u32 r0, r0l, rtz", 0x0004_0008_813e)]),
    cvt("f_to_s32", 9, |l| to_integer(l, Scalar::I32, true)).says("Converts a float to a signed integer, clamped to its range.")
        .examples(&[("f_to_s32 r7, r0, rtz", 0x0024_0009_9d3e)]),
    cvt("u32_to_f", 10, |l| to_float(l, Scalar::I32, false)).says("Converts an unsigned integer to a float.")
        .examples(&[("u32_to_f r0, r12, rte", 0x0025_840a_813e)]),
    cvt("s32_to_f", 11, |l| to_float(l, Scalar::I32, true)).says("Converts a signed integer to a float.")
        .examples(&[("s32_to_f r10l, r10, rte", 0x0025_440b_a83e)]),
];

/// How the row rounds: toward zero or to the nearest.
fn nearest(l: &mut AgxLift<'_, '_>) -> bool {
    match l.insn.field(ROUNDING) {
        0 => false,
        1 => true,
        _ => {
            l.refuse(Diagnostic::error("lift-round", "this rounding mode does not exist"));
            true
        }
    }
}

/// Rounds once, to the precision of the destination.
fn to_float(l: &mut AgxLift<'_, '_>, from: Scalar, signed: bool) {
    let v = word(l, A);
    let v = if from == Scalar::I32 { v } else { l.convert(Convert::Truncate, v, from) };
    l.rule.round = if nearest(l) { Round::Nearest } else { Round::Zero };
    let op = if signed { Convert::SignedToFloat } else { Convert::UnsignedToFloat };
    let to = if dest_bits(l.insn.word) == Size::Word { Scalar::F32 } else { Scalar::F16 };
    let v = l.convert(op, v, to);
    l.set(D, v);
}

/// NaN yields 0.
fn to_integer(l: &mut AgxLift<'_, '_>, to: Scalar, signed: bool) {
    let bits = l.src(A);
    let mut v = as_float(l, bits);
    if nearest(l) {
        v = l.fround(v);
    }
    let op = if signed { Convert::FloatToSigned } else { Convert::FloatToUnsigned };
    let mut v = l.convert(op, v, to);
    if signed && to == Scalar::I16 {
        v = l.convert(Convert::SignExtend, v, Scalar::I32);
    }
    l.set(D, v);
}
