//! Control flow of programs without control flow.

use shisa_diag::Diagnostic;
use shisa_ir::{At, Control, ControlOp, Lanes, Sequencer};

/// Runs one step after the other, up to the one that exits.
pub(crate) struct Straight;

/// The position of a wave.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Position {
    /// The program counter; `None` at the end.
    counter: Option<u32>,
    lanes: Lanes,
}

impl Sequencer for Straight {
    type State = Position;

    fn start(&self, entry: u32, lanes: Lanes) -> Position {
        Position { counter: Some(entry), lanes }
    }

    fn at(&self, state: &Position) -> At {
        state.counter.map_or(At::Done, At::Step)
    }

    fn active(&self, state: &Position) -> Lanes {
        state.lanes
    }

    fn runs_steps_once(&self) -> bool {
        true
    }

    fn step(&self, state: &mut Position, control: &Control, next: u32, _: Lanes) -> Result<(), Diagnostic> {
        state.counter = (control.op == ControlOp::Next).then_some(next);
        Ok(())
    }
}
