//! Operations that mix components.

use super::op;
use crate::Agal;
use crate::Yields::{Scalar, Vector};
use crate::operand::{A, AgalLift, B, D, DEST, VEC3_A, VEC3_B, VEC4_A, VEC4_B};
use crate::options::NrmZero;
use shisa_ir::Swizzle;
use shisa_rows::Form;

#[rustfmt::skip]
pub(super) const ROWS: &[Form<Agal>] = &[
    op("nrm", 0x0e, &[DEST, VEC3_A],         Vector, nrm).says("Scales the first three components to length 1."),
    op("crs", 0x11, &[DEST, VEC3_A, VEC3_B], Vector, crs).says("Takes the cross product."),
    op("dp3", 0x12, &[DEST, VEC3_A, VEC3_B], Scalar, dot).says("Takes the dot product of the first three components."),
    op("dp4", 0x13, &[DEST, VEC4_A, VEC4_B], Scalar, dot).says("Takes the dot product of all four components."),
];

fn nrm(l: &mut AgalLift<'_, '_>) {
    let a = l.src(A);
    let square = l.fdot(a, a);
    let scale = l.frsqrt(square);
    let scale = match l.ctx.options.nrm_zero {
        NrmZero::Nan => scale,
        NrmZero::Zero => {
            let zero = l.f32(0.0, 1);
            let is_zero = l.feq(square, zero);
            l.select(is_zero, zero, scale)
        }
    };
    let scale = l.splat(scale, 3);
    let unit = l.fmul(a, scale);
    l.set(D, unit);
}

fn crs(l: &mut AgalLift<'_, '_>) {
    const YZX: Swizzle = Swizzle::from_slice(&[1, 2, 0]);
    const ZXY: Swizzle = Swizzle::from_slice(&[2, 0, 1]);
    let (a, b) = (l.src(A), l.src(B));
    let (a1, b2) = (l.swizzle(a, YZX, 3), l.swizzle(b, ZXY, 3));
    let (a2, b1) = (l.swizzle(a, ZXY, 3), l.swizzle(b, YZX, 3));
    let (plus, minus) = (l.fmul(a1, b2), l.fmul(a2, b1));
    let product = l.fsub(plus, minus);
    l.set(D, product);
}

fn dot(l: &mut AgalLift<'_, '_>) {
    let (a, b) = (l.src(A), l.src(B));
    let product = l.fdot(a, b);
    l.set(D, product);
}
