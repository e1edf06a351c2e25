//! Runs the waves of a run and stores states meanwhile.

use crate::history::{Anchor, Compact, Copied, History, Recorded, Time};
use crate::run::Run;
use crate::watched::{Watch, Watched};
use shisa_diag::{Diagnostic, Limits};
use shisa_eval::{Arrived, Driver, Environment, Machine, NoObserver, Portion, Progress, Saved};
use shisa_ir::{At, Sequencer};
use std::sync::Arc;

type State<R> = <<R as Run>::Sequencer as Sequencer>::State;

/// Whether memory changed since the latest anchor.
#[derive(Default)]
struct Changed(bool);

impl Watch for Changed {
    fn change(&mut self) {
        self.0 = true;
    }
}

/// A driver that records.
pub(crate) struct Recorder<R: Run> {
    pub(crate) history: History<State<R>, R::Environment>,
    /// Whether the recorder ends the run when no more fits, and drops nothing.
    ends: bool,
    /// Whether the recorder ended the run before its end.
    pub(crate) stopped: bool,
    /// The number of the next portion.
    portion: usize,
    time: Time,
    /// The workgroup of the latest portion.
    group: Option<u64>,
    /// The environment of the latest anchor, unless it has changed.
    latest: Option<Copied<R::Environment>>,
    changed: Changed,
    /// The time of the latest anchor.
    anchored: Time,
}

/// How many bytes of an environment are copied in the time of a step, about.
const BYTES_PER_STEP: usize = 64;

impl<R: Run> Recorder<R> {
    /// For at most this many bytes.
    pub(crate) fn new(most: usize) -> Recorder<R> {
        Recorder {
            history: History::new(0, most),
            ends: false,
            stopped: false,
            portion: 0,
            time: 0,
            group: None,
            latest: None,
            changed: Changed(false),
            anchored: 0,
        }
    }

    /// Records from a portion on: at least this portion, and more of them while they fit. Then it ends the run with an error.
    pub(crate) fn from(portion: usize, most: usize) -> Recorder<R> {
        let mut recorder = Recorder::new(most);
        recorder.history = History::new(portion, most);
        recorder.ends = true;
        recorder
    }

    /// Whether the present portion is recorded.
    fn records(&self) -> bool {
        self.portion > self.history.skipped
    }

    /// Begins a portion.
    fn begin(
        &mut self,
        portion: &Portion,
        machine: &Machine<'_, R::Sequencer>,
        environment: &R::Environment,
    ) -> Result<(), Diagnostic> {
        let number = self.portion;
        let first = self.group != Some(portion.group);
        (self.portion, self.group) = (number + 1, Some(portion.group));
        if !self.records() {
            return Ok(());
        }
        if self.ends && number > self.history.skipped && self.history.is_full() {
            self.stopped = true;
            return Err(Diagnostic::internal("internal-debug", "a recording ends here"));
        }
        let wave = machine.save()?;
        if self.history.portions.is_empty() {
            self.history.base = wave.registers().to_vec();
        }
        let wave = Some(Compact::new(wave, &self.history.base));
        self.history.add_portion(Recorded { start: self.time, portion: *portion, first, wave });
        if self.history.anchors.is_empty() || !self.changed.0 || self.is_due(environment) {
            self.anchor(number, None, environment);
        }
        Ok(())
    }

    /// Whether it is time for an anchor: copying it should take less time than the steps since the latest one.
    fn is_due(&self, environment: &R::Environment) -> bool {
        let passed = self.time - self.anchored;
        // The size is counted only where the answer depends on it.
        passed >= self.history.interval
            && (!self.changed.0 || passed >= (environment.bytes() / BYTES_PER_STEP) as Time)
    }

    /// Stores an anchor.
    fn anchor(&mut self, portion: usize, wave: Option<Saved<State<R>>>, environment: &R::Environment) {
        let latest = self.latest.take().filter(|_| !self.changed.0);
        let copied = latest.unwrap_or_else(|| Copied {
            environment: Arc::new(environment.clone()),
            bytes: environment.bytes(),
            portion,
        });
        self.latest = Some(copied.clone());
        (self.changed.0, self.anchored) = (false, self.time);
        self.history.add_anchor(Anchor { time: self.time, portion, wave, environment: copied });
        if !self.ends {
            self.history.shrink();
        }
    }
}

impl<R: Run> Driver<R::Sequencer, R::Environment> for Recorder<R> {
    fn run(
        &mut self,
        portion: &Portion,
        machine: &mut Machine<'_, R::Sequencer>,
        environment: &mut R::Environment,
        limits: &Limits,
    ) -> Result<Progress, Diagnostic> {
        self.begin(portion, machine, environment)?;
        loop {
            if machine.at() == At::Done {
                return Ok(Progress::Done);
            }
            if self.records() && self.is_due(environment) {
                let wave = machine.save()?;
                self.anchor(self.portion - 1, Some(wave), environment);
            }
            let mut watched = Watched { environment, watch: &mut self.changed };
            let progress = machine.step(&mut watched, &mut NoObserver)?;
            self.time += 1;
            self.history.end = self.time;
            machine.check(limits)?;
            if progress != Progress::Running {
                return Ok(progress);
            }
        }
    }

    fn open(&mut self, _: &[(usize, Arrived)]) {}
}
