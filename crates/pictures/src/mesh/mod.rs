//! Meshes of triangles.

mod accessors;
mod document;
mod gltf;
mod obj;
mod scene;
#[cfg(test)]
mod tests;

use crate::faults::Result;
use shisa_diag::{Diagnostic, Limit, Limits};

/// A vertex.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Vertex {
    /// The position.
    pub position: [f32; 3],
    /// Texture coordinates, from the upper left corner of the image.
    pub coordinates: [f32; 2],
    /// The normal, of length 1.
    pub normal: [f32; 3],
    /// Red, green, blue and alpha.
    pub color: [f32; 4],
}

impl Default for Vertex {
    /// A white vertex in the origin.
    fn default() -> Vertex {
        Vertex { position: [0.0; 3], coordinates: [0.0; 2], normal: [0.0; 3], color: [1.0; 4] }
    }
}

/// A mesh of triangles.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// The vertices.
    pub vertices: Vec<Vertex>,
    /// The vertices of each triangle by number.
    pub triangles: Vec<[usize; 3]>,
}

impl Mesh {
    /// Reads a mesh: text in the form of Wavefront OBJ, glTF 2.0 as JSON with its buffers inside, or as GLB. Vertices without
    /// a normal have the mean of the normals of their triangles.
    ///
    /// # Errors
    /// `mesh-obj` and `mesh-gltf` for a file that is damaged or has parts that are not supported; `mesh-empty` for one
    /// without triangles; `limit-exceeded`.
    pub fn read(bytes: &[u8], limits: &Limits) -> Result<Mesh> {
        let one = |d| vec![d];
        limits.check(Limit::File, "bytes of a mesh", bytes.len()).map_err(one)?;
        let is_json = bytes.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'{');
        let mut mesh = match bytes.starts_with(gltf::MAGIC) || is_json {
            true => gltf::read(bytes, limits).map_err(one)?,
            false => obj::read(bytes, limits).map_err(one)?,
        };
        if mesh.triangles.is_empty() {
            return Err(vec![Diagnostic::error("mesh-empty", "the mesh has no triangles")]);
        }
        mesh.add_normals();
        Ok(mesh)
    }

    /// Adds normals to vertices that have none.
    fn add_normals(&mut self) {
        let without: Vec<bool> = self.vertices.iter().map(|vertex| vertex.normal == [0.0; 3]).collect();
        let mut sums = vec![[0.0f32; 3]; self.vertices.len()];
        for triangle in &self.triangles {
            let Some([a, b, c]) = self.corners(triangle) else { continue };
            let normal = cross(minus(b.position, a.position), minus(c.position, a.position));
            for corner in triangle {
                if let Some(sum) = sums.get_mut(*corner) {
                    *sum = [0, 1, 2].map(|n| sum[n] + normal[n]);
                }
            }
        }
        for ((vertex, sum), without) in self.vertices.iter_mut().zip(sums).zip(without) {
            if without {
                vertex.normal = unit(sum);
            }
        }
    }

    /// The corners of a triangle; `None` if it names a vertex that does not exist.
    pub(crate) fn corners(&self, triangle: &[usize; 3]) -> Option<[&Vertex; 3]> {
        let [a, b, c] = triangle.map(|corner| self.vertices.get(corner));
        Some([a?, b?, c?])
    }

    /// The smallest and the largest coordinates.
    pub(crate) fn bounds(&self) -> [[f32; 3]; 2] {
        let mut bounds = [[f32::INFINITY; 3], [f32::NEG_INFINITY; 3]];
        for vertex in &self.vertices {
            for (n, value) in vertex.position.into_iter().enumerate() {
                bounds[0][n] = bounds[0][n].min(value);
                bounds[1][n] = bounds[1][n].max(value);
            }
        }
        bounds
    }
}

/// Refuses more vertices or triangles than the memory has room for.
fn fits(vertices: usize, triangles: usize, limits: &Limits) -> std::result::Result<(), Diagnostic> {
    let bytes = vertices.saturating_mul(size_of::<Vertex>());
    let bytes = bytes.saturating_add(triangles.saturating_mul(size_of::<[usize; 3]>()));
    limits.check(Limit::Memory, "bytes of a mesh", bytes)
}

pub(crate) fn minus(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [0, 1, 2].map(|n| a[n] - b[n])
}

pub(crate) fn dot(a: [f32; 3], b: [f32; 3]) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(crate) fn cross(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// The vector with length 1; the vector itself if it has no length.
pub(crate) fn unit(a: [f32; 3]) -> [f32; 3] {
    let length = dot(a, a).sqrt();
    if length > 0.0 && length.is_finite() { a.map(|value| value / length) } else { a }
}
