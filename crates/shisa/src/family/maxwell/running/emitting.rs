//! The environment of a geometry program: memory, and what lanes emit.

use super::memory::Memory;
use shisa_diag::{Bound, Diagnostic};
use shisa_eval::{Access, Environment, LaneView, Plane, Sample, Texture};
use shisa_ir::{Reg, Space, WAVE};
use shisa_maxwell::OUTPUTS;
use shisa_maxwell::primitives::Emitted;
use std::collections::BTreeMap;

type Done = Result<(), Diagnostic>;

/// Components of attributes with their bits.
pub(super) type Components = BTreeMap<u16, u32>;

/// Memory, and what each lane of a batch has emitted.
#[derive(Clone)]
pub(super) struct Emitting {
    pub(super) memory: Memory,
    pub(super) lanes: Vec<Emitted<Components>>,
    /// The lane of the batch that each lane of the wave runs.
    wave: [Option<usize>; WAVE],
    /// The outputs that the program writes.
    units: Vec<u16>,
    /// Bytes of all emitted vertices, and how many may be.
    bytes: usize,
    limit: Bound,
}

impl Emitting {
    pub(super) fn new(memory: Memory, lanes: usize, units: Vec<u16>, limit: Bound) -> Emitting {
        let wave = [None; WAVE];
        Emitting { memory, lanes: vec![Emitted::default(); lanes], wave, units, bytes: 0, limit }
    }

    fn lane(&mut self, lane: usize) -> Result<&mut Emitted<Components>, Diagnostic> {
        let of_batch = self.wave.get(lane).copied().flatten();
        of_batch.and_then(|lane| self.lanes.get_mut(lane)).ok_or_else(|| {
            Diagnostic::internal("internal-batch", format!("lane {lane} runs nothing and emits a vertex"))
        })
    }
}

impl Environment for Emitting {
    fn bytes(&self) -> usize {
        self.memory.bytes() + self.bytes
    }

    fn wave(&mut self, lanes: &[Option<usize>; WAVE]) {
        self.wave = *lanes;
        self.memory.wave(lanes);
    }

    fn textures(&self) -> Vec<(String, &Texture)> {
        self.memory.textures()
    }

    fn sample(&mut self, sample: &Sample<'_>, texel: &mut [Plane; 4]) -> Done {
        self.memory.sample(sample, texel)
    }

    fn store_texel(&mut self, store: &Sample<'_>) -> Done {
        self.memory.store_texel(store)
    }

    fn load(&mut self, space: Space, lane: usize, address: u64, bytes: &mut [u8]) -> Done {
        self.memory.load(space, lane, address, bytes)
    }

    fn reached(&self, space: Space, lane: usize, address: u64, bytes: usize) -> Option<(Space, u64)> {
        self.memory.reached(space, lane, address, bytes)
    }

    fn store(&mut self, space: Space, lane: usize, address: u64, bytes: &[u8]) -> Done {
        self.memory.store(space, lane, address, bytes)
    }

    fn load_lanes(&mut self, access: &Access<'_>, planes: &mut [Plane]) -> Done {
        self.memory.load_lanes(access, planes)
    }

    fn store_lanes(&mut self, access: &Access<'_>, values: &[[&Plane; 2]]) -> Done {
        self.memory.store_lanes(access, values)
    }

    fn emit_vertex(&mut self, vertex: u32, stream: u32, outputs: LaneView<'_>) -> Done {
        // The map of a vertex has a node for a few components.
        self.bytes = self.bytes.saturating_add(64 + 16 * self.units.len());
        self.limit.check("bytes of emitted vertices", self.bytes)?;
        let component = |unit: &u16| Ok((*unit, outputs.register(Reg::new(OUTPUTS, *unit))?));
        let contents = self.units.iter().map(component).collect::<Result<_, Diagnostic>>()?;
        self.lane(outputs.lane())?.vertex(vertex, stream, contents);
        Ok(())
    }

    fn end_strip(&mut self, lane: usize, vertex: u32) -> Done {
        self.lane(lane)?.end_strip(vertex);
        Ok(())
    }
}
