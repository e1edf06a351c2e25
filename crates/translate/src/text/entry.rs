//! Entry points: thin functions that call the program's.

use super::draft::{Draft, Expr};
use super::{
    globals::Globals,
    module::{self, io_type},
    types,
    types::Types,
};
use crate::{Options, Program, Target};
use naga::{
    BinaryOperator, Binding, Block, BuiltIn, Expression, Function, FunctionResult, GlobalVariable, Handle,
    LocalVariable, ScalarKind, Span, Statement,
};
use shisa_diag::Diagnostic;
use shisa_ir::{Io, Scalar, Stage};

/// An argument of an entry point. It has another name than in the program's function: printers make names
/// unique over all functions.
fn argument(e: &mut Draft, name: &str, ty: Handle<naga::Type>, binding: Binding) -> Expr {
    e.argument([name, "_in"].concat(), ty, Some(binding))
}

/// The place of the fragment: one argument for all that is made of it, named by the first.
fn place(e: &mut Draft, known: &mut Option<Expr>, name: &str) -> Expr {
    *known.get_or_insert_with(|| {
        let ty = e.types.of(naga::Scalar::F32, 4);
        argument(e, name, ty, Binding::BuiltIn(BuiltIn::Position { invariant: false }))
    })
}

/// Sets an array of the lane's own: vector `i` to what `value` makes of `i`.
fn fill(
    e: &mut Draft,
    array: Handle<GlobalVariable>,
    vectors: u32,
    value: impl FnOnce(&mut Draft, Expr) -> Expr,
) {
    let array = e.raw(Expression::GlobalVariable(array));
    let (zero, one, end) = (e.u32(0), e.u32(1), e.u32(vectors));
    let ty = e.types.of(naga::Scalar::U32, 1);
    let counter = LocalVariable { name: Some("i".into()), ty, init: None };
    let counter = e.fun.local_variables.append(counter, Span::UNDEFINED);
    let pointer = e.raw(Expression::LocalVariable(counter));
    e.store(pointer, zero);
    let body = e.inner(|e| {
        let i = e.load(pointer);
        let condition = e.binary(BinaryOperator::GreaterEqual, i, end);
        let accept = Block::from_vec(vec![Statement::Break]);
        e.statement(Statement::If { condition, accept, reject: Block::new() });
        let value = value(e, i);
        let place = e.push(Expression::Access { base: array, index: i });
        e.store(place, value);
        let next = e.binary(BinaryOperator::Add, i, one);
        e.store(pointer, next);
    });
    e.statement(Statement::Loop { body, continuing: Block::new(), break_if: None });
}

