//! The position and the breakpoints of a session, to continue it later.

use super::{Commands, words};
use crate::history::Time;
use shisa_diag::Diagnostic;

/// A breakpoint of a saved session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Point {
    /// The command that adds it, such as `break 0x8 if ft0.y > 0.5`.
    pub command: String,
    /// Whether it is used.
    pub enabled: bool,
}

/// The position and the breakpoints of a session.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// The number of steps before the position.
    pub step: Time,
    /// The lane of the run that is being looked at; `None` for all.
    pub lane: Option<usize>,
    /// The breakpoints in the order of their numbers.
    pub points: Vec<Point>,
}

/// An error about a saved session.
pub(crate) fn wrong(text: impl Into<String>) -> Diagnostic {
    Diagnostic::error("debug-session", text)
}

impl Commands {
    /// The state to save. It has the breakpoints that commands added.
    pub fn state(&self) -> State {
        let points = self.session.breakpoints().iter().filter_map(|point| {
            Some(Point { command: self.points.get(&point.number)?.clone(), enabled: point.enabled })
        });
        State { step: self.session.time(), lane: self.session.focus(), points: points.collect() }
    }

    /// Continues a session in a saved state. Its breakpoints are numbered after those that exist.
    ///
    /// # Errors
    /// `debug-session` if the run ends before the step, or a command does not add a breakpoint; `debug-lane`; those of the
    /// commands.
    pub fn restore(&mut self, state: &State) -> Result<(), Diagnostic> {
        let end = self.session.recorded().end();
        if state.step > end {
            return Err(wrong(format!("the session is at step {}, and its run has {end} steps", state.step)));
        }
        self.session.set_focus(state.lane)?;
        for Point { command, enabled } in &state.points {
            let before = self.session.breakpoints().len();
            if words::adds_breakpoint(command) {
                self.query(command)?;
            }
            let Some(point) = self.session.breakpoints().get(before) else {
                let command = shisa_diag::escape(command);
                return Err(wrong(format!("the command \"{command}\" of a breakpoint adds none"))
                    .help("breakpoints are added by break, watch, read and on"));
            };
            self.session.enable(point.number, *enabled);
        }
        self.session.go(state.step);
        Ok(())
    }
}
