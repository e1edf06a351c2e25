//! Control flow of programs of tests.

use shisa_diag::Diagnostic;
use shisa_ir::{At, Control, ControlOp, Frame, FrameKind, Lanes, Sequencer, Stack};

/// Structured control flow: `push` opens a condition and `pop` ends it, `loop` opens a loop that `again` repeats, and `call`
/// returns to the next step.
#[derive(Clone, Debug)]
pub(crate) struct Steps;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct State {
    pc: u32,
    active: Lanes,
    alive: Lanes,
    /// What is open: the step at which it ends, if that is known, and the lanes that then continue.
    open: Vec<(FrameKind, Option<u32>, Lanes)>,
}

impl Sequencer for Steps {
    type State = State;

    fn start(&self, pc: u32, lanes: Lanes) -> State {
        State { pc, active: lanes, alive: lanes, open: Vec::new() }
    }

    fn at(&self, state: &State) -> At {
        if state.alive == 0 { At::Done } else { At::Step(state.pc) }
    }

    fn active(&self, state: &State) -> Lanes {
        state.active
    }

    fn stacks(&self, state: &State) -> Vec<Stack> {
        let frame = |(kind, target, lanes): &(FrameKind, Option<u32>, Lanes)| Frame {
            kind: *kind,
            target: *target,
            lanes: (*kind != FrameKind::Call).then_some(*lanes),
            text: format!("{kind:?}"),
        };
        vec![Stack { name: "open", room: Some(8), frames: state.open.iter().map(frame).collect() }]
    }

    fn step(&self, s: &mut State, control: &Control, next: u32, cond: Lanes) -> Result<(), Diagnostic> {
        s.pc = next;
        let mut close = || s.open.pop().ok_or_else(|| Diagnostic::error("test-stack", "nothing is open"));
        match control.op {
            ControlOp::Push(_) => {
                s.open.push((FrameKind::Condition, None, s.active));
                s.active &= cond;
            }
            ControlOp::Pop(_) => s.active = close()?.2 & s.alive,
            ControlOp::Call => {
                s.open.push((FrameKind::Call, Some(next), s.active));
                s.pc = control.target;
            }
            ControlOp::Return => s.pc = close()?.1.unwrap_or(next),
            ControlOp::Loop => s.open.push((FrameKind::Loop, None, s.active)),
            ControlOp::Again if s.active & cond != 0 => (s.active, s.pc) = (s.active & cond, control.target),
            ControlOp::Again => s.active = close()?.2 & s.alive,
            ControlOp::Exit => {
                s.alive &= !(s.active & cond);
                s.active &= s.alive;
            }
            _ => {}
        }
        Ok(())
    }
}
