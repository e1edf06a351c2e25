//! Parts of a list of instructions: what runs elsewhere, in machine code, and what is left to the engine.

use crate::memory::Lanes;
use crate::plan::Plan;
use crate::task::End;
use crate::working::Memory;
use std::ops::Range;

/// The lanes that run a list of instructions.
#[derive(Clone, Copy)]
#[cfg_attr(
    not(all(feature = "jit", target_arch = "x86_64")),
    allow(dead_code, reason = "only machine code runs parts")
)]
pub(crate) struct Now {
    pub(crate) lanes: Lanes,
    /// Number of chunks in use.
    pub(crate) chunks: usize,
    /// Whether lanes are quads.
    pub(crate) quads: bool,
    /// Whether an instruction that uses quads can run.
    pub(crate) together: bool,
}

/// Instructions that the engine runs next.
pub(crate) struct Part {
    pub(crate) list: Range<usize>,
    /// Number of chunks, from the first on.
    pub(crate) chunks: usize,
    pub(crate) lanes: Lanes,
    /// Whether it is a piece that ran before, of lanes that are in the first chunk meanwhile: another part follows, also at
    /// the end of the list.
    pub(crate) repeats: bool,
}

/// What runs pieces of a program elsewhere.
pub(crate) trait Parts {
    /// Runs pieces from the beginning of a list, which it shortens. Returns what the engine must run before the next call:
    /// instructions of the list, or a piece once more for some lanes. `None` if the list has ended.
    ///
    /// # Errors
    /// [`End::Divergent`] if only some lanes of a quad come to an instruction that needs all.
    fn next(
        &mut self,
        program: &Plan,
        memory: &mut Memory,
        now: Now,
        list: &mut Range<usize>,
    ) -> Result<Option<Part>, End>;
}
