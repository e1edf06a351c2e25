//! Counts the instructions of each lane without touching every lane at every step.

use crate::wave::each;
use shisa_diag::{Diagnostic, Limit, Limits};
use shisa_ir::{Lanes, WAVE};

/// Instructions executed.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Count {
    /// Lane-instructions of the whole run.
    pub(crate) total: u64,
    /// By lane, but for the latest instructions.
    lanes: [u64; WAVE],
    /// Who executed the latest instructions.
    latest: Lanes,
    /// How many those were.
    steps: u64,
    /// The highest count among those lanes before.
    before: u64,
}

impl Count {
    /// Nothing executed by any lane of a wave, but `total` by the run.
    pub(crate) fn new(total: u64) -> Self {
        Count { total, ..Count::default() }
    }

    /// The same run from its beginning again.
    pub(crate) fn again(&self) -> Self {
        Count::new(self.total)
    }

    /// Counts an instruction for these lanes.
    #[inline]
    pub(crate) fn step(&mut self, active: Lanes) {
        // A step for no lane is work all the same.
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

    /// Refuses when the lanes of the latest instruction or the run have executed too many.
    #[inline]
    pub(crate) fn check(&self, limits: &Limits) -> Result<(), Diagnostic> {
        if self.before + self.steps <= limits.lane_steps && self.total <= limits.run_steps {
            return Ok(());
        }
        limits.check(Limit::LaneSteps, "instructions of one lane", self.before + self.steps)?;
        limits.check(Limit::RunSteps, "instructions of all lanes", self.total)
    }
}
