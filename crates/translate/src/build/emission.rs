//! The function that outputs a vertex of a geometry program.

use crate::syntax::{
    AddressSpace, BinaryOp as B, Draft, Expr, Function, FunctionId, Global, GlobalId, Kind, Module, Name,
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
    /// The function that ends a strip, and, in the compute form, the variable that is 1 if one ended before the next
    /// vertex; only where vertices form strips.
    pub(super) strips: Option<(FunctionId, Option<GlobalId>)>,
    /// Whether the function takes the number of a stream after the vertex.
    pub(super) takes_stream: bool,
}

/// The name of the function. The printer of a geometry stage finds the function by its name.
pub(crate) const EMIT_VERTEX: &str = "emit_vertex";

/// The name of the function that ends a strip.
pub(crate) const END_STRIP: &str = "end_strip";

/// The name of its argument with the number of a stream. The printer of a geometry stage finds it by its name.
pub(crate) const STREAM: &str = "stream";

/// Builds the function that ends a strip. The printer of a geometry stage replaces the body.
pub(super) fn end<'p>(types: &mut Types<'p>, ended: Option<GlobalId>) -> Function<'p> {
    let mut d = Draft::new(types, Function::default(), END_STRIP.into(), 2);
    if let Some(ended) = ended {
        let (ended, one) = (d.global(ended), d.u32(1));
        d.store(ended, one);
    }
    d.statement(Statement::Return(None));
    d.finish()
}

/// Builds the function of a vertex of a strip, which counts vertices and drops those past the last one that the program
/// may output. The printer of a geometry stage replaces the body.
pub(super) fn in_strip<'p>(
    program: &Program,
    types: &mut Types<'p>,
    options: &Options,
    vertex: Option<TypeId>,
    count: GlobalId,
    lanes: Option<[GlobalId; 3]>,
    takes_stream: bool,
) -> Function<'p> {
    let outputs = &program.interface.outputs;
    let mut d = Draft::new(types, Function::default(), EMIT_VERTEX.into(), 32);
    let vertex = vertex.map(|ty| d.argument("vertex".into(), ty, None));
    let word = d.types.of(Kind::Uint, 1);
    let stream = takes_stream.then(|| d.argument(STREAM.into(), word, None));
    let count = d.global(count);
    let lanes = lanes.map(|lanes| lanes.map(|variable| d.global(variable)));
    let most = d.u32(crate::reflection::max_vertices(program, options));
    let stride = d.u32(crate::reflection::vertex_stride(program));
    let so_far = d.load(count);
    let has_room = d.binary(B::Less, so_far, most);
    d.statement(Statement::If(has_room));
    if let (Some([first, buffer, ended]), Some(stream)) = (lanes, stream) {
        let first = d.load(first);
        let offset = d.binary(B::Multiply, so_far, stride);
        let start = d.binary(B::Add, first, offset);
        for (i, io) in (0..).zip(outputs) {
            let Some(vertex) = vertex else { break };
            let member = d.member(vertex, i);
            let value = d.packed(member, io);
            store_after(&mut d, buffer, start, i, value);
        }
        let (before, zero) = (d.load(ended), d.u32(0));
        let four = d.types.of(Kind::Uint, 4);
        let words = d.composed(four, &[stream, before, zero, zero]);
        store_after(&mut d, buffer, start, outputs.len() as u32, words);
        d.store(ended, zero);
    }
    let one = d.u32(1);
    let next = d.binary(B::Add, so_far, one);
    d.store(count, next);
    d.end_if();
    d.statement(Statement::Return(None));
    d.finish()
}

/// Stores an element of a vertex. The first element of a lane is the number of its vertices.
fn store_after(d: &mut Draft, buffer: Expr, start: Expr, i: u32, value: Expr) {
    let offset = d.u32(i + 1);
    let index = d.binary(B::Add, start, offset);
    let pointer = d.element(buffer, index);
    d.store(pointer, value);
}

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
    let mut d = Draft::new(types, Function::default(), EMIT_VERTEX.into(), 32);
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
            let member: Expr = d.member(vertex, i);
            let value = d.packed(member, io);
            store_after(&mut d, buffer, start, i, value);
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
