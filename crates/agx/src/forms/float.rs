//! Binary32 arithmetic. Halves are widened before and rounded once more behind.

use super::{SHORT4, SHORT6, SHORT8, long_row};
use crate::Agx;
use crate::operand::{
    A, AgxLift, B, C, COND, CSEL_COND, CSEL_X, CSEL_Y, D, DEST_44, DEST_60, DEST_76, FCSEL_A, FCSEL_B,
    FLOAT_A, FLOAT_B, FMA_A, FMA_B, FMA_C, SATURATE, X, Y,
};
use shisa_diag::Diagnostic;
use shisa_ir::Value;
use shisa_rows::{Form, Operand};

const TWO: &[Operand<Agx>] = &[DEST_44, FLOAT_A, FLOAT_B, SATURATE, SHORT4];

#[rustfmt::skip]
pub(super) const ROWS: &[Form<Agx>] = &[
    long_row("fadd", (4, 6, 15), (0x3f, 0x2a), TWO, fadd).says("Adds.")
        .examples(&[("fadd     r0, r0.neg, r1.neg", 0x00a4_2a40_812a), ("fadd     r0, 4.0, r0", 0x0424_0010_812a)]),
    long_row("fmul", (4, 6, 15), (0x3f, 0x1a), TWO, fmul).says("Multiplies.")
        .examples(&[("fmul     r0, r4, r0, sat", 0x0024_0248_815a)]),
    long_row("ffma", (6, 8, 15), (0x3f, 0x3a), &[DEST_60, FMA_A, FMA_B, FMA_C, SATURATE, SHORT6], ffma).says("Multiplies and adds, rounding once.")
        .examples(&[("ffma     r0, r2, r1, r0.neg", 0x000a_4024_2244_813a)]),
    long_row("csel", (8, 10, 15), (0x7f, 0x2), &[DEST_76, FCSEL_A, FCSEL_B, CSEL_X, CSEL_Y, CSEL_COND[1], SHORT8], csel).says("Takes the third or the fourth source, as the first two compare.")
        .examples(&[("csel     r1, r1, r13, r1, r13, fltn", 0x65a0_4225_a242_0502)]),
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

/// How two floats compare. `fltn` and `fgtn` also hold where the second source is NaN.
pub(super) fn compare(l: &mut AgxLift<'_, '_>) -> Value {
    let cond = l.insn.field(COND);
    let (a, b) = (l.src(A), l.src(B));
    let held = match cond & 7 {
        0 => l.feq(a, b),
        1 => l.flt(a, b),
        2 => l.flt(b, a),
        5 => l.fle(b, a),
        6 => l.fle(a, b),
        n @ (3 | 7) => {
            let ordered = if n == 3 { l.flt(a, b) } else { l.flt(b, a) };
            let nan = l.fne(b, b);
            l.or(ordered, nan)
        }
        _ => {
            l.refuse(Diagnostic::error("lift-condition", "this comparison does not exist"));
            l.feq(a, b)
        }
    };
    if cond & 8 != 0 { l.not(held) } else { held }
}

fn csel(l: &mut AgxLift<'_, '_>) {
    let held = compare(l);
    let (x, y) = (l.src(X), l.src(Y));
    let v = l.select(held, x, y);
    l.set(D, v);
}
