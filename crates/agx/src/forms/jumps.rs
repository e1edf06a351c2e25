//! Jumps, calls and ends.

use super::row;
use crate::Agx;
use crate::applegpu;
use crate::facts::{Control, Facts};
use crate::operand::{A, ADDRESS, AgxLift, LINKED, OFFSET, RETURN_OFFSET, SHORT_OFFSET};
use crate::registers::LINK;
use crate::sequencer::{CALL, INCOMPLETE, JUMP, RETURN, STOP};
use shisa_diag::Diagnostic;
use shisa_rows::{Form, Spelling};

#[rustfmt::skip]
pub(super) const ROWS: &[Form<Agx>] = &[
    row("stop", Facts::control(Control::Stop), 2, (0xffff, 0x88), &[], |l| l.control(STOP, None, 0, 0)).says("Ends the wave.")
        .examples(&[("stop", 0x88)]),
    row("trap", Facts::control(Control::Trap), 2, (0xffff, 0x8), &[], |l| l.control(STOP, None, 0, 0)).says("Ends the wave; follows programs.")
        .examples(&[("trap", 8)]),
    row("jmp_incomplete", Facts::control(Control::Incomplete), 4, (0xff00_ffff, 0), &[SHORT_OFFSET], |l| l.control(INCOMPLETE, None, 0, 0)).says("Marks a jump that a linker has not completed; only eight bits of its distance are known. Programs that reach it cannot continue.").spelled(applegpu::JMP_INCOMPLETE)
        .examples(&[("jmp_incomplete 18", 0x0012_0000)]),
    row("ret", Facts::control(Control::Return), 2, (0x7f, 0x14), &[ADDRESS], ret).says("Returns to the offset that the register holds.")
        .examples(&[("ret      r1", 0x0214)]),
    row("call", Facts::control(Control::CallRegister), 2, (0x7f, 0x4), &[ADDRESS, RETURN_OFFSET], call_register).says("Calls the procedure whose offset the register holds; r1 receives the return offset. All active lanes must call the same procedure.")
        .examples(&[("call     r15", 0x1e04)]),
    row("jmp_any", Facts::control(Control::Jump), 6, (0xffff, 0xc000), &[OFFSET], |l| jump(l, 1)).says("Jumps if any lane is active.").spelled(Spelling::new("jmp_exec_any", &[OFFSET]))
        .examples(&[("jmp_any  -102", 0xffff_ff9a_c000)]),
    row("call", Facts::control(Control::Call), 6, (0xffff, 0xc010), &[OFFSET, RETURN_OFFSET], call).says("Calls a procedure; r1 receives the return offset.")
        .examples(&[("call     -118", 0xffff_ff8a_c010)]),
    row("jmp_none", Facts::control(Control::Jump), 6, (0xffff, 0xc020), &[OFFSET], |l| jump(l, 0)).says("Jumps if no lane is active.").spelled(Spelling::new("jmp_exec_none", &[OFFSET]))
        .examples(&[("jmp_none 100", 0x0064_c020)]),
];

fn target(l: &mut AgxLift<'_, '_>) -> Option<u32> {
    let distance = l.insn.field(A) as u32 as i32;
    let target = l.pc.checked_add_signed(distance);
    if target.is_none() {
        l.refuse(Diagnostic::error("lift-target", "the target is before the code"));
    }
    target
}

fn jump(l: &mut AgxLift<'_, '_>, any: u32) {
    if let Some(target) = target(l) {
        l.control(JUMP, None, target, any);
    }
}

fn call(l: &mut AgxLift<'_, '_>) {
    if let Some(target) = target(l) {
        link(l, 6);
        l.control(CALL, None, target, 0);
    }
}

/// The register holds a byte offset in the code, as calls write it.
fn call_register(l: &mut AgxLift<'_, '_>) {
    let place = l.src(A);
    link(l, 2);
    l.control_at(CALL, None, place);
}

/// Writes the offset after a call of the given number of bytes.
fn link(l: &mut AgxLift<'_, '_>, bytes: u32) {
    let behind = l.pc.wrapping_add(bytes);
    let behind = l.i32(behind as i32);
    l.set(LINKED, behind);
}

/// Returns through the register that calls write follow a stack of calls, so their target is known; others go to the
/// offset in their register.
fn ret(l: &mut AgxLift<'_, '_>) {
    let place = l.src(A);
    match l.insn.field(A) == u64::from(LINK.unit / 2) {
        true => l.control(RETURN, None, 0, 0),
        false => l.control_at(RETURN, None, place),
    }
}