/// The entry point of a vertex, fragment or compute stage.
pub(super) fn stage(
    program: &Program,
    types: &mut Types,
    callee: Handle<Function>,
    result: Option<Handle<naga::Type>>,
    globals: &Globals,
    target: Target,
) -> Result<Function, Diagnostic> {
    let interface = program.interface;
    let mut e = Draft::new(types);
    let mut arguments = Vec::with_capacity(interface.inputs.len());
    let mut known_place = None;
    for io in &interface.inputs {
        let built_in = match io.binding {
            shisa_ir::Binding::Location(location) | shisa_ir::Binding::Varying { location, .. } => {
                let ty = io_type(e.types, io);
                let varies = matches!(interface.stage, Stage::Fragment | Stage::Geometry);
                let binding = module::location(io, location, varies);
                arguments.push(argument(&mut e, &io.name, ty, binding));
                continue;
            }
            shisa_ir::Binding::InstanceIndex => BuiltIn::InstanceIndex,
            shisa_ir::Binding::VertexIndex => BuiltIn::VertexIndex,
            shisa_ir::Binding::Pixel => {
                let place = place(&mut e, &mut known_place, &io.name);
                let place = e.first(place, io.count);
                arguments.push(e.convert(place, ScalarKind::Uint, Some(4)));
                continue;
            }
            shisa_ir::Binding::PixelDepth => {
                let place = place(&mut e, &mut known_place, &io.name);
                arguments.push(e.member(place, 2));
                continue;
            }
            shisa_ir::Binding::FrontFacing => {
                let ty = e.types.of(naga::Scalar::BOOL, 1);
                let front = argument(&mut e, &io.name, ty, Binding::BuiltIn(BuiltIn::FrontFacing));
                arguments.push(e.convert(front, ScalarKind::Uint, Some(4)));
                continue;
            }
            shisa_ir::Binding::SampleIndex => BuiltIn::SampleIndex,
            shisa_ir::Binding::SampleMask => BuiltIn::SampleMask,
            shisa_ir::Binding::GlobalId => BuiltIn::GlobalInvocationId,
            shisa_ir::Binding::LocalId => BuiltIn::LocalInvocationId,
            shisa_ir::Binding::LocalIndex => BuiltIn::LocalInvocationIndex,
            shisa_ir::Binding::GroupId => BuiltIn::WorkGroupId,
            _ => return Err(crate::unsupported(format_args!("input {}", io.name))),
        };
        let count = match built_in {
            BuiltIn::GlobalInvocationId | BuiltIn::LocalInvocationId | BuiltIn::WorkGroupId => 3,
            _ => 1,
        };
        let ty = e.types.of(naga::Scalar::U32, count);
        let mut value = argument(&mut e, &io.name, ty, Binding::BuiltIn(built_in));
        if io.scalar == Scalar::F32 {
            value = e.convert(value, ScalarKind::Float, Some(4));
        }
        if count == 1 {
            value = e.extend(types::scalar(io.scalar), value, io.count);
        }
        arguments.push(value);
    }
    if let Some(geometry) = interface.geometry {
        own_arrays(&mut e, globals, geometry);
    }
    let mut value = e.call(callee, arguments, result.is_some());
    e.fun.result = result.map(|ty| FunctionResult { ty, binding: None });
    if let (Target::Glsl(_), Stage::Vertex, Some(whole), Some(ty)) = (target, interface.stage, value, result)
        && globals.no_position.is_none()
    {
        value = Some(clip_depth(&mut e, &interface.outputs, whole, ty));
    }
    e.statement(Statement::Return { value });
    Ok(e.finish())
}

/// Sets the arrays that a lane of a geometry stage has of its own: from the uniform buffer, then the
/// attributes of the vertices.
fn own_arrays(e: &mut Draft, globals: &Globals, geometry: shisa_ir::Geometry) {
    for &(array, vectors, buffer) in &globals.own {
        let buffer = e.raw(Expression::GlobalVariable(buffer));
        fill(e, array, vectors, |e, i| {
            let pointer = e.push(Expression::Access { base: buffer, index: i });
            e.load(pointer)
        });
        let Some(start) = geometry.start else { continue };
        let base = e.raw(Expression::GlobalVariable(array));
        let ty = e.types.of(naga::Scalar::F32, 4);
        for n in 0..u32::from(geometry.vertices) * u32::from(geometry.attributes) {
            let index = u32::from(start) + n;
            if index >= vectors {
                break;
            }
            let binding = Binding::Location {
                location: n,
                interpolation: Some(naga::Interpolation::Perspective),
                sampling: Some(naga::Sampling::Center),
                blend_src: None,
                per_primitive: false,
            };
            let value = argument(e, "attribute", ty, binding);
            let pointer = e.push(Expression::AccessIndex { base, index });
            e.store(pointer, value);
        }
    }
}

/// OpenGL's clip space has -w ≤ z ≤ w: moves z there.
fn clip_depth(e: &mut Draft, outputs: &[Io], whole: Expr, ty: Handle<naga::Type>) -> Expr {
    let mut members = Vec::with_capacity(outputs.len());
    for (i, io) in outputs.iter().enumerate() {
        let mut member = e.member(whole, i);
        if io.binding == shisa_ir::Binding::Position && io.count == 4 {
            let [x, y, z, w] = [0, 1, 2, 3].map(|c| e.member(member, c));
            let twice = e.binary(BinaryOperator::Add, z, z);
            let z = e.binary(BinaryOperator::Subtract, twice, w);
            let ty = e.types.of(naga::Scalar::F32, 4);
            member = e.push(Expression::Compose { ty, components: vec![x, y, z, w] });
        }
        members.push(member);
    }
    e.push(Expression::Compose { ty, components: members })
}

