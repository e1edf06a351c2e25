//! Entry points: thin functions that call the program's.

use super::globals::Globals;
use super::locations::{io_type, location, system_location};
use super::outlets::Outlet;
use crate::interface::has_points;
use crate::reflection::ENTRY;
use crate::syntax::{
    BinaryOp, Binding, BuiltIn, Draft, Expr, Function, FunctionId, GlobalId, Interpolation, Kind, Literal,
    Name, Sampling, Statement, TypeId, Types, kind_of,
};
use crate::{Options, Program, Target};
use shisa_diag::Diagnostic;
use shisa_ir::{Io, Scalar, Stage};

/// The beginning of the entry point's function, which takes the memory of an empty one.
pub(super) fn draft<'p, 't>(
    types: &'t mut Types<'p>,
    function: Function<'p>,
    options: &'p Options,
) -> Draft<'p, 't> {
    Draft::new(types, function, entry_name(options), 16)
}

/// The name of the entry point.
fn entry_name(options: &Options) -> Name<'_> {
    match &options.entry {
        Some(name) => name.as_str().into(),
        None => Name::joined(&options.name, ENTRY),
    }
}

/// An argument of an entry point. Its name differs from that in the program's function: printers make names unique
/// over all functions.
fn argument<'p>(e: &mut Draft<'p, '_>, name: &'p str, ty: TypeId, binding: Binding) -> Expr {
    e.argument(Name::joined(name, "_in"), ty, Some(binding))
}

/// The position of the fragment: one argument for all inputs that are derived from it, named after the first.
fn position<'p>(e: &mut Draft<'p, '_>, known: &mut Option<Expr>, name: &'p str) -> Expr {
    *known.get_or_insert_with(|| {
        let ty = e.types.of(Kind::Float, 4);
        argument(e, name, ty, Binding::BuiltIn(BuiltIn::Position))
    })
}

/// Fills a per-lane array: vector `i` becomes `value(i)`.
fn fill<'p, 't>(
    e: &mut Draft<'p, 't>,
    array: GlobalId,
    vectors: u32,
    value: impl FnOnce(&mut Draft<'p, 't>, Expr) -> Expr,
) {
    let array = e.global(array);
    let (zero, one, end) = (e.u32(0), e.u32(1), e.u32(vectors));
    let ty = e.types.of(Kind::Uint, 1);
    let pointer = e.local("i".into(), ty);
    e.store(pointer, zero);
    e.statement(Statement::Loop);
    let i = e.load(pointer);
    let done = e.binary(BinaryOp::GreaterEqual, i, end);
    e.statement(Statement::If(done));
    e.statement(Statement::Break);
    e.end_if();
    let value = value(e, i);
    let element = e.element(array, i);
    e.store(element, value);
    let next = e.binary(BinaryOp::Add, i, one);
    e.store(pointer, next);
    e.statement(Statement::End);
}

