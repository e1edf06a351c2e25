//! Accesses: what a program reads outside of its registers. An instruction has the number of an access, so that
//! instructions stay small.

use shisa_ir::{TexKind, TexOp};

/// A read of a texture. `P` is a component, as in [`crate::instruction::Instruction`]. A read has no side effects.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Access<P> {
    /// The components of the texel.
    pub(crate) results: [P; 4],
    /// The operation. Components that an operand lacks are zero.
    pub(crate) op: TexOp<[P; 4]>,
}

impl<P: Copy> Access<P> {
    /// Calls `f` with every operand.
    pub(crate) fn operands(&self, mut f: impl FnMut(P)) {
        self.op.map(|parts| parts.iter().for_each(|p| f(*p)));
    }

    /// The same access with other components.
    pub(crate) fn map<Q>(&self, mut f: impl FnMut(P) -> Q) -> Access<Q> {
        let results = self.results.map(&mut f);
        Access { results, op: self.op.map(|parts| parts.map(&mut f)) }
    }

    /// Whether the result depends on the other lanes of the quad. A sample without a filter between levels reads
    /// level 0, and without anisotropy reads it at one position.
    pub(crate) fn uses_quads(&self) -> bool {
        let sampler = self.op.sampler.state();
        let is_fixed = sampler.is_some_and(|s| s.mip.is_none() && s.anisotropy <= 1);
        self.op.is_convergent() && !(is_fixed && matches!(self.op.kind, TexKind::Sample))
    }
}
