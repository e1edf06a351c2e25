//! Triangles.

use super::Levels;
use super::grid::ONE;
use super::mesh::Mesh;
use super::segments::Segments;
use shisa_ir::Spacing;

/// A closed chain of points around a triangle.
struct Ring {
    points: Vec<usize>,
    /// The first point of each side, where v, w or u is least, and the end of the last side.
    corners: [usize; 4],
}

impl Ring {
    /// The points of a side, with both corners.
    fn side(&self, number: usize) -> Vec<usize> {
        if let [centre] = self.points[..] {
            return vec![centre];
        }
        (self.corners[number]..=self.corners[number + 1])
            .map(|at| self.points[at % self.points.len()])
            .collect()
    }
}

/// The triangles of a triangle: concentric ones, and the area between them.
pub(super) fn mesh(levels: &Levels, spacing: Spacing) -> Mesh {
    let [u, v, w, _] = levels.outer.map(|level| Segments::of(level, spacing));
    let mut mesh = Mesh::default();
    let mut outside = boundary(&mut mesh, [v, w, u]);
    let undivided = Segments::of(levels.inner[0], spacing);
    if [u, v, w, undivided].iter().all(|segments| segments.count == 1) {
        mesh.primitives.push(outside.points);
        return mesh;
    }
    let inner = Segments::inner(levels.inner[0], spacing).ends();
    let segments = inner.len() - 1;
    for number in 1..=segments / 2 {
        let inside = concentric(&mut mesh, &inner, number);
        for side in 0..3 {
            mesh.fill(&outside.side(side), &inside.side(side));
        }
        outside = inside;
    }
    if segments % 2 == 1 {
        mesh.primitives.push(outside.points);
    }
    mesh
}

/// u and v of a point by its barycentric coordinates for the corner where a side begins, for the one where it ends, and
/// for the opposite one, which is the distance from the side.
fn coordinates(side: usize, [begin, end, height]: [u32; 3]) -> [u32; 2] {
    match side {
        0 => [end, height],
        1 => [begin, end],
        _ => [height, begin],
    }
}

/// The points of the edges, divided by the outer levels.
fn boundary(mesh: &mut Mesh, sides: [Segments; 3]) -> Ring {
    let mut ring = Ring { points: Vec::new(), corners: [0; 4] };
    for (side, segments) in sides.into_iter().enumerate() {
        let ends = segments.ends();
        ring.points.extend(
            ends[..segments.count].iter().map(|at| mesh.point(coordinates(side, [ONE - at, *at, 0]))),
        );
        ring.corners[side + 1] = ring.points.len();
    }
    ring
}

/// The points of a concentric triangle. Its corners and the ends of its segments are where lines that are perpendicular
/// to the edges of the domain, through the ends of their segments by the inner level, meet.
fn concentric(mesh: &mut Mesh, ends: &[u32], number: usize) -> Ring {
    let segments = ends.len() - 1;
    let height = (f64::from(ends[number]) * 2.0 / 3.0).round() as u32;
    if 2 * number == segments {
        let centre = mesh.point([height, height]);
        return Ring { points: vec![centre], corners: [0; 4] };
    }
    let length = ONE - height;
    let first_half = |at: usize| {
        let end = (f64::from(ends[at]) - f64::from(height) / 2.0).round() as u32;
        // Rounding must not move a point past the corner or the middle.
        if at == number { height } else { end.max(height).min(length / 2) }
    };
    let along = |at: usize| match segments - at {
        mirrored if mirrored < at => length - first_half(mirrored),
        _ => first_half(at),
    };
    let mut ring = Ring { points: Vec::new(), corners: [0; 4] };
    for side in 0..3 {
        ring.points.extend((number..segments - number).map(|at| {
            let end = along(at);
            mesh.point(coordinates(side, [length - end, end, height]))
        }));
        ring.corners[side + 1] = ring.points.len();
    }
    ring
}
