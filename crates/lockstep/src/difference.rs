//! What a comparison finds.

use crate::bounds::Bounds;
use crate::observed::What;
use shisa_debug::Time;
use shisa_diag::Diagnostic;
use shisa_ir::{At, Reg, Scalar};

/// An engine compared with the reference.
#[derive(Clone, Debug, PartialEq)]
pub struct Compared {
    /// The name of the engine.
    pub engine: String,
    /// How close values had to be.
    pub bounds: Bounds,
    /// The result.
    pub verdict: Verdict,
}

/// The result of a comparison.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// The outputs of all lanes are equal.
    Outputs {
        /// The number of lanes whose outputs were compared; 0 for a compute program.
        lanes: usize,
        /// The number of buffers whose contents were compared.
        buffers: usize,
    },
    /// The values of all instructions that the lanes ran are equal.
    Values {
        /// The number of lanes.
        lanes: usize,
        /// The number of instructions that were compared, over all lanes.
        steps: usize,
        /// Those that were not, because the engine does not take them.
        unchecked: usize,
    },
    /// The engine does not take the program or its inputs.
    Refused(Diagnostic),
    /// A value differs.
    Differs(Box<Difference>),
}

/// A difference between two engines.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The first output that differs; `None` if no outputs were compared.
    pub output: Option<Output>,
    /// The first instruction whose value differs; `None` if none does outside of memory, textures and exchange of lanes.
    pub located: Option<Located>,
}

/// An output that differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Output {
    /// Which one.
    pub slot: Slot,
    /// The bits of the reference and of the other engine; 1 for a discarded lane, 0 for one that is not.
    pub values: [u32; 2],
}

/// An output of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    /// A unit of an output register of a lane of the run.
    Register {
        /// The lane.
        lane: usize,
        /// The unit.
        reg: Reg,
    },
    /// Whether a lane is discarded.
    Discarded {
        /// The lane.
        lane: usize,
    },
    /// Four bytes of memory.
    Memory {
        /// The number of the buffer, from 0.
        buffer: usize,
        /// The offset in bytes.
        offset: usize,
    },
}

/// An instruction whose value differs.
#[derive(Clone, Debug, PartialEq)]
pub struct Located {
    /// The lane of the run.
    pub lane: usize,
    /// The number of steps of the run before the instruction.
    pub time: Time,
    /// The instruction.
    pub at: At,
    /// Which of its values differs.
    pub what: What,
    /// The type of the value.
    pub scalar: Scalar,
    /// The bits of the reference and of the other engine.
    pub values: [u64; 2],
    /// The smallest program that shows the difference.
    pub reduced: Reduced,
}

/// A program reduced to what a difference needs.
#[derive(Clone, Debug, PartialEq)]
pub struct Reduced {
    /// Its instructions with the numbers of steps before them. The last one is the instruction whose value differs.
    pub steps: Vec<(Time, At)>,
    /// The registers that they read before they write them, with their bits. Uniforms that are missing are zero.
    pub registers: Vec<(Reg, u32)>,
    /// The number of instructions that the lane ran up to the last one.
    pub of: usize,
    /// The program in intermediate representation, as the engines ran it.
    pub text: String,
}
