//! What each instruction wrote.

use serde::Serialize;

/// One instruction as it ran for a wave.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TraceStep {
    /// Number of the wave; of AGX what its first lane stands for.
    pub wave: usize,
    /// Number of the instruction.
    pub instruction: usize,
    /// The lanes of the batch that it ran for.
    pub lanes: Vec<usize>,
    /// What it wrote.
    pub writes: Vec<TraceWrite>,
}

/// A component of a register as it was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TraceWrite {
    /// The component, such as `vt0.x`.
    pub register: String,
    /// The bit patterns behind the write, one for each of the step's lanes.
    pub values: Vec<String>,
}
