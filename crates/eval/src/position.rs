//! The position of a wave in its program.

use crate::barriers::{Arrived, Reduced};
use crate::count::Count;
use shisa_ir::{Emission, Lanes, WAVE};

/// The result of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// The wave has more to run.
    Running,
    /// The instruction arrives at a barrier of the workgroup. The next step continues after it.
    Barrier(Arrived),
    /// Every lane has ended.
    Done,
}

/// Everything that determines what a wave does next, except its registers and its environment.
#[derive(Debug, PartialEq)]
pub struct Position<T> {
    /// The sequencer's state.
    pub state: T,
    /// Lanes whose outputs are discarded. They continue to run because derivatives need them.
    pub killed: Lanes,
    /// For each lane, the settings of the next emitted vertex.
    pub(crate) emission: [Emission; WAVE],
    /// The result of the latest reduction at a barrier.
    pub(crate) reduced: Reduced,
    /// Count of executed instructions.
    pub(crate) count: Count,
}

impl<T: Clone> Clone for Position<T> {
    fn clone(&self) -> Self {
        let Position { state, killed, emission, reduced, count } = self;
        let (state, count) = (state.clone(), count.clone());
        Position { state, killed: *killed, emission: *emission, reduced: *reduced, count }
    }

    // A trace copies a position each step: hundreds of bytes, which go directly to where they stay.
    fn clone_from(&mut self, source: &Self) {
        let Position { state, killed, emission, reduced, count } = source;
        self.state.clone_from(state);
        (self.killed, self.emission, self.reduced) = (*killed, *emission, *reduced);
        self.count.clone_from(count);
    }
}

impl<T> Position<T> {
    /// The start position, with the counter of the run.
    pub(crate) fn start(state: T, count: Count) -> Self {
        Position {
            state,
            killed: 0,
            emission: [Emission::default(); WAVE],
            reduced: Reduced::default(),
            count,
        }
    }

    /// Makes everything but the sequencer's state that of the start; the counter of the run continues.
    pub(crate) fn restart(&mut self) {
        self.killed = 0;
        self.emission = [Emission::default(); WAVE];
        self.reduced = Reduced::default();
        self.count = self.count.again();
    }
}
