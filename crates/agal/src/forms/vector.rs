//! Operations that mix components.

use super::op;
use crate::Agal;
use crate::Yields::{Scalar, Vector};
use crate::operand::{A, AgalLift, B, D, DEST, VEC3_A, VEC3_B, VEC4_A, VEC4_B, operands};
use crate::options::NrmZero;
use shisa_ir::Swizzle;
use shisa_rows::Form;

#[rustfmt::skip]
pub(super) const ROWS: &[Form<Agal>] = &[
    op("nrm", 0x0e, operands![DEST, VEC3_A],         Vector, nrm).says("Scales the first three components to length 1.")
        .examples(&[("nrm vt0.xyz, va1", [0x0207_0000_0000_000e, 0x0000_0000_e400_0001, 0])]),
    op("crs", 0x11, operands![DEST, VEC3_A, VEC3_B], Vector, crs).says("Takes the cross product.")
        .examples(&[("crs vt0.xyz, va0, va1", [0x0207_0000_0000_0011, 0x0000_0000_e400_0000, 0x0000_0000_e400_0001])]),
    op("dp3", 0x12, operands![DEST, VEC3_A, VEC3_B], Scalar, dot).says("Takes the dot product of the first three components.")
        .examples(&[("dp3 vt0.x, va0, vc0", [0x0201_0000_0000_0012, 0x0000_0000_e400_0000, 0x0000_0001_e400_0000])]),
    op("dp4", 0x13, operands![DEST, VEC4_A, VEC4_B], Scalar, dot).says("Takes the dot product of all four components.")
        .examples(&[("dp4 op.x, va0, vc0", [0x0301_0000_0000_0013, 0x0000_0000_e400_0000, 0x0000_0001_e400_0000])]),
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
