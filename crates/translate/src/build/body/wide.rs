//! Operations on doubles and 64-bit integers, each of which is two 32-bit words.

use super::state::Body;
use crate::build::natives::WideOp;
use crate::syntax::Expr;
use shisa_ir::{Convert, Node, Op};

impl Body<'_, '_> {
    /// The expression of an operation on values of 64 bits; `None` for other operations.
    pub(super) fn wide(&mut self, node: &Node) -> Option<Expr> {
        let nodes = &self.program.func.nodes;
        if let Op::Convert { op: Convert::Pair, a, .. } = node.op {
            return Some(self.get(a));
        }
        let op = WideOp::of(nodes, node.op, node.ty)?;
        let operands = match node.op {
            Op::Binary { a, b, .. } => vec![a, b],
            Op::Ternary { a, b, c, .. } => vec![a, b, c],
            Op::Convert { a, .. } => vec![a],
            _ => return None,
        };
        let operands: Vec<Expr> = operands.into_iter().map(|v| self.get(v)).collect();
        let function = self.helpers.wide(self.draft.types, op);
        Some(self.call(function, &operands))
    }
}
