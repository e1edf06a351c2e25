//! The inputs and outputs that entry points can have.

use crate::unsupported;
use shisa_diag::Diagnostic;
use shisa_ir::{Binding, Interface, Io, Scalar, Stage};

/// Refuses inputs and outputs that no entry point can carry.
pub(crate) fn check(interface: &Interface) -> Result<(), Diagnostic> {
    let stage = interface.stage;
    if stage == Stage::Geometry && interface.geometry.is_none() {
        let text = "the program is not valid: nothing is known of its vertices";
        return Err(Diagnostic::error("translate-shape", text));
    }
    for io in interface.inputs.iter().chain(&interface.outputs) {
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
        Binding::PointSize
        | Binding::PointCoordinate
        | Binding::ClipDistance(_)
        | Binding::PrimitiveIndex
        | Binding::Layer
        | Binding::ViewportIndex
        | Binding::ViewportMask => false,
    };
    let output = |io: &Io| match io.binding {
        Binding::Location(_) => stage != Stage::Compute,
        Binding::Position => {
            matches!(stage, Stage::Vertex | Stage::Geometry) && io.scalar == Scalar::F32 && io.count == 4
        }
        Binding::Depth => stage == Stage::Fragment && io.scalar == Scalar::F32,
        Binding::Stencil => stage == Stage::Fragment && io.scalar == Scalar::I32 && io.count == 1,
        _ => false,
    };
    if interface.inputs.iter().all(input) && interface.outputs.iter().all(output) {
        return Ok(());
    }
    Err(unsupported("an input or output that the stage does not have"))
}
