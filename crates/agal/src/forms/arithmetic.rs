//! Componentwise arithmetic.

use super::{effect, only, op, since};
use crate::Agal;
use crate::Effect::{Copy, Derivative};
use crate::Yields::Each;
use crate::operand::{A, AgalLift, B, D, DEST, EACH_A, EACH_B, Operands, operands};
use crate::options::NegBase;
use shisa_ir::{Axis, Stage, Value};
use shisa_rows::Form;

const UNARY: Operands = operands![DEST, EACH_A];
const BINARY: Operands = operands![DEST, EACH_A, EACH_B];

#[rustfmt::skip]
pub(super) const ROWS: &[Form<Agal>] = &[
    effect(op("mov", 0x00, UNARY,  Each, mov), Copy).says("Copies the source.")
        .examples(&[("mov vt0, va0", [0x020f_0000_0000_0000, 0x0000_0000_e400_0000, 0])]),
    op("add", 0x01, BINARY, Each, add).says("Adds.")
        .examples(&[("add vt0.xyz, va0, vc[va1.x+4]", [0x0207_0000_0000_0001, 0x0000_0000_e400_0000, 0x8000_0001_e404_0001])]),
    op("sub", 0x02, BINARY, Each, sub).says("Subtracts the second source from the first.")
        .examples(&[("sub vt0, va0, vc0", [0x020f_0000_0000_0002, 0x0000_0000_e400_0000, 0x0000_0001_e400_0000])]),
    op("mul", 0x03, BINARY, Each, mul).says("Multiplies.")
        .examples(&[("mul vt0, va0, vc1.x", [0x020f_0000_0000_0003, 0x0000_0000_e400_0000, 0x0000_0001_0000_0001])]),
    op("div", 0x04, BINARY, Each, div).says("Divides the first source by the second.")
        .examples(&[("div vt0.xyz, vt0, vt1.w", [0x0207_0000_0000_0004, 0x0000_0002_e400_0000, 0x0000_0002_ff00_0001])]),
    op("rcp", 0x05, UNARY,  Each, rcp).says("Takes the reciprocal.")
        .examples(&[("rcp vt0.x, va0.x", [0x0201_0000_0000_0005, 0, 0])]),
    op("min", 0x06, BINARY, Each, min).says("Takes the smaller.")
        .examples(&[("min vt0, va0, vc0", [0x020f_0000_0000_0006, 0x0000_0000_e400_0000, 0x0000_0001_e400_0000])]),
    op("max", 0x07, BINARY, Each, max).says("Takes the larger.")
        .examples(&[("max vt0, va0, vc0", [0x020f_0000_0000_0007, 0x0000_0000_e400_0000, 0x0000_0001_e400_0000])]),
    op("frc", 0x08, UNARY,  Each, frc).says("Takes the fraction: the source minus the largest whole number not above it.")
        .examples(&[("frc vt1, vt0", [0x020f_0001_0000_0008, 0x0000_0002_e400_0000, 0])]),
    op("sqt", 0x09, UNARY,  Each, sqt).says("Takes the square root.")
        .examples(&[("sqt vt0.x, va0.w", [0x0201_0000_0000_0009, 0x0000_0000_ff00_0000, 0])]),
    op("rsq", 0x0a, UNARY,  Each, rsq).says("Takes the reciprocal of the square root.")
        .examples(&[("rsq vt0.w, vt1.x", [0x0208_0000_0000_000a, 0x0000_0002_0000_0001, 0])]),
    op("pow", 0x0b, BINARY, Each, pow).says("Raises the first source to the power of the second.")
        .examples(&[("pow vt0.x, va0.x, vc0.y", [0x0201_0000_0000_000b, 0, 0x0000_0001_5500_0000])]),
    op("log", 0x0c, UNARY,  Each, log).says("Takes the base-2 logarithm.")
        .examples(&[("log vt0.x, va0.x", [0x0201_0000_0000_000c, 0, 0])]),
    op("exp", 0x0d, UNARY,  Each, exp).says("Raises 2 to the power of the source.")
        .examples(&[("exp vt0, va1", [0x020f_0000_0000_000d, 0x0000_0000_e400_0001, 0])]),
    op("sin", 0x0f, UNARY,  Each, sin).says("Takes the sine of an angle in radians.")
        .examples(&[("sin vt0.xy, va0.xy", [0x0203_0000_0000_000f, 0x0000_0000_5400_0000, 0])]),
    op("cos", 0x10, UNARY,  Each, cos).says("Takes the cosine of an angle in radians.")
        .examples(&[("cos vt0.z, va0.x", [0x0204_0000_0000_0010, 0, 0])]),
    op("abs", 0x14, UNARY,  Each, abs).says("Takes the magnitude.")
        .examples(&[("abs vt0, va0", [0x020f_0000_0000_0014, 0x0000_0000_e400_0000, 0])]),
    op("neg", 0x15, UNARY,  Each, neg).says("Changes the sign.")
        .examples(&[("neg vt0.xyz, va0.xyz", [0x0207_0000_0000_0015, 0x0000_0000_a400_0000, 0])]),
    op("sat", 0x16, UNARY,  Each, sat).says("Clamps to 0 … 1.")
        .examples(&[("sat v0, va1", [0x040f_0000_0000_0016, 0x0000_0000_e400_0001, 0])]),
    only(since(effect(op("ddx", 0x1a, UNARY, Each, ddx), Derivative), 2), Stage::Fragment)
        .says("Takes the change of the source from the left pixel of the quad to the right one.")
        .examples(&[("ddx ft0, v0", [0x020f_0000_0000_001a, 0x0000_0004_e400_0000, 0])]),
    only(since(effect(op("ddy", 0x1b, UNARY, Each, ddy), Derivative), 2), Stage::Fragment)
        .says("Takes the change of the source from the upper row of the quad to the lower one.")
        .examples(&[("ddy ft1, v0", [0x020f_0001_0000_001b, 0x0000_0004_e400_0000, 0])]),
];

