//! Who runs the waves of a run: the evaluator for an observer, or a debugger.

use crate::barriers::Arrived;
use crate::environment::Environment;
use crate::machine::Machine;
use crate::observer::Observer;
use crate::position::Progress;
use shisa_diag::{Diagnostic, Limits};
use shisa_ir::{Sequencer, WAVE};

/// A wave of a run, from its start or a barrier up to the next barrier or its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Portion {
    /// The index of the wave's workgroup in its grid; 0 for a batch.
    pub group: u64,
    /// The index of the wave in its workgroup, or in its batch.
    pub wave: usize,
    /// For each lane the lane of the batch or the thread of the dispatch that it runs; `None` for helper lanes and lanes
    /// that run nothing.
    pub lanes: [Option<usize>; WAVE],
}

impl Portion {
    /// The lane of the batch or the thread of the dispatch that a lane of the wave runs, if it runs one.
    pub fn lane(&self, lane: usize) -> Option<usize> {
        self.lanes.get(lane).copied().flatten()
    }
}

/// Runs the machines of a run, one portion after the other.
pub trait Driver<S: Sequencer, E: Environment> {
    /// Runs a wave until it arrives at a barrier or has ended, and returns which.
    ///
    /// # Errors
    /// Those of [`Machine::run_to_barrier`].
    fn run(
        &mut self,
        portion: &Portion,
        machine: &mut Machine<'_, S>,
        environment: &mut E,
        limits: &Limits,
    ) -> Result<Progress, Diagnostic>;

    /// A barrier of the workgroup opens: these waves had arrived.
    fn open(&mut self, arrivals: &[(usize, Arrived)]);
}

/// The driver that runs machines to their end, for an observer.
#[derive(Debug)]
pub struct Observed<'o, O>(pub &'o mut O);

impl<S: Sequencer, E: Environment, O: Observer<S::State>> Driver<S, E> for Observed<'_, O> {
    fn run(
        &mut self,
        portion: &Portion,
        machine: &mut Machine<'_, S>,
        environment: &mut E,
        limits: &Limits,
    ) -> Result<Progress, Diagnostic> {
        if O::ACTIVE {
            self.0.wave(&portion.lanes);
        }
        machine.run_to_barrier(environment, self.0, limits)
    }

    fn open(&mut self, arrivals: &[(usize, Arrived)]) {
        if O::ACTIVE {
            self.0.open(arrivals);
        }
    }
}
