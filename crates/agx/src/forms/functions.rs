//! Functions of one float: rounding to integers, reciprocals, powers, sine, derivatives.
//!
//! Results are those of the exact function rounded once; the hardware's last digits are not published.

use super::{SHORT4, long_row};
use crate::Agx;
use crate::applegpu;
use crate::facts::Facts;
use crate::operand::{A, AgxLift, D, DEST_44, FLOAT_A, SATURATE};
use shisa_ir::{Axis, Unary, Value};
use shisa_rows::{Form, Operand};

const OPERANDS: &[Operand<Agx>] = &[DEST_44, FLOAT_A, SATURATE, SHORT4];
const PLAIN: &[Operand<Agx>] = &[DEST_44, FLOAT_A];

/// A row by the number of its function.
const fn function(
    name: &'static str,
    facts: Facts,
    number: u128,
    lift: fn(&mut AgxLift<'_, '_>),
) -> Form<Agx> {
    long_row(name, facts, (4, 6, 15), (0x3ff_f000_003f, 0xa | number << 28), OPERANDS, lift)
        .spelled(applegpu::saturating(name, PLAIN))
}

#[rustfmt::skip]
pub(super) const ROWS: &[Form<Agx>] = &[
    function("floor", Facts::COMPLEX, 0x00, |l| unary(l, Unary::FFloor)).says("Rounds down to an integer.")
        .examples(&[("floor    r0, r1", 0x0242_010a)]),
    function("rsqrts", Facts::complex(6, 4), 0x01, special).says("Computes 1 divided by the square root, and 1 for zero and infinity, so that the source times the result is the square root.").spelled(applegpu::saturating("rsqrt_special", PLAIN))
        .examples(&[("rsqrts   r0, r1", 0x1242_010a), ("rsqrts   r0l, r2l", 0x1044_000a)]),
    function("rcp", Facts::complex(5, 3), 0x08, |l| unary(l, Unary::FRcp)).says("Divides 1 by the source.")
        .examples(&[("rcp      r0, r5", 0x824a_010a)]),
    function("rsqrt", Facts::complex(6, 4), 0x09, |l| unary(l, Unary::FRsqrt)).says("Divides 1 by the square root.")
        .examples(&[("rsqrt    r1, r1.abs", 0x9642_050a)]),
    function("sinr", Facts::COMPLEX, 0x0a, fold).says("Maps an angle, in quarters of a circle from 0 to 4, to the one from -1 to 1 with the same sine.").spelled(applegpu::saturating("sin_pt_1", PLAIN))
        .examples(&[("sinr     r0, r0", 0xa240_010a), ("sinr     r1h, r1h", 0xa043_060a)]),
    function("dfdx", Facts::UNMEASURED, 0x04, |l| derivative(l, Axis::X)).says("Subtracts the left lane's number from the right lane's.")
        .examples(&[("dfdx     r5, r1", 0x4242_150a)]),
    function("dfdy", Facts::UNMEASURED, 0x06, |l| derivative(l, Axis::Y)).says("Subtracts the upper lane's number from the lower lane's.")
        .examples(&[("dfdy     r0, r0", 0x6240_010a)]),
    function("sinc", Facts::complex(5, 2), 0x0e, |l| unary(l, Unary::FSinc)).says("Divides the sine of an angle, in quarters of a circle, by the angle.").spelled(applegpu::saturating("sin_pt_2", PLAIN))
        .examples(&[("sinc     r22, r19", 0xe266_590a)]),
    function("log2", Facts::complex(5, 2), 0x0c, |l| unary(l, Unary::FLog2)).says("Computes the base-2 logarithm.")
        .examples(&[("log2     r0h, r5h", 0xc04b_020a)]),
    function("exp2", Facts::complex(5, 2), 0x0d, |l| unary(l, Unary::FExp2)).says("Computes 2 to the power of the source.")
        .examples(&[("exp2     r0, u8l", 0xd110_010a)]),
    function("ceil", Facts::UNMEASURED, 0x10, |l| unary(l, Unary::FCeil)).says("Rounds up to an integer.")
        .examples(&[("ceil     r0, r0", 0x0001_0240_810a)]),
    function("trunc", Facts::UNMEASURED, 0x20, |l| unary(l, Unary::FTrunc)).says("Rounds towards zero.")
        .examples(&[("trunc    r0, r23", 0x0002_026e_810a)]),
    function("rint", Facts::UNMEASURED, 0x30, |l| unary(l, Unary::FRound)).says("Rounds to the nearest integer, ties to even.")
        .examples(&[("rint     r6l, r6l.neg", 0x0003_084c_980a)]),
];

fn unary(l: &mut AgxLift<'_, '_>, op: Unary) {
    let v = l.src(A);
    let v = l.unary(op, v);
    l.set(D, v);
}

/// Zero and infinity times 1 are unchanged, and so are their square roots.
fn special(l: &mut AgxLift<'_, '_>) {
    let v = l.src(A);
    let root = l.frsqrt(v);
    let (zero, infinity, one) = (l.f32(0.0, 1), l.f32(f32::INFINITY, 1), l.f32(1.0, 1));
    let [zero, infinite] = [zero, infinity].map(|n| l.feq(v, n));
    let either = l.or(zero, infinite);
    let v = l.select(either, one, root);
    l.set(D, v);
}

/// Angles below 1 are unchanged; those up to 3 are mirrored at 1, larger ones are taken from the next circle.
fn fold(l: &mut AgxLift<'_, '_>) {
    let v = l.src(A);
    let [one, two, three, four] = [1.0, 2.0, 3.0, 4.0].map(|n| l.f32(n, 1));
    let (middle, last) = (l.fsub(two, v), l.fsub(v, four));
    let (below_one, below_three) = (l.flt(v, one), l.flt(v, three));
    let far = l.select(below_three, middle, last);
    let near = clamped(l, v);
    let v = l.select(below_one, near, far);
    l.set(D, v);
}

fn derivative(l: &mut AgxLift<'_, '_>, axis: Axis) {
    let v = l.src(A);
    let v = l.derivative(axis, v);
    let v = clamped(l, v);
    l.set(D, v);
}

/// A number that is not an arithmetic result, with denormals flushed and, if the row requests it, clamped.
fn clamped(l: &mut AgxLift<'_, '_>, v: Value) -> Value {
    let nothing = l.f32(-0.0, 1);
    l.fadd(v, nothing)
}
