//! Binary32 arithmetic. Halves are widened before it and rounded again after it.

use super::{SHORT4, SHORT6, long_row};
use crate::Agx;
use crate::applegpu;
use crate::facts::Facts;
use crate::operand::{
    A, AgxLift, B, C, D, DEST_44, DEST_60, FLOAT_A, FLOAT_B, FMA_A, FMA_B, FMA_C, SATURATE,
};
use shisa_rows::{Form, Operand};

const TWO: &[Operand<Agx>] = &[DEST_44, FLOAT_A, FLOAT_B, SATURATE, SHORT4];
const PAIR: &[Operand<Agx>] = &[DEST_44, FLOAT_A, FLOAT_B];

#[rustfmt::skip]
pub(super) const ROWS: &[Form<Agx>] = &[
    long_row("ffma", Facts::FLOAT32, (6, 8, 15), (0x3f, 0x3a), &[DEST_60, FMA_A, FMA_B, FMA_C, SATURATE, SHORT6], ffma).says("Multiplies and adds, rounding once.").spelled(applegpu::saturating("fmadd32", &[DEST_60, FMA_A, FMA_B, FMA_C]))
        .examples(&[("ffma     r0, r2, r1, r0.neg", 0x000a_4024_2244_813a)]),
    long_row("fadd", Facts::FLOAT32, (4, 6, 15), (0x3f, 0x2a), TWO, fadd).says("Adds.").spelled(applegpu::saturating("fadd32", PAIR))
        .examples(&[("fadd     r0, r0.neg, r1.neg", 0x00a4_2a40_812a), ("fadd     r0, 4.0, r0", 0x0424_0010_812a)]),
    long_row("fmul", Facts::FLOAT32, (4, 6, 15), (0x3f, 0x1a), TWO, fmul).says("Multiplies.").spelled(applegpu::saturating("fmul32", PAIR))
        .examples(&[("fmul     r0, r4, r0, sat", 0x0024_0248_815a)]),
];

fn fadd(l: &mut AgxLift<'_, '_>) {
    let (a, b) = (l.src(A), l.src(B));
    let sum = l.fadd(a, b);
    l.set(D, sum);
}

fn fmul(l: &mut AgxLift<'_, '_>) {
    let (a, b) = (l.src(A), l.src(B));
    let product = l.fmul(a, b);
    l.set(D, product);
}

fn ffma(l: &mut AgxLift<'_, '_>) {
    let (a, b, c) = (l.src(A), l.src(B), l.src(C));
    let sum = l.fma(a, b, c);
    l.set(D, sum);
}
