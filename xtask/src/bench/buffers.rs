//! The arrays of a draw: attributes and results.

use shisa::data::batch::{Attribute, Environment, Outputs, Runner, Slot};
use shisa::diag::Diagnostic;
use shisa::ir::Reg;

/// The inputs of a batch, interleaved as in a vertex buffer, and where its outputs are stored.
pub(super) struct Buffers {
    inputs: Vec<Slot>,
    data: Vec<u32>,
    outputs: Vec<Slot>,
    stored: Vec<u32>,
}

impl Buffers {
    /// Buffers of registers with their numbers of units; `data` has the inputs of each vertex.
    pub(super) fn new(
        inputs: Vec<(Reg, u16)>,
        outputs: Vec<(Reg, u16)>,
        data: Vec<u32>,
        vertices: usize,
    ) -> Buffers {
        let (inputs, outputs) = (slots(inputs), slots(outputs));
        let words = outputs.first().map_or(0, |slot| slot.stride) * vertices;
        Buffers { inputs, data, outputs, stored: vec![0; words] }
    }

    /// Runs the program over the first `vertices` vertices.
    pub(super) fn run(&mut self, runner: &mut Runner, vertices: usize) -> Result<(), Diagnostic> {
        self.run_with(runner, vertices, &mut NoTextures)
    }

    /// As [`Buffers::run`], with textures.
    pub(super) fn run_with(
        &mut self,
        runner: &mut Runner,
        vertices: usize,
        textures: &mut dyn Environment,
    ) -> Result<(), Diagnostic> {
        let attributes: Vec<Attribute<'_>> =
            self.inputs.iter().map(|slot| Attribute { slot: *slot, data: &self.data }).collect();
        let mut outputs = Outputs { slots: &self.outputs, data: &mut self.stored };
        runner.run_with(vertices, &attributes, &mut outputs, &mut [], textures)
    }

    /// Bytes of all vertices.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.data) + size_of_val(&*self.stored)
    }
}

struct NoTextures;

impl Environment for NoTextures {}

/// Registers one after the other, vertex by vertex.
fn slots(list: Vec<(Reg, u16)>) -> Vec<Slot> {
    let stride = list.iter().map(|(_, units)| usize::from(*units)).sum();
    let mut offset = 0;
    let slot = |(reg, units): (Reg, u16)| {
        offset += usize::from(units);
        Slot { reg, units, offset: offset - usize::from(units), stride, step: 1 }
    };
    list.into_iter().map(slot).collect()
}
