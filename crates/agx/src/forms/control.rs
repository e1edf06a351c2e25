//! Control flow. What the rows do to the nesting counter is data; that they run for all lanes, and that
//! "the counter is zero" becomes the mask, is what the sequencer is told.

use super::{float, integer, row};
use crate::Agx;
use crate::operand::{
    A, ALU_A, ALU_B, AgxLift, CACHE, COND4_F, COND4_I, FLOAT_A, FLOAT_B, LEVELS, NEST, OFFSET, nesting,
    set_nesting,
};
use crate::sequencer::{ELSE, IF, JUMP, POP, STOP, UPDATE, WHILE};
use shisa_diag::Diagnostic;
use shisa_ir::{ControlOp, Scalar, Type, Value};
use shisa_rows::{Form, Operand};

const INTEGERS: &[Operand<Agx>] = &[ALU_A, ALU_B, NEST, COND4_I, CACHE];
const FLOATS: &[Operand<Agx>] = &[FLOAT_A, FLOAT_B, NEST, COND4_F, CACHE];
const I_MASK: u128 = 0x30c0_0c00_067f;
const F_MASK: u128 = 0x3000_0000_067f;

#[rustfmt::skip]
pub(super) const ROWS: &[Form<Agx>] = &[
    row("pop_exec", 6, (0xffff_ffff_e67f, 0x652), &[NEST, CACHE], |l| counted(l, POP, None)).says("Ends levels of nesting.")
        .examples(&[("pop_exec 1", 0xe52), ("pop_exec 2, cache", 0x16d2)]),
    row("if", 6, (I_MASK, 0x52), INTEGERS, |l| compared(l, IF, integer::compare)).says("Goes on in lanes where the comparison holds.")
        .examples(&[("if       r12, r13, 1, ult", 0x0025_a258_2852)]),
    row("else", 6, (I_MASK, 0x252), INTEGERS, |l| compared(l, ELSE, integer::compare)).says("Goes on in lanes that the last condition held back, where the comparison holds.")
        .examples(&[("else     r1, 0, 1, ieq", 0x0242_0a52)]),
    row("while", 6, (I_MASK, 0x452), INTEGERS, |l| compared(l, WHILE, integer::compare)).says("Goes on in lanes of the loop where the comparison holds.")
        .examples(&[("while    r2, r32, 1, ult", 0x0124_0244_2c52)]),
    row("update_exec", 6, (0x3fff_ffff_ff7f, 0x42), &[CACHE], |l| counted(l, UPDATE, None)).says("Computes the mask anew.")
        .examples(&[("update_exec", 0x42)]),
    row("if", 6, (F_MASK, 0x42), FLOATS, |l| compared(l, IF, float::compare)).yields_to("update_exec").says("Goes on in lanes where the comparison holds.")
        .examples(&[("if       -1.0, r1h, 1, feq", 0x0804_3030_0842)]),
    row("else", 6, (F_MASK, 0x242), FLOATS, |l| compared(l, ELSE, float::compare)).says("Goes on in lanes that the last condition held back, where the comparison holds.")
        .examples(&[("else     0.0, 0.0, 1, feq", 0xa42)]),
    row("while", 6, (F_MASK, 0x442), FLOATS, |l| compared(l, WHILE, float::compare)).says("Goes on in lanes of the loop where the comparison holds.")
        .examples(&[("while    3.0, r2, 1, fnlt", 0x0424_4008_2d42)]),
    row("jmp_any", 6, (0xffff, 0xc000), &[OFFSET], |l| jump(l, 1)).says("Jumps if any lane is active.")
        .examples(&[("jmp_any  -102", 0xffff_ff9a_c000)]),
    row("jmp_none", 6, (0xffff, 0xc020), &[OFFSET], |l| jump(l, 0)).says("Jumps if no lane is active.")
        .examples(&[("jmp_none 100", 0x0064_c020)]),
    row("stop", 2, (0xffff, 0x88), &[], |l| l.control(STOP, None, 0, 0)).says("Ends the wave.")
        .examples(&[("stop", 0x88)]),
    row("trap", 2, (0xffff, 0x8), &[], |l| l.control(STOP, None, 0, 0)).says("Ends the wave; stands behind programs.")
        .examples(&[("trap", 8)]),
];

fn compared(l: &mut AgxLift<'_, '_>, op: ControlOp, compare: fn(&mut AgxLift<'_, '_>) -> Value) {
    let held = compare(l);
    counted(l, op, Some(held));
}

/// Computes the counter in every lane; the lane is active behind where it is zero. Where `held` decides
/// the counter it is said to decide the mask too, so that nothing is left of a counter that is known.
fn counted(l: &mut AgxLift<'_, '_>, op: ControlOp, held: Option<Value>) {
    l.whole_wave();
    let levels = l.insn.field(LEVELS);
    let half = Scalar::I16.by(1);
    let old = nesting(l);
    let [zero, one, n] = [0, 1, levels].map(|v| l.constant(half, v));
    // Which lanes are asked, how far the others are held back, and how far a lane that does not hold.
    let (asked, others, back) = match op {
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
        new = l.select(asked, answer, others);
        active = l.select(asked, held, active);
    }
    set_nesting(l, new);
    l.control(op, Some(active), 0, levels as u32);
}

fn jump(l: &mut AgxLift<'_, '_>, any: u32) {
    let distance = l.insn.field(A) as u32 as i32;
    let Some(target) = l.pc.checked_add_signed(distance) else {
        return l.refuse(Diagnostic::error("lift-target", "the target lies before the code"));
    };
    l.control(JUMP, None, target, any);
}
