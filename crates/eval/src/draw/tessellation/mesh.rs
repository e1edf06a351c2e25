//! Points and primitives under construction.

use super::Tessellated;
use super::grid::number;
use shisa_ir::DivisionOutput;

/// Points of a domain, and primitives of them: triangles in counterclockwise order.
#[derive(Debug, Default)]
pub(super) struct Mesh {
    pub(super) points: Vec<[u32; 2]>,
    pub(super) primitives: Vec<Vec<usize>>,
}

impl Mesh {
    /// Adds a point; returns its number.
    pub(super) fn point(&mut self, point: [u32; 2]) -> usize {
        self.points.push(point);
        self.points.len() - 1
    }

    /// Fills the area between two chains of points, of which `inner` is to the left of `outer`. An end of a segment of
    /// one chain is joined to the end in the other chain that is nearest by its share of the chain.
    pub(super) fn fill(&mut self, outer: &[usize], inner: &[usize]) {
        let [outers, inners] = [outer, inner].map(|chain| chain.len().saturating_sub(1));
        let (mut o, mut i) = (0, 0);
        while o < outers || i < inners {
            // The middles of the next segments.
            if (2 * o + 1) * inners <= (2 * i + 1) * outers {
                self.primitives.push(vec![outer[o], outer[o + 1], inner[i]]);
                o += 1;
            } else {
                self.primitives.push(vec![outer[o], inner[i + 1], inner[i]]);
                i += 1;
            }
        }
    }

    /// The points as numbers, with the primitives of an output.
    pub(super) fn tessellated(self, output: DivisionOutput) -> Tessellated {
        let Mesh { points, mut primitives } = self;
        match output {
            DivisionOutput::Points => primitives = (0..points.len()).map(|point| vec![point]).collect(),
            DivisionOutput::Clockwise => {
                for triangle in primitives.iter_mut().filter(|corners| corners.len() == 3) {
                    triangle.swap(1, 2);
                }
            }
            DivisionOutput::Lines | DivisionOutput::Counterclockwise => {}
        }
        Tessellated { points: points.into_iter().map(|point| point.map(number)).collect(), primitives }
    }
}