/// The entry point of a vertex, fragment or compute stage.
pub(super) fn stage<'p>(
    program: &'p Program,
    mut e: Draft<'p, '_>,
    callee: FunctionId,
    result: Option<TypeId>,
    globals: &Globals,
    target: Target,
) -> Result<Function<'p>, Diagnostic> {
    let interface = program.interface;
    let mut arguments = Vec::with_capacity(interface.inputs.len());
    let mut known = None;
    for io in &interface.inputs {
        if let Some(variable) = globals.stand_in(io.binding) {
            let pointer = e.global(variable);
            arguments.push(e.load(pointer));
            continue;
        }
        let built_in = match io.binding {
            shisa_ir::Binding::Location(n) | shisa_ir::Binding::Varying { location: n, .. } => {
                let ty = io_type(e.types, io);
                let varies = matches!(interface.stage, Stage::Fragment | Stage::Geometry);
                let binding = location(io, n, varies);
                arguments.push(argument(&mut e, &io.name, ty, binding));
                continue;
            }
            shisa_ir::Binding::InstanceIndex => BuiltIn::InstanceIndex,
            shisa_ir::Binding::VertexIndex => BuiltIn::VertexIndex,
            shisa_ir::Binding::Pixel => {
                let position = position(&mut e, &mut known, &io.name);
                let position = e.first(position, io.count);
                arguments.push(e.converted(position, Kind::Uint));
                continue;
            }
            shisa_ir::Binding::PixelDepth => {
                let position = position(&mut e, &mut known, &io.name);
                arguments.push(e.member(position, 2));
                continue;
            }
            shisa_ir::Binding::PixelPosition => {
                let position = position(&mut e, &mut known, &io.name);
                arguments.push(match target {
                    // Its last component is w.
                    Target::Hlsl(_) => reciprocal_w(&mut e, position),
                    _ => position,
                });
                continue;
            }
            shisa_ir::Binding::PointCoordinate => {
                let ty = e.types.of(Kind::Float, 2);
                arguments.push(if has_points(target) {
                    argument(&mut e, &io.name, ty, Binding::BuiltIn(BuiltIn::PointCoordinate))
                } else {
                    let half = e.literal(Literal::F32(0.5));
                    e.composed(ty, &[half, half])
                });
                continue;
            }
            shisa_ir::Binding::Layer
            | shisa_ir::Binding::ViewportIndex
            | shisa_ir::Binding::ClipDistance(_) => {
                let ty = io_type(e.types, io);
                let binding = location(io, system_location(&interface.inputs, io.binding), true);
                arguments.push(argument(&mut e, &io.name, ty, binding));
                continue;
            }
            shisa_ir::Binding::PrimitiveIndex => BuiltIn::PrimitiveIndex,
            shisa_ir::Binding::FrontFacing => {
                let ty = e.types.of(Kind::Bool, 1);
                let front = argument(&mut e, &io.name, ty, Binding::BuiltIn(BuiltIn::FrontFacing));
                arguments.push(e.converted(front, Kind::Uint));
                continue;
            }
            shisa_ir::Binding::SampleIndex => BuiltIn::SampleIndex,
            shisa_ir::Binding::SampleMask => BuiltIn::SampleMask,
            shisa_ir::Binding::GlobalId => BuiltIn::GlobalInvocationId,
            shisa_ir::Binding::LocalId => BuiltIn::LocalInvocationId,
            shisa_ir::Binding::LocalIndex => BuiltIn::LocalInvocationIndex,
            shisa_ir::Binding::GroupId => BuiltIn::WorkgroupId,
            shisa_ir::Binding::Position
            | shisa_ir::Binding::Depth
            | shisa_ir::Binding::Stencil
            | shisa_ir::Binding::PointSize
            | shisa_ir::Binding::InvocationIndex
            | shisa_ir::Binding::PatchLocation(_)
            | shisa_ir::Binding::OuterLevel
            | shisa_ir::Binding::InnerLevel
            | shisa_ir::Binding::PatchVertices
            | shisa_ir::Binding::DomainPosition
            | shisa_ir::Binding::ViewportMask => {
                return Err(crate::unsupported(format_args!("input {}", io.name)));
            }
        };
        let count = match built_in {
            BuiltIn::GlobalInvocationId | BuiltIn::LocalInvocationId | BuiltIn::WorkgroupId => 3,
            _ => 1,
        };
        let ty = e.types.of(Kind::Uint, count);
        let mut value = argument(&mut e, &io.name, ty, Binding::BuiltIn(built_in));
        if io.scalar == Scalar::F32 {
            value = e.converted(value, Kind::Float);
        }
        if count == 1 {
            value = e.extend(kind_of(io.scalar), value, io.count);
        }
        arguments.push(value);
    }
    if let Some(geometry) = interface.geometry {
        own_arrays(&mut e, globals, geometry);
    }
    e.yields(result);
    let Some(ty) = result else {
        e.run(callee, &arguments);
        e.statement(Statement::Return(None));
        return Ok(e.finish());
    };
    let mut value = e.call(callee, &arguments);
    if matches!(target, Target::Glsl(_))
        && crate::interface::outputs_vertex(interface.stage)
        && globals.no_position.is_none()
    {
        value = clip_depth(&mut e, &interface.outputs, globals, value, ty);
    }
    e.statement(Statement::Return(Some(value)));
    Ok(e.finish())
}

/// Fills the per-lane arrays of a geometry stage: from the uniform buffer, then from the attributes of the vertices.
fn own_arrays(e: &mut Draft, globals: &Globals, geometry: shisa_ir::Geometry) {
    for &(array, vectors, buffer) in &globals.own {
        let buffer = e.global(buffer);
        fill(e, array, vectors, |e, i| {
            let pointer = e.element(buffer, i);
            e.load(pointer)
        });
        let Some(start) = geometry.start else { continue };
        let base = e.global(array);
        let ty = e.types.of(Kind::Float, 4);
        for n in 0..u32::from(geometry.vertices) * u32::from(geometry.attributes) {
            let index = u32::from(start) + n;
            if index >= vectors {
                break;
            }
            let binding = Binding::Location {
                location: n,
                interpolation: Some(Interpolation::Perspective),
                sampling: Some(Sampling::Centre),
            };
            let value = argument(e, "attribute", ty, binding);
            let pointer = e.member(base, index);
            e.store(pointer, value);
        }
    }
}

/// OpenGL's clip space has -w ≤ z ≤ w: converts z to it.
fn clip_depth(e: &mut Draft, outputs: &[Io], globals: &Globals, whole: Expr, ty: TypeId) -> Expr {
    let mut members = Vec::with_capacity(outputs.len());
    let is_member =
        |i: usize| globals.outlets.get(i).is_none_or(|outlet| matches!(outlet, Outlet::Member(_)));
    let outputs = outputs.iter().enumerate().filter(|(i, _)| is_member(*i)).map(|(_, io)| io);
    for (i, io) in (0..).zip(outputs) {
        let mut member = e.member(whole, i);
        if io.binding == shisa_ir::Binding::Position && io.count == 4 {
            let [x, y, z, w] = [0, 1, 2, 3].map(|c| e.member(member, c));
            let twice = e.binary(BinaryOp::Add, z, z);
            let z = e.binary(BinaryOp::Subtract, twice, w);
            let ty = e.types.of(Kind::Float, 4);
            member = e.composed(ty, &[x, y, z, w]);
        }
        members.push(member);
    }
    if globals.distances.is_some() {
        members.push(e.member(whole, members.len() as u32));
    }
    e.composed(ty, &members)
}

