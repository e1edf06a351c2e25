//! Options of a run.

/// Options of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct RunOptions {
    /// The largest number of instructions in the trace, which has the latest ones; 0 for no trace.
    pub trace: usize,
}

impl RunOptions {
    /// Without a trace.
    pub const fn new() -> RunOptions {
        RunOptions { trace: 0 }
    }

    /// Records the latest instructions, at most the given number.
    pub const fn trace(mut self, count: usize) -> RunOptions {
        self.trace = count;
        self
    }
}
