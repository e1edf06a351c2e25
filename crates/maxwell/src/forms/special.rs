//! Special registers, barriers as values, and what has no operands.

use super::{always, choice, fixed, flag, row};
use crate::class::Class;
use crate::operand::{
    A, AT, BARE_A, BARE_B, CONDITION, D, DEST, MaxwellLift, N, Number, P, Predicate, SPECIAL, operand,
    unless_pt, unless_usual,
};
use crate::role::Role;
use crate::{Maxwell, STATE, attr};
use shisa_diag::Diagnostic;
use shisa_ir::{Mask, Reg, Swizzle, Type};
use shisa_rows::{Field, Form, Modifier, Operand, UNSTATED};

/// In [`STATE`]: the pointer to the stack of calls and divergence, and the base of local memory.
const STACK_POINTER: u16 = 0;
const LOCAL_BASE: u16 = 1;

const BARRIER_MODE: &[Modifier] = &[choice(32, 2, &["", ".RESULT", ".WARP", ".INVALID"])];
const RESULT: &[Modifier] = &[always(&[".RESULT"])];
const WARP: &[Modifier] = &[always(&[".WARP"])];
const INVALID: &[Modifier] = &[always(&[".INVALID"])];
const TRIGGER: &[Modifier] = &[flag(13, &["", ".TRIG"])];

const BARRIER: Operand<Maxwell> = operand(N, Field::at(8, 8), &Number::PLAIN);
const BARRIER_TO: Operand<Maxwell> = operand(N, Field::at(28, 4), &Number::PLAIN);
const RESULT_P: Operand<Maxwell> = operand(P, Field::at(45, 3), &unless_pt(&Predicate { written: true }));
const MARK: Operand<Maxwell> = operand(N, Field::at(20, 16), &unless_usual(0));

/// The instruction that fills bundles: does nothing, always, with no number.
pub(crate) const NOP: u64 = 0x50b0_0000_0007_0f00;

/// Which barrier, where the instruction asks for none.
const NO_BARRIER: u64 = 0xff << 8;