/// A position whose last component is replaced by its reciprocal.
fn reciprocal_w(e: &mut Draft, position: Expr) -> Expr {
    let [x, y, z, w] = [0, 1, 2, 3].map(|c| e.member(position, c));
    let one = e.literal(Literal::F32(1.0));
    let w = e.binary(BinaryOp::Divide, one, w);
    let ty = e.types.of(Kind::Float, 4);
    e.composed(ty, &[x, y, z, w])
}

/// The kernel of the compute form.
#[expect(clippy::too_many_arguments, reason = "each is a separate part of a kernel")]
pub(super) fn lanes<'p>(
    program: &'p Program,
    mut e: Draft<'p, '_>,
    callee: FunctionId,
    result: Option<TypeId>,
    (input, output): (GlobalId, GlobalId),
    globals: &Globals,
    options: &Options,
    kills: bool,
) -> Function<'p> {
    let interface = program.interface;
    let ty = e.types.of(Kind::Uint, 3);
    let id = argument(&mut e, "lane", ty, Binding::BuiltIn(BuiltIn::GlobalInvocationId));
    let input = e.global(input);
    let output = e.global(output);
    let lane = e.member(id, 0);
    let head = e.member(input, 0);
    let head = e.member(head, 0);
    let count = e.load(head);
    let past = e.binary(BinaryOp::GreaterEqual, lane, count);
    e.statement(Statement::If(past));
    e.statement(Statement::Return(None));
    e.end_if();
    let mut arguments = Vec::with_capacity(interface.inputs.len());
    let in_stride = crate::reflection::input_stride(program, options);
    let inputs = interface.inputs.len() as u32;
    let mut own = 1 + inputs;
    for u in &globals.uniforms {
        let Some(first) = u.first else { continue };
        let value = offset(&mut e, lane, in_stride, own);
        let pointer = e.global(first);
        e.store(pointer, value);
        own += u.vectors;
    }
    for (i, io) in (1..).zip(&interface.inputs) {
        let pointer = element(&mut e, input, lane, in_stride, i);
        let vector = e.load(pointer);
        arguments.push(e.unpacked(vector, io));
    }
    let outputs = interface.outputs.len() as u32;
    if let Some(emission) = &globals.emission {
        let most = crate::reflection::max_vertices(program, options);
        let first = offset(&mut e, lane, 1 + most * crate::reflection::vertex_stride(program), 0);
        let [count, element] =
            [Some(emission.count), emission.first].map(|variable| variable.map(|v| e.global(v)));
        if let (Some(count), Some(element)) = (count, element) {
            e.store(element, first);
            if let Some((_, Some(ended))) = emission.strips {
                let (ended, one) = (e.global(ended), e.u32(1));
                e.store(ended, one);
            }
            e.run(callee, &arguments);
            let value = e.load(count);
            let words = e.extend(Kind::Uint, value, 4);
            let pointer = e.element(output, first);
            e.store(pointer, words);
        }
        return e.finish();
    }
    let value = match result {
        Some(_) => Some(e.call(callee, &arguments)),
        None => {
            e.run(callee, &arguments);
            None
        }
    };
    let stride = outputs + 1;
    if let Some(value) = value {
        for (i, io) in (0..).zip(&interface.outputs) {
            let member = e.member(value, i);
            let words = e.packed(member, io);
            let pointer = element(&mut e, output, lane, stride, i);
            e.store(pointer, words);
        }
    }
    let killed = match value.filter(|_| kills) {
        Some(value) => {
            let killed = e.member(value, outputs);
            e.converted(killed, Kind::Uint)
        }
        None => e.u32(0),
    };
    let words = e.extend(Kind::Uint, killed, 4);
    let pointer = element(&mut e, output, lane, stride, outputs);
    e.store(pointer, words);
    e.finish()
}

/// A pointer to the element at `after + lane * stride`.
fn element(e: &mut Draft, base: Expr, lane: Expr, stride: u32, after: u32) -> Expr {
    let index = offset(e, lane, stride, after);
    e.element(base, index)
}

/// `lane * stride + after`.
fn offset(e: &mut Draft, lane: Expr, stride: u32, after: u32) -> Expr {
    let (stride, after) = (e.u32(stride), e.u32(after));
    let first = e.binary(BinaryOp::Multiply, lane, stride);
    e.binary(BinaryOp::Add, first, after)
}
