//! Operations on memory and textures.

use super::executor::{Executor, by_lane};
use super::surroundings::Surroundings;
use crate::environment::{Access, MOST_BYTES, Sample, each_stored, load_each, of_lane, too_large, too_many};
use crate::observer::Touch;
use crate::plan::micro::{Computed, SampleId};
use crate::plan::planes::{ScratchId, Wide};
use crate::wave::{Plane, each, joined};
use shisa_diag::Diagnostic;
use shisa_ir::scalar::stored;
use shisa_ir::{Atomic, Scalar, Space, WAVE};

/// The memory location of components.
#[derive(Clone, Copy)]
pub(super) struct Located {
    pub(super) space: Space,
    pub(super) address: Wide,
    /// Kind of the components.
    pub(super) kind: Scalar,
}

impl Executor<'_> {
    pub(super) fn sample(
        &mut self,
        dst: ScratchId,
        id: SampleId,
        around: &mut Surroundings<'_>,
    ) -> Result<(), Diagnostic> {
        let plan = self.program.sample(id)?;
        let (sources, texel) = self.arena.compute_array::<4>(dst)?;
        let op = plan.try_map(|ids| sources.planes(*ids))?;
        around.environment.sample(&Sample { op, quads: self.quads, lanes: self.mask.0 }, texel)
    }

    /// Writes texels in the lanes that are not killed.
    pub(super) fn store_texel(
        &mut self,
        id: SampleId,
        around: &mut Surroundings<'_>,
    ) -> Result<(), Diagnostic> {
        let sources = self.arena.sources();
        let op = self.program.sample(id)?.try_map(|ids| sources.planes(*ids))?;
        let store = Sample { op, quads: self.quads, lanes: self.mask.0 & !*around.killed };
        if let Some(observer) = &mut around.observer {
            observer.texel(&store);
        }
        around.environment.store_texel(&store)
    }

    pub(super) fn load(
        &mut self,
        dst: ScratchId,
        at: Located,
        count: u8,
        around: &mut Surroundings<'_>,
    ) -> Result<(), Diagnostic> {
        let planes_each = 1 + usize::from(at.kind.bits() == 64);
        let (sources, planes) = self.arena.compute_several(dst, planes_each * usize::from(count))?;
        let address = sources.planes(at.address)?;
        let access = Access { space: at.space, lanes: self.mask.0, address, bytes: size(at.kind) };
        if let Some(observer) = &mut around.observer {
            observer.access(Touch::Load, &access, count.into());
        }
        match at.space {
            Space::Constants => load_each(around.environment, &access, planes)?,
            _ => around.environment.load_lanes(&access, planes)?,
        }
        if at.kind == Scalar::I1 {
            planes.iter_mut().for_each(|plane| plane.0.iter_mut().for_each(|v| *v &= 1));
        }
        Ok(())
    }

    /// Writes consecutive components, at most four, in the lanes that are not killed.
    pub(super) fn store(
        &mut self,
        at: Located,
        values: &[Wide],
        around: &mut Surroundings<'_>,
    ) -> Result<(), Diagnostic> {
        let sources = self.arena.sources();
        let address = sources.planes(at.address)?;
        let mut planes = [[&Plane::ZERO; 2]; 4];
        for (planes, ids) in planes.iter_mut().zip(values) {
            *planes = sources.planes(*ids)?;
        }
        let values = planes.get(..values.len()).ok_or_else(|| too_many(values.len()))?;
        let access =
            Access { space: at.space, lanes: self.mask.0 & !*around.killed, address, bytes: size(at.kind) };
        if let Some(observer) = &mut around.observer {
            observer.access(Touch::Store, &access, values.len());
            return each_stored(&access, values, |lane, address, bytes| {
                store_observed((at.space, lane, address), bytes, access.bytes, around)
            });
        }
        around.environment.store_lanes(&access, values)
    }

    /// Changes a component in memory for the lanes that are not killed, one lane after the other.
    pub(super) fn atomic(
        &mut self,
        op: Atomic,
        at: Located,
        dst: Computed,
        [value, expected]: [Wide; 2],
        around: &mut Surroundings<'_>,
    ) -> Result<(), Diagnostic> {
        let sources = self.arena.sources();
        let address = sources.planes(at.address)?;
        let [value, expected] = [sources.planes(value)?, sources.planes(expected)?];
        let lanes = self.mask.0 & !*around.killed;
        if let Some(observer) = &mut around.observer {
            let access = Access { space: at.space, lanes, address, bytes: size(at.kind) };
            observer.access(Touch::Atomic, &access, 1);
        }
        let mut old = [0; WAVE];
        for lane in each(lanes) {
            let [address, value, expected] = [address, value, expected].map(|v| joined(v, lane));
            let mut bytes = [0; 8];
            around
                .environment
                .load(at.space, lane, address, component_mut(&mut bytes, at.kind))
                .map_err(|d| of_lane(d, lane))?;
            let there = u64::from_le_bytes(bytes);
            old[lane] = there;
            let new = stored(op, self.program.model, at.kind, there, [value, expected]);
            let new = new.to_le_bytes();
            let new = component(&new, at.kind);
            store_observed((at.space, lane, address), new, new.len(), around)
                .map_err(|d| of_lane(d, lane))?;
        }
        let (_, planes) = self.arena.compute_several(dst.first, dst.count())?;
        by_lane(planes, |lane| old[lane]);
        Ok(())
    }
}

/// Writes the bytes of components for one lane; the observer sees each component and the bytes that it replaces.
fn store_observed(
    (space, lane, address): (Space, usize, u64),
    new: &[u8],
    each: usize,
    around: &mut Surroundings<'_>,
) -> Result<(), Diagnostic> {
    let Some(observer) = &mut around.observer else {
        return around.environment.store(space, lane, address, new);
    };
    let mut old = [0; MOST_BYTES];
    let old = old.get_mut(..new.len()).ok_or_else(|| too_large(new.len()))?;
    let loaded = around.environment.load(space, lane, address, old);
    // Of an access that is refused both times, the error is that of the store.
    around.environment.store(space, lane, address, new)?;
    loaded?;
    let each = each.max(1);
    for ((old, new), at) in old.chunks(each).zip(new.chunks(each)).zip((address..).step_by(each)) {
        observer.store(space, lane, at, old, new);
    }
    Ok(())
}

/// Size of a component in memory, in bytes.
fn size(kind: Scalar) -> usize {
    component(&[0; 8], kind).len()
}

/// The bytes of a component.
fn component(bytes: &[u8; 8], kind: Scalar) -> &[u8] {
    match kind {
        Scalar::I1 | Scalar::I8 => &bytes[..1],
        Scalar::I16 | Scalar::F16 => &bytes[..2],
        Scalar::I32 | Scalar::F32 => &bytes[..4],
        Scalar::I64 | Scalar::F64 => bytes,
    }
}

/// The bytes of a component, mutable.
fn component_mut(bytes: &mut [u8; 8], kind: Scalar) -> &mut [u8] {
    match kind {
        Scalar::I1 | Scalar::I8 => &mut bytes[..1],
        Scalar::I16 | Scalar::F16 => &mut bytes[..2],
        Scalar::I32 | Scalar::F32 => &mut bytes[..4],
        Scalar::I64 | Scalar::F64 => bytes,
    }
}
