//! Collects the vertices that geometry programs emit.

use super::{ShaderEmit, ShaderRegister, ShaderTriangle, outputs, written};
use shisa_diag::{Bound, Diagnostic};
use shisa_eval::{Environment, LaneView};
use shisa_ir::{Emission, Reg, WAVE};
use shisa_pica200::OUTPUTS;
use shisa_pica200::primitives::Assembler;

/// What lanes emit.
#[derive(Clone)]
pub(super) struct Geometry {
    mask: u16,
    lanes: Vec<Primitives>,
    /// The lane of the batch that each lane of the wave runs.
    wave: [Option<usize>; WAVE],
    /// Bytes emitted by this run and those before it.
    pub(super) bytes: usize,
    limit: Bound,
}

/// The vertex slots of a lane, and what it emitted since [`Geometry::take`].
#[derive(Clone)]
struct Primitives {
    assembler: Assembler<Vec<(u8, ShaderRegister)>>,
    emits: Vec<ShaderEmit>,
    triangles: Vec<ShaderTriangle>,
}

impl Geometry {
    /// The environment of a batch of lanes whose program has the outputs of a mask.
    pub(super) fn new(mask: u16, lanes: usize, bytes: usize, limit: Bound) -> Geometry {
        let assembler = Assembler::new(written(mask).map(|n| (n, [0; 4])).collect());
        let lane = Primitives { assembler, emits: Vec::new(), triangles: Vec::new() };
        let wave = std::array::from_fn(Some);
        Geometry { mask, lanes: vec![lane; lanes], wave, bytes, limit }
    }

    /// What the lanes emitted, lane by lane.
    pub(super) fn take(&mut self) -> impl Iterator<Item = (Vec<ShaderEmit>, Vec<ShaderTriangle>)> {
        self.lanes
            .iter_mut()
            .map(|lane| (std::mem::take(&mut lane.emits), std::mem::take(&mut lane.triangles)))
    }
}

impl Environment for Geometry {
    fn wave(&mut self, lanes: &[Option<usize>; WAVE]) {
        self.wave = *lanes;
    }

    /// Each vertex goes to its slot.
    fn emit(&mut self, emission: Emission, lane: LaneView<'_>) -> Result<(), Diagnostic> {
        let Emission { vertex: slot, primitive, flip: flipped } = emission;
        let register = |n: u8| {
            let mut bits = [0; 4];
            lane.registers(Reg::new(OUTPUTS, 4 * u16::from(n)), &mut bits)?;
            Ok(bits)
        };
        let outputs = outputs(self.mask, &register)?;
        let size = size_of::<(u8, ShaderRegister)>();
        let bytes = size * outputs.len() * if primitive { 4 } else { 1 } + 64;
        self.bytes = self.bytes.saturating_add(bytes);
        self.limit.check("bytes of emitted vertices", self.bytes)?;
        let of_batch = self.wave.get(lane.lane()).copied().flatten();
        let own = of_batch.and_then(|lane| self.lanes.get_mut(lane)).ok_or_else(|| {
            let text = format!("lane {} runs nothing and emits a vertex", lane.lane());
            Diagnostic::internal("internal-batch", text)
        })?;
        own.triangles.extend(own.assembler.emit(outputs.clone(), slot, primitive, flipped));
        own.emits.push(ShaderEmit { slot, primitive, flipped, outputs });
        Ok(())
    }
}
