//! The function that hands on a vertex of a geometry program.

use super::draft::Draft;
use super::types::Types;
use crate::{Form, Options, Program};
use naga::{BinaryOperator as B, Block, Expression, Function, GlobalVariable, Handle, Span, Statement};

/// What the functions of a geometry program share.
pub(super) struct Emission {
    pub(super) function: Handle<Function>,
    /// Counts vertices.
    pub(super) count: Handle<GlobalVariable>,
    /// The lane's first element in the buffer that is written; only in the compute form.
    pub(super) first: Option<Handle<GlobalVariable>>,
}

/// Builds the function: it counts vertices and, in the compute form, writes those that have room. In a
/// geometry stage its body is written by [`super::geometry`].
pub(super) fn function(
    program: &Program,
    types: &mut Types,
    options: &Options,
    vertex: Handle<naga::Type>,
    count: Handle<GlobalVariable>,
    first: Option<(Handle<GlobalVariable>, Handle<GlobalVariable>)>,
) -> Function {
    let outputs = &program.interface.outputs;
    let mut d = Draft::new(types);
    d.fun.name = Some("emit_vertex".into());
    let vertex = d.argument("vertex", vertex, None);
    let count = d.raw(Expression::GlobalVariable(count));
    let first = first.filter(|_| options.form == Form::Compute).map(|(first, buffer)| {
        (d.raw(Expression::GlobalVariable(first)), d.raw(Expression::GlobalVariable(buffer)))
    });
    let one = d.u32(1);
    let most = d.u32(crate::reflection::max_vertices(program, options));
    let stride = d.u32(outputs.len() as u32);
    let so_far = d.load(count);
    if let Some((first, buffer)) = first {
        let condition = d.binary(B::Less, so_far, most);
        let accept = d.inner(|d| {
            let first = d.load(first);
            let offset = d.binary(B::Multiply, so_far, stride);
            let place = d.binary(B::Add, first, offset);
            for (i, io) in outputs.iter().enumerate() {
                // The first element of a lane is the number of its vertices.
                let offset = d.u32(i as u32 + 1);
                let index = d.binary(B::Add, place, offset);
                let pointer = d.push(Expression::Access { base: buffer, index });
                let member = d.member(vertex, i);
                let value = d.packed(member, io);
                d.store(pointer, value);
            }
        });
        d.statement(Statement::If { condition, accept, reject: Block::new() });
    }
    let value = d.binary(B::Add, so_far, one);
    d.store(count, value);
    d.statement(Statement::Return { value: None });
    d.finish()
}

/// A variable that each lane has for itself.
pub(super) fn private(
    module: &mut naga::Module,
    name: &str,
    ty: Handle<naga::Type>,
) -> Handle<GlobalVariable> {
    let variable = GlobalVariable {
        name: Some(name.into()),
        space: naga::AddressSpace::Private,
        binding: None,
        ty,
        init: None,
        memory_decorations: Default::default(),
    };
    module.global_variables.append(variable, Span::UNDEFINED)
}
