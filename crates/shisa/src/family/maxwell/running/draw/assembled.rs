//! Vertices that a program has output, and the primitives that they form.

use super::super::emitting::Components;
use super::super::values::{Named, Names};
use crate::Result;
use crate::run::wrong;
use serde::Deserialize;
use serde_json::{Value, json};
use shisa_eval::draw::Provoking;

/// A primitive: its vertices by number.
pub(super) struct Primitive {
    pub(super) vertices: Vec<usize>,
    /// Its own number, from 0 in each instance.
    pub(super) number: u32,
}

/// Vertices, and the primitives that they form.
#[derive(Default)]
pub(super) struct Assembled {
    pub(super) vertices: Vec<Components>,
    pub(super) primitives: Vec<Primitive>,
}

impl Assembled {
    /// The vertices of a primitive.
    pub(super) fn corners(&self, primitive: &Primitive) -> Vec<&Components> {
        primitive.vertices.iter().filter_map(|vertex| self.vertices.get(*vertex)).collect()
    }

    /// The primitives as inputs of a program that reads whole primitives or patches.
    pub(super) fn inputs(&self) -> Value {
        let input = |(at, primitive): (u32, &Primitive)| {
            numbered(json!({ "vertices": vertices(self.corners(primitive)) }), primitive.number, at)
        };
        (0..).zip(&self.primitives).map(input).collect()
    }

    /// Adds a primitive, which has the next number.
    pub(super) fn push(&mut self, vertices: Vec<usize>) {
        self.primitives.push(Primitive { vertices, number: self.primitives.len() as u32 });
    }

    /// What all runs of a geometry program emitted to the first stream, which is the one that is drawn.
    pub(super) fn emitted(primitives: &Value, provoking: Provoking) -> Result<Assembled> {
        let mut all = Assembled::default();
        let runs =
            primitives.as_array().into_iter().flatten().filter_map(|primitive| primitive["out"].as_array());
        for run in runs.flatten() {
            let (stream, first) = (&run["streams"]["0"], all.vertices.len());
            for vertex in stream["vertices"].as_array().into_iter().flatten() {
                all.vertices.push(components(vertex)?);
            }
            for corners in stream["primitives"].as_array().into_iter().flatten() {
                let corners = corners.as_array().into_iter().flatten().filter_map(Value::as_u64);
                let mut corners: Vec<usize> = corners.map(|corner| first + corner as usize).collect();
                provoking.turn(&mut corners);
                all.push(corners);
            }
        }
        Ok(all)
    }
}

/// The input of a primitive or patch at a position of the list, with its number if that is another one.
pub(super) fn numbered(mut input: Value, number: u32, at: u32) -> Value {
    if number != at
        && let Some(input) = input.as_object_mut()
    {
        input.insert("in".into(), json!({ "primitive": number }));
    }
    input
}

/// Vertices as inputs of a program.
pub(super) fn vertices<'a>(all: impl IntoIterator<Item = &'a Components>) -> Value {
    let names = Names::vertex();
    all.into_iter().map(|components| json!({ "in": names.text(components) })).collect()
}

/// The components of each `out` of a list.
pub(super) fn outputs(items: &Value) -> Result<Vec<Components>> {
    items.as_array().into_iter().flatten().map(|item| components(&item["out"])).collect()
}

/// The components of the outputs of a vertex by name.
pub(super) fn components(named: &Value) -> Result<Components> {
    of(&Names::vertex(), named)
}

/// The components of outputs by name.
pub(super) fn of(names: &Names, named: &Value) -> Result<Components> {
    names.all(&Named::deserialize(named).map_err(|e| wrong(e.to_string()))?)
}

/// The bits of a component that the program before did not write.
const UNWRITTEN: u32 = 0;

/// The bits of a component of a vertex.
pub(super) fn bits(vertex: &Components, component: u16) -> u32 {
    let written = vertex.get(&component).copied();
    written.unwrap_or(UNWRITTEN)
}

/// A component of a vertex as a number.
pub(super) fn float(vertex: &Components, component: u16) -> f32 {
    f32::from_bits(bits(vertex, component))
}
