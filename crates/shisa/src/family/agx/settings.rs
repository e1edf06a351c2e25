//! What concerns AGX alone.

use shisa_agx::{Imageblock, Options, Revision};

/// What concerns AGX alone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Settings {
    /// What nothing published settles.
    pub options: Options,
    /// How stores of texture and sampler states are read, and written where `.isa` does not say it.
    pub revision: Revision,
    /// Threads of a workgroup of a compute program in each dimension; `None` takes what the file says, else 32, 1, 1.
    pub workgroup: Option<[u32; 3]>,
    /// The tile of a workgroup of a compute program; `None` takes what the file says, else the default one.
    pub imageblock: Option<Imageblock>,
    /// Samples of a pixel of a fragment program, 1, 2 or 4; `None` takes those that a loop in it runs for, else 1.
    pub samples: Option<u16>,
}