/// The kernel of the compute form.
#[expect(clippy::too_many_arguments, reason = "each is one thing that a kernel is made of")]
pub(super) fn lanes(
    program: &Program,
    types: &mut Types,
    callee: Handle<Function>,
    result: Option<Handle<naga::Type>>,
    (input, output): (Handle<GlobalVariable>, Handle<GlobalVariable>),
    globals: &Globals,
    options: &Options,
    kills: bool,
) -> Function {
    let interface = program.interface;
    let mut e = Draft::new(types);
    let ty = e.types.of(naga::Scalar::U32, 3);
    let id = argument(&mut e, "lane", ty, Binding::BuiltIn(BuiltIn::GlobalInvocationId));
    let input = e.raw(Expression::GlobalVariable(input));
    let output = e.raw(Expression::GlobalVariable(output));
    let lane = e.member(id, 0);
    let head = e.member(input, 0);
    let head = e.member(head, 0);
    let count = e.load(head);
    let past = e.binary(BinaryOperator::GreaterEqual, lane, count);
    let accept = Block::from_vec(vec![Statement::Return { value: None }]);
    e.statement(Statement::If { condition: past, accept, reject: Block::new() });
    let mut arguments = Vec::with_capacity(interface.inputs.len());
    let in_stride = crate::reflection::input_stride(program) as usize;
    let mut own = 1 + interface.inputs.len();
    for u in &globals.uniforms {
        let Some(first) = u.first else { continue };
        let value = offset(&mut e, lane, in_stride, own);
        let pointer = e.raw(Expression::GlobalVariable(first));
        e.store(pointer, value);
        own += u.vectors as usize;
    }
    for (i, io) in interface.inputs.iter().enumerate() {
        let pointer = element(&mut e, input, lane, in_stride, i + 1);
        let vector = e.load(pointer);
        arguments.push(e.unpacked(vector, io));
    }
    if let Some(emission) = &globals.emission {
        let most = crate::reflection::max_vertices(program, options) as usize;
        let first = offset(&mut e, lane, 1 + most * interface.outputs.len(), 0);
        let [count, element] = [Some(emission.count), emission.first]
            .map(|variable| variable.map(|v| e.raw(Expression::GlobalVariable(v))));
        if let (Some(count), Some(element)) = (count, element) {
            e.store(element, first);
            e.call(callee, arguments, false);
            let value = e.load(count);
            let words = e.extend(naga::Scalar::U32, value, 4);
            let pointer = e.push(Expression::Access { base: output, index: first });
            e.store(pointer, words);
        }
        return e.finish();
    }
    let value = e.call(callee, arguments, result.is_some());
    let stride = interface.outputs.len() + 1;
    for (i, io) in interface.outputs.iter().enumerate() {
        let Some(value) = value else { break };
        let member = e.member(value, i);
        let words = e.packed(member, io);
        let pointer = element(&mut e, output, lane, stride, i);
        e.store(pointer, words);
    }
    let killed = match value.filter(|_| kills) {
        Some(value) => {
            let killed = e.member(value, interface.outputs.len());
            e.convert(killed, ScalarKind::Uint, Some(4))
        }
        None => e.u32(0),
    };
    let words = e.extend(naga::Scalar::U32, killed, 4);
    let pointer = element(&mut e, output, lane, stride, interface.outputs.len());
    e.store(pointer, words);
    e.finish()
}

/// A pointer to element `behind` behind `lane` times `stride`.
fn element(e: &mut Draft, base: Expr, lane: Expr, stride: usize, behind: usize) -> Expr {
    let index = offset(e, lane, stride, behind);
    e.push(Expression::Access { base, index })
}

/// `lane` times `stride` plus `behind`.
fn offset(e: &mut Draft, lane: Expr, stride: usize, behind: usize) -> Expr {
    let (stride, behind) = (e.u32(stride as u32), e.u32(behind as u32));
    let first = e.binary(BinaryOperator::Multiply, lane, stride);
    e.binary(BinaryOperator::Add, first, behind)
}
