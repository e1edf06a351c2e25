//! Counts the instructions of each lane without updating every lane at every step.

use crate::wave::each;
use shisa_diag::{Diagnostic, Limit, Limits};
use shisa_ir::{Lanes, WAVE};

/// Executed instructions.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Count {
    /// Lane-instructions of the whole run.
    pub(crate) total: u64,
    /// By lane, without the instructions of the latest lane set.
    lanes: [u64; WAVE],
    /// The lanes that executed the latest instructions.
    latest: Lanes,
    /// Number of the latest instructions.
    steps: u64,
    /// The highest earlier count among these lanes.
    before: u64,
}

impl Count {
    /// No instructions for any lane of the wave, and `total` for the run.
    pub(crate) fn new(total: u64) -> Self {
        Count { total, ..Count::default() }
    }

    /// The counter of the same run with the wave restarted.
    pub(crate) fn again(&self) -> Self {
        Count::new(self.total)
    }

    /// Counts an instruction for these lanes.
    #[inline]
    pub(crate) fn step(&mut self, active: Lanes) {
        // A step without active lanes is work, too.
        self.total += u64::from(active.count_ones().max(1));
        if self.latest != active {
            self.change(active);
        }
        self.steps += 1;
    }

    fn change(&mut self, active: Lanes) {
        for lane in each(self.latest) {
            self.lanes[lane] += self.steps;
        }
        self.before = each(active).fold(0, |most, lane| most.max(self.lanes[lane]));
        (self.latest, self.steps) = (active, 0);
    }

    /// Returns an error if a lane of the latest instruction, or the run, has executed too many instructions.
    #[inline]
    pub(crate) fn check(&self, limits: &Limits) -> Result<(), Diagnostic> {
        if self.before + self.steps <= limits.lane_steps && self.total <= limits.run_steps {
            return Ok(());
        }
        limits.check(Limit::LaneSteps, "instructions of one lane", self.before + self.steps)?;
        limits.check(Limit::RunSteps, "instructions of all lanes", self.total)
    }
}
