//! Traces: what each instruction wrote.

use serde::Serialize;

/// One instruction that ran for a wave.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TraceStep {
    /// Number of the wave; for AGX that of the pixel, vertex or thread of its first lane.
    pub wave: usize,
    /// Number of the instruction.
    pub instruction: usize,
    /// The lanes of the batch that it ran for.
    pub lanes: Vec<usize>,
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
    /// The bit patterns after the write, one for each of the step's lanes.
    pub values: Vec<String>,
}
