//! What AGAL programs run on, and what comes out.

use crate::run::TraceStep;
use shisa_eval::{Format, Grid};
use shisa_ir::{Dim, Filter, Sampler, Wrap};
use std::collections::BTreeMap;

/// What a program runs on. Registers are called by their names, such as `va0`; values are bit patterns
/// of binary32.
///
/// [`RunInput::from_json`] reads one from the format of `docs/schema/agal-run.schema.json`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunInput {
    /// How many vertices or pixels.
    pub lanes: usize,
    /// The lanes as pixels, row by row. Without it derivatives are zero and textures are read at level 0.
    pub grid: Option<Grid>,
    /// Attributes or varyings: for each its components, lane by lane. Missing components are filled with
    /// 0, 0, 1.
    pub inputs: BTreeMap<String, Vec<Vec<u32>>>,
    /// Constants.
    pub constants: BTreeMap<String, [u32; 4]>,
    /// The number of the instance, lane by lane; empty when there is none.
    pub instance: Vec<u32>,
    /// Textures.
    pub textures: BTreeMap<String, TextureInput>,
}

/// A texture as it is bound.
#[derive(Clone, Debug, PartialEq)]
pub struct TextureInput {
    /// Its shape.
    pub dim: Dim,
    /// Texels of a row of level 0.
    pub width: usize,
    /// Rows of level 0.
    pub height: usize,
    /// How texels lie in memory.
    pub format: Format,
    /// The texels, `levels[level][face]`.
    pub levels: Vec<Vec<Vec<u8>>>,
    /// Sampler state for programs that do not bring their own.
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

/// What came out of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunOutput {
    /// Each output by name, in the order of the interface.
    pub outputs: Vec<OutputColumn>,
    /// For each lane whether it was discarded; its outputs mean nothing then.
    pub killed: Vec<bool>,
    /// Instructions executed, counted for each lane.
    pub executed: u64,
    /// Every instruction with its register writes; empty unless asked for.
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

    /// Gives an input its values, one item for each lane.
    pub fn input<L: AsRef<[f32]>>(mut self, name: &str, lanes: impl IntoIterator<Item = L>) -> RunInput {
        let bits = |l: L| l.as_ref().iter().map(|v| v.to_bits()).collect();
        self.inputs.insert(name.to_owned(), lanes.into_iter().map(bits).collect());
        self
    }

    /// Gives a constant its value.
    pub fn constant(mut self, name: &str, value: [f32; 4]) -> RunInput {
        self.constants.insert(name.to_owned(), value.map(f32::to_bits));
        self
    }
}
