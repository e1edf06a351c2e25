//! Conditions and discard.

use super::{effect, only, op, since};
use crate::Agal;
use crate::Effect::{Discard, Else, EndIf, If};
use crate::Yields::Each;
use crate::operand::{A, AgalLift, B, Operands, SCALAR_A, SCALAR_B, operands};
use crate::options::Ifg;
use crate::sequencer::{ELSE, END_IF, IF};
use shisa_ir::{Stage, Value};
use shisa_rows::Form;

const PAIR: Operands = operands![SCALAR_A, SCALAR_B];

#[rustfmt::skip]
pub(super) const ROWS: &[Form<Agal>] = &[
    since(effect(op("ife", 0x1c, PAIR, Each, ife), If), 2).says("Continues in the lanes where the sources are equal, up to els or eif.")
        .examples(&[("ife vt0.x, vc0.y", [0x0000_0000_0000_001c, 0x0000_0002_0000_0000, 0x0000_0001_5500_0000])]),
    since(effect(op("ine", 0x1d, PAIR, Each, ine), If), 2).says("Continues in the lanes where the sources differ, up to els or eif.")
        .examples(&[("ine vt0.x, vc0.y", [0x0000_0000_0000_001d, 0x0000_0002_0000_0000, 0x0000_0001_5500_0000])]),
    since(effect(op("ifg", 0x1e, PAIR, Each, ifg), If), 2).says("Continues in the lanes where the first source is greater or equal, up to els or eif.")
        .examples(&[("ifg vt0.x, vc0.y", [0x0000_0000_0000_001e, 0x0000_0002_0000_0000, 0x0000_0001_5500_0000])]),
    since(effect(op("ifl", 0x1f, PAIR, Each, ifl), If), 2).says("Continues in the lanes where the first source is smaller, up to els or eif.")
        .examples(&[("ifl vt0.x, vc0.y", [0x0000_0000_0000_001f, 0x0000_0002_0000_0000, 0x0000_0001_5500_0000])]),
    since(effect(op("els", 0x20, operands![], Each, els), Else), 2).says("Continues in the lanes where the condition did not hold, up to eif.")
        .examples(&[("els", [0x0000_0000_0000_0020, 0, 0])]),
    since(effect(op("eif", 0x21, operands![], Each, eif), EndIf), 2).says("Ends a condition.")
        .examples(&[("eif", [0x0000_0000_0000_0021, 0, 0])]),
    only(effect(op("kil", 0x27, operands![SCALAR_A], Each, kil), Discard), Stage::Fragment).says("Discards the pixel where the source is below zero.")
        .examples(&[("kil ft0.w", [0x0000_0000_0000_0027, 0x0000_0002_ff00_0000, 0])]),
];

fn open(l: &mut AgalLift<'_, '_>, cond: Value) {
    l.control(IF, Some(cond), 0, 0);
}

fn ife(l: &mut AgalLift<'_, '_>) {
    let (a, b) = (l.src(A), l.src(B));
    let cond = l.feq(a, b);
    open(l, cond);
}

fn ine(l: &mut AgalLift<'_, '_>) {
    let (a, b) = (l.src(A), l.src(B));
    let cond = l.fne(a, b);
    open(l, cond);
}

fn ifg(l: &mut AgalLift<'_, '_>) {
    let (a, b) = (l.src(A), l.src(B));
    let cond = match l.ctx.options.ifg {
        Ifg::GreaterEqual => l.fle(b, a),
        Ifg::Greater => l.flt(b, a),
    };
    open(l, cond);
}

fn ifl(l: &mut AgalLift<'_, '_>) {
    let (a, b) = (l.src(A), l.src(B));
    let cond = l.flt(a, b);
    open(l, cond);
}

fn els(l: &mut AgalLift<'_, '_>) {
    l.control(ELSE, None, 0, 0);
}

fn eif(l: &mut AgalLift<'_, '_>) {
    l.control(END_IF, None, 0, 0);
}

fn kil(l: &mut AgalLift<'_, '_>) {
    let a = l.src(A);
    let zero = l.f32(0.0, 1);
    let below = l.flt(a, zero);
    l.kill(below);
}
