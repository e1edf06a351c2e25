//! Selections.

use super::{SHORT8, compare, long_row};
use crate::Agx;
use crate::applegpu;
use crate::facts::Facts;
use crate::operand::{
    AgxLift, CSEL_A, CSEL_B, CSEL_COND, CSEL_X, CSEL_Y, D, DEST_76, FCSEL_A, FCSEL_B, X, Y, counters_selected,
};
use crate::sequencer::{CHOOSE, choice};
use shisa_ir::Value;
use shisa_rows::Form;

#[rustfmt::skip]
pub(super) const ROWS: &[Form<Agx>] = &[
    long_row("csel", Facts::SELECT, (8, 10, 15), (0x7f, 0x12), &[DEST_76, CSEL_A, CSEL_B, CSEL_X, CSEL_Y, CSEL_COND[0], SHORT8], |l| csel(l, compare::integers)).says("Takes the third or the fourth source, as the first two compare.").spelled(applegpu::ICMPSEL)
        .examples(&[("csel     r2, r1, u12, u5, 0, ult", 0x3001_8a19_8242_0912), ("csel     r94, r99, r15, r32, r94, slt", 0x2c60_a7c0_4025_e246_f912)]),
    long_row("csel", Facts::SELECT, (8, 10, 15), (0x7f, 0x2), &[DEST_76, FCSEL_A, FCSEL_B, CSEL_X, CSEL_Y, CSEL_COND[1], SHORT8], |l| csel(l, compare::floats)).says("Takes the third or the fourth source, as the first two compare.").spelled(applegpu::FCMPSEL)
        .examples(&[("csel     r1, r1, r13, r1, r13, fltn", 0x65a0_4225_a242_0502)]),
];

fn csel(l: &mut AgxLift<'_, '_>, compare: fn(&mut AgxLift<'_, '_>) -> Value) {
    let held = compare(l);
    let (x, y) = (l.src(X), l.src(Y));
    let v = l.select(held, x, y);
    l.set(D, v);
    if let Some(counters) = counters_selected(&l.insn) {
        l.control(CHOOSE, Some(held), 0, choice(counters));
    }
}
