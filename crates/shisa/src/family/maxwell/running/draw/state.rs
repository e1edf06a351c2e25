//! The state of a draw call.

use super::assembled::{Assembled, Primitive};
use super::merging::{Merging, MergingKeys};
use super::order::Order;
use super::patches::{PATCHES, Patches};
use super::rasteriser::Rasteriser;
use super::vertices::Source;
use crate::Result;
use crate::run::wrong;
use serde::Deserialize;
use serde_json::Value;
use shisa_eval::draw::Assembly;
use shisa_maxwell::ShaderStage;

/// The keys of `draw`.
#[derive(Deserialize)]
struct Keys {
    topology: String,
    indices: Option<Vec<usize>>,
    restart: Option<usize>,
    #[serde(flatten)]
    source: Source,
    #[serde(flatten)]
    patches: Patches,
    #[serde(flatten)]
    rasteriser: Rasteriser,
    #[serde(flatten)]
    merging: MergingKeys,
}

/// The state of a draw call.
pub(super) struct Draw {
    assembly: Assembly,
    indices: Option<Vec<usize>>,
    /// The index that ends a strip.
    restart: Option<usize>,
    pub(super) source: Source,
    pub(super) patches: Patches,
    pub(super) rasteriser: Rasteriser,
    pub(super) merging: Merging,
}

impl Draw {
    /// Reads the keys, for the programs of the draw call.
    ///
    /// # Errors
    /// `run-input` for values of another form, and for a topology that the programs do not take.
    pub(super) fn read(keys: &Value, programs: &Order<'_>) -> Result<Draw> {
        let keys = Keys::deserialize(keys).map_err(|e| wrong(e.to_string()))?;
        let topology = shisa_diag::escape(&keys.topology);
        let assembly = Assembly::of(&keys.topology, keys.patches.vertices()?)
            .ok_or_else(|| wrong(format!("there is no topology \"{topology}\"")))?;
        let is_patches = matches!(assembly, Assembly::Patches(_));
        match programs.has(ShaderStage::TessellationEvaluation) {
            true if !is_patches => {
                let text = format!(
                    "the topology is \"{topology}\", and a tessellation evaluation program needs \"{PATCHES}\""
                );
                return Err(wrong(text));
            }
            false if is_patches => return Err(wrong("patches need a tessellation evaluation program")),
            _ => {}
        }
        Ok(Draw {
            assembly,
            indices: keys.indices,
            restart: keys.restart,
            source: keys.source,
            patches: keys.patches,
            rasteriser: keys.rasteriser.checked()?,
            merging: keys.merging.read()?,
        })
    }

    /// The primitives of the vertices of all instances, each with its number in its instance. Vertices beside a line or a
    /// triangle are for a geometry program only.
    ///
    /// # Errors
    /// `run-input` for an index past the vertices.
    pub(super) fn assembled(&self, all: Assembled, adjacent: bool) -> Result<Assembled> {
        let vertices = self.source.vertices_of_instance(all.vertices.len());
        let every: Vec<usize>;
        let indices = match &self.indices {
            Some(indices) => indices,
            None => {
                every = (0..vertices).collect();
                &every
            }
        };
        let restart = |index: &usize| Some(*index) == self.restart;
        if let Some(index) = indices.iter().find(|index| !restart(index) && **index >= vertices) {
            return Err(wrong(format!("index {index} of {vertices} vertices")));
        }
        let provoking = self.rasteriser.provoking();
        let chains = indices.split(restart).flat_map(|chain| self.assembly.primitives(chain, provoking));
        let mut one: Vec<Vec<usize>> = chains.collect();
        if !adjacent && matches!(self.assembly, Assembly::LinesAdjacency | Assembly::TrianglesAdjacency) {
            one.iter_mut().for_each(without_adjacent);
        }
        let instances = all.vertices.len().checked_div(vertices).into_iter().flat_map(|count| 0..count);
        let primitives = instances.flat_map(|instance| {
            let primitive = move |(number, corners): (u32, &Vec<usize>)| Primitive {
                vertices: corners.iter().map(|corner| instance * vertices + corner).collect(),
                number,
            };
            (0..).zip(&one).map(primitive)
        });
        Ok(Assembled { primitives: primitives.collect(), vertices: all.vertices })
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