#[rustfmt::skip]
pub(super) const ROWS: &[Form<Maxwell>] = &[
    row("S2R", 0xf0c8, 0xfff8, &[DEST, SPECIAL], copy).attr(attr::SYSTEM.role(Role::ReadSpecial { coupled: false })).says("Reads a special register.")
        .examples(&[("S2R R0, SR_CTAID.X;", 0x07e0_f0c8_0000_0257_0000)]),
    row("CS2R", 0x50c8, 0xfff8, &[DEST, SPECIAL], copy).attr(attr::FIXED.role(Role::ReadSpecial { coupled: true })).says("Reads a special register that is coupled with execution, after a known time.")
        .examples(&[("CS2R R0, SR_CLOCKLO;", 0x07e0_50c8_0000_0507_0000)]),
    fixed("B2R", (0xf0b8_0001_0000_0000 | NO_BARRIER, 0xfff8_0003_0000_0000 | NO_BARRIER), &[DEST, RESULT_P], super::barrier::result).attr(attr::SYSTEM.stall(15)).modifiers(RESULT).says("Reads the result of a barrier that reduced values.")
        .examples(&[("B2R.RESULT R7;", 0x07e0_f0b8_e001_0007_ff07), ("B2R.RESULT RZ, P0;", 0x07e0_f0b8_0001_0007_ffff)]),
    fixed("B2R", (0xf0b8_0002_0000_0000 | NO_BARRIER, 0xfff8_0003_0000_0000 | NO_BARRIER), &[DEST], barrier_state).attr(attr::SYSTEM.stall(15)).modifiers(WARP).says("Reads what of a barrier belongs to the warp.")
        .examples(&[("B2R.WARP R0;", 0x07e0_f0b8_0002_0007_ff00)]),
    fixed("B2R", (0xf0b8_0000_0000_0000, 0xfff8_0003_0000_0000), &[DEST, BARRIER], barrier_state).attr(attr::SYSTEM.stall(15)).says("Reads the state of a barrier.")
        .examples(&[("@P5 B2R R1, 0x6;", 0x07e0_f0b8_0000_0005_0601)]),
    fixed("B2R", (0xf0b8_0003_0000_0000, 0xfff8_0003_0000_0000), &[DEST, BARRIER], barrier_state).attr(attr::SYSTEM.stall(15)).modifiers(INVALID).says("Reads a barrier in an undefined mode.")
        .examples(&[("B2R.INVALID R8, 0x7;", 0x07e0_f0b8_0003_0007_0708)]),
    row("R2B", 0xf0c0, 0xfff8, &[BARRIER_TO, BARE_B], barrier_state).attr(attr::SYSTEM).modifiers(BARRIER_MODE).says("Writes the state of a barrier.")
        .examples(&[("R2B.WARP 0x0, R0;", 0x07e0_f0c0_0002_0007_0000)]),
    row("LEPC", 0x50d0, 0xfff8, &[DEST], address).attr(attr::FIXED.on(Class::System)).says("Takes the address of the instruction.")
        .examples(&[("LEPC R0;", 0x07e0_50d0_0000_0007_0000)]),
    row("GETCRSPTR", 0xe2c0, 0xfff0, &[DEST], get_stack).attr(attr::SYSTEM).bare().says("Reads where the stack of calls and divergence continues in memory.")
        .examples(&[("GETCRSPTR R0;", 0x07e0_e2c0_0000_0000_0000)]),
    row("GETLMEMBASE", 0xe2d0, 0xfff0, &[DEST], get_local).attr(attr::SYSTEM).bare().says("Reads where local memory begins.")
        .examples(&[("GETLMEMBASE R0;", 0x07e0_e2d0_0000_0000_0000)]),
    row("SETCRSPTR", 0xe2e0, 0xfff0, &[BARE_A], set_stack).attr(attr::SYSTEM).bare().says("Sets where the stack of calls and divergence continues in memory.")
        .examples(&[("SETCRSPTR R0;", 0x07e0_e2e0_0000_0000_0000)]),
    row("SETLMEMBASE", 0xe2f0, 0xfff0, &[BARE_A], set_local).attr(attr::SYSTEM).bare().says("Sets where local memory begins.")
        .examples(&[("SETLMEMBASE R0;", 0x07e0_e2f0_0000_0000_0000)]),
    row("NOP", 0x50b0, 0xfff8, &[CONDITION, MARK], |_| ()).modifiers(TRIGGER).says("Does nothing; the condition and the number mark a position for tools.")
        .examples(&[("NOP;", 0x07e0_50b0_0000_0007_0f00), ("NOP.TRIG CC.EQ, 0x10;", 0x07e0_50b0_0000_0107_2200)]),
];

/// PTX has no such instructions, and no known compiler emits them: how a barrier's state is encoded is not public.
fn barrier_state(l: &mut MaxwellLift<'_, '_>) {
    l.refuse(Diagnostic::error(UNSTATED, "no public source describes a barrier's state as a number"));
}

fn copy(l: &mut MaxwellLift<'_, '_>) {
    let v = l.src(AT);
    l.set(D, v);
}

/// The number of bytes from the start of the code, as all program counters here.
fn address(l: &mut MaxwellLift<'_, '_>) {
    let pc = l.pc as i32;
    let address = l.i32(pc);
    l.set(D, address);
}

fn get(l: &mut MaxwellLift<'_, '_>, unit: u16) {
    let v = l.read(Reg::new(STATE, unit), Swizzle::IDENTITY, Type::I32);
    l.set(D, v);
}

fn set(l: &mut MaxwellLift<'_, '_>, unit: u16) {
    let v = l.src(A);
    l.write(Reg::new(STATE, unit), Mask::first(1), v);
}

/// The pointer is not that of the stack of calls and divergence, which is not in memory here: it keeps what is set.
fn get_stack(l: &mut MaxwellLift<'_, '_>) {
    get(l, STACK_POINTER);
}

fn set_stack(l: &mut MaxwellLift<'_, '_>) {
    set(l, STACK_POINTER);
}

/// The base is not added to addresses of local memory, which begins at 0 here: it keeps what is set.
fn get_local(l: &mut MaxwellLift<'_, '_>) {
    get(l, LOCAL_BASE);
}

fn set_local(l: &mut MaxwellLift<'_, '_>) {
    set(l, LOCAL_BASE);
}
