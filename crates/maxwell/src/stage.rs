//! Stages of programs.

/// What a program works on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ShaderStage {
    /// Once for each vertex.
    Vertex,
    /// Once for each vertex of an output patch.
    TessellationControl,
    /// Once for each vertex that tessellation makes.
    TessellationEvaluation,
    /// Once for each primitive; emits vertices.
    Geometry,
    /// Once for each pixel, in quads.
    Fragment,
    /// Once for each item of a grid.
    Compute,
}

impl ShaderStage {
    /// The name, such as `vertex` or `tessellation-control`.
    pub const fn name(self) -> &'static str {
        match self {
            ShaderStage::Vertex => "vertex",
            ShaderStage::TessellationControl => "tessellation-control",
            ShaderStage::TessellationEvaluation => "tessellation-evaluation",
            ShaderStage::Geometry => "geometry",
            ShaderStage::Fragment => "fragment",
            ShaderStage::Compute => "compute",
        }
    }
}
