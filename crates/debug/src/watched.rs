//! Environments that report what a program does to them.

use shisa_diag::Diagnostic;
use shisa_eval::{Access, Environment, LaneView, Plane, Sample};
use shisa_ir::{Emission, Lanes, Space};

type Done = Result<(), Diagnostic>;

/// What a program did to its environment.
pub(crate) trait Watch {
    /// It changed memory, texels, or what it emitted.
    fn change(&mut self) {}

    /// Lanes sampled or wrote a texture.
    fn texture(&mut self, _lanes: Lanes) {}

    /// A lane emitted a vertex.
    fn emit(&mut self, _lane: usize) {}
}

/// An environment with a watch.
pub(crate) struct Watched<'e, E, W> {
    pub(crate) environment: &'e mut E,
    pub(crate) watch: &'e mut W,
}

impl<E: Environment, W: Watch> Environment for Watched<'_, E, W> {
    fn bytes(&self) -> usize {
        self.environment.bytes()
    }

    fn sample(&mut self, sample: &Sample<'_>, texel: &mut [Plane; 4]) -> Done {
        self.watch.texture(sample.lanes);
        self.environment.sample(sample, texel)
    }

    fn store_texel(&mut self, store: &Sample<'_>) -> Done {
        self.watch.change();
        self.watch.texture(store.lanes);
        self.environment.store_texel(store)
    }

    fn load(&mut self, space: Space, lane: usize, address: u64, bytes: &mut [u8]) -> Done {
        self.environment.load(space, lane, address, bytes)
    }

    fn store(&mut self, space: Space, lane: usize, address: u64, bytes: &[u8]) -> Done {
        self.watch.change();
        self.environment.store(space, lane, address, bytes)
    }

    fn reached(&self, space: Space, lane: usize, address: u64, bytes: usize) -> Option<(Space, u64)> {
        self.environment.reached(space, lane, address, bytes)
    }

    fn load_lanes(&mut self, access: &Access<'_>, planes: &mut [Plane]) -> Done {
        self.environment.load_lanes(access, planes)
    }

    fn store_lanes(&mut self, access: &Access<'_>, values: &[[&Plane; 2]]) -> Done {
        self.watch.change();
        self.environment.store_lanes(access, values)
    }

    fn emit(&mut self, emission: Emission, outputs: LaneView<'_>) -> Done {
        self.watch.change();
        self.watch.emit(outputs.lane());
        self.environment.emit(emission, outputs)
    }

    fn emit_vertex(&mut self, vertex: u32, stream: u32, outputs: LaneView<'_>) -> Done {
        self.watch.change();
        self.watch.emit(outputs.lane());
        self.environment.emit_vertex(vertex, stream, outputs)
    }

    fn end_strip(&mut self, lane: usize, vertex: u32) -> Done {
        self.watch.change();
        self.environment.end_strip(lane, vertex)
    }
}
