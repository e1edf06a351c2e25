//! The matrix that shows a whole mesh.

use crate::mesh::{Mesh, cross, dot, minus, unit};

/// Rows of a matrix: each is multiplied with a position whose last component is 1.
type Rows = [[f32; 4]; 4];

/// From the mesh to the eye: from the front, a little from the right and from above.
const TOWARDS: [f32; 3] = [0.4, 0.35, 1.0];
/// The tangent of half of the angle that is visible along the shorter side.
const TANGENT: f32 = 0.4;

/// The rows of the matrix from positions of a mesh to clip space that shows all of it in a picture of a size. The visible
/// z / w is from 0 to 1, or from -1 to 0.
pub(crate) fn rows(mesh: &Mesh, [width, height]: [usize; 2], is_negative: bool) -> Rows {
    let [low, high] = mesh.bounds();
    let centre = [0, 1, 2].map(|n| (low[n] + high[n]) / 2.0);
    let radius = dot(minus(high, low), minus(high, low)).sqrt() / 2.0;
    let radius = if radius > 0.0 { radius } else { 1.0 };
    let back = unit(TOWARDS);
    let right = unit(cross([0.0, 1.0, 0.0], back));
    let up = cross(back, right);
    // The sphere around the mesh touches the edges of the shorter side.
    let distance = radius * (1.0 + TANGENT * TANGENT).sqrt() / TANGENT;
    let (near, far) = (distance - radius, distance + radius);
    let shorter = width.min(height) as f32;
    let scale = |size: usize| shorter / size as f32 / TANGENT;
    let row = |axis: [f32; 3], by: f32, more: f32| {
        let [x, y, z] = axis.map(|value| value * by);
        [x, y, z, more - dot([x, y, z], centre)]
    };
    let depth = far / (far - near);
    // The distance along the line of sight is that of the centre minus the component along `back`.
    let mut z = row(back, -depth, depth * (distance - near));
    if is_negative {
        z = z.map(|value| -value);
    }
    [row(right, scale(width), 0.0), row(up, scale(height), 0.0), z, row(back, -1.0, distance)]
}

#[cfg(test)]
mod tests {
    use super::rows;
    use crate::{Mesh, Vertex};

    #[test]
    fn the_whole_mesh_is_visible() {
        let corners = (0..8).map(|n| [n & 1, n >> 1 & 1, n >> 2].map(|bit| 3.0 + 2.0 * bit as f32));
        let vertices: Vec<Vertex> =
            corners.map(|position| Vertex { position, ..Vertex::default() }).collect();
        let mesh = Mesh { vertices, triangles: vec![[0, 1, 2]] };
        for (size, is_negative) in [([100, 100], false), ([200, 50], false), ([64, 256], true)] {
            let rows = rows(&mesh, size, is_negative);
            let clip = |p: [f32; 3]| rows.map(|r| r[0] * p[0] + r[1] * p[1] + r[2] * p[2] + r[3]);
            for vertex in &mesh.vertices {
                let [x, y, z, w] = clip(vertex.position);
                let z = if is_negative { -z } else { z };
                assert!(w > 0.0 && x.abs() <= w && y.abs() <= w && (0.0..=w).contains(&z), "{x} {y} {z} {w}");
            }
            // The centre is in the middle, and what is nearer to the eye has less depth.
            let [x, y, ..] = clip([4.0; 3]);
            assert!(x.abs() < 1e-4 && y.abs() < 1e-4);
            let depth = |p: [f32; 3]| clip(p)[2].abs() / clip(p)[3];
            assert!(depth([4.0, 4.0, 5.0]) < depth([4.0, 4.0, 3.0]));
        }
    }
}
