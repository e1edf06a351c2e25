//! Both ends of the geometry stage: how it receives vertices, and how the vertices it emits become triangles.

use crate::container::GeometryMode;
use alloc::vec::Vec;

/// A register of four components, bit patterns of binary32.
pub type Register = [u32; 4];

/// The inputs of a run of a geometry program: inputs by number, and constants by number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Invocation {
    /// For `v0`, `v1` and so on.
    pub inputs: Vec<(u8, Register)>,
    /// Values of constants, which override their old values.
    pub constants: Vec<(u8, Register)>,
}

/// Collects the vertex stage's outputs into runs of a geometry program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Feeder {
    mode: GeometryMode,
    /// Output registers of one vertex.
    attributes: usize,
    /// Input registers that point mode fills.
    stride: usize,
    /// Vertices that variable mode still needs.
    left: usize,
    pending: Invocation,
    /// Registers filled so far.
    taken: usize,
}

/// The constant of the first vertex in variable mode; the number of vertices is in the constant before it.
const VARIABLE: usize = 1;

impl Feeder {
    /// For a program of this mode after a vertex program with `attributes` outputs. Point mode takes
    /// `stride` registers a run, at least one and at most 16.
    pub fn new(mode: GeometryMode, attributes: usize, stride: usize) -> Feeder {
        let (attributes, stride) = (attributes.clamp(1, 16), stride.clamp(1, 16));
        Feeder { mode, attributes, stride, left: 0, pending: Invocation::default(), taken: 0 }
    }

    /// In variable mode an index list begins each run with the number of its vertices. Other modes ignore the number.
    pub fn count(&mut self, vertices: u8) {
        if self.mode.mode == 1 {
            let number = f32::from(vertices).to_bits();
            self.pending = Invocation { inputs: Vec::new(), constants: Vec::from([(0, [number; 4])]) };
            (self.left, self.taken) = (usize::from(vertices), 0);
        }
    }

    /// Adds the outputs of a vertex, a register for each attribute; missing ones count as zero. Returns the inputs of
    /// the geometry program's next run, if that was the last vertex of the run.
    ///
    /// Point mode fills the inputs in order; fixed mode the constants from its start. Variable mode fills constants
    /// from `c1`: all attributes of the first vertices, as many as the mode states; of the others only the first
    /// attribute, the position. Constants from 96 do not exist.
    pub fn vertex(&mut self, outputs: &[Register]) -> Option<Invocation> {
        let all = (0..self.attributes).map(|i| outputs.get(i).copied().unwrap_or_default());
        let (kept, first) = match self.mode.mode {
            1 => {
                let whole = self.vertices_taken() < usize::from(self.mode.variable);
                (if whole { self.attributes } else { 1 }, VARIABLE)
            }
            2 => (self.attributes, usize::from(self.mode.fixed_start)),
            _ => (self.attributes, 0),
        };
        for register in all.take(kept) {
            if self.mode.mode == 1 || self.mode.mode == 2 {
                let at = first + self.taken;
                if at < crate::upload::FLOATS {
                    self.pending.constants.push((at as u8, register));
                }
            } else if self.taken < self.stride {
                self.pending.inputs.push((self.taken as u8, register));
            }
            self.taken += 1;
        }
        let complete = match self.mode.mode {
            1 => {
                self.left = self.left.saturating_sub(1);
                self.left == 0
            }
            2 => self.taken >= self.attributes * usize::from(self.mode.fixed.max(1)),
            _ => self.taken >= self.stride,
        };
        complete.then(|| {
            self.taken = 0;
            core::mem::take(&mut self.pending)
        })
    }

    /// Vertices of a variable run so far.
    fn vertices_taken(&self) -> usize {
        let whole = usize::from(self.mode.variable);
        match self.taken.checked_sub(whole * self.attributes) {
            Some(positions) => whole + positions,
            None => self.taken / self.attributes,
        }
    }
}

