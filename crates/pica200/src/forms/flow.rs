//! Control flow. Blocks end at addresses; [`crate::sequencer`] keeps them.

use super::op;
use crate::operand::{BOOLEAN, BOOLEAN_OR_NOT, COUNT, FLAG_TEST, INTEGER, PicaLift, TARGET, TEST, TO, WORDS};
use crate::sequencer::{BREAK, CALL, END, IF, JUMP, LOOP, push_loop};
use crate::{INTEGERS, Pica200};
use shisa_ir::{ControlOp, Reg, Scalar, Swizzle, Value};
use shisa_rows::Form;

#[rustfmt::skip]
pub(super) const ROWS: &[Form<Pica200>] = &[
    op("break",  0x20, &[], |l| l.control(BREAK, None, 0, 0)).says("Leaves the innermost loop.")
        .examples(&[("break", 0x8000_0000)]),
    op("nop",    0x21, &[], |_| ()).says("Does nothing.")
        .examples(&[("nop", 0x8400_0000)]),
    op("end",    0x22, &[], |l| l.control(END, None, 0, 0)).says("Ends the program.")
        .examples(&[("end", 0x8800_0000)]),
    op("breakc", 0x23, &[FLAG_TEST], |l| conditional(l, BREAK)).says("Leaves the innermost loop where the flags are so.")
        .examples(&[("breakc !cmp.x || !cmp.y", 0x8c00_0000)]),
    op("call",   0x24, &[TARGET, WORDS], |l| ranged(l, CALL, None)).says("Runs some words elsewhere and comes back.")
        .examples(&[("call 0, 12", 0x9000_000c)]),
    op("callc",  0x25, &[FLAG_TEST, TARGET, WORDS], |l| conditional(l, CALL)).says("Calls where the flags are so.")
        .examples(&[("callc !cmp.y, 2, 1", 0x96c0_0801)]),
    op("callu",  0x26, &[BOOLEAN, TARGET, WORDS], |l| conditional(l, CALL)).says("Calls if a boolean is true.")
        .examples(&[("callu b2, 3, 2", 0x9880_0c02)]),
    op("ifu",    0x27, &[BOOLEAN, TARGET, WORDS], |l| conditional(l, IF)).says("Runs up to a word if a boolean is true, else some words from there on.")
        .examples(&[("ifu b15, 9, 2", 0x9fc0_2402)]),
    op("ifc",    0x28, &[FLAG_TEST, TARGET, WORDS], |l| conditional(l, IF)).says("Runs up to a word where the flags are so, else some words from there on.")
        .examples(&[("ifc cmp.x && cmp.y, 4, 1", 0xa340_1001)]),
    op("for",    0x29, &[INTEGER, TARGET], repeat).says("Repeats up to and with a word, once more than the vector's x, aL running from y in steps of z.")
        .examples(&[("for i0, 13", 0xa400_3400)]),
    op("jmpc",   0x2c, &[FLAG_TEST, TARGET], |l| conditional(l, JUMP)).says("Jumps where the flags are so.")
        .examples(&[("jmpc !cmp.y, 26", 0xb2c0_6800)]),
    op("jmpu",   0x2d, &[BOOLEAN_OR_NOT, TARGET], |l| conditional(l, JUMP)).says("Jumps if a boolean is so.")
        .examples(&[("jmpu b2, 10", 0xb480_2800)]),
];

/// A control operation with a condition, if the row has a test.
fn conditional(l: &mut PicaLift<'_, '_>, op: ControlOp) {
    let cond = l.src(TEST);
    ranged(l, op, Some(cond));
}

/// The target is the first word of the range, the second number the word behind it.
fn ranged(l: &mut PicaLift<'_, '_>, op: ControlOp, cond: Option<Value>) {
    let target = l.insn.field(TO) as u32;
    let end = target + l.insn.field(COUNT) as u32;
    l.control(op, cond, target, end);
}

fn repeat(l: &mut PicaLift<'_, '_>) {
    let reg = Reg::new(INTEGERS, 4 * l.insn.field(TEST) as u16);
    let vector = l.read(reg, Swizzle::IDENTITY, Scalar::I32.by(3));
    let [turns, start, step] = [0, 1, 2].map(|i| l.component(vector, i));
    push_loop(l, turns, start, step);
    let last = l.insn.field(TO) as u32;
    l.control(LOOP, None, last + 1, 0);
}
