//! Traces: what each instruction wrote.

use serde::{Serialize, Serializer};

/// One instruction that ran for a wave.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct TraceStep {
    /// For PICA200 the number of the set of runs.
    #[serde(skip)]
    pub set: Option<usize>,
    /// The stage of its program, in a draw call of several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stage: Option<&'static str>,
    /// Number of the wave; for AGX that of the pixel, vertex or thread of its first lane.
    pub wave: usize,
    /// Number of the instruction.
    pub instruction: usize,
    /// The lanes of the batch that it ran for.
    pub lanes: Vec<u32>,
    /// The register components that it wrote.
    pub writes: Vec<TraceWrite>,
    /// The texels that it stored.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub texels: Vec<TraceTexel>,
}

/// A texel that a lane stored, if it is inside of the texture.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TraceTexel {
    /// The lane of the batch.
    pub lane: usize,
    /// The texture: a state register such as `ts4`, or the address of its descriptor, in hexadecimal.
    pub texture: String,
    /// The texel's coordinates.
    pub place: Vec<u32>,
    /// Its layer, if the texture has layers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub layer: Option<u32>,
    /// Its sample, if the texture is multisampled.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sample: Option<u32>,
    /// Its level.
    pub level: u32,
    /// The bit patterns of red, green, blue and alpha before they are rounded to the texture's format.
    pub values: Vec<String>,
}

/// A component of a register that was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TraceWrite {
    /// The component, such as `vt0.x`.
    pub register: String,
    /// The bit patterns before the write, one for each of the step's lanes.
    #[serde(skip)]
    pub old: Vec<u32>,
    /// The bit patterns after the write, one for each of the step's lanes; in JSON eight hexadecimal digits each.
    #[serde(serialize_with = "hexadecimal")]
    pub values: Vec<u32>,
}

fn hexadecimal<S: Serializer>(values: &[u32], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(values.iter().map(|bits| format!("{bits:08x}")))
}
