//! Runs that a debugger may record.

use crate::names::{NameOf, Names};
use crate::recording::{Recorded, Recording};
use crate::run::Run;
use crate::session::Session;
use crate::text::Line;
use shisa_diag::Diagnostic;
use shisa_ir::File;

/// A run with the names and the listing of its program. It is recorded when a session begins.
pub struct Captured {
    record: Box<dyn FnOnce(usize) -> Box<dyn Recorded> + Send>,
    files: &'static [File],
    name_of: NameOf,
    /// Other names of registers, each with the register's own name.
    symbols: Vec<(String, String)>,
    lines: Vec<Line>,
    stage: Option<&'static str>,
}

impl Captured {
    /// A run whose program has this listing.
    pub fn new(run: impl Run, name_of: NameOf, lines: Vec<Line>) -> Captured {
        let files = run.program().lifted().files;
        let record = Box::new(|most| Box::new(Recording::new(run, most)) as Box<dyn Recorded>);
        Captured { record, files, name_of, symbols: Vec::new(), lines, stage: None }
    }

    /// Adds names for registers, each with the name of its first one: `projection` for `c0`.
    pub fn named(mut self, symbols: impl IntoIterator<Item = (String, String)>) -> Captured {
        self.symbols.extend(symbols);
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
        // Only the runs that somebody looks at need the names of all registers.
        let mut names = Names::new(self.files, self.name_of);
        self.symbols.into_iter().for_each(|(name, register)| names.add(name, register));
        Session::new((self.record)(most), names, self.lines)
    }

    /// One of several runs, by its number from 1.
    ///
    /// # Errors
    /// `debug-run` if there is none of this number.
    pub fn choose(mut runs: Vec<Captured>, number: usize) -> Result<Captured, Diagnostic> {
        let count = runs.len();
        match number.checked_sub(1).filter(|index| *index < count) {
            Some(index) => Ok(runs.swap_remove(index)),
            None => {
                let text = format!("there is no run {number}: the input runs {count} programs");
                Err(Diagnostic::error("debug-run", text))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Captured;
    use crate::testing::{FLOW, captured};

    #[test]
    fn a_run_is_chosen_by_its_number() {
        let stages = [Some("vertex"), None, Some("fragment")];
        let runs = || stages.map(|stage| captured(FLOW, 1).of_stage(stage)).into();
        for (number, stage) in (1..).zip(stages) {
            assert_eq!(Captured::choose(runs(), number).unwrap().stage(), stage);
        }
        for number in [0, 4] {
            let refused = Captured::choose(runs(), number).map(|run| run.stage()).unwrap_err();
            assert_eq!(refused.message, format!("there is no run {number}: the input runs 3 programs"));
        }
    }
}
