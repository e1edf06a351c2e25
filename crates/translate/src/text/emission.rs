//! The function that hands on a vertex of a geometry program.

use super::types::Types;
use crate::{Form, Options, Program};
use naga::{
    BinaryOperator as B, Block, Expression, Function, FunctionArgument, GlobalVariable, Handle, Literal,
    ScalarKind, Span, Statement,
};
use shisa_ir::Scalar;

/// What the functions of a geometry program share.
pub(super) struct Emission {
    pub(super) function: Handle<Function>,
    /// Counts vertices.
    pub(super) count: Handle<GlobalVariable>,
    /// The lane's first element in the buffer that is written; only in the compute form.
    pub(super) first: Option<Handle<GlobalVariable>>,
}

type Expr = Handle<Expression>;

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
    let mut fun = Function { name: Some("emit_vertex".into()), ..Function::default() };
    fun.arguments.push(FunctionArgument { name: Some("vertex".into()), ty: vertex, binding: None });
    let mut push = |e| fun.expressions.append(e, Span::UNDEFINED);
    let vertex = push(Expression::FunctionArgument(0));
    let count = push(Expression::GlobalVariable(count));
    let first = first.map(|(first, buffer)| {
        (push(Expression::GlobalVariable(first)), push(Expression::GlobalVariable(buffer)))
    });
    let literals: Vec<Expr> = [0, 1, crate::reflection::max_vertices(program, options)]
        .into_iter()
        .chain(2..=program.interface.outputs.len() as u32)
        .map(|n| push(Expression::Literal(Literal::U32(n))))
        .collect();
    let (zero, one, most) = (literals[0], literals[1], literals[2]);
    let outputs = program.interface.outputs.len();
    let stride = match outputs {
        0 => zero,
        1 => one,
        _ => literals[literals.len() - 1],
    };
    let mut start = fun.expressions.len();
    let so_far = fun.expressions.append(Expression::Load { pointer: count }, Span::UNDEFINED);
    let mut body = Block::new();
    if let Some((first, buffer)) = first.filter(|_| options.form == Form::Compute) {
        let mut push = |e| fun.expressions.append(e, Span::UNDEFINED);
        let condition = push(Expression::Binary { op: B::Less, left: so_far, right: most });
        body.push(Statement::Emit(fun.expressions.range_from(start)), Span::UNDEFINED);
        start = fun.expressions.len();
        let mut inner = Block::new();
        let mut push = |e| fun.expressions.append(e, Span::UNDEFINED);
        let first = push(Expression::Load { pointer: first });
        let offset = push(Expression::Binary { op: B::Multiply, left: so_far, right: stride });
        let place = push(Expression::Binary { op: B::Add, left: first, right: offset });
        for (i, io) in program.interface.outputs.iter().enumerate() {
            let mut push = |e| fun.expressions.append(e, Span::UNDEFINED);
            // The first element of a lane is the number of its vertices.
            let offset = if i == 0 { one } else { literals[i + 2] };
            let index = push(Expression::Binary { op: B::Add, left: place, right: offset });
            let pointer = push(Expression::Access { base: buffer, index });
            let member = push(Expression::AccessIndex { base: vertex, index: i as u32 });
            let value = words(&mut fun, types, member, zero, io);
            inner.push(Statement::Emit(fun.expressions.range_from(start)), Span::UNDEFINED);
            start = fun.expressions.len();
            inner.push(Statement::Store { pointer, value }, Span::UNDEFINED);
        }
        body.push(Statement::If { condition, accept: inner, reject: Block::new() }, Span::UNDEFINED);
    }
    let value =
        fun.expressions.append(Expression::Binary { op: B::Add, left: so_far, right: one }, Span::UNDEFINED);
    body.push(Statement::Emit(fun.expressions.range_from(start)), Span::UNDEFINED);
    body.push(Statement::Store { pointer: count, value }, Span::UNDEFINED);
    body.push(Statement::Return { value: None }, Span::UNDEFINED);
    fun.body = body;
    fun
}

/// An output as four words.
fn words(fun: &mut Function, types: &mut Types, value: Expr, zero: Expr, io: &shisa_ir::Io) -> Expr {
    let mut push = |e| fun.expressions.append(e, Span::UNDEFINED);
    let mut words = value;
    if io.scalar == Scalar::F32 {
        words = push(Expression::As { expr: value, kind: ScalarKind::Uint, convert: None });
    }
    if io.count >= 4 {
        return words;
    }
    let mut components = vec![words];
    components.extend(std::iter::repeat_n(zero, usize::from(4 - io.count.max(1))));
    let ty = types.of(naga::Scalar::U32, 4);
    push(Expression::Compose { ty, components })
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
