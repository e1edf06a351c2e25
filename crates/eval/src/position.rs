//! Where a wave is in its program.

use crate::{count::Count, environment::Emission};
use shisa_ir::{Lanes, WAVE};

/// What a step led to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// There is more to run.
    Running,
    /// The instruction waits for the other waves of the workgroup. The next step passes it.
    Barrier,
    /// Every lane has ended.
    Done,
}

/// Everything that decides what a wave does next, except for its registers and its environment.
#[derive(Clone, Debug, PartialEq)]
pub struct Position<T> {
    /// The sequencer's state.
    pub state: T,
    /// Lanes whose outputs are discarded. They run on because derivatives need them.
    pub killed: Lanes,
    /// By lane, what the next emitted vertex is for.
    pub(crate) emission: [Emission; WAVE],
    /// Instructions executed.
    pub(crate) count: Count,
}

impl<T> Position<T> {
    /// The beginning, after `total` lane-instructions of the run.
    pub(crate) fn start(state: T, total: u64) -> Self {
        Position { state, killed: 0, emission: [Emission::default(); WAVE], count: Count::new(total) }
    }
}
