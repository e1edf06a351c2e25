//! The evaluator's environment, for the batch engine.

use shisa_diag::Diagnostic;
use shisa_eval::{Access, Environment, LaneView, Plane, Sample, each_lane, load_each};
use shisa_exec::{Emitting, MemoryAccess, Wave};
use shisa_ir::scalar::lanes::Words;
use shisa_ir::{Emission, Reg, Space, TexOp, TextureRef, WAVE};

/// Textures and memory of an environment, and what takes its vertices.
pub(crate) struct Bound<'e> {
    environment: &'e mut dyn Environment,
    /// The operands of an operation on textures.
    operands: Vec<Plane>,
    /// Whether an access failed.
    pub(crate) failed: bool,
    /// The first lane of the wave that emitted last.
    emitted: Option<usize>,
}

impl<'e> Bound<'e> {
    pub(crate) fn new(environment: &'e mut dyn Environment) -> Bound<'e> {
        Bound::reusing(environment, Vec::new())
    }

    /// As [`Bound::new`], with the memory of operands of an earlier one.
    pub(crate) fn reusing(environment: &'e mut dyn Environment, operands: Vec<Plane>) -> Bound<'e> {
        Bound { environment, operands, failed: false, emitted: None }
    }

    /// The memory of operands, and whether an access failed.
    pub(crate) fn end(self) -> (Vec<Plane>, bool) {
        (self.operands, self.failed)
    }

    /// Whether every texture that these operations read by a fixed number exists. The evaluator fails where a lane reads a
    /// texture that does not, even if nothing uses the result, and the batch engine does not run such a read.
    pub(crate) fn has_textures_of(&mut self, operations: &[TexOp]) -> bool {
        let reads = operations.iter().filter(|op| !op.changes());
        let mut fixed = reads.filter(|op| matches!(op.texture, TextureRef::Unit(_)));
        // A read for no lane only finds the texture.
        fixed.all(|op| {
            let op = op.map(|_| [&Plane::ZERO; 4]);
            let sample = Sample { op, quads: false, lanes: 0 };
            self.environment.sample(&sample, &mut [Plane::ZERO; 4]).is_ok()
        })
    }
}

impl Bound<'_> {
    /// Calls `f` with an operation on textures of the evaluator.
    fn sampled(
        &mut self,
        sample: &shisa_exec::Sample<'_>,
        f: impl FnOnce(&mut dyn Environment, &Sample<'_>) -> Result<(), Diagnostic>,
    ) -> Result<(), Diagnostic> {
        let planes = &mut self.operands;
        planes.clear();
        let numbers: TexOp<usize> = sample.op.map(|waves| {
            planes.extend(waves.iter().map(plane));
            planes.len() - waves.len()
        });
        let op =
            numbers.try_map(|first| planes.get(*first..).and_then(|p| p.first_chunk()).ok_or_else(missing));
        let op = op?.map(|planes: &&[Plane; 4]| planes.each_ref());
        let done = f(self.environment, &Sample { op, quads: sample.quads, lanes: sample.lanes });
        self.failed |= done.is_err();
        done
    }

    /// Calls `f` for each of these lanes with the environment, of which they are a wave.
    fn emitted(&mut self, lanes: &Emitting<'_>, f: &mut Emits<'_>) -> Result<(), Diagnostic> {
        if self.emitted.replace(lanes.first) != Some(lanes.first) {
            self.environment.wave(&std::array::from_fn(|lane| Some(lanes.first + lane)));
        }
        let outputs = Outputs(lanes);
        let mut of_lane = |lane| f(self.environment, lane, LaneView::new(&outputs, lane));
        let done = each_lane(lanes.lanes).try_for_each(&mut of_lane);
        self.failed |= done.is_err();
        done
    }
}

/// What a lane of a wave does to an environment.
type Emits<'f> = dyn FnMut(&mut dyn Environment, usize, LaneView<'_>) -> Result<(), Diagnostic> + 'f;

/// The outputs of lanes that emit.
struct Outputs<'e>(&'e Emitting<'e>);

impl shisa_eval::Outputs for Outputs<'_> {
    fn register(&self, reg: Reg, lane: usize) -> Result<u32, Diagnostic> {
        let mut bits = [0];
        self.0.outputs(reg, lane, &mut bits);
        Ok(bits[0])
    }

