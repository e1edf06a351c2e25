//! AGX's control flow: to the next instruction under a mask, and jumps past code in which no lane is active.
//!
//! Each lane's counter is in register `r0l`; a lane is active if it is zero. The rows of control flow compute the new
//! counter as data, for all lanes of the wave, and their condition is "it is zero": the new mask. So the register is
//! the only state, programs can read and write it, and the mask changes only where an instruction updates it.
//!
//! A single lane is also followed by number: as long as the program writes constants to the counter, the control
//! state knows it, and recovery need not read the register.

use crate::registers::NESTING;
use alloc::{vec, vec::Vec};
use shisa_diag::Diagnostic;
use shisa_ir::{At, Control, ControlOp, Frame, FrameKind, Lanes, Reg, Scalar, Stack, Type};

/// `if`: the counter of a masked lane increases by n; an active lane where the condition does not hold gets 1.
pub const IF: ControlOp = ControlOp::Counter(0);
/// `else`: active lanes get n; lanes with counter 1 evaluate the condition.
pub const ELSE: ControlOp = ControlOp::Counter(1);
/// `while`: lanes with a counter below n evaluate the condition, and get n where it does not hold.
pub const WHILE: ControlOp = ControlOp::Counter(2);
/// `pop_exec`: n less.
pub const POP: ControlOp = ControlOp::Counter(3);
/// `update_exec`: recomputes the mask.
pub const UPDATE: ControlOp = ControlOp::Counter(4);
/// An ordinary write of `r0l`: the mask does not change. The second number is the written value, or [`UNKNOWN`].
pub const SET: ControlOp = ControlOp::Counter(5);
/// A selection that writes `r0l`: where the condition holds, the value in the low 16 bits of the second number,
/// elsewhere the one in its high 16 bits (`choice`). The mask does not change.
pub const CHOOSE: ControlOp = ControlOp::Counter(6);
/// In [`CHOOSE`], the value that leaves `r0l` as it is. Selections have constants of eight bits only.
const KEPT: u32 = 0xffff;
/// The instruction runs again if an active lane requests it.
pub const REPEAT: ControlOp = ControlOp::Again;
/// A value that is not a constant.
pub const UNKNOWN: u32 = u32::MAX;
/// `jmp_any`, `jmp_none`: the second number is whether any lane must be active.
pub const JUMP: ControlOp = ControlOp::Branch;
/// `call`, to an offset that is known or to that in a register.
pub const CALL: ControlOp = ControlOp::Call;
/// `ret`, to the latest call or to the offset in a register.
pub const RETURN: ControlOp = ControlOp::Return;
/// The maximum nesting depth of calls.
pub const DEEPEST: usize = 64;
/// `stop`.
pub const STOP: ControlOp = ControlOp::Exit;
/// `jmp_incomplete`.
pub const INCOMPLETE: ControlOp = ControlOp::Invalid;

/// The second number of [`CHOOSE`]: what is written where the condition holds, and elsewhere. `None` leaves the
/// counter as it is.
pub(crate) fn choice([held, other]: [Option<u8>; 2]) -> u32 {
    let half = |n: Option<u8>| n.map_or(KEPT, u32::from);
    half(held) | half(other) << 16
}

/// The sequencer of a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sequencer;

/// The control state of a wave.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct State {
    pc: u32,
    /// The lanes that the wave has; none when it has stopped.
    lanes: Lanes,
    active: Lanes,
    /// The return offsets of open calls.
    links: Vec<u32>,
    /// The counter of a wave of one lane, while it is known.
    level: Option<u32>,
}

/// The new counter: of `level` under an operation with number `n`, where `held` is whether the lane
/// is active afterwards, if that is open.
fn counter(op: ControlOp, level: u32, n: u32, held: bool) -> u32 {
    let or_masked = |counter: u32| if held { 0 } else { counter };
    match op {
        IF if level == 0 => or_masked(1),
        IF => (level + n) & 0xffff,
        ELSE if level == 0 => n,
        ELSE if level == 1 => or_masked(1),
        WHILE if level < n => or_masked(n),
        POP => level.saturating_sub(n),
        _ => level,
    }
}

impl shisa_ir::Sequencer for Sequencer {
    type State = State;

    /// Registers begin as zero, and so does the counter.
    fn start(&self, entry: u32, lanes: Lanes) -> State {
        State {
            pc: entry,
            lanes,
            active: lanes,
            links: Vec::new(),
            level: (lanes.count_ones() == 1).then_some(0),
        }
    }

    fn at(&self, s: &State) -> At {
        if s.lanes == 0 { At::Done } else { At::Step(s.pc) }
    }

    fn active(&self, s: &State) -> Lanes {
        s.active
    }

    /// The calls. Conditions are in the counter of each lane, which is register `r0l`.
    fn stacks(&self, s: &State) -> Vec<Stack> {
        let frame = |link: &u32| Frame {
            kind: FrameKind::Call,
            target: Some(*link),
            lanes: None,
            text: "return".into(),
        };
        vec![Stack { name: "calls", room: Some(DEEPEST), frames: s.links.iter().map(frame).collect() }]
    }

    fn known(&self, s: &State) -> Option<(Reg, Type, u64)> {
        s.level.map(|level| (NESTING, Scalar::I16.by(1), u64::from(level)))
    }

    fn step(&self, s: &mut State, control: &Control, next: u32, cond: Lanes) -> Result<(), Diagnostic> {
        s.pc = next;
        match control.op {
            IF | ELSE | WHILE | POP | UPDATE => {
                s.active = cond & s.lanes;
                if let Some(level) = &mut s.level {
                    *level = counter(control.op, *level, control.extra, s.active != 0);
                    s.active = if *level == 0 { s.lanes } else { 0 };
                }
            }
            SET if s.active != 0 => {
                s.level = s.level.and(Some(control.extra)).filter(|level| *level != UNKNOWN);
            }
            CHOOSE if s.active != 0 => {
                let held = cond & s.active != 0;
                let chosen = if held { control.extra & 0xffff } else { control.extra >> 16 };
                if chosen != KEPT {
                    s.level = s.level.and(Some(chosen));
                }
            }
            REPEAT if cond & s.active != 0 => s.pc = control.target,
            JUMP if (control.extra != 0) == (s.active != 0) => s.pc = control.target,
            // No active lane makes the call.
            CALL if control.place.is_some() && s.active == 0 => {}
            CALL if s.links.len() < DEEPEST => {
                s.links.push(next);
                s.pc = control.target;
            }
            CALL => return Err(Diagnostic::error("flow-depth", "calls are nested more than 64 deep")),
            RETURN => {
                let link = s.links.pop();
                s.pc = match (control.place, link) {
                    (Some(_), _) if s.active != 0 => control.target,
                    (_, Some(link)) => link,
                    (_, None) => {
                        let text = "no call is open to return from";
                        return Err(Diagnostic::error("flow-return", text));
                    }
                };
            }
            STOP => s.lanes = 0,
            INCOMPLETE => {
                let text =
                    "a jump is reached that the linker has left incomplete: where it goes is not known";
                return Err(Diagnostic::error("flow-incomplete", text));
            }
            _ => {}
        }
        Ok(())
    }
}
