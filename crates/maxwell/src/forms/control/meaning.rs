//! The effects of control instructions.
//!
//! `.U`, `.LMT` and `.NOINC` do not change where lanes go: the first two are hints (all lanes agree; few lanes are left),
//! and `.NOINC` concerns the count of nested calls that hardware limits (Linux's nouveau driver names the error
//! `API_STACK_ERROR`). `EXIT.KEEPREFCOUNT` ends lanes as `EXIT` does: by its name it preserves a count of references to
//! resources of the block, which no instruction reads.

use super::{BREAKPOINT, CODE};
use crate::bundle::{BUNDLE_BYTES, aligned};
use crate::mark::{Origin, Turn};
use crate::operand::{AT, MaxwellLift, R, absolute_target, bank_of, holds_always, target_of};
use crate::sequencer::{BRA, CAL, Stop, TRAP, pop, push};
use shisa_diag::Diagnostic;
use shisa_ir::{Type, Value};

/// The condition on the condition codes; `None` where it always holds.
fn condition(l: &mut MaxwellLift<'_, '_>) -> Option<Value> {
    let written = l.insn.form().operand(R).is_some() && !holds_always(&l.insn);
    written.then(|| l.src(R))
}

/// Lifts the effect on the flow of control that the row's attribute states.
///
/// The opcode alone decides from where a target counts. A constant therefore holds what the instruction would hold
/// itself: the distance from the next instruction in rows with relative targets, an address in the others. No public
/// code has a constant target, so nothing confirms it.
pub(super) fn go(l: &mut MaxwellLift<'_, '_>) {
    let cond = condition(l);
    let (op, origin) = match l.insn.form().attr.turn {
        Turn::Next => return,
        Turn::Pop(mark) => return l.control(pop(mark), cond, 0, 0),
        Turn::Push(mark) => (push(mark), Origin::Next),
        Turn::Branch(origin) => (BRA, origin),
        Turn::Call(origin) => (CAL, origin),
    };
    if let Some(target) = target_of(&l.insn, l.pc).or_else(|| absolute_target(&l.insn)) {
        return l.control(op, cond, aligned(target), 0);
    }
    let mut place = l.src(AT);
    if origin == Origin::Next && bank_of(&l.insn).is_some() {
        let next = l.pc.wrapping_add(8) as i32;
        let next = l.i32(next);
        place = l.iadd(place, next);
    }
    let place = past_control(l, place);
    l.control_at(op, cond, place);
}

/// The address of the instruction that runs when control goes to an address, as [`aligned`].
fn past_control(l: &mut MaxwellLift<'_, '_>, place: Value) -> Value {
    let [within, control, zero] = [BUNDLE_BYTES as i32 - 1, 8, 0].map(|v| l.i32(v));
    let within = l.and(place, within);
    let is_control = l.ieq(within, zero);
    let skipped = l.select(is_control, control, zero);
    l.iadd(place, skipped)
}

/// Discards the pixels of lanes. The lanes continue as helpers of their quads: `SR_THREAD_KILL` exists to query it.
pub(super) fn kill(l: &mut MaxwellLift<'_, '_>) {
    let cond = match condition(l) {
        Some(cond) => cond,
        None => l.constant(Type::BOOL, 1),
    };
    l.kill(cond);
}

/// Stops the program.
pub(super) fn stop(l: &mut MaxwellLift<'_, '_>, why: Stop) {
    l.control(TRAP, None, 0, why as u32);
}

/// `BPT`: there is neither a debugger nor a trap handler that could continue the program. PTX's `trap` is compiled to
/// `BPT.TRAP 0x1`.
pub(super) fn breakpoint(l: &mut MaxwellLift<'_, '_>) {
    let mode = BREAKPOINT.field.get(&l.insn.word);
    match Stop::BREAKPOINTS.get(mode as usize) {
        Some(why) => l.control(TRAP, None, CODE.field.get(&l.insn.word) as u32, *why as u32),
        None => l.refuse(Diagnostic::error("lift-breakpoint", "this mode of BPT does not exist")),
    }
}
