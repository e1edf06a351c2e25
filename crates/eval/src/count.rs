//! Counts the instructions of each lane without updating every lane at every step.

use crate::plan::cost::WAVE_START;
use crate::wave::each;
use shisa_diag::{Diagnostic, Limit, Limits};
use shisa_ir::{Lanes, WAVE};

/// What a run has executed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Executed {
    /// Lane-instructions.
    pub(crate) steps: u64,
    /// The cost of the instructions, each for a whole wave, and of the beginnings of waves.
    pub(crate) work: u64,
}

/// Executed instructions.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Count {
    /// The whole run.
    pub(crate) total: Executed,
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
    /// The counter of the same run when a wave begins.
    pub(crate) fn again(&self) -> Self {
        let Executed { steps, work } = self.total;
        Count { total: Executed { steps, work: work + WAVE_START }, ..Count::default() }
    }

    /// Counts an instruction of this cost for these lanes.
    #[inline]
    pub(crate) fn step(&mut self, active: Lanes, cost: u64) {
        // A step without active lanes is work, too.
        self.total.steps += u64::from(active.count_ones().max(1));
        self.total.work += cost;
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
        let Executed { steps, work } = self.total;
        let few = self.before + self.steps <= limits.lane_steps && steps <= limits.run_steps;
        if few && work <= limits.run_work {
            return Ok(());
        }
        limits.check(Limit::LaneSteps, "instructions of one lane", self.before + self.steps)?;
        limits.check(Limit::RunSteps, "instructions of all lanes", steps)?;
        limits.check(Limit::RunWork, "work of all waves", work)
    }
}
