//! Comparisons that yield 1 or 0.

use super::op;
use crate::Agal;
use crate::Yields::Each;
use crate::operand::{A, AgalLift, B, D, DEST, EACH_A, EACH_B, Operands, operands};
use shisa_ir::Value;
use shisa_rows::Form;

const BINARY: Operands = operands![DEST, EACH_A, EACH_B];

#[rustfmt::skip]
pub(super) const ROWS: &[Form<Agal>] = &[
    op("sge", 0x29, BINARY, Each, sge).says("Gives 1 where the first source is greater or equal, else 0.")
        .examples(&[("sge vt0, va0, vc0", [0x020f_0000_0000_0029, 0x0000_0000_e400_0000, 0x0000_0001_e400_0000])]),
    op("slt", 0x2a, BINARY, Each, slt).says("Gives 1 where the first source is smaller, else 0.")
        .examples(&[("slt vt0, va0, vc0.x", [0x020f_0000_0000_002a, 0x0000_0000_e400_0000, 0x0000_0001_0000_0000])]),
    super::always_assembled(super::since(op("sgn", 0x2b, operands![DEST, EACH_A], Each, sgn), 2), [3621; 2]).says("Gives the sign: 1, 0 or -1.")
        .examples(&[("sgn vt0, va0", [0x020f_0000_0000_002b, 0x0000_0000_e400_0000, 0])]),
    op("seq", 0x2c, BINARY, Each, seq).says("Gives 1 where the sources are equal, else 0.")
        .examples(&[("seq vt0, va0, vc0", [0x020f_0000_0000_002c, 0x0000_0000_e400_0000, 0x0000_0001_e400_0000])]),
    op("sne", 0x2d, BINARY, Each, sne).says("Gives 1 where the sources differ, else 0.")
        .examples(&[("sne vt0.xy, va0, vc0", [0x0203_0000_0000_002d, 0x0000_0000_e400_0000, 0x0000_0001_e400_0000])]),
];

/// 1 where `cond` holds, else 0.
fn truth(l: &mut AgalLift<'_, '_>, cond: Value) -> Value {
    let count = l.ty(cond).count;
    let (one, zero) = (l.f32(1.0, count), l.f32(0.0, count));
    l.select(cond, one, zero)
}

fn sge(l: &mut AgalLift<'_, '_>) {
    let (a, b) = (l.src(A), l.src(B));
    let cond = l.fle(b, a);
    let v = truth(l, cond);
    l.set(D, v);
}

fn slt(l: &mut AgalLift<'_, '_>) {
    let (a, b) = (l.src(A), l.src(B));
    let cond = l.flt(a, b);
    let v = truth(l, cond);
    l.set(D, v);
}

fn seq(l: &mut AgalLift<'_, '_>) {
    let (a, b) = (l.src(A), l.src(B));
    let cond = l.feq(a, b);
    let v = truth(l, cond);
    l.set(D, v);
}

fn sne(l: &mut AgalLift<'_, '_>) {
    let (a, b) = (l.src(A), l.src(B));
    let cond = l.fne(a, b);
    let v = truth(l, cond);
    l.set(D, v);
}

fn sgn(l: &mut AgalLift<'_, '_>) {
    let a = l.src(A);
    let count = l.ty(a).count;
    let zero = l.f32(0.0, count);
    let (above, below) = (l.flt(zero, a), l.flt(a, zero));
    let (above, below) = (truth(l, above), truth(l, below));
    let sign = l.fsub(above, below);
    l.set(D, sign);
}
