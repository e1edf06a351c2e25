//! The cost of operations, by the class of their time.

use super::micro::Micro;

/// What a step costs without its operations.
pub(super) const STEP: u64 = 2;

/// What the beginning of a wave costs.
pub(crate) const WAVE_START: u64 = 16;

impl Micro {
    /// The cost of the operation for a wave: 1 is the time of a loop over one plane.
    pub(super) const fn cost(&self) -> u64 {
        match self {
            Micro::Loop { .. }
            | Micro::Write { .. }
            | Micro::WriteHalves { .. }
            | Micro::Neighbour { .. }
            | Micro::Guard { .. }
            | Micro::Kill { .. }
            | Micro::SetEmit(_)
            | Micro::Barrier
            | Micro::Arrive { .. }
            | Micro::Reduced { .. } => 1,
            Micro::Dot { .. } | Micro::Gather { .. } | Micro::Lane { .. } => 4,
            // One lane after the other.
            Micro::ByLane { .. }
            | Micro::Combine { .. }
            | Micro::Load { .. }
            | Micro::Store { .. }
            | Micro::Atomic { .. } => 8,
            Micro::EndStrip { .. } => 8,
            Micro::Emit | Micro::EmitVertex { .. } => 32,
            Micro::Texture { .. } | Micro::TextureStore { .. } => 64,
        }
    }
}
