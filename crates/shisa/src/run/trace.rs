//! What each instruction wrote.

use serde::Serialize;

/// One instruction as it ran for a wave.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TraceStep {
    /// Number of the wave; of AGX what its first lane stands for.
    pub wave: usize,
    /// Number of the instruction.
    pub instruction: usize,
    /// The lanes of the batch that it ran for.
    pub lanes: Vec<usize>,
    /// What it wrote.
    pub writes: Vec<TraceWrite>,
    /// The texels that it stored.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub texels: Vec<TraceTexel>,
}

/// A texel as a lane stored it, where the texture has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TraceTexel {
    /// The lane of the batch.
    pub lane: usize,
    /// The texture: a state register such as `ts4`, or the address of what describes it, in hexadecimal.
    pub texture: String,
    /// The texel's number along each coordinate.
    pub place: Vec<u32>,
    /// Its layer, where the texture has layers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub layer: Option<u32>,
    /// Its sample, where texels have several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sample: Option<u32>,
    /// Its level.
    pub level: u32,
    /// The bit patterns of red, green, blue and alpha before they are rounded to the texture's format.
    pub values: Vec<String>,
}

/// A component of a register as it was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TraceWrite {
    /// The component, such as `vt0.x`.
    pub register: String,
    /// The bit patterns behind the write, one for each of the step's lanes.
    pub values: Vec<String>,
}
