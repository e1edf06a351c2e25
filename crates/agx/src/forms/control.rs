//! Control flow. The effect of the rows on the nesting counter is data. They run in all lanes, and their condition
//! "the counter is zero" is the new mask, which the sequencer uses.

use super::{compare, row};
use crate::Agx;
use crate::applegpu;
use crate::facts::{Facts, Nesting};
use crate::operand::{
    ALU_A, ALU_B, AgxLift, CACHE, COND4_F, COND4_I, FLOAT_A, FLOAT_B, LEVELS, NEST, nesting, set_nesting,
};
use crate::sequencer::{ELSE, IF, POP, UPDATE, WHILE};
use shisa_ir::{ControlOp, Scalar, Type, Value};
use shisa_rows::{Form, Operand, Spelling};

const INTEGERS: &[Operand<Agx>] = &[ALU_A, ALU_B, NEST, CACHE, COND4_I];
const FLOATS: &[Operand<Agx>] = &[FLOAT_A, FLOAT_B, NEST, CACHE, COND4_F];
const I_MASK: u128 = 0x30c0_0c00_067f;
const F_MASK: u128 = 0x3000_0000_067f;

#[rustfmt::skip]
pub(super) const ROWS: &[Form<Agx>] = &[
    row("pop_exec", Facts::nesting(Nesting::Pop), 6, (0xffff_ffff_e67f, 0x652), &[NEST, CACHE], |l| counted(l, POP, None)).says("Ends levels of nesting.").spelled(applegpu::POP_EXEC)
        .examples(&[("pop_exec 1", 0xe52), ("pop_exec 2, cache", 0x16d2)]),
    row("if", Facts::nesting(Nesting::If), 6, (I_MASK, 0x52), INTEGERS, |l| compared(l, IF, compare::integers)).says("Masks off lanes where the comparison does not hold.").spelled(Spelling::new("if_icmp", applegpu::ON_INTEGERS))
        .examples(&[("if       r12, r13, 1, ult", 0x0025_a258_2852)]),
    row("else", Facts::nesting(Nesting::Else), 6, (I_MASK, 0x252), INTEGERS, |l| compared(l, ELSE, compare::integers)).says("Activates lanes that the last condition masked off, where the comparison holds, and masks off the others.").spelled(Spelling::new("else_icmp", applegpu::ON_INTEGERS))
        .examples(&[("else     r1, 0, 1, ieq", 0x0242_0a52)]),
    row("while", Facts::nesting(Nesting::While), 6, (I_MASK, 0x452), INTEGERS, |l| compared(l, WHILE, compare::integers)).says("Masks off lanes of the loop where the comparison does not hold.").spelled(Spelling::new("while_icmp", applegpu::ON_INTEGERS))
        .examples(&[("while    r2, r32, 1, ult", 0x0124_0244_2c52)]),
    row("update_exec", Facts::nesting(Nesting::Update), 6, (0x3fff_ffff_ff7f, 0x42), &[CACHE], |l| counted(l, UPDATE, None)).says("Activates lanes whose nesting counter is 0, and masks off the others.").spelled(applegpu::UPDATE_EXEC)
        .examples(&[("update_exec", 0x42)]),
    row("if", Facts::nesting(Nesting::If), 6, (F_MASK, 0x42), FLOATS, |l| compared(l, IF, compare::floats)).yields_to("update_exec").says("Masks off lanes where the comparison does not hold.").spelled(applegpu::IF_FCMP)
        .examples(&[("if       -1.0, r1h, 1, feq", 0x0804_3030_0842)]),
    row("else", Facts::nesting(Nesting::Else), 6, (F_MASK, 0x242), FLOATS, |l| compared(l, ELSE, compare::floats)).says("Activates lanes that the last condition masked off, where the comparison holds, and masks off the others.").spelled(Spelling::new("else_fcmp", applegpu::ON_FLOATS))
        .examples(&[("else     0.0, 0.0, 1, feq", 0xa42)]),
    row("while", Facts::nesting(Nesting::While), 6, (F_MASK, 0x442), FLOATS, |l| compared(l, WHILE, compare::floats)).says("Masks off lanes of the loop where the comparison does not hold.").spelled(Spelling::new("while_fcmp", applegpu::ON_FLOATS))
        .examples(&[("while    3.0, r2, 1, fnlt", 0x0424_4008_2d42)]),
];

fn compared(l: &mut AgxLift<'_, '_>, op: ControlOp, compare: fn(&mut AgxLift<'_, '_>) -> Value) {
    let held = compare(l);
    counted(l, op, Some(held));
}

/// Computes the counter in every lane; afterwards the lane is active if it is zero. If `held` determines the counter,
/// it is recorded as determining the mask too, so that a known counter can be removed entirely.
fn counted(l: &mut AgxLift<'_, '_>, op: ControlOp, held: Option<Value>) {
    l.whole_wave();
    let levels = l.insn.field(LEVELS);
    let half = Scalar::I16.by(1);
    let old = nesting(l);
    let [zero, one, n] = [0, 1, levels].map(|v| l.constant(half, v));
    // The lanes that evaluate the condition, the counter of the others, and that of a lane where it does not hold.
    let (evaluates, others, back) = match op {
        IF => (l.ieq(old, zero), l.iadd(old, n), one),
        ELSE => {
            let active = l.ieq(old, zero);
            (l.ieq(old, one), l.select(active, n, old), one)
        }
        WHILE => (l.ult(old, n), old, n),
        POP => {
            let (left, below) = (l.isub(old, n), l.ult(old, n));
            (l.constant(Type::BOOL, 0), l.select(below, zero, left), zero)
        }
        _ => (l.constant(Type::BOOL, 0), old, zero),
    };
    let (mut new, mut active) = (others, l.ieq(others, zero));
    if let Some(held) = held {
        let answer = l.select(held, zero, back);
        new = l.select(evaluates, answer, others);
        active = l.select(evaluates, held, active);
    }
    set_nesting(l, new);
    l.control(op, Some(active), 0, levels as u32);
}
