//! Runs that a debugger may record.

use crate::names::{NameOf, Names};
use crate::recording::{Recorded, Recording};
use crate::run::Run;
use crate::session::{Line, Session};

/// A run with the names and the listing of its program. It is recorded when a session begins.
pub struct Captured {
    record: Box<dyn FnOnce(usize) -> Box<dyn Recorded> + Send>,
    names: Names,
    lines: Vec<Line>,
    stage: Option<&'static str>,
}

impl Captured {
    /// A run whose program has this listing.
    pub fn new(run: impl Run, name_of: NameOf, lines: Vec<Line>) -> Captured {
        let names = Names::new(run.program().lifted().files, name_of);
        Captured { record: Box::new(|most| Box::new(Recording::new(run, most))), names, lines, stage: None }
    }

    /// Adds names for registers, each with the name of its first one: `projection` for `c0`.
    pub fn named(mut self, symbols: impl IntoIterator<Item = (String, String)>) -> Captured {
        symbols.into_iter().for_each(|(name, register)| self.names.add(name, register));
        self
    }

    /// The same run as a stage of a draw call.
    pub fn of_stage(self, stage: Option<&'static str>) -> Captured {
        Captured { stage, ..self }
    }

    /// The stage of the program in its draw call.
    pub fn stage(&self) -> Option<&'static str> {
        self.stage
    }

    /// Records the run, with states of at most so many bytes ([`crate::RECORDING_BYTES`] is the default), and begins a
    /// session at its start.
    pub fn session(self, most: usize) -> Session {
        Session::new((self.record)(most), self.names, self.lines)
    }
}
