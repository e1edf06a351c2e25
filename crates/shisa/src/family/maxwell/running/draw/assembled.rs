//! Vertices that a program has output, and the primitives that they form.

use super::super::emitting::Components;
use super::super::values::{Named, Names};
use crate::Result;
use crate::run::wrong;
use serde::Deserialize;
use serde_json::{Value, json};

/// The vertices of a primitive.
pub(super) type Corners<'a> = Vec<&'a Components>;

/// Vertices, and the primitives that they form.
#[derive(Default)]
pub(super) struct Assembled {
    pub(super) vertices: Vec<Components>,
    pub(super) primitives: Vec<Vec<usize>>,
}

impl Assembled {
    /// The vertices of a primitive.
    pub(super) fn corners(&self, primitive: &[usize]) -> Corners<'_> {
        primitive.iter().filter_map(|vertex| self.vertices.get(*vertex)).collect()
    }

    /// The primitives as inputs of a program that reads whole primitives or patches.
    pub(super) fn inputs(&self) -> Value {
        let corners = |primitive: &Vec<usize>| vertices(self.corners(primitive));
        self.primitives.iter().map(|primitive| json!({ "vertices": corners(primitive) })).collect()
    }

    /// What all runs of a geometry program emitted to the first stream, which is the one that is drawn.
    pub(super) fn emitted(primitives: &Value) -> Result<Assembled> {
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
                all.primitives.push(corners.map(|corner| first + corner as usize).collect());
            }
        }
        Ok(all)
    }
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
