//! The fixed-function tessellator: a patch's levels become positions in its domain, and primitives of them.
//!
//! The source of the rules is the specification of OpenGL 4.6, section 11.2.2, with which Vulkan agrees. Where the
//! specification leaves a choice, the model is as follows:
//!
//! * Coordinates are multiples of 2^-24, so 1 - x is exact, and so are the areas of triangles.
//! * The two shorter segments of fractional spacings are the first and the last one of an edge. With a level f of n
//!   segments they have (f - n + 2) / 2 of the length of the others.
//! * Triangles are in counterclockwise order where u points right and v points up (the lower left domain origin of
//!   Vulkan).

mod grid;
mod mesh;
mod quads;
mod segments;
#[cfg(test)]
mod tests;
mod triangles;

use self::mesh::Mesh;
use self::segments::Segments;
use shisa_ir::{Division, DivisionOutput, Domain, Spacing};

/// The largest level of tessellation; larger levels count as this one. An edge has at most as many segments.
pub const LARGEST_LEVEL: u16 = 64;

/// The levels of tessellation of a patch, as a control program writes them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Levels {
    /// For each edge: u = 0, v = 0, w = 0 of a triangle; u = 0, v = 0, u = 1, v = 1 of a square; of lines their number
    /// and that of the segments of each.
    pub outer: [f32; 4],
    /// For the interior: the first one of a triangle; of a square along u and along v.
    pub inner: [f32; 2],
}

/// A patch is not divided at all without levels.
impl Default for Levels {
    fn default() -> Levels {
        Levels { outer: [1.0; 4], inner: [1.0; 2] }
    }
}

/// A divided patch.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tessellated {
    /// u and v of each point, from 0 to 1, all different but where a shorter segment has no length. The third
    /// coordinate of a triangle is 1 - u - v.
    pub points: Vec<[f32; 2]>,
    /// The points of each primitive: one, two or three.
    pub primitives: Vec<Vec<usize>>,
}

impl Levels {
    /// Divides a patch. A patch with an outer level of its domain that is not above 0, or that is not a number, is
    /// discarded: it has no points. Lines always form lines or points, whatever order triangles have. `None` if triangles
    /// or squares are to form lines, which the hardware does not define.
    pub fn tessellated(&self, division: Division) -> Option<Tessellated> {
        let Division { domain, spacing, output } = division;
        let edges = match domain {
            Domain::Isolines => 2,
            Domain::Triangles => 3,
            Domain::Quads => 4,
        };
        if domain != Domain::Isolines && output == DivisionOutput::Lines {
            return None;
        }
        // False for what is not a number.
        if !self.outer[..edges].iter().all(|level| *level > 0.0) {
            return Some(Tessellated::default());
        }
        let mesh = match domain {
            Domain::Isolines => self.isolines(spacing),
            Domain::Triangles => triangles::mesh(self, spacing),
            Domain::Quads => quads::mesh(self, spacing),
        };
        Some(mesh.tessellated(output))
    }

    /// Lines along u, the first one at v = 0. Nothing is at v = 1.
    fn isolines(&self, spacing: Spacing) -> Mesh {
        let lines = Segments::of(self.outer[0], Spacing::Equal).ends();
        let each = Segments::of(self.outer[1], spacing).ends();
        let mut mesh = Mesh::default();
        for v in lines.iter().take(lines.len() - 1) {
            let line: Vec<usize> = each.iter().map(|u| mesh.point([*u, *v])).collect();
            mesh.primitives.extend(line.windows(2).map(<[usize]>::to_vec));
        }
        mesh
    }
}
