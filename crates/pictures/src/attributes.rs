//! The inputs of vertex programs.

use crate::faults::{Result, wrong};
use crate::mesh::{Mesh, Vertex};
use shisa_ir::{Binding, Io, Scalar};
use std::collections::BTreeMap;

/// What an input of a vertex program gets from a mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attribute {
    /// The position, and 1.
    Position,
    /// Texture coordinates, 0 and 1.
    Coordinates,
    /// The normal, and 1.
    Normal,
    /// The colour.
    Color,
}

impl Attribute {
    /// All of them, in the order in which inputs without a known name get them.
    const ALL: [Attribute; 4] =
        [Attribute::Position, Attribute::Coordinates, Attribute::Normal, Attribute::Color];

    /// The attribute that the name of an input suggests.
    fn of_name(name: &str) -> Option<Attribute> {
        let name = name.to_ascii_lowercase();
        let known = [
            ("pos", Attribute::Position),
            ("norm", Attribute::Normal),
            ("col", Attribute::Color),
            ("tex", Attribute::Coordinates),
            ("uv", Attribute::Coordinates),
        ];
        known.into_iter().find(|(part, _)| name.contains(part)).map(|(_, attribute)| attribute)
    }

    fn value(self, vertex: &Vertex) -> [f32; 4] {
        match self {
            Attribute::Position => with_one(vertex.position),
            Attribute::Coordinates => [vertex.coordinates[0], vertex.coordinates[1], 0.0, 1.0],
            Attribute::Normal => with_one(vertex.normal),
            Attribute::Color => vertex.color,
        }
    }
}

fn with_one([x, y, z]: [f32; 3]) -> [f32; 4] {
    [x, y, z, 1.0]
}

/// The inputs of a program for all vertices of a mesh. Inputs get the given attributes, then those that their names suggest,
/// then the remaining ones in order.
///
/// # Errors
/// `picture-input` for a name that no input has.
pub(crate) fn inputs(
    ports: &[Io],
    mesh: &Mesh,
    given: &BTreeMap<String, Attribute>,
) -> Result<Vec<Vec<u32>>> {
    let is_attribute = |io: &&Io| matches!(io.binding, Binding::Location(_));
    let names = || ports.iter().filter(is_attribute).map(|io| &*io.name);
    if let Some(name) = given.keys().find(|name| names().all(|own| own != *name)) {
        let has: Vec<&str> = names().collect();
        let (name, has) = (shisa_diag::escape(name), has.join(", "));
        return Err(wrong(format!("the program reads no attribute `{name}`; it reads {has}")));
    }
    let named = |io: &Io| given.get(&*io.name).copied().or_else(|| Attribute::of_name(&io.name));
    let taken: Vec<Attribute> = ports.iter().filter(is_attribute).filter_map(named).collect();
    let mut others = Attribute::ALL.into_iter().filter(|attribute| !taken.contains(attribute));
    let all = ports.iter().map(|io| {
        let attribute = match io.binding {
            Binding::Location(_) => named(io).or_else(|| others.next()),
            _ => None,
        };
        let count = usize::from(io.count);
        let vertex = |(number, vertex): (usize, &Vertex)| {
            let value = match (attribute, io.binding) {
                (Some(attribute), _) => attribute.value(vertex).map(f32::to_bits),
                (None, Binding::VertexIndex) => [index(number as u32, io.scalar); 4],
                (None, _) => [0; 4],
            };
            value.into_iter().cycle().take(count)
        };
        mesh.vertices.iter().enumerate().flat_map(vertex).collect()
    });
    Ok(all.collect())
}

/// A number in the kind of a register.
fn index(number: u32, scalar: Scalar) -> u32 {
    match scalar {
        Scalar::F32 => (number as f32).to_bits(),
        _ => number,
    }
}
