//! The first instruction of a path whose value differs.

use crate::bounds::Bounds;
use crate::compare::{Found, Pair, Ran};
use crate::observed::Observe;
use crate::path::Path;
use crate::slice::Slice;
use shisa_diag::Diagnostic;
use shisa_eval::Program;
use std::ops::Range;

/// The largest number of instructions of a slice that is searched.
pub const WINDOW: usize = 64;

/// The largest number of instructions that are searched with slices of which only the last value is compared.
pub const LAST_STEPS: usize = 1 << 10;

/// A value that differs, with the slice that shows it.
#[derive(Debug)]
pub(crate) struct Shown {
    pub(crate) found: Found,
    /// The positions of the steps of the slice, of which the value is the last.
    pub(crate) kept: Vec<usize>,
    pub(crate) observe: Observe,
}

/// The search of one path.
pub(crate) struct Search<'s> {
    pub(crate) program: &'s Program<'static>,
    pub(crate) path: &'s Path,
    pub(crate) pair: &'s Pair<'s>,
    /// The steps that an engine does not take, or that no slice has room for.
    pub(crate) unchecked: usize,
}

impl Search<'_> {
    /// Runs all steps, with all values compared; a slice that an engine does not take is divided.
    ///
    /// # Errors
    /// `internal-…` for a fault of shisa.
    pub(crate) fn every_value(&mut self) -> Result<Option<Shown>, Diagnostic> {
        match self.pair.bounds() {
            Bounds::Bits => self.windows(Observe::All),
            // Small errors are allowed, and must not add up.
            Bounds::Languages => self.windows(Observe::Apart),
        }
    }

    fn windows(&mut self, observe: Observe) -> Result<Option<Shown>, Diagnostic> {
        let count = self.path.taken.len();
        for first in (0..count).step_by(WINDOW) {
            let shown = self.window(first..count.min(first + WINDOW), observe)?;
            if shown.is_some() {
                return Ok(shown);
            }
        }
        Ok(None)
    }

    fn window(&mut self, steps: Range<usize>, observe: Observe) -> Result<Option<Shown>, Diagnostic> {
        let kept: Vec<usize> = steps.clone().collect();
        let ran = match Slice::new(self.program, self.path, &kept, observe) {
            Some(slice) => self.pair.run(&slice)?,
            None => Ran::Refused,
        };
        match ran {
            Ran::Equal => Ok(None),
            Ran::Differs(found) => {
                let kept = (steps.start..=found.observed.position).collect();
                Ok(Some(Shown { found, kept, observe }))
            }
            Ran::Refused if kept.len() > 1 => {
                let middle = steps.start + kept.len() / 2;
                match self.window(steps.start..middle, observe)? {
                    None => self.window(middle..steps.end, observe),
                    shown => Ok(shown),
                }
            }
            Ran::Refused => {
                self.unchecked += 1;
                Ok(None)
            }
        }
    }

    /// Runs each step with those before it, and compares the values of this step only. An engine that joins instructions whose
    /// result has one use, for example, does not join them where each result is an output.
    ///
    /// # Errors
    /// `internal-…` for a fault of shisa.
    pub(crate) fn last_values(&self) -> Result<Option<Shown>, Diagnostic> {
        for position in 0..self.path.taken.len().min(LAST_STEPS) {
            let kept: Vec<usize> = (position.saturating_sub(WINDOW - 1)..=position).collect();
            let Some(slice) = Slice::new(self.program, self.path, &kept, Observe::Last) else { continue };
            if let Ran::Differs(found) = self.pair.run(&slice)? {
                return Ok(Some(Shown { found, kept, observe: Observe::Last }));
            }
        }
        Ok(None)
    }
}
