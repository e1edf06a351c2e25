//! The module around the program's function: what it refers to, and the entry point.

use super::emission::{self, Emission};
use super::{body::Body, body::Made, entry, globals, helpers::Helpers, plan::Plan, types, types::Types};
use crate::{Form, LANES_A_WORKGROUP, Options, Program, Target};
use naga::{
    Binding, EntryPoint, FunctionArgument, FunctionResult, Handle, Interpolation, Module, Sampling,
    ShaderStage, Span,
};
use shisa_diag::Diagnostic;
use shisa_ir::{Io, Scalar, Stage};

/// Builds the module of a program. Answers the program's function without the function itself, which is the last
/// of the module.
pub(super) fn build<'a>(
    program: &'a Program<'a>,
    target: Target,
    options: &'a Options,
    plan: &Plan,
    mut helpers: Helpers,
) -> Result<(Module, Made<'a>), Diagnostic> {
    let mut module = Module::default();
    let mut types = Types::default();
    let mut globals = globals::globals(&mut module, &mut types, program, options, plan)?;
    if program.interface.geometry.is_some() {
        let word = types.of(naga::Scalar::U32, 1);
        let count = emission::private(&mut module, "vertex_count", word);
        let first =
            globals.lanes.map(|lanes| (emission::private(&mut module, "first_element", word), lanes.1));
        if let Some(vertex) = globals.result {
            let function = emission::function(program, &mut types, options, vertex, count, first);
            let function = helpers.functions.append(function, Span::UNDEFINED);
            globals.emission = Some(Emission { function, count, first: first.map(|f| f.0) });
        }
    }
    let mut made = Body::new(program, options, target, plan, &mut types, &globals, &mut helpers).finish();
    let mut fun = std::mem::take(&mut made.function);
    module.functions = helpers.functions;
    fun.name = Some(options.name.clone());
    fun.arguments = program
        .interface
        .inputs
        .iter()
        .map(|io| FunctionArgument {
            name: Some(io.name.to_string()),
            ty: io_type(&mut types, io),
            binding: None,
        })
        .collect();
    let result = globals.result.filter(|_| globals.emission.is_none());
    fun.result = result.map(|ty| FunctionResult { ty, binding: None });
    let filter =
        plan.diverges.then(|| module.diagnostic_filters.append(derivatives_anywhere(), Span::UNDEFINED));
    fun.diagnostic_filter_leaf = filter;
    let callee = module.functions.append(fun, Span::UNDEFINED);
    let mut function = match globals.lanes {
        Some(lanes) => {
            entry::lanes(program, &mut types, callee, result, lanes, &globals, options, plan.kills)
        }
        None => entry::stage(program, &mut types, callee, result, &globals, target)?,
    };
    function.diagnostic_filter_leaf = filter;
    let (stage, workgroup_size) = match (options.form, program.interface.stage) {
        (Form::Compute, _) => (ShaderStage::Compute, [LANES_A_WORKGROUP, 1, 1]),
        (_, Stage::Vertex) => (ShaderStage::Vertex, [0; 3]),
        (_, Stage::Fragment) => (ShaderStage::Fragment, [0; 3]),
        (_, Stage::Compute) => (ShaderStage::Compute, program.interface.workgroup),
        // The shell of the stage is put around what is printed.
        (_, Stage::Geometry) => (ShaderStage::Fragment, [0; 3]),
    };
    module.entry_points.push(EntryPoint {
        name: [&*options.name, "_main"].concat(),
        stage,
        early_depth_test: None,
        workgroup_size,
        workgroup_size_overrides: None,
        function,
        mesh_info: None,
        task_payload: None,
        incoming_ray_payload: None,
    });
    if let Some(compared) = types.compared {
        let exchange = naga::PredeclaredType::AtomicCompareExchangeWeakResult(naga::Scalar::U32);
        module.special_types.predeclared_types.insert(exchange, compared);
    }
    module.types = types.arena;
    Ok((module, made))
}

/// Lets derivatives be taken where lanes may be apart.
fn derivatives_anywhere() -> naga::diagnostic_filter::DiagnosticFilterNode {
    use naga::diagnostic_filter::*;
    DiagnosticFilterNode {
        inner: DiagnosticFilter {
            new_severity: Severity::Off,
            triggering_rule: FilterableTriggeringRule::Standard(
                StandardFilterableTriggeringRule::DerivativeUniformity,
            ),
        },
        parent: None,
    }
}

pub(super) fn io_type(types: &mut Types, io: &Io) -> Handle<naga::Type> {
    types.of(types::scalar(io.scalar), io.count)
}

/// A location; `varies` where numbers are interpolated between vertices.
pub(super) fn location(io: &Io, location: u32, varies: bool) -> Binding {
    let (interpolation, sampling) = match (varies, io.scalar) {
        (false, _) => (None, None),
        (true, Scalar::F32) => match io.binding {
            shisa_ir::Binding::Varying { interpolation, sampling, .. } => between(interpolation, sampling),
            _ => (Some(Interpolation::Perspective), Some(Sampling::Center)),
        },
        (true, _) => (Some(Interpolation::Flat), None),
    };
    Binding::Location { location, interpolation, sampling, blend_src: None, per_primitive: false }
}

const fn between(
    interpolation: shisa_ir::Interpolation,
    sampling: shisa_ir::Sampling,
) -> (Option<Interpolation>, Option<Sampling>) {
    let sampling = match sampling {
        shisa_ir::Sampling::Centre => Sampling::Center,
        shisa_ir::Sampling::Centroid => Sampling::Centroid,
        shisa_ir::Sampling::Sample => Sampling::Sample,
    };
    match interpolation {
        shisa_ir::Interpolation::Flat => (Some(Interpolation::Flat), None),
        shisa_ir::Interpolation::Linear => (Some(Interpolation::Linear), Some(sampling)),
        shisa_ir::Interpolation::Perspective => (Some(Interpolation::Perspective), Some(sampling)),
    }
}
