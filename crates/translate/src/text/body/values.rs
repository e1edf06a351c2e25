//! Values of the program and the expressions that hold them.

use super::{Body, place};
use crate::text::{annotate::Mark, is_result, names::Name};
use naga::{Expression, Handle};
use shisa_ir::{Node, Op, Value};

impl<'p> Body<'p, '_> {
    /// Makes a value, names it where that is due, and remembers it. `rest` is made behind it.
    pub(super) fn make(&mut self, v: Value, rest: &[Value]) {
        let origin = self.program.func.nodes.list[v.index()].origin;
        self.at = place(origin);
        let Some(expr) = self.node(v) else { return };
        if self.plan.named(self.program, v) {
            let name = match self.program.source.get(origin as usize) {
                Some(s) if !s.result.is_empty() && self.is_result(v, rest) => s.result.into(),
                _ => Name::numbered("t", origin),
            };
            self.name(expr, name, origin);
        }
        self.set(v, expr);
    }

    /// Whether a value is what its instruction computes, or a part of it; what only serves as an operand,
    /// such as an index, is not. A vector that was joined to be an operand may serve later ones too, but its
    /// instruction computes something in `rest`.
    fn is_result(&self, v: Value, rest: &[Value]) -> bool {
        let nodes = &self.program.func.nodes;
        let origin = nodes.list[v.index()].origin;
        let computes = |n: &Node| !matches!(n.op, Op::Const(_) | Op::Swizzle { .. } | Op::Write { .. });
        let behind = || rest.iter().map(|v| &nodes.list[v.index()]).take_while(|n| n.origin == origin);
        self.plan.crosses(v) && !(matches!(nodes.op(v), Op::Join { .. }) && behind().any(computes))
    }

    /// Names an expression that has no name yet.
    pub(super) fn name(&mut self, expr: Handle<Expression>, name: Name<'p>, origin: u32) {
        if needs_no_name(&self.fun.expressions[expr]) {
            return;
        }
        if self.names.len() <= expr.index() {
            self.names.resize(self.fun.expressions.len(), None);
        }
        let slot = &mut self.names[expr.index()];
        if slot.is_none() {
            *slot = Some(name);
            let call = is_result(&self.fun.expressions[expr]);
            self.marks.push(Mark { name, call: call.then_some(expr.index()), origin });
        }
    }

    pub(super) fn set(&mut self, v: Value, expr: Handle<Expression>) {
        self.values[v.index()] = Some(expr);
        if !self.plan.escapes(v) {
            return;
        }
        self.scoped.push(v);
        let variable = self.keeper(v);
        self.store(variable, expr);
    }

    /// The variable of a value that is used outside the scope that makes it.
    fn keeper(&mut self, v: Value) -> Handle<Expression> {
        self.kept.resize(self.values.len(), None);
        if let Some(variable) = self.kept[v.index()] {
            return variable;
        }
        let ty = self.types.ir(self.program.func.nodes.ty(v));
        let variable = self.variable("kept".into(), ty);
        self.kept[v.index()] = Some(variable);
        variable
    }

    /// The expression of a value. Constants are made where they are used.
    pub(in crate::text) fn get(&mut self, v: Value) -> Handle<Expression> {
        if let Some(e) = self.values[v.index()] {
            return e;
        }
        let node = &self.program.func.nodes.list[v.index()];
        if let Op::Const(bits) = node.op {
            return self.constant(node.ty, bits);
        }
        if self.plan.escapes(v) {
            let pointer = self.keeper(v);
            let e = self.push(Expression::Load { pointer });
            self.values[v.index()] = Some(e);
            self.scoped.push(v);
            return e;
        }
        // Only a use that no definition dominates comes here; it reads zero.
        let ty = self.types.ir(node.ty);
        self.raw(Expression::ZeroValue(ty))
    }
}

/// Whether the text of an expression is a name already.
fn needs_no_name(expression: &Expression) -> bool {
    matches!(
        expression,
        Expression::Literal(_)
            | Expression::FunctionArgument(_)
            | Expression::ZeroValue(_)
            | Expression::GlobalVariable(_)
            | Expression::LocalVariable(_)
    )
}
