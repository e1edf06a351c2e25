//! Values of the program and the expressions that hold them.

use super::state::Body;
use crate::build::mark::Mark;
use crate::syntax::{Expr, Name};
use shisa_ir::{Node, Op, Value};

impl<'p> Body<'p, '_> {
    /// Builds values in order: those that are computed at the start of the function (`first`), or all others.
    pub(super) fn values(&mut self, list: &[Value], first: bool) {
        let mut rest = list;
        while let Some((&v, after)) = rest.split_first() {
            rest = after;
            if first || !self.plan.is_hoisted(v) {
                self.make(v, if first { &[] } else { rest });
            }
        }
    }

    /// Builds a value, names it if it needs a name, and records its expression. `rest` is built after it.
    #[inline(always)]
    fn make(&mut self, v: Value, rest: &[Value]) {
        let node = self.node(v);
        let origin = node.origin;
        self.draft.comes_from(Some(origin));
        let Some(e) = self.operation(v, node) else { return };
        if self.plan.named(&node.op, v) {
            let name = match self.program.source.get(origin as usize) {
                Some(s) if !s.result.is_empty() && self.is_result(v, node, rest) => s.result.into(),
                _ => Name::numbered("t", origin),
            };
            self.name_value(e, name, origin);
        }
        self.set(v, e);
    }

    /// Whether a value is what its instruction computes, or a part of it. A value that is only an operand, such as an
    /// index, is not. A vector joined as an operand may serve later instructions too, but its own instruction
    /// computes something in `rest`.
    fn is_result(&self, v: Value, node: &Node, rest: &[Value]) -> bool {
        let nodes = &self.program.func.nodes.list;
        let computes = |n: &Node| !matches!(n.op, Op::Const(_) | Op::Swizzle { .. } | Op::Write { .. });
        let after =
            || rest.iter().filter_map(|v| nodes.get(v.index())).take_while(|n| n.origin == node.origin);
        self.plan.crosses(v) && !(matches!(node.op, Op::Join { .. }) && after().any(computes))
    }

    /// Names an expression that has no name yet.
    fn name_value(&mut self, e: Expr, name: Name<'p>, origin: u32) {
        let expression = self.draft.expression(e);
        let yielded = expression.is_yielded();
        if (!expression.is_computed() && !yielded) || self.draft.is_named(e) {
            return;
        }
        self.draft.name(e, name);
        self.note(Mark { name, call: yielded.then_some(e.index()), origin });
    }

    /// Records the expression of a value.
    #[inline(always)]
    pub(super) fn set(&mut self, v: Value, e: Expr) {
        match self.tables.values.get_mut(v.index()) {
            Some(slot) => *slot = Some(e),
            None => self.impossible("a value that does not exist is made"),
        }
        if self.plan.escapes(v) {
            self.keep(v, e);
        }
    }

    /// Stores a value that is used outside the scope that makes it in its variable.
    #[cold]
    fn keep(&mut self, v: Value, e: Expr) {
        self.tables.scoped.push(v);
        let variable = self.variable_of(v);
        self.store(variable, e);
    }

    /// The variable of a value that is used outside the scope that makes it.
    fn variable_of(&mut self, v: Value) -> Expr {
        self.tables.escaped.resize(self.tables.values.len(), None);
        if let Some(variable) = self.tables.escaped.get(v.index()).copied().flatten() {
            return variable;
        }
        let ty = self.ty(v);
        let ty = self.types.ir(ty);
        let variable = self.local("kept".into(), ty);
        if let Some(slot) = self.tables.escaped.get_mut(v.index()) {
            *slot = Some(variable);
        }
        variable
    }

    /// The expression of a value.
    #[inline]
    pub(super) fn get(&mut self, v: Value) -> Expr {
        match self.tables.values.get(v.index()) {
            Some(Some(e)) => *e,
            _ => self.get_anew(v),
        }
    }

    /// A new expression of a value: constants are built at each use, and values of other scopes are loaded.
    fn get_anew(&mut self, v: Value) -> Expr {
        let node = self.node(v);
        if let Op::Const(bits) = node.op {
            return self.constant(node.ty, bits);
        }
        if self.plan.escapes(v) {
            let pointer = self.variable_of(v);
            let e = self.draft.load(pointer);
            if let Some(slot) = self.tables.values.get_mut(v.index()) {
                *slot = Some(e);
            }
            self.tables.scoped.push(v);
            return e;
        }
        self.nothing("a value is used that no scope around its use has made")
    }
}
