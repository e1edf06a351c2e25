//! The state of a draw call.

use super::assembled::Assembled;
use super::fragments::Rasteriser;
use super::order::Order;
use super::patches::{PATCHES, Patches};
use crate::Result;
use crate::run::wrong;
use serde::Deserialize;
use serde_json::Value;
use shisa_eval::draw::Assembly;
use shisa_maxwell::ShaderStage;

/// The state of a draw call: the keys of `draw`.
#[derive(Deserialize)]
pub(super) struct Draw {
    topology: String,
    indices: Option<Vec<usize>>,
    #[serde(flatten)]
    pub(super) patches: Patches,
    #[serde(flatten)]
    pub(super) rasteriser: Rasteriser,
}

impl Draw {
    /// Reads the keys, for the programs of the draw call.
    ///
    /// # Errors
    /// `run-input` for values of another form, and for a topology that the programs do not take.
    pub(super) fn read(keys: &Value, programs: &Order<'_>) -> Result<Draw> {
        let draw = Draw::deserialize(keys).map_err(|e| wrong(e.to_string()))?;
        let topology = shisa_diag::escape(&draw.topology);
        let evaluated = programs.has(ShaderStage::TessellationEvaluation);
        match (evaluated, draw.topology == PATCHES) {
            (true, false) => {
                let text = format!(
                    "the topology is \"{topology}\", and a tessellation evaluation program needs \"{PATCHES}\""
                );
                Err(wrong(text))
            }
            (false, true) => Err(wrong("patches need a tessellation evaluation program")),
            _ => Ok(draw),
        }
    }

    /// The primitives of vertices.
    ///
    /// # Errors
    /// `run-input` for a topology that does not exist, a size of patches that does not, and an index past the vertices.
    pub(super) fn primitives(&self, vertices: usize) -> Result<Vec<Vec<usize>>> {
        let assembly = Assembly::of(&self.topology, self.patches.vertices()?);
        let assembly = assembly.ok_or_else(|| {
            wrong(format!("there is no topology \"{}\"", shisa_diag::escape(&self.topology)))
        })?;
        match &self.indices {
            Some(indices) => match indices.iter().find(|index| **index >= vertices) {
                Some(index) => Err(wrong(format!("index {index} of {vertices} vertices"))),
                None => Ok(assembly.primitives(indices)),
            },
            None => Ok(assembly.primitives(&(0..vertices).collect::<Vec<_>>())),
        }
    }

    /// Vertices with the primitives that the topology has for them. Vertices beside a line or a triangle are for a
    /// geometry program only.
    ///
    /// # Errors
    /// Those of [`Draw::primitives`].
    pub(super) fn assembled(&self, vertices: Assembled, adjacent: bool) -> Result<Assembled> {
        let mut primitives = self.primitives(vertices.vertices.len())?;
        if !adjacent && self.topology != PATCHES {
            primitives.iter_mut().for_each(without_adjacent);
        }
        Ok(Assembled { primitives, ..vertices })
    }
}

/// Leaves out the vertices beside a line or a triangle.
fn without_adjacent(corners: &mut Vec<usize>) {
    match corners[..] {
        [_, a, b, _] => *corners = vec![a, b],
        [a, _, b, _, c, _] => *corners = vec![a, b, c],
        _ => {}
    }
}