fn mov(l: &mut AgalLift<'_, '_>) {
    let a = l.src(A);
    l.set(D, a);
}

fn add(l: &mut AgalLift<'_, '_>) {
    let (a, b) = (l.src(A), l.src(B));
    let sum = l.fadd(a, b);
    l.set(D, sum);
}

fn sub(l: &mut AgalLift<'_, '_>) {
    let (a, b) = (l.src(A), l.src(B));
    let difference = l.fsub(a, b);
    l.set(D, difference);
}

fn mul(l: &mut AgalLift<'_, '_>) {
    let (a, b) = (l.src(A), l.src(B));
    let product = l.fmul(a, b);
    l.set(D, product);
}

fn div(l: &mut AgalLift<'_, '_>) {
    let (a, b) = (l.src(A), l.src(B));
    let quotient = l.fdiv(a, b);
    l.set(D, quotient);
}

fn rcp(l: &mut AgalLift<'_, '_>) {
    let a = l.src(A);
    let reciprocal = l.frcp(a);
    l.set(D, reciprocal);
}

fn min(l: &mut AgalLift<'_, '_>) {
    let (a, b) = (l.src(A), l.src(B));
    let smaller = l.fmin(a, b);
    l.set(D, smaller);
}

fn max(l: &mut AgalLift<'_, '_>) {
    let (a, b) = (l.src(A), l.src(B));
    let larger = l.fmax(a, b);
    l.set(D, larger);
}

fn frc(l: &mut AgalLift<'_, '_>) {
    let a = l.src(A);
    let whole = l.ffloor(a);
    let fraction = l.fsub(a, whole);
    l.set(D, fraction);
}

/// The first source, or its magnitude if the option says so for negative arguments.
fn argument(l: &mut AgalLift<'_, '_>) -> Value {
    let a = l.src(A);
    match l.ctx.options.neg_base {
        NegBase::Abs => l.fabs(a),
        NegBase::Nan => a,
    }
}

fn sqt(l: &mut AgalLift<'_, '_>) {
    let a = argument(l);
    let root = l.fsqrt(a);
    l.set(D, root);
}

fn rsq(l: &mut AgalLift<'_, '_>) {
    let a = argument(l);
    let root = l.frsqrt(a);
    l.set(D, root);
}

fn pow(l: &mut AgalLift<'_, '_>) {
    let (a, b) = (argument(l), l.src(B));
    let power = l.fpow(a, b);
    l.set(D, power);
}

fn log(l: &mut AgalLift<'_, '_>) {
    let a = argument(l);
    let logarithm = l.flog2(a);
    l.set(D, logarithm);
}

fn exp(l: &mut AgalLift<'_, '_>) {
    let a = l.src(A);
    let power = l.fexp2(a);
    l.set(D, power);
}

fn sin(l: &mut AgalLift<'_, '_>) {
    let a = l.src(A);
    let sine = l.fsin(a);
    l.set(D, sine);
}

fn cos(l: &mut AgalLift<'_, '_>) {
    let a = l.src(A);
    let cosine = l.fcos(a);
    l.set(D, cosine);
}

fn abs(l: &mut AgalLift<'_, '_>) {
    let a = l.src(A);
    let magnitude = l.fabs(a);
    l.set(D, magnitude);
}

fn neg(l: &mut AgalLift<'_, '_>) {
    let a = l.src(A);
    let negative = l.fneg(a);
    l.set(D, negative);
}

fn sat(l: &mut AgalLift<'_, '_>) {
    let a = l.src(A);
    let clamped = l.fsat(a);
    l.set(D, clamped);
}

fn ddx(l: &mut AgalLift<'_, '_>) {
    let a = l.src(A);
    let change = l.derivative(Axis::X, a);
    l.set(D, change);
}

fn ddy(l: &mut AgalLift<'_, '_>) {
    let a = l.src(A);
    let change = l.derivative(Axis::Y, a);
    l.set(D, change);
}
