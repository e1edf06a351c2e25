//! Repeats steps of a recorded run.

use crate::history::{History, Time};
use crate::run::Run;
use crate::watched::{Watch, Watched};
use shisa_diag::Diagnostic;
use shisa_eval::{Machine, NoObserver, Observer, Portion, Progress, Saved};
use shisa_ir::Sequencer;

type State<R> = <<R as Run>::Sequencer as Sequencer>::State;
type Stored<R> = History<State<R>, <R as Run>::Environment>;

/// A wave that repeats what it did.
pub(crate) struct Cursor<'h, R: Run> {
    run: &'h R,
    history: &'h Stored<R>,
    pub(crate) machine: Machine<'h, R::Sequencer>,
    pub(crate) environment: R::Environment,
    /// The number of the portion that runs.
    pub(crate) portion: usize,
    pub(crate) time: Time,
}

/// Watches nothing.
struct Nothing;

impl Watch for Nothing {}

#[cold]
fn lost(time: Time) -> Diagnostic {
    Diagnostic::internal("internal-debug", format!("a recording has no state for step {time}"))
}

impl<'h, R: Run> Cursor<'h, R> {
    /// A cursor at a time, from the nearest state before it; `None` if the history has none.
    ///
    /// # Errors
    /// What the program's steps report.
    pub(crate) fn new(run: &'h R, history: &'h Stored<R>, time: Time) -> Result<Option<Self>, Diagnostic> {
        let Some(anchor) = history.anchor(time) else { return Ok(None) };
        // It is restored to a saved wave, wherever it starts.
        let mut machine = Machine::new(run.program(), run.sequencer(), 0, 0);
        let copied = &anchor.environment;
        let mut environment = R::Environment::clone(&copied.environment);
        if copied.portion != anchor.portion {
            let portion = &history.portion(anchor.portion).ok_or_else(|| lost(time))?.portion;
            run.enter(&mut environment, portion, history.begins(copied.portion, anchor.portion));
        }
        match &anchor.wave {
            Some(wave) => machine.restore(wave)?,
            None => machine.restore(&start(history, anchor.portion).ok_or_else(|| lost(time))?)?,
        }
        let (portion, from) = (anchor.portion, anchor.time);
        let mut cursor = Cursor { run, history, machine, environment, portion, time: from };
        while cursor.time < time {
            cursor.step(&mut NoObserver, &mut Nothing)?;
        }
        cursor.settle()?;
        Ok(Some(cursor))
    }

    /// The wave that runs.
    ///
    /// # Errors
    /// `internal-debug` if the history lacks it.
    pub(crate) fn running(&self) -> Result<&'h Portion, Diagnostic> {
        Ok(&self.history.portion(self.portion).ok_or_else(|| lost(self.time))?.portion)
    }

    /// Repeats one step, of the next portion if the present one has ended.
    ///
    /// # Errors
    /// What the step reports.
    pub(crate) fn step<O: Observer<State<R>>, W: Watch>(
        &mut self,
        observer: &mut O,
        watch: &mut W,
    ) -> Result<Progress, Diagnostic> {
        self.settle()?;
        let mut watched = Watched { environment: &mut self.environment, watch };
        let progress = self.machine.step(&mut watched, observer)?;
        self.time += 1;
        Ok(progress)
    }

    /// Whether the history reaches past the present time.
    pub(crate) fn goes_on(&self) -> bool {
        let ended = self.time >= self.history.end_of(self.portion);
        let next = || self.history.portion(self.portion + 1).is_some_and(|next| next.wave.is_some());
        self.time < self.history.end && (!ended || next())
    }

    /// The run.
    pub(crate) fn run(&self) -> &'h R {
        self.run
    }

    /// Enters the next portion if the present one has ended and another one follows.
    ///
    /// # Errors
    /// `internal-debug` if the history lacks it.
    pub(crate) fn settle(&mut self) -> Result<(), Diagnostic> {
        while self.time >= self.history.end_of(self.portion) && self.time < self.history.end {
            self.portion += 1;
            let next = self.history.portion(self.portion).ok_or_else(|| lost(self.time))?;
            let wave = start(self.history, self.portion).ok_or_else(|| lost(self.time))?;
            self.machine.restore(&wave)?;
            self.run.enter(&mut self.environment, &next.portion, next.first);
        }
        Ok(())
    }
}

/// The wave at the start of a portion, if it is stored.
fn start<T: Clone, E>(history: &History<T, E>, portion: usize) -> Option<Saved<T>> {
    Some(history.portion(portion)?.wave.as_ref()?.expanded(&history.base))
}
