//! Vertices that geometry programs emit.

use shisa::diag::Diagnostic;
use shisa::eval::{Environment, LaneView};
use shisa::ir::{Emission, Reg, WAVE};
use shisa::pica200::OUTPUTS;

/// A vertex that a lane emitted.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Vertex {
    /// The lane.
    pub lane: u32,
    /// How many vertices the lane emitted before.
    pub number: u32,
    /// The vertex slot.
    pub slot: u8,
    /// Whether it completes a triangle: 1 or 0.
    pub primitive: u8,
    /// Whether the winding of that triangle is flipped: 1 or 0.
    pub flip: u8,
    /// Nothing.
    pub unused: u8,
    /// The bits of the output registers.
    pub outputs: [[u32; 4]; 16],
}

/// The array of a caller that receives vertices.
pub(crate) struct Emitted<'a> {
    vertices: &'a mut [Vertex],
    count: usize,
    /// For each lane the number of its next vertex.
    numbers: &'a mut [u32],
    /// The lane of the run that each lane of the wave is.
    wave: [Option<usize>; WAVE],
}

impl<'a> Emitted<'a> {
    /// An array that receives the vertices of so many lanes.
    pub(crate) fn new(lanes: usize, vertices: &'a mut [Vertex], numbers: &'a mut Vec<u32>) -> Emitted<'a> {
        numbers.clear();
        numbers.resize(lanes, 0);
        Emitted { vertices, count: 0, numbers, wave: [None; WAVE] }
    }

    /// Sorts the vertices by lane. Returns how many were emitted, which may be more than the array has.
    pub(crate) fn finish(self) -> usize {
        let received = self.vertices.len().min(self.count);
        self.vertices.split_at_mut(received).0.sort_unstable_by_key(|vertex| (vertex.lane, vertex.number));
        self.count
    }
}

impl Environment for Emitted<'_> {
    fn wave(&mut self, lanes: &[Option<usize>; WAVE]) {
        self.wave = *lanes;
    }

    fn emit(&mut self, emission: Emission, outputs: LaneView<'_>) -> Result<(), Diagnostic> {
        let of_run = self.wave.get(outputs.lane()).copied().flatten();
        let (lane, number) =
            of_run.and_then(|lane| Some((lane, self.numbers.get_mut(lane)?))).ok_or_else(|| {
                Diagnostic::internal("internal-batch", "a lane that the run does not have emits a vertex")
            })?;
        if let Some(to) = self.vertices.get_mut(self.count) {
            let Emission { vertex: slot, primitive, flip } = emission;
            let (primitive, flip) = (primitive.into(), flip.into());
            *to = Vertex {
                lane: lane as u32,
                number: *number,
                slot,
                primitive,
                flip,
                unused: 0,
                outputs: [[0; 4]; 16],
            };
            outputs.registers(Reg::new(OUTPUTS, 0), to.outputs.as_flattened_mut())?;
        }
        *number = number.saturating_add(1);
        self.count = self.count.saturating_add(1);
        Ok(())
    }
}
