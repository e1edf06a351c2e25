//! How inputs and outputs are bound to locations.

use crate::syntax::{Binding, Interpolation, Sampling, TypeId, Types, kind_of};
use shisa_ir::{Io, Scalar};

/// The type of an input or output.
pub(super) fn io_type(types: &mut Types, io: &Io) -> TypeId {
    types.of(kind_of(io.scalar), io.count)
}

/// A location; `varies` is true if its values are interpolated between vertices.
pub(super) fn location(io: &Io, location: u32, varies: bool) -> Binding {
    let (interpolation, sampling) = match (varies, io.scalar) {
        (false, _) => (None, None),
        (true, Scalar::F32) => match io.binding {
            shisa_ir::Binding::Varying { interpolation, sampling, .. } => between(interpolation, sampling),
            _ => (Some(Interpolation::Perspective), Some(Sampling::Centre)),
        },
        (true, _) => (Some(Interpolation::Flat), None),
    };
    Binding::Location { location, interpolation, sampling }
}

const fn between(
    interpolation: shisa_ir::Interpolation,
    sampling: shisa_ir::Sampling,
) -> (Option<Interpolation>, Option<Sampling>) {
    let sampling = match sampling {
        shisa_ir::Sampling::Centre => Sampling::Centre,
        shisa_ir::Sampling::Centroid => Sampling::Centroid,
        shisa_ir::Sampling::Sample => Sampling::Sample,
    };
    match interpolation {
        shisa_ir::Interpolation::Flat => (Some(Interpolation::Flat), None),
        shisa_ir::Interpolation::Linear => (Some(Interpolation::Linear), Some(sampling)),
        shisa_ir::Interpolation::Perspective => (Some(Interpolation::Perspective), Some(sampling)),
    }
}

/// The location of the colour that carries the stencil value for a printer without stencil outputs: after all others.
pub(crate) fn stencil_location(outputs: &[Io]) -> u32 {
    let next = |io: &Io| match io.binding {
        shisa_ir::Binding::Location(n) => n + 1,
        _ => 0,
    };
    outputs.iter().map(next).max().unwrap_or(0)
}

/// The location that carries a value whose name a printer does not know, such as the layer: after all others.
pub(crate) fn system_location(all: &[Io], binding: shisa_ir::Binding) -> u32 {
    let next = |io: &Io| match io.binding {
        shisa_ir::Binding::Location(n) | shisa_ir::Binding::Varying { location: n, .. } => n + 1,
        _ => 0,
    };
    let first = all.iter().map(next).max().unwrap_or(0);
    first
        + match binding {
            shisa_ir::Binding::Layer => 0,
            shisa_ir::Binding::ViewportIndex => 1,
            shisa_ir::Binding::ClipDistance(0) => 2,
            _ => 3,
        }
}
