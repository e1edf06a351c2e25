//! The scene of a glTF file as one mesh.

use super::accessors::Data;
use super::document::{Document, Node, Primitive, wrong};
use super::{Mesh, Vertex, cross, dot, fits, unit};
use shisa_diag::{Diagnostic, Limit, Limits};
use shisa_eval::draw::{Assembly, Provoking};

type Read<T> = Result<T, Diagnostic>;

/// The axes and the origin of a node in the scene.
#[derive(Clone, Copy)]
struct Axes([[f32; 3]; 4]);

impl Axes {
    const SCENE: Axes = Axes([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0; 3]]);

    fn of(node: &Node) -> Axes {
        if let Some(m) = node.matrix {
            return Axes([0, 1, 2, 3].map(|column| [0, 1, 2].map(|row| m[4 * column + row])));
        }
        let [x, y, z, w] = node.rotation.unwrap_or([0.0, 0.0, 0.0, 1.0]);
        let scale = node.scale.unwrap_or([1.0; 3]);
        let columns = [
            [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + z * w), 2.0 * (x * z - y * w)],
            [2.0 * (x * y - z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + x * w)],
            [2.0 * (x * z + y * w), 2.0 * (y * z - x * w), 1.0 - 2.0 * (x * x + y * y)],
        ];
        let [a, b, c] = [0, 1, 2].map(|n| columns[n].map(|value| value * scale[n]));
        Axes([a, b, c, node.translation])
    }

    /// A direction of the node in the scene.
    fn direction(&self, v: [f32; 3]) -> [f32; 3] {
        let Axes([a, b, c, _]) = self;
        [0, 1, 2].map(|n| a[n] * v[0] + b[n] * v[1] + c[n] * v[2])
    }

    fn position(&self, v: [f32; 3]) -> [f32; 3] {
        let moved = self.direction(v);
        [0, 1, 2].map(|n| moved[n] + self.0[3][n])
    }

    /// A normal of the node in the scene: it stays perpendicular also if the axes have different lengths.
    fn normal(&self, v: [f32; 3]) -> [f32; 3] {
        let Axes([a, b, c, _]) = *self;
        let [x, y, z] = [cross(b, c), cross(c, a), cross(a, b)];
        let side = if dot(a, x) < 0.0 { -1.0 } else { 1.0 };
        unit([0, 1, 2].map(|n| side * (x[n] * v[0] + y[n] * v[1] + z[n] * v[2])))
    }

    /// The axes of a node in this one.
    fn within(&self, inner: Axes) -> Axes {
        let [a, b, c, origin] = inner.0;
        Axes([self.direction(a), self.direction(b), self.direction(c), self.position(origin)])
    }
}

/// A scene that is being read.
pub(super) struct Scene<'s> {
    document: &'s Document,
    data: &'s Data<'s>,
    limits: &'s Limits,
    mesh: Mesh,
    visited: usize,
}

impl<'s> Scene<'s> {
    pub(super) fn new(document: &'s Document, data: &'s Data<'s>, limits: &'s Limits) -> Scene<'s> {
        Scene { document, data, limits, mesh: Mesh::default(), visited: 0 }
    }

    /// All meshes of the default scene; without scenes all meshes of the file.
    pub(super) fn mesh(mut self) -> Read<Mesh> {
        let document = self.document;
        match document.scenes.get(document.scene.unwrap_or(0)) {
            Some(scene) => {
                for node in &scene.nodes {
                    self.node(*node, Axes::SCENE, 0)?;
                }
            }
            None => {
                for number in 0..document.meshes.len() {
                    self.add(number, Axes::SCENE)?;
                }
            }
        }
        Ok(self.mesh)
    }

    fn node(&mut self, number: usize, outer: Axes, depth: usize) -> Read<()> {
        self.limits.check(Limit::Nesting, "levels of nodes", depth)?;
        self.visited += 1;
        self.limits.check(Limit::Labels, "nodes", self.visited)?;
        let node = self.document.nodes.get(number);
        let node = node.ok_or_else(|| wrong(format!("there is no node {number}")))?;
        let axes = outer.within(Axes::of(node));
        if let Some(mesh) = node.mesh {
            self.add(mesh, axes)?;
        }
        node.children.iter().try_for_each(|child| self.node(*child, axes, depth + 1))
    }

    fn add(&mut self, number: usize, axes: Axes) -> Read<()> {
        let mesh = self.document.meshes.get(number);
        let mesh = mesh.ok_or_else(|| wrong(format!("there is no mesh {number}")))?;
        mesh.primitives.iter().try_for_each(|primitive| self.primitive(primitive, axes))
    }

    fn primitive(&mut self, primitive: &Primitive, axes: Axes) -> Read<()> {
        let assembly = match primitive.mode.unwrap_or(4) {
            // Points and lines have no surface.
            0..=3 => return Ok(()),
            4 => Assembly::Triangles,
            5 => Assembly::TriangleStrip,
            6 => Assembly::TriangleFan,
            mode => return Err(wrong(format!("there are no primitives of mode {mode}"))),
        };
        let elements = |name: &str| {
            let number = primitive.attributes.get(name);
            number.map(|number| self.data.elements(*number)).transpose()
        };
        let positions = elements("POSITION")?.ok_or_else(|| wrong("a primitive has no positions"))?;
        let [coordinates, normals, colors] = ["TEXCOORD_0", "NORMAL", "COLOR_0"].map(elements);
        let (coordinates, normals, colors) = (coordinates?, normals?, colors?);
        let indices: Vec<usize> = match primitive.indices {
            Some(number) => {
                let elements = self.data.elements(number)?;
                elements.iter().flatten().map(|index| *index as usize).collect()
            }
            None => (0..positions.len()).collect(),
        };
        if let Some(index) = indices.iter().find(|index| **index >= positions.len()) {
            return Err(wrong(format!("index {index} of {} vertices", positions.len())));
        }
        let first = self.mesh.vertices.len();
        let triangles = self.mesh.triangles.len().saturating_add(indices.len());
        fits(first.saturating_add(positions.len()), triangles, self.limits)?;
        for (n, position) in positions.iter().enumerate() {
            let mut vertex = Vertex { position: axes.position(floats(Some(position))), ..Vertex::default() };
            let of = |list: &'_ Option<Vec<Vec<f64>>>| list.as_ref().and_then(|list| list.get(n)).cloned();
            vertex.coordinates = floats(of(&coordinates).as_ref());
            if let Some(normal) = of(&normals) {
                vertex.normal = axes.normal(floats(Some(&normal)));
            }
            let color = of(&colors);
            color.iter().flatten().zip(&mut vertex.color).for_each(|(value, slot)| *slot = *value as f32);
            self.mesh.vertices.push(vertex);
        }
        // A node that mirrors its mesh exchanges front and back.
        let Axes([a, b, c, _]) = axes;
        let mirrors = dot(a, cross(b, c)) < 0.0;
        let corners = assembly.primitives(&indices, Provoking::First);
        let triangle = |corners: &Vec<usize>| match (mirrors, &corners[..]) {
            (false, [a, b, c]) => Some([first + a, first + b, first + c]),
            (true, [a, b, c]) => Some([first + a, first + c, first + b]),
            _ => None,
        };
        self.mesh.triangles.extend(corners.iter().filter_map(triangle));
        Ok(())
    }
}

/// The first components of an element; those that are absent are 0.
fn floats<const N: usize>(element: Option<&Vec<f64>>) -> [f32; N] {
    let mut floats = [0.0; N];
    let values = element.into_iter().flatten();
    floats.iter_mut().zip(values).for_each(|(float, value)| *float = *value as f32);
    floats
}
