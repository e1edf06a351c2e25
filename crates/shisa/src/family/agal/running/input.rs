//! Inputs and outputs of AGAL runs.

use crate::run::TraceStep;
use shisa_eval::{Format, Grid};
use shisa_ir::{Dim, Filter, Sampler, Wrap};
use std::collections::BTreeMap;

/// The input of a run. Registers have names, such as `va0`; values are bit patterns of binary32.
///
/// [`RunInput::from_json`] reads one from the format of `docs/schema/agal-run.schema.json`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunInput {
    /// The number of vertices or pixels.
    pub lanes: usize,
    /// The arrangement of lanes as pixels, row by row. Without it derivatives are zero and textures are read at level
    /// 0.
    pub grid: Option<Grid>,
    /// Attributes or varyings: for each its components, lane by lane. Missing components are filled with
    /// 0, 0, 1.
    pub inputs: BTreeMap<String, Vec<Vec<u32>>>,
    /// Constants.
    pub constants: BTreeMap<String, [u32; 4]>,
    /// The number of the instance, lane by lane; empty if there is none.
    pub instance: Vec<u32>,
    /// Textures.
    pub textures: BTreeMap<String, TextureInput>,
}

/// A bound texture.
#[derive(Clone, Debug, PartialEq)]
pub struct TextureInput {
    /// Its shape.
    pub dim: Dim,
    /// Texels of a row of level 0.
    pub width: usize,
    /// Rows of level 0.
    pub height: usize,
    /// The texel format in memory.
    pub format: Format,
    /// The texels, `levels[level][face]`.
    pub levels: Vec<Vec<Vec<u8>>>,
    /// Sampler state for programs that have none of their own.
    pub sampler: Sampler,
}

impl TextureInput {
    /// Reads the nearest texel of level 0, and clamps coordinates.
    pub const PLAIN_SAMPLER: Sampler = Sampler {
        filter: Filter::Nearest,
        mip: None,
        wrap: [Wrap::Clamp; 3],
        anisotropy: 1,
        bias_eighths: 0,
    };
}

/// The result of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunOutput {
    /// Each output by name, in the order of the interface.
    pub outputs: Vec<OutputColumn>,
    /// For each lane whether it was discarded; its outputs are then meaningless.
    pub killed: Vec<bool>,
    /// Instructions executed, counted for each lane; 0 if the engine does not count them.
    pub executed: u64,
    /// Every instruction with its register writes; empty unless requested.
    pub trace: Vec<TraceStep>,
}

/// One output register.
#[derive(Clone, Debug, PartialEq)]
pub struct OutputColumn {
    /// Its name, such as `op`.
    pub name: String,
    /// For each lane the bit patterns of its components; `None` for a component that the program never
    /// writes.
    pub lanes: Vec<Vec<Option<u32>>>,
}

impl RunOutput {
    /// The values of an output as floats, lane by lane; components never written are zero.
    pub fn floats(&self, name: &str) -> Option<Vec<Vec<f32>>> {
        let column = self.outputs.iter().find(|c| c.name == name)?;
        let float = |c: &Option<u32>| f32::from_bits(c.unwrap_or(0));
        Some(column.lanes.iter().map(|l| l.iter().map(float).collect()).collect())
    }
}

impl RunInput {
    /// No inputs for this many lanes.
    pub fn new(lanes: usize) -> RunInput {
        RunInput { lanes, ..RunInput::default() }
    }

    /// Sets the values of an input, one item for each lane.
    pub fn input<L: AsRef<[f32]>>(mut self, name: &str, lanes: impl IntoIterator<Item = L>) -> RunInput {
        let bits = |l: L| l.as_ref().iter().map(|v| v.to_bits()).collect();
        self.inputs.insert(name.to_owned(), lanes.into_iter().map(bits).collect());
        self
    }

    /// Sets the value of a constant.
    pub fn constant(mut self, name: &str, value: [f32; 4]) -> RunInput {
        self.constants.insert(name.to_owned(), value.map(f32::to_bits));
        self
    }
}
