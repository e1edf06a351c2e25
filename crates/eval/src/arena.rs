//! The planes of a wave.

use crate::plan::planes::{PlaneId, RegisterId, RegisterSpan, ScratchId};
use crate::wave::Plane;
use shisa_diag::Diagnostic;

/// All planes: constants, then register units, then scratch.
#[derive(Debug)]
pub(crate) struct Arena(Vec<Plane>);

/// The plan refers to a plane that does not exist or is not computed yet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Missing(usize);

impl From<Missing> for Diagnostic {
    #[cold]
    fn from(Missing(plane): Missing) -> Diagnostic {
        Diagnostic::internal(
            "internal-plan",
            format!("the evaluator's plan reads plane {plane} before it is computed, or past the last plane"),
        )
    }
}

/// The planes that an operation may read: those below the one that it computes.
#[derive(Clone, Copy)]
pub(crate) struct Sources<'a>(&'a [Plane]);

impl<'a> Sources<'a> {
    #[inline(always)]
    pub(crate) fn plane(self, id: PlaneId) -> Result<&'a Plane, Missing> {
        self.0.get(id.index()).ok_or(Missing(id.index()))
    }

    /// Several planes at once.
    #[inline(always)]
    pub(crate) fn planes<const N: usize>(self, ids: [PlaneId; N]) -> Result<[&'a Plane; N], Missing> {
        let mut planes = [&Plane::ZERO; N];
        for (plane, id) in planes.iter_mut().zip(ids) {
            *plane = self.plane(id)?;
        }
        Ok(planes)
    }

    /// The planes of consecutive units.
    pub(crate) fn span(self, span: RegisterSpan) -> Result<&'a [Plane], Missing> {
        self.0.get(span.range()).ok_or(Missing(span.range().end))
    }
}

impl Arena {
    /// The constants, followed by zeros in all other planes; `count` planes in total.
    pub(crate) fn new(constants: &[u32], count: usize) -> Arena {
        let mut planes: Vec<Plane> = constants.iter().map(|&bits| Plane::splat(bits)).collect();
        planes.resize(count, Plane::ZERO);
        Arena(planes)
    }

    /// All planes, read-only.
    #[inline(always)]
    pub(crate) fn sources(&self) -> Sources<'_> {
        Sources(&self.0)
    }

    #[inline(always)]
    pub(crate) fn register_mut(&mut self, id: RegisterId) -> Result<&mut Plane, Missing> {
        self.0.get_mut(id.index()).ok_or(Missing(id.index()))
    }

    /// The planes of a unit and of the next one.
    #[inline(always)]
    pub(crate) fn register_pair_mut(
        &mut self,
        [low, high]: [RegisterId; 2],
    ) -> Result<[&mut Plane; 2], Missing> {
        self.0.get_disjoint_mut([low.index(), high.index()]).map_err(|_| Missing(high.index()))
    }

    /// The planes of consecutive units.
    pub(crate) fn span_mut(&mut self, span: RegisterSpan) -> Result<&mut [Plane], Missing> {
        self.0.get_mut(span.range()).ok_or(Missing(span.range().end))
    }

    /// Sets consecutive units to zero in all lanes.
    pub(crate) fn clear(&mut self, span: RegisterSpan) -> Result<(), Missing> {
        self.span_mut(span)?.fill(Plane::ZERO);
        Ok(())
    }

    /// The planes below `to`, and the plane `to`.
    #[inline(always)]
    pub(crate) fn compute(&mut self, to: ScratchId) -> Result<(Sources<'_>, &mut Plane), Missing> {
        let (sources, [plane]) = self.compute_array(to)?;
        Ok((sources, plane))
    }

    /// The planes below `to`, and `N` planes starting at `to`.
    #[inline(always)]
    pub(crate) fn compute_array<const N: usize>(
        &mut self,
        to: ScratchId,
    ) -> Result<(Sources<'_>, &mut [Plane; N]), Missing> {
        let missing = Missing(to.index());
        let (sources, rest) = self.0.split_at_mut_checked(to.index()).ok_or(missing)?;
        Ok((Sources(sources), rest.first_chunk_mut().ok_or(missing)?))
    }

    /// The planes below `to`, and `count` planes starting at `to`.
    #[inline(always)]
    pub(crate) fn compute_several(
        &mut self,
        to: ScratchId,
        count: usize,
    ) -> Result<(Sources<'_>, &mut [Plane]), Missing> {
        let missing = Missing(to.index());
        let (sources, rest) = self.0.split_at_mut_checked(to.index()).ok_or(missing)?;
        Ok((Sources(sources), rest.get_mut(..count).ok_or(missing)?))
    }
}
