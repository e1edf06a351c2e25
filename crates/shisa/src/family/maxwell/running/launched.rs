//! The inputs and the result of a launch.

use super::cost::Cost;
use shisa_diag::Diagnostic;
use shisa_eval::TextureSet;
use shisa_maxwell::launch::{Kernel, Launch};

/// A kernel with all its inputs.
#[derive(Clone, Debug, PartialEq)]
pub struct KernelRun {
    /// The kernel, as a loader puts it into memory.
    pub kernel: Kernel,
    /// Its grid and parameters.
    pub launch: Launch,
    /// Global memory besides that of the kernel: addresses and contents.
    pub buffers: Vec<(u64, Vec<u8>)>,
    /// Textures and images by the number that instructions have, and by handle.
    pub textures: TextureSet,
}

/// The result of a kernel.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KernelOutput {
    /// The contents of the buffers, in the order given.
    pub buffers: Vec<Vec<u8>>,
    /// The textures after the run.
    pub textures: TextureSet,
    /// Instructions executed, counted for each lane.
    pub executed: u64,
    /// With [`crate::maxwell::Settings::findings`]: races, reads of memory that nothing wrote, divergent barriers.
    pub findings: Vec<Diagnostic>,
    /// With [`crate::maxwell::Settings::profile`]: what each instruction that ran cost.
    pub profile: Vec<Cost>,
}
