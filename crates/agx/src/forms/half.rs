//! Arithmetic in halves. Denormals are preserved, and results rounded once.

use super::{SHORT4, SHORT6, long_row};
use crate::Agx;
use crate::applegpu;
use crate::facts::Facts;
use crate::operand::{
    A, AgxLift, B, C, D, DEST_HALF, DEST_HMA, HALF_A, HALF_B, HMA_A, HMA_B, HMA_C, SATURATE,
};
use shisa_rows::{Form, Operand};

const TWO: &[Operand<Agx>] = &[DEST_HALF, HALF_A, HALF_B, SATURATE, SHORT4];
const PAIR: &[Operand<Agx>] = &[DEST_HALF, HALF_A, HALF_B];

#[rustfmt::skip]
pub(super) const ROWS: &[Form<Agx>] = &[
    long_row("hfma", Facts::FLOAT16, (6, 8, 15), (0x3f, 0x36), &[DEST_HMA, HMA_A, HMA_B, HMA_C, SATURATE, SHORT6], hfma).says("Multiplies and adds halves, rounding once.").spelled(applegpu::saturating("fmadd16", &[DEST_HMA, HMA_A, HMA_B, HMA_C]))
        .examples(&[("hfma     r5h, r1h, r3h, r0l", 0x4004_7043_1636), ("hfma     r0h, r4l.neg, r2h, r0h", 0x4104_5448_0236)]),
    long_row("hadd", Facts::FLOAT16, (4, 6, 15), (0x3f, 0x26), TWO, hadd).says("Adds halves.").spelled(applegpu::saturating("fadd16", PAIR))
        .examples(&[("hadd     r3h, r4l, -0.0, sat", 0x0200_0048_8e66), ("hadd     r0h, r0h, r1h", 0x0004_3041_8226)]),
    long_row("hmul", Facts::FLOAT16, (4, 6, 15), (0x3f, 0x16), TWO, hmul).says("Multiplies halves.").spelled(applegpu::saturating("fmul16", PAIR))
        .examples(&[("hmul     r0h, 0.25, r4h", 0x0004_9010_8216)]),
];

fn hfma(l: &mut AgxLift<'_, '_>) {
    l.rule.flush = false;
    let (a, b, c) = (l.src(A), l.src(B), l.src(C));
    let v = l.fma(a, b, c);
    l.set(D, v);
}

fn hadd(l: &mut AgxLift<'_, '_>) {
    l.rule.flush = false;
    let (a, b) = (l.src(A), l.src(B));
    let v = l.fadd(a, b);
    l.set(D, v);
}

fn hmul(l: &mut AgxLift<'_, '_>) {
    l.rule.flush = false;
    let (a, b) = (l.src(A), l.src(B));
    let v = l.fmul(a, b);
    l.set(D, v);
}
