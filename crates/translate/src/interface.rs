//! The inputs and outputs that entry points can have.

use crate::{Target, unsupported};
use shisa_diag::Diagnostic;
use shisa_ir::{Binding, Interface, Io, Scalar, Stage};

/// Refuses inputs and outputs that no entry point can carry.
pub(crate) fn check(interface: &Interface) -> Result<(), Diagnostic> {
    let stage = interface.stage;
    if stage == Stage::Geometry && interface.geometry.is_none() {
        let text = "the program is not valid: nothing is known of its vertices";
        return Err(Diagnostic::error("translate-shape", text));
    }
    let tessellation = matches!(stage, Stage::TessellationControl | Stage::TessellationEvaluation);
    if tessellation && interface.tessellation.is_none() {
        let text = "the program is not valid: nothing is known of its patches";
        return Err(Diagnostic::error("translate-shape", text));
    }
    for io in interface
        .inputs
        .iter()
        .chain(&interface.outputs)
        .chain(&interface.vertex_outputs)
        .chain(&interface.patch_outputs)
    {
        if !matches!(io.scalar, Scalar::F32 | Scalar::I32) || !matches!(io.count, 1..=4) {
            return Err(unsupported("an input or output that is not of 32-bit components"));
        }
    }
    let input = |io: &Io| match io.binding {
        Binding::Location(_) => stage != Stage::Compute,
        Binding::Varying { .. } => stage == Stage::Fragment,
        Binding::InstanceIndex | Binding::VertexIndex => stage == Stage::Vertex,
        Binding::GlobalId | Binding::LocalId | Binding::LocalIndex | Binding::GroupId => {
            stage == Stage::Compute
        }
        Binding::Pixel => stage == Stage::Fragment && io.scalar == Scalar::I32 && io.count <= 2,
        Binding::FrontFacing | Binding::SampleIndex | Binding::SampleMask => {
            stage == Stage::Fragment && io.scalar == Scalar::I32 && io.count == 1
        }
        Binding::PixelDepth => stage == Stage::Fragment && io.scalar == Scalar::F32 && io.count == 1,
        Binding::Position | Binding::Depth | Binding::Stencil => false,
        Binding::PixelPosition => stage == Stage::Fragment && io.scalar == Scalar::F32 && io.count == 4,
        Binding::PointCoordinate => stage == Stage::Fragment && io.scalar == Scalar::F32 && io.count == 2,
        Binding::ClipDistance(_) => stage == Stage::Fragment && io.scalar == Scalar::F32,
        Binding::PrimitiveIndex if stage == Stage::Geometry || tessellation => {
            io.scalar == Scalar::I32 && io.count == 1
        }
        Binding::InvocationIndex => {
            matches!(stage, Stage::Geometry | Stage::TessellationControl)
                && io.scalar == Scalar::I32
                && io.count == 1
        }
        Binding::PatchVertices => tessellation && io.scalar == Scalar::I32 && io.count == 1,
        Binding::PatchLocation(_) | Binding::OuterLevel | Binding::InnerLevel | Binding::DomainPosition => {
            stage == Stage::TessellationEvaluation && of_patch(io)
        }
        Binding::PrimitiveIndex | Binding::Layer | Binding::ViewportIndex => {
            stage == Stage::Fragment && io.scalar == Scalar::I32 && io.count == 1
        }
        Binding::PointSize | Binding::ViewportMask => false,
    };
    let output = |io: &Io| match io.binding {
        Binding::Location(_) => stage != Stage::Compute,
        Binding::Position => before_pixels(stage) && io.scalar == Scalar::F32 && io.count == 4,
        Binding::Depth => stage == Stage::Fragment && io.scalar == Scalar::F32,
        Binding::Stencil | Binding::SampleMask => {
            stage == Stage::Fragment && io.scalar == Scalar::I32 && io.count == 1
        }
        Binding::PointSize => before_pixels(stage) && io.scalar == Scalar::F32 && io.count == 1,
        Binding::ClipDistance(_) => before_pixels(stage) && io.scalar == Scalar::F32,
        Binding::PrimitiveIndex => stage == Stage::Geometry && io.scalar == Scalar::I32 && io.count == 1,
        Binding::Layer | Binding::ViewportIndex => {
            before_pixels(stage) && io.scalar == Scalar::I32 && io.count == 1
        }
        _ => false,
    };
    if !interface.patch_outputs.iter().all(of_patch) {
        return Err(unsupported("an output of a patch that the stage does not have"));
    }
    let of_vertex = |io: &Io| match io.binding {
        Binding::Location(_) | Binding::Position | Binding::PointSize | Binding::ClipDistance(_) => {
            io.scalar == Scalar::F32 && matches!(io.count, 1..=4)
        }
        _ => false,
    };
    if !interface.vertex_inputs.iter().chain(&interface.vertex_outputs).all(of_vertex) {
        return Err(unsupported("an input or output of vertices that the stage does not have"));
    }
    if interface.inputs.iter().all(input) && interface.outputs.iter().all(output) {
        return Ok(());
    }
    Err(unsupported("an input or output that the stage does not have"))
}

/// Whether a stage outputs vertices.
const fn before_pixels(stage: Stage) -> bool {
    matches!(stage, Stage::Vertex | Stage::TessellationEvaluation | Stage::Geometry)
}

/// Whether a stage outputs the vertex that it runs for.
pub(crate) const fn outputs_vertex(stage: Stage) -> bool {
    matches!(stage, Stage::Vertex | Stage::TessellationEvaluation)
}

/// Whether an attribute of a patch has the form that its binding has.
fn of_patch(io: &Io) -> bool {
    let most = match io.binding {
        Binding::InnerLevel | Binding::DomainPosition => 2,
        Binding::PatchLocation(_) | Binding::OuterLevel => 4,
        _ => 0,
    };
    io.scalar == Scalar::F32 && (1..=most).contains(&io.count)
}

/// The number of vertices of arrays with the inputs of vertices, in a stage.
pub(crate) fn stage_vertices(interface: &Interface) -> u32 {
    match (interface.geometry, interface.tessellation) {
        (Some(geometry), _) => geometry.vertices.max(1).into(),
        // Every implementation has patches of 32 vertices.
        (None, Some(_)) => 32,
        (None, None) => 1,
    }
}

/// The number of distances to clipping planes of all inputs or outputs, at most 8; 0 if there are none.
pub(crate) fn distances(all: &[Io]) -> u8 {
    let end = |io: &Io| match io.binding {
        Binding::ClipDistance(first) => first + (8 - io.used.0.leading_zeros() as u8).min(io.count),
        _ => 0,
    };
    all.iter().map(end).max().unwrap_or(0).min(8)
}

/// Whether a language knows the size of points and positions in them. In the others a point is one pixel.
pub(crate) const fn has_points(target: Target) -> bool {
    !matches!(target, Target::Wgsl | Target::Hlsl(_))
}
