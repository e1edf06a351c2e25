//! How outputs leave the entry point of a stage: not every language has every output as a value of its own.

use super::locations::{location, stencil_location, system_location};
use crate::interface::has_points;
use crate::syntax::{Binding, BuiltIn};
use crate::{Form, Target, unsupported};
use shisa_diag::Diagnostic;
use shisa_ir::{Interface, Io, Stage};

/// How an output leaves an entry point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outlet {
    /// As a member of the structure of outputs.
    Member(Option<Binding>),
    /// As elements of one array of distances to clipping planes.
    Distances,
    /// Not at all: the language has no such output.
    None,
}

/// The outlet of an output.
///
/// # Errors
/// `translate-unsupported` for an output that the stage does not have.
pub(super) fn outlet(
    io: &Io,
    interface: &Interface,
    form: Form,
    target: Target,
) -> Result<Outlet, Diagnostic> {
    use shisa_ir::Binding as Ir;
    if interface.stage == Stage::Geometry || form == Form::Compute {
        return Ok(Outlet::Member(None));
    }
    let binding = match io.binding {
        Ir::Location(n) => location(io, n, crate::interface::outputs_vertex(interface.stage)),
        Ir::Position => Binding::BuiltIn(BuiltIn::Position),
        Ir::Depth => Binding::BuiltIn(BuiltIn::FragmentDepth),
        Ir::SampleMask => Binding::BuiltIn(BuiltIn::SampleMask),
        Ir::Stencil => location(io, stencil_location(&interface.outputs), false),
        Ir::ClipDistance(_) if matches!(target, Target::Hlsl(_)) => {
            location(io, system_location(&interface.outputs, io.binding), true)
        }
        Ir::Layer | Ir::ViewportIndex => location(io, system_location(&interface.outputs, io.binding), true),
        Ir::PointSize if has_points(target) => Binding::BuiltIn(BuiltIn::PointSize),
        Ir::PointSize => return Ok(Outlet::None),
        Ir::ClipDistance(_) => return Ok(Outlet::Distances),
        _ => return Err(unsupported(format_args!("output {}", io.name))),
    };
    Ok(Outlet::Member(Some(binding)))
}
