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
    /// The stage of the intermediate representation.
    pub const fn ir(self) -> shisa_ir::Stage {
        match self {
            ShaderStage::Vertex => shisa_ir::Stage::Vertex,
            ShaderStage::TessellationControl => shisa_ir::Stage::TessellationControl,
            ShaderStage::TessellationEvaluation => shisa_ir::Stage::TessellationEvaluation,
            ShaderStage::Geometry => shisa_ir::Stage::Geometry,
            ShaderStage::Fragment => shisa_ir::Stage::Fragment,
            ShaderStage::Compute => shisa_ir::Stage::Compute,
        }
    }

    /// Whether programs read the vertices of a primitive or patch.
    pub(crate) const fn reads_vertices(self) -> bool {
        matches!(
            self,
            ShaderStage::Geometry | ShaderStage::TessellationControl | ShaderStage::TessellationEvaluation
        )
    }

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
