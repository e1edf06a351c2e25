//! Collects the vertices that a geometry program emits.

use super::{ShaderEmit, ShaderRegister, ShaderTriangle, outputs, written};
use shisa_diag::{Bound, Diagnostic};
use shisa_eval::{Emission, Environment, LaneView};
use shisa_ir::Reg;
use shisa_pica200::OUTPUTS;
use shisa_pica200::primitives::Assembler;

/// The vertex slots, the inactive bank of outputs, and the vertices emitted since [`Geometry::take`].
#[derive(Clone)]
pub(super) struct Geometry {
    mask: u16,
    bank: [u32; 64],
    assembler: Assembler<Vec<(u8, ShaderRegister)>>,
    emits: Vec<ShaderEmit>,
    triangles: Vec<ShaderTriangle>,
    /// Bytes emitted by this run and those before it.
    pub(super) bytes: usize,
    limit: Bound,
}

impl Geometry {
    pub(super) fn new(mask: u16, bytes: usize, limit: Bound) -> Geometry {
        let assembler = Assembler::new(written(mask).map(|n| (n, [0; 4])).collect());
        Geometry { mask, bank: [0; 64], assembler, emits: Vec::new(), triangles: Vec::new(), bytes, limit }
    }

    pub(super) fn take(&mut self) -> (Vec<ShaderEmit>, Vec<ShaderTriangle>) {
        (std::mem::take(&mut self.emits), std::mem::take(&mut self.triangles))
    }
}

impl Environment for Geometry {
    /// Each vertex goes to its slot, then the banks of outputs are exchanged: components that the program does not
    /// write hold their values of two vertices ago.
    fn emit(&mut self, emission: Emission, mut lane: LaneView<'_>) -> Result<(), Diagnostic> {
        let Emission { vertex: slot, primitive, flip: flipped } = emission;
        let outputs = outputs(self.mask, |unit| lane.register(Reg::new(OUTPUTS, unit)))?;
        let register = size_of::<(u8, ShaderRegister)>();
        let bytes = register * outputs.len() * if primitive { 4 } else { 1 } + 64;
        self.bytes = self.bytes.saturating_add(bytes);
        self.limit.check("bytes of emitted vertices", self.bytes)?;
        self.triangles.extend(self.assembler.emit(outputs.clone(), slot, primitive, flipped));
        self.emits.push(ShaderEmit { slot, primitive, flipped, outputs });
        for (unit, other) in (0..).zip(&mut self.bank) {
            let reg = Reg::new(OUTPUTS, unit);
            let shown = lane.register(reg)?;
            lane.set(reg, *other)?;
            *other = shown;
        }
        Ok(())
    }
}
