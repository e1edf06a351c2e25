//! The function that outputs a vertex of a geometry program.

use crate::syntax::{
    AddressSpace, BinaryOp as B, Draft, Expr, Function, FunctionId, Global, GlobalId, Module, Name,
    Statement, TypeId, Types,
};
use crate::{Form, Options, Program};

/// The variables that the functions of a geometry program share.
pub(super) struct Emission {
    pub(super) function: FunctionId,
    /// The number of vertices so far.
    pub(super) count: GlobalId,
    /// The index of the lane's first element in the buffer that is written; only in the compute form.
    pub(super) first: Option<GlobalId>,
}

/// The name of the function. The printer of a geometry stage finds the function by its name.
pub(crate) const EMIT_VERTEX: &str = "emit_vertex";

/// Builds the function: it counts vertices and, in the compute form, writes those that fit. `first` is
/// [`Emission::first`] and the buffer. The printer of a geometry stage replaces the body.
pub(super) fn function<'p>(
    program: &Program,
    types: &mut Types<'p>,
    options: &Options,
    vertex: TypeId,
    count: GlobalId,
    first: Option<(GlobalId, GlobalId)>,
) -> Function<'p> {
    let outputs = &program.interface.outputs;
    let mut d = Draft::new(types, EMIT_VERTEX.into(), 32);
    let vertex = d.argument("vertex".into(), vertex, None);
    let count = d.global(count);
    let first = first
        .filter(|_| options.form == Form::Compute)
        .map(|(first, buffer)| (d.global(first), d.global(buffer)));
    let one = d.u32(1);
    let most = d.u32(crate::reflection::max_vertices(program, options));
    let stride = d.u32(outputs.len() as u32);
    let so_far = d.load(count);
    if let Some((first, buffer)) = first {
        let has_room = d.binary(B::Less, so_far, most);
        d.statement(Statement::If(has_room));
        let first = d.load(first);
        let offset = d.binary(B::Multiply, so_far, stride);
        let start = d.binary(B::Add, first, offset);
        for (i, io) in (0..).zip(outputs) {
            // The first element of a lane is the number of its vertices.
            let offset = d.u32(i + 1);
            let index = d.binary(B::Add, start, offset);
            let pointer = d.element(buffer, index);
            let member: Expr = d.member(vertex, i);
            let value = d.packed(member, io);
            d.store(pointer, value);
        }
        d.end_if();
    }
    let value = d.binary(B::Add, so_far, one);
    d.store(count, value);
    d.statement(Statement::Return(None));
    d.finish()
}

/// A private variable: one for each lane.
pub(super) fn private<'p>(module: &mut Module<'p>, name: Name<'p>, ty: TypeId) -> GlobalId {
    module.add_global(Global { name, space: AddressSpace::Private, slot: None, ty })
}
