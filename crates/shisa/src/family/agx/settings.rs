//! Settings for AGX only.

use shisa_agx::{Imageblock, Options, Revision};

/// Settings for AGX only.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Settings {
    /// Choices that nothing published settles.
    pub options: Options,
    /// The revision for decoding stores of texture and sampler states, and for assembling them if `.isa` does not
    /// state it.
    pub revision: Revision,
    /// Threads of a workgroup of a compute program in each dimension. With `None`, what the file states, else 32, 1,
    /// 1.
    pub workgroup: Option<[u32; 3]>,
    /// The tile of a workgroup of a compute program. With `None`, what the file states, else the default one.
    pub imageblock: Option<Imageblock>,
    /// Samples of a pixel of a fragment program, 1, 2 or 4. With `None`, the count of its loop over samples, else 1.
    pub samples: Option<u16>,
}
