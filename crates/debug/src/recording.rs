//! A recorded run.

use crate::cursor::Cursor;
use crate::event::{Event, Notes, Outside};
use crate::history::{History, Time};
use crate::recorder::Recorder;
use crate::run::{Run, Start};
use crate::view::{Live, View};
use shisa_diag::Diagnostic;
use shisa_engines::Invocation;
use shisa_eval::{NoObserver, Portion, Program};
use shisa_ir::Sequencer;
use std::ops::{ControlFlow, Range};
use std::sync::{Mutex, PoisonError};

type State<R> = <<R as Run>::Sequencer as Sequencer>::State;
type Stored<R> = History<State<R>, <R as Run>::Environment>;

/// The default limit on the size of a recording: 256 MiB.
pub const RECORDING_BYTES: usize = 256 << 20;

/// Sees states and steps in order: the state before each step, then what the step did. A break ends the repetition.
pub trait Watcher {
    /// Whether it needs what steps did; without that, states are repeated faster.
    fn needs_events(&self) -> bool;

    /// A state, also the one after the last step.
    ///
    /// # Errors
    /// An error ends the repetition, too.
    fn state(&mut self, view: &mut dyn View) -> Result<ControlFlow<()>, Diagnostic>;

    /// What the step after that state did.
    ///
    /// # Errors
    /// An error ends the repetition, too.
    fn event(&mut self, event: &mut Event<'_>) -> Result<ControlFlow<()>, Diagnostic>;
}

/// A run of which any state can be made again. Times are numbers of steps, counted over all waves in the order in which they
/// ran.
pub trait Recorded: Send + Sync {
    /// The program.
    fn program(&self) -> &Program<'static>;

    /// The run as other engines take it; `None` if only the evaluator repeats it.
    fn invocation(&self) -> Option<&dyn Invocation>;

    /// What registers hold when a wave starts.
    fn start(&self) -> Start;

    /// The number of steps of the run.
    fn end(&self) -> Time;

    /// The error with which the run ended. It is that of the step after the last one.
    fn failure(&self) -> Option<&Diagnostic>;

    /// The number of portions.
    fn portions(&self) -> usize;

    /// A portion and the times of its steps.
    fn portion(&self, number: usize) -> Option<(Portion, Range<Time>)>;

    /// The number of the portion whose step runs at a time; at the end the last one. `None` if nothing ran.
    fn portion_at(&self, time: Time) -> Option<usize>;

    /// Passes on the state at a time, at most the end.
    ///
    /// # Errors
    /// `debug-empty` if nothing ran; those of `look`.
    fn view(
        &self,
        time: Time,
        look: &mut dyn FnMut(&mut dyn View) -> Result<(), Diagnostic>,
    ) -> Result<(), Diagnostic>;

    /// Repeats steps until the watcher breaks.
    ///
    /// # Errors
    /// `debug-empty` if nothing ran; those of the watcher.
    fn replay(&self, steps: Range<Time>, watcher: &mut dyn Watcher) -> Result<(), Diagnostic>;

    /// A time before `time` from which a backward search repeats the steps in between: they are many enough to be worth the
    /// start, and few enough to be repeated at once.
    fn chunk(&self, time: Time) -> Time;
}

/// The recording of a [`Run`].
pub struct Recording<R: Run> {
    run: R,
    history: Stored<R>,
    failure: Option<Diagnostic>,
    most: usize,
    /// States of portions whose starts were dropped, made again.
    again: Mutex<Option<Stored<R>>>,
}

impl<R: Run> Recording<R> {
    /// Records a run with states of at most so many bytes; [`RECORDING_BYTES`] is the default.
    pub fn new(run: R, most: usize) -> Recording<R> {
        let mut recorder = Recorder::<R>::new(most);
        let failure = run.run(&mut recorder).err();
        Recording { run, history: recorder.history, failure, most, again: Mutex::new(None) }
    }

