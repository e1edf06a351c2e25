//! AGAL's control flow: straight-line code under an execution mask that `ife` and the other conditions narrow, `els`
//! inverts and `eif` restores. Lanes that are masked off pass through all instructions.

use crate::Effect;
use crate::Program;
use alloc::vec::Vec;
use shisa_diag::{Bound, Diagnostic, Limit, Limits};
use shisa_ir::{At, Control, ControlOp, Frame, FrameKind, Lanes, Stack};

/// `ife`, `ine`, `ifg`, `ifl`: [`ControlOp::Push`] of this kind with the condition.
pub const IF: ControlOp = ControlOp::Push(0);
/// `els`.
pub const ELSE: ControlOp = ControlOp::Branch;
/// `eif`.
pub const END_IF: ControlOp = ControlOp::Pop(0);

/// The sequencer of a program of `end` tokens. Program counters count tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sequencer {
    /// Number of tokens.
    pub end: u32,
    /// How many conditions may be open at a time ([`shisa_diag::Limits::nesting`]). Each control state stores all of
    /// them.
    pub nesting: Bound,
}

impl Sequencer {
    /// The sequencer for the tokens of a program.
    pub fn new(program: &Program, limits: &Limits) -> Self {
        Sequencer { end: program.tokens.len() as u32, nesting: limits.bound(Limit::Nesting) }
    }
}

/// An open condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Open {
    /// Lanes that were active before it.
    outer: Lanes,
    /// Lanes for which it held.
    held: Lanes,
}

/// The control state of a wave.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct State {
    pc: u32,
    active: Lanes,
    open: Vec<Open>,
}

impl shisa_ir::Sequencer for Sequencer {
    type State = State;

    fn start(&self, entry: u32, lanes: Lanes) -> State {
        State { pc: entry, active: lanes, open: Vec::new() }
    }

    fn restart(&self, state: &mut State, entry: u32, lanes: Lanes) {
        state.open.clear();
        (state.pc, state.active) = (entry, lanes);
    }

    #[inline]
    fn at(&self, state: &State) -> At {
        if state.pc < self.end { At::Step(state.pc) } else { At::Done }
    }

    #[inline]
    fn active(&self, state: &State) -> Lanes {
        state.active
    }

    fn stacks(&self, state: &State) -> Vec<Stack> {
        let frame = |open: &Open| Frame {
            kind: FrameKind::Condition,
            target: None,
            lanes: Some(open.outer),
            text: alloc::format!("held in lanes {:#x}", open.held),
        };
        alloc::vec![Stack { name: "conditions", room: None, frames: state.open.iter().map(frame).collect() }]
    }

    /// The program counter only grows, and lanes that are masked off wait.
    fn runs_steps_once(&self) -> bool {
        true
    }

    #[inline]
    fn step(&self, state: &mut State, control: &Control, next: u32, cond: Lanes) -> Result<(), Diagnostic> {
        state.pc = next;
        if control.op == ControlOp::Next { Ok(()) } else { self.narrow(state, control.op, next, cond) }
    }
}

impl Sequencer {
    /// Begins, inverts or ends a condition.
    fn narrow(&self, state: &mut State, op: ControlOp, next: u32, cond: Lanes) -> Result<(), Diagnostic> {
        let lonely = |effect| {
            let name = crate::forms::name_of(effect);
            Diagnostic::error(
                "agal-run-condition",
                alloc::format!("{name} without an open condition at token {next}"),
            )
        };
        match op {
            IF => {
                self.nesting.check("open conditions", state.open.len() + 1)?;
                let held = state.active & cond;
                state.open.push(Open { outer: state.active, held });
                state.active = held;
            }
            ELSE => {
                let open = state.open.last().ok_or_else(|| lonely(Effect::Else))?;
                state.active = open.outer & !open.held;
            }
            END_IF => state.active = state.open.pop().ok_or_else(|| lonely(Effect::EndIf))?.outer,
            _ => {}
        }
        Ok(())
    }
}