/// A triangle that a geometry program outputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Triangle<V> {
    /// The vertices of slots 0, 1, 2.
    pub vertices: [V; 3],
    /// Whether its winding is flipped.
    pub flipped: bool,
}

/// The three vertex slots. They retain their vertices from triangle to triangle and from run to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Assembler<V> {
    slots: [V; 3],
}

impl<V: Clone> Assembler<V> {
    /// A state in which all slots hold `vertex`.
    pub fn new(vertex: V) -> Assembler<V> {
        Assembler { slots: [vertex.clone(), vertex.clone(), vertex] }
    }

    /// Stores a vertex in a slot; slot 3 does not exist. Returns a triangle if the vertex completes one.
    pub fn emit(&mut self, vertex: V, slot: u8, primitive: bool, flipped: bool) -> Option<Triangle<V>> {
        if let Some(place) = self.slots.get_mut(usize::from(slot)) {
            *place = vertex;
        }
        primitive.then(|| Triangle { vertices: self.slots.clone(), flipped })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mode(mode: u8) -> GeometryMode {
        GeometryMode { mode, fixed_start: 48, variable: 2, fixed: 3 }
    }

    fn numbers(n: u32) -> [Register; 2] {
        [[n; 4], [n + 100; 4]]
    }

    #[test]
    fn points_fill_the_inputs() {
        let mut feeder = Feeder::new(mode(0), 2, 4);
        assert_eq!(feeder.vertex(&numbers(1)), None);
        let run = feeder.vertex(&numbers(2)).unwrap();
        assert_eq!(run.inputs, [(0, [1; 4]), (1, [101; 4]), (2, [2; 4]), (3, [102; 4])]);
        assert!(run.constants.is_empty());
        assert_eq!(feeder.vertex(&numbers(3)), None, "the next run starts over");
    }

    #[test]
    fn fixed_runs_fill_constants_from_their_start() {
        let mut feeder = Feeder::new(mode(2), 2, 2);
        assert_eq!((feeder.vertex(&numbers(1)), feeder.vertex(&numbers(2))), (None, None));
        let run = feeder.vertex(&numbers(3)).unwrap();
        let at: Vec<_> = run.constants.iter().map(|(n, v)| (*n, v[0])).collect();
        assert_eq!(at, [(48, 1), (49, 101), (50, 2), (51, 102), (52, 3), (53, 103)]);
    }

    #[test]
    fn variable_runs_have_whole_vertices_then_positions() {
        let mut feeder = Feeder::new(mode(1), 2, 2);
        for _ in 0..2 {
            feeder.count(4);
            assert!((1..4).all(|n| feeder.vertex(&numbers(n)).is_none()));
            let run = feeder.vertex(&numbers(4)).unwrap();
            let at: Vec<_> = run.constants.iter().map(|(n, v)| (*n, v[0])).collect();
            let count = 4f32.to_bits();
            assert_eq!(at, [(0, count), (1, 1), (2, 101), (3, 2), (4, 102), (5, 3), (6, 4)]);
        }
    }

    #[test]
    fn constants_past_the_last_are_lost() {
        let mut feeder = Feeder::new(GeometryMode { fixed_start: 95, fixed: 1, ..mode(2) }, 2, 2);
        assert_eq!(feeder.vertex(&numbers(7)).unwrap().constants, [(95, [7; 4])]);
    }

    #[test]
    fn slots_keep_their_vertices() {
        let mut assembler = Assembler::new(0);
        assert_eq!(assembler.emit(1, 0, false, false), None);
        assert_eq!(assembler.emit(2, 1, false, true), None);
        let triangle = |vertices, flipped| Some(Triangle { vertices, flipped });
        assert_eq!(assembler.emit(3, 2, true, false), triangle([1, 2, 3], false));
        assert_eq!(assembler.emit(4, 0, true, true), triangle([4, 2, 3], true));
        assert_eq!(assembler.emit(5, 3, true, false), triangle([4, 2, 3], false));
    }
}
