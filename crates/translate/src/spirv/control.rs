//! The variables of the outputs of a tessellation control program.

use super::module::Id;

/// The variables of the outputs of a control program.
#[derive(Default)]
pub(super) struct Control {
    /// Those of vertices, in the order of the interface; all distances to clipping planes have one.
    pub(super) vertex: Vec<Id>,
    /// Those of the patch.
    pub(super) patch: Vec<Id>,
}

impl Control {
    /// All variables, each once.
    pub(super) fn variables(&self) -> impl Iterator<Item = Id> {
        let mut all: Vec<Id> = self.vertex.iter().chain(&self.patch).copied().collect();
        all.sort_unstable();
        all.dedup();
        all.into_iter()
    }
}