    fn registers(&self, first: Reg, lane: usize, bits: &mut [u32]) -> Result<(), Diagnostic> {
        self.0.outputs(first, lane, bits);
        Ok(())
    }
}

impl shisa_exec::Environment for Bound<'_> {
    fn sample(&mut self, read: &shisa_exec::Sample<'_>, texels: &mut [Words; 4]) -> Result<(), Diagnostic> {
        let mut results = [Plane::ZERO; 4];
        self.sampled(read, |environment, sample| environment.sample(sample, &mut results))?;
        *texels = results.map(|plane| plane.0);
        Ok(())
    }

    fn store_texel(&mut self, store: &shisa_exec::Sample<'_>) -> Result<(), Diagnostic> {
        self.sampled(store, |environment, sample| environment.store_texel(sample))
    }

    fn load(&mut self, access: &MemoryAccess<'_>, values: &mut [Words]) -> Result<(), Diagnostic> {
        let address = access.address.map(|words| Plane(*words));
        let mut planes = [Plane::ZERO; 4];
        let planes = planes.get_mut(..values.len()).ok_or_else(missing)?;
        let of_wave = accessed(access, &address);
        let loaded = match access.space {
            Space::Constants => load_each(self.environment, &of_wave, planes),
            _ => self.environment.load_lanes(&of_wave, planes),
        };
        self.failed |= loaded.is_err();
        loaded?;
        values.iter_mut().zip(planes).for_each(|(to, plane)| *to = plane.0);
        Ok(())
    }

    fn store(&mut self, access: &MemoryAccess<'_>, values: &[Words]) -> Result<(), Diagnostic> {
        let address = access.address.map(|words| Plane(*words));
        let words = access.bytes.div_ceil(4).max(1);
        let mut planes = [Plane::ZERO; 4];
        planes.iter_mut().zip(values).for_each(|(to, words)| to.0 = *words);
        let mut components = [[&Plane::ZERO; 2]; 4];
        for (component, planes) in components.iter_mut().zip(planes.chunks(words)) {
            component.iter_mut().zip(planes).for_each(|(to, plane)| *to = plane);
        }
        let components = components.get(..values.len() / words).ok_or_else(missing)?;
        let stored = self.environment.store_lanes(&accessed(access, &address), components);
        self.failed |= stored.is_err();
        stored
    }

    fn load_lane(
        &mut self,
        space: Space,
        lane: usize,
        address: u64,
        bytes: &mut [u8],
    ) -> Result<(), Diagnostic> {
        let loaded = self.environment.load(space, lane, address, bytes);
        self.failed |= loaded.is_err();
        loaded
    }

    fn store_lane(
        &mut self,
        space: Space,
        lane: usize,
        address: u64,
        bytes: &[u8],
    ) -> Result<(), Diagnostic> {
        let stored = self.environment.store(space, lane, address, bytes);
        self.failed |= stored.is_err();
        stored
    }

    fn emit(&mut self, lanes: &Emitting<'_>, settings: &[Emission; WAVE]) -> Result<(), Diagnostic> {
        self.emitted(lanes, &mut |environment, lane, outputs| environment.emit(settings[lane], outputs))
    }

    fn emit_vertex(
        &mut self,
        lanes: &Emitting<'_>,
        vertex: &Words,
        stream: &Words,
    ) -> Result<(), Diagnostic> {
        self.emitted(lanes, &mut |environment, lane, outputs| {
            environment.emit_vertex(vertex[lane], stream[lane], outputs)
        })
    }

    fn end_strip(&mut self, lanes: &Emitting<'_>, vertex: &Words) -> Result<(), Diagnostic> {
        self.emitted(lanes, &mut |environment, lane, _| environment.end_strip(lane, vertex[lane]))
    }
}

/// An access of the evaluator.
fn accessed<'a>(access: &MemoryAccess<'_>, address: &'a [Plane; 2]) -> Access<'a> {
    let MemoryAccess { space, lanes, bytes, .. } = *access;
    Access { space, lanes, address: address.each_ref(), bytes }
}

fn plane([low, high]: &Wave<'_>) -> Plane {
    let mut plane = Plane::ZERO;
    let (first, second) = plane.0.split_at_mut(low.len());
    first.copy_from_slice(&low[..]);
    second.copy_from_slice(&high[..]);
    plane
}

#[cold]
fn missing() -> Diagnostic {
    Diagnostic::internal("internal-exec", "an access has more or fewer components than any operation")
}
