//! Control flow. Blocks end at addresses; [`crate::sequencer`] stores them.

use super::op;
use crate::attributes::{Attributes, Role};
use crate::operand::{BOOLEAN, BOOLEAN_OR_NOT, COUNT, FLAG_TEST, INTEGER, PicaLift, TARGET, TEST, TO, WORDS};
use crate::options::EndLast;
use crate::sequencer::{control_of, push_loop};
use crate::{INTEGERS, Pica200};
use shisa_ir::{Reg, Scalar, Swizzle};
use shisa_rows::Form;

#[rustfmt::skip]
pub(super) const ROWS: &[Form<Pica200>] = &[
    op("break",  0x20, &[], Attributes::new(Role::Break), control).says("Leaves the innermost loop.")
        .examples(&[("break", 0x8000_0000)]),
    op("nop",    0x21, &[], Attributes::new(Role::Nop), |_| ()).says("Does nothing.")
        .examples(&[("nop", 0x8400_0000)]),
    op("end",    0x22, &[], Attributes::new(Role::End), control).says("Ends the program.")
        .examples(&[("end", 0x8800_0000)]),
    op("breakc", 0x23, &[FLAG_TEST], Attributes::new(Role::Break), control).says("Leaves the innermost loop if the flags match.")
        .examples(&[("breakc !cmp.x || !cmp.y", 0x8c00_0000)]),
    op("call",   0x24, &[TARGET, WORDS], Attributes::new(Role::Call), control).says("Runs some words from the target, then continues here.")
        .examples(&[("call 0, 12", 0x9000_000c)]),
    op("callc",  0x25, &[FLAG_TEST, TARGET, WORDS], Attributes::new(Role::Call), control).says("Calls if the flags match.")
        .examples(&[("callc !cmp.y, 2, 1", 0x96c0_0801)]),
    op("callu",  0x26, &[BOOLEAN, TARGET, WORDS], Attributes::new(Role::Call), control).says("Calls if a boolean is true.")
        .examples(&[("callu b2, 3, 2", 0x9880_0c02)]),
    op("ifu",    0x27, &[BOOLEAN, TARGET, WORDS], Attributes::new(Role::Condition), control).says("Runs the words up to the target if a boolean is true, else some words from the target.")
        .examples(&[("ifu b15, 9, 2", 0x9fc0_2402)]),
    op("ifc",    0x28, &[FLAG_TEST, TARGET, WORDS], Attributes::new(Role::Condition), control).says("Runs the words up to the target if the flags match, else some words from the target.")
        .examples(&[("ifc cmp.x && cmp.y, 4, 1", 0xa340_1001)]),
    op("for",    0x29, &[INTEGER, TARGET], Attributes::new(Role::Loop), repeat).says("Repeats the words up to and including the target, once more than the vector's x; aL counts from y in steps of z.")
        .examples(&[("for i0, 13", 0xa400_3400)]),
    op("jmpc",   0x2c, &[FLAG_TEST, TARGET], Attributes::new(Role::Jump), control).says("Jumps if the flags match.")
        .examples(&[("jmpc !cmp.y, 26", 0xb2c0_6800)]),
    op("jmpu",   0x2d, &[BOOLEAN_OR_NOT, TARGET], Attributes::new(Role::Jump), control).says("Jumps if a boolean is true, or false.")
        .examples(&[("jmpu b2, 10", 0xb480_2800)]),
];

/// Moves control as the role states, if the operand in slot [`TEST`] is true or there is none. The target is the
/// first word of the run that the instruction names; the second number is the word after the run, or for `end` the choice
/// of [`EndLast`].
fn control(l: &mut PicaLift<'_, '_>) {
    let cond = l.insn.form().operand(TEST).map(|_| l.src(TEST));
    let target = l.insn.field(TO) as u32;
    let role = l.insn.form().attr.role;
    let extra = match role {
        Role::End => u32::from(l.ctx.end_last == EndLast::Step),
        _ => target + l.insn.field(COUNT) as u32,
    };
    l.control(control_of(role), cond, target, extra);
}

/// Begins a loop. The target is the word after its last one.
fn repeat(l: &mut PicaLift<'_, '_>) {
    let reg = Reg::new(INTEGERS, 4 * l.insn.field(TEST) as u16);
    let vector = l.read(reg, Swizzle::IDENTITY, Scalar::I32.by(3));
    let [iterations, start, step] = [0, 1, 2].map(|i| l.component(vector, i));
    push_loop(l, iterations, start, step);
    let last = l.insn.field(TO) as u32;
    l.control(control_of(l.insn.form().attr.role), None, last + 1, 0);
}
