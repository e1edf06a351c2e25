//! What a device does around the programs of a draw call, and what it leaves.

pub use wgpu::{BlendComponent, BlendFactor, BlendOperation, BlendState, CompareFunction, Face, FrontFace};

/// What a device does with triangles and with the outputs of fragment programs.
#[derive(Clone, Copy, Debug)]
pub struct State {
    /// How the depth of a triangle is compared with the stored one.
    pub compare: CompareFunction,
    /// Whether the depth is stored where the test passes.
    pub writes: bool,
    /// The depth before anything is drawn.
    pub cleared: f32,
    /// How colours are combined with those before them, which are 0 at first; `None` replaces them.
    pub blend: Option<BlendState>,
    /// The constant colour of blending.
    pub constant: [f32; 4],
    /// The winding of triangles that show their front. Positions point upwards.
    pub front: FrontFace,
    /// The side whose triangles are not drawn.
    pub cull: Option<Face>,
}

/// What a sample of a pixel has after a draw call.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sample {
    /// Its colour.
    pub color: [f32; 4],
    /// Its depth.
    pub depth: f32,
    /// How many triangles were drawn to it.
    pub drawn: u32,
}