    /// Runs `then` with a cursor at a time.
    fn at<T>(
        &self,
        time: Time,
        then: impl FnOnce(Cursor<'_, R>) -> Result<T, Diagnostic>,
    ) -> Result<T, Diagnostic> {
        let portion = self.history.at(time).ok_or_else(empty)?;
        if let Some(cursor) = Cursor::new(&self.run, &self.history, time)? {
            return then(cursor);
        }
        let mut again = self.again.lock().unwrap_or_else(PoisonError::into_inner);
        if again.as_ref().is_none_or(|again| again.portion(portion).is_none()) {
            let mut recorder = Recorder::<R>::from(portion, self.most / 4);
            // Its end is either the recorder's own or that of the recorded run.
            if let Err(d) = self.run.run(&mut recorder)
                && !recorder.stopped
                && self.failure.is_none()
            {
                return Err(d);
            }
            *again = Some(recorder.history);
        }
        let history = again.as_ref().ok_or_else(empty)?;
        then(Cursor::new(&self.run, history, time)?.ok_or_else(empty)?)
    }
}

impl<R: Run> Recorded for Recording<R> {
    fn program(&self) -> &Program<'static> {
        self.run.program()
    }

    fn invocation(&self) -> Option<&dyn Invocation> {
        self.run.invocation()
    }

    fn start(&self) -> Start {
        self.run.start()
    }

    fn end(&self) -> Time {
        self.history.end
    }

    fn failure(&self) -> Option<&Diagnostic> {
        self.failure.as_ref()
    }

    fn portions(&self) -> usize {
        self.history.portions.len()
    }

    fn portion(&self, number: usize) -> Option<(Portion, Range<Time>)> {
        let found = self.history.portion(number)?;
        Some((found.portion, found.start..self.history.end_of(number)))
    }

    fn portion_at(&self, time: Time) -> Option<usize> {
        self.history.at(time)
    }

    fn view(
        &self,
        time: Time,
        look: &mut dyn FnMut(&mut dyn View) -> Result<(), Diagnostic>,
    ) -> Result<(), Diagnostic> {
        self.at(time.min(self.end()), |mut cursor| {
            let running = cursor.running()?;
            look(&mut Live { cursor: &mut cursor, running })
        })
    }

    fn replay(&self, steps: Range<Time>, watcher: &mut dyn Watcher) -> Result<(), Diagnostic> {
        let end = steps.end.min(self.end());
        let (mut time, mut notes) = (steps.start, Notes::default());
        loop {
            let next = self.at(time, |mut cursor| {
                loop {
                    cursor.settle()?;
                    if look(&mut cursor, watcher)?.is_break() || cursor.time >= end {
                        return Ok(None);
                    }
                    if step(&mut cursor, &mut notes, watcher)?.is_break() {
                        return Ok(None);
                    }
                    if cursor.time < self.end() && !cursor.goes_on() {
                        return Ok(Some(cursor.time));
                    }
                }
            })?;
            match next {
                Some(next) => time = next,
                None => return Ok(()),
            }
        }
    }

    fn chunk(&self, time: Time) -> Time {
        let before = time.saturating_sub(CHUNK);
        self.history.anchor(before).map_or(0, |anchor| anchor.time)
    }
}

/// The smallest number of steps of a chunk.
const CHUNK: Time = 4096;

/// Passes on the state of a cursor.
fn look<R: Run>(
    cursor: &mut Cursor<'_, R>,
    watcher: &mut dyn Watcher,
) -> Result<ControlFlow<()>, Diagnostic> {
    let running = cursor.running()?;
    watcher.state(&mut Live { cursor, running })
}

/// Repeats a step and passes it on.
fn step<R: Run>(
    cursor: &mut Cursor<'_, R>,
    notes: &mut Notes,
    watcher: &mut dyn Watcher,
) -> Result<ControlFlow<()>, Diagnostic> {
    let mut outside = Outside::default();
    if !watcher.needs_events() {
        cursor.step(&mut NoObserver, &mut outside)?;
        return Ok(ControlFlow::Continue(()));
    }
    notes.clear();
    let progress = cursor.step(notes, &mut outside)?;
    let (running, time) = (cursor.running()?, cursor.time - 1);
    watcher.event(&mut Event {
        time,
        index: notes.index,
        active: notes.active,
        killed: notes.killed,
        writes: &notes.writes,
        stores: &notes.stores,
        accesses: &notes.accesses,
        textures: outside.textures,
        emitted: outside.emitted,
        progress,
        after: &mut Live { cursor, running },
    })
}

#[cold]
fn empty() -> Diagnostic {
    Diagnostic::error("debug-empty", "the run has no steps")
        .help("give inputs for at least one vertex, pixel or thread")
}
