//! Searches a run in both directions.

use crate::event::Event;
use crate::history::Time;
use crate::recording::{Recorded, Watcher};
use crate::view::View;
use shisa_diag::Diagnostic;
use std::ops::{ControlFlow, Range};

/// A direction of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// To later steps.
    Forwards,
    /// To earlier steps.
    Backwards,
}

/// What a search looks for. A test returns what it found.
pub trait Target {
    /// What is found.
    type Found;

    /// Whether it tests what steps do.
    fn tests_events(&self) -> bool;

    /// Whether its tests depend on all states and steps since the start of the run. A backward search then repeats the run
    /// from its start; before a forward search, `pass` must be called.
    fn counts(&self) -> bool {
        false
    }

    /// Tests a state.
    ///
    /// # Errors
    /// If the test cannot be computed.
    fn state(&mut self, _view: &mut dyn View) -> Result<Option<Self::Found>, Diagnostic> {
        Ok(None)
    }

    /// Tests what a step did.
    ///
    /// # Errors
    /// If the test cannot be computed.
    fn event(&mut self, _event: &mut Event<'_>) -> Result<Option<Self::Found>, Diagnostic> {
        Ok(None)
    }
}

/// The nearest time in a direction at which a target is found. Forwards that is the first later state that passes the test, or
/// the state after the first step that does. Backwards it is the latest earlier state, or the state before the latest step.
///
/// # Errors
/// Those of the target and of the recording.
pub fn search<T: Target>(
    recorded: &dyn Recorded,
    from: Time,
    direction: Direction,
    target: &mut T,
) -> Result<Option<(Time, T::Found)>, Diagnostic> {
    match direction {
        Direction::Forwards => {
            let mut forwards = Forwards { target, from, found: None };
            recorded.replay(from..recorded.end(), &mut forwards)?;
            Ok(forwards.found)
        }
        Direction::Backwards => latest(recorded, 0..from, target),
    }
}

/// The latest state or step of a range of times at which a target is found.
///
/// # Errors
/// Those of the target and of the recording.
pub fn latest<T: Target>(
    recorded: &dyn Recorded,
    times: Range<Time>,
    target: &mut T,
) -> Result<Option<(Time, T::Found)>, Diagnostic> {
    let mut end = times.end;
    while end > times.start {
        let start = if target.counts() { times.start } else { recorded.chunk(end).max(times.start) };
        let mut backwards = Backwards { target: &mut *target, end, found: None };
        recorded.replay(start..end, &mut backwards)?;
        if backwards.found.is_some() {
            return Ok(backwards.found);
        }
        end = start;
    }
    Ok(None)
}

/// Tests the states before a time and the steps up to it, if the target counts. What it finds is ignored.
///
/// # Errors
/// Those of the target and of the recording.
pub(crate) fn pass<T: Target>(
    recorded: &dyn Recorded,
    before: Time,
    target: &mut T,
) -> Result<(), Diagnostic> {
    match target.counts() {
        true => recorded.replay(0..before, &mut Passed { target, before }),
        false => Ok(()),
    }
}

struct Passed<'t, T> {
    target: &'t mut T,
    before: Time,
}

impl<T: Target> Watcher for Passed<'_, T> {
    fn needs_events(&self) -> bool {
        self.target.tests_events()
    }

    fn state(&mut self, view: &mut dyn View) -> Result<ControlFlow<()>, Diagnostic> {
        if view.time() < self.before {
            self.target.state(view)?;
        }
        Ok(ControlFlow::Continue(()))
    }

    fn event(&mut self, event: &mut Event<'_>) -> Result<ControlFlow<()>, Diagnostic> {
        self.target.event(event)?;
        Ok(ControlFlow::Continue(()))
    }
}

struct Forwards<'t, T: Target> {
    target: &'t mut T,
    from: Time,
    found: Option<(Time, T::Found)>,
}

impl<T: Target> Forwards<'_, T> {
    fn note(&mut self, time: Time, found: Option<T::Found>) -> ControlFlow<()> {
        self.found = found.map(|found| (time, found));
        if self.found.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

impl<T: Target> Watcher for Forwards<'_, T> {
    fn needs_events(&self) -> bool {
        self.target.tests_events()
    }

    fn state(&mut self, view: &mut dyn View) -> Result<ControlFlow<()>, Diagnostic> {
        let time = view.time();
        let found = if time > self.from { self.target.state(view)? } else { None };
        Ok(self.note(time, found))
    }

    fn event(&mut self, event: &mut Event<'_>) -> Result<ControlFlow<()>, Diagnostic> {
        let found = self.target.event(event)?;
        Ok(self.note(event.time + 1, found))
    }
}

struct Backwards<'t, T: Target> {
    target: &'t mut T,
    end: Time,
    found: Option<(Time, T::Found)>,
}

impl<T: Target> Watcher for Backwards<'_, T> {
    fn needs_events(&self) -> bool {
        self.target.tests_events()
    }

    fn state(&mut self, view: &mut dyn View) -> Result<ControlFlow<()>, Diagnostic> {
        let time = view.time();
        if time < self.end
            && let Some(found) = self.target.state(view)?
        {
            self.found = Some((time, found));
        }
        Ok(ControlFlow::Continue(()))
    }

    fn event(&mut self, event: &mut Event<'_>) -> Result<ControlFlow<()>, Diagnostic> {
        if let Some(found) = self.target.event(event)? {
            self.found = Some((event.time, found));
        }
        Ok(ControlFlow::Continue(()))
    }
}
