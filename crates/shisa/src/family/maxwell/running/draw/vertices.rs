//! The vertices of a draw call, for each of its instances.

use crate::run::wrong;
use crate::{Result, Settings};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use shisa_diag::Limit;

/// Where the inputs of the vertex program come from.
#[derive(Deserialize)]
pub(super) struct Source {
    /// The vertices of each instance; without them, those of the vertex stage, which is one instance.
    vertices: Option<Vec<Item>>,
    #[serde(default)]
    instances: Instances,
}

#[derive(Deserialize)]
struct Item {
    #[serde(default, rename = "in")]
    given: Map<String, Value>,
}

/// How many instances there are, or the attributes of each.
#[derive(Deserialize)]
#[serde(untagged)]
enum Instances {
    Count(usize),
    Each(Vec<Item>),
}

impl Default for Instances {
    fn default() -> Instances {
        Instances::Count(1)
    }
}

impl Instances {
    fn count(&self) -> usize {
        match self {
            Instances::Count(count) => *count,
            Instances::Each(all) => all.len(),
        }
    }

    /// The attributes of an instance.
    fn given(&self, number: usize) -> Option<&Map<String, Value>> {
        match self {
            Instances::Count(_) => None,
            Instances::Each(all) => all.get(number).map(|item| &item.given),
        }
    }
}

impl Source {
    /// The inputs of the vertex program: each instance has all vertices, with its own attributes and its number. `None` if
    /// the vertex stage has its vertices itself.
    ///
    /// # Errors
    /// `run-input` for instances without vertices; `limit-exceeded`.
    pub(super) fn inputs(&self, settings: &Settings) -> Result<Option<Value>> {
        let Some(vertices) = &self.vertices else {
            return match self.instances {
                Instances::Count(1) => Ok(None),
                _ => Err(wrong("instances need \"vertices\" in \"draw\"")),
            };
        };
        // An instance takes time without vertices, too.
        let count = vertices.len().max(1).saturating_mul(self.instances.count());
        settings.limits.check(Limit::Memory, "bytes of vertices", count.saturating_mul(256))?;
        let input = |number: usize| {
            let instance = self.instances.given(number).into_iter().flatten();
            let instance: Vec<(&String, &Value)> = instance.collect();
            let vertex = move |(vertex, item): (usize, &Item)| {
                let mut all =
                    Map::from_iter([("instance".into(), number.into()), ("vertex".into(), vertex.into())]);
                let own = instance.iter().copied().chain(&item.given);
                all.extend(own.map(|(name, value)| (name.clone(), value.clone())));
                json!({ "in": all })
            };
            vertices.iter().enumerate().map(vertex)
        };
        Ok(Some((0..self.instances.count()).flat_map(input).collect()))
    }

    /// How many vertices each instance has, of the vertices of all.
    pub(super) fn vertices_of_instance(&self, all: usize) -> usize {
        self.vertices.as_ref().map_or(all, Vec::len)
    }
}
