//! Operations on doubles, each of which is two 32-bit words.

use super::state::Body;
use crate::build::natives::DoubleOp;
use crate::syntax::Expr;
use shisa_ir::{Convert, Node, Op, Scalar};

impl Body<'_, '_> {
    /// The expression of an operation on doubles; `None` for other operations.
    pub(super) fn double(&mut self, node: &Node) -> Option<Expr> {
        let nodes = &self.program.func.nodes;
        if let Op::Convert { op: Convert::Pair, a, .. } = node.op
            && [node.ty, nodes.ty(a)].iter().any(|ty| ty.scalar == Scalar::F64)
        {
            return Some(self.get(a));
        }
        if !shisa_ir::is_double_arithmetic(nodes, node.op, node.ty) {
            return None;
        }
        let op = DoubleOp::of(node.op)?;
        let operands = match node.op {
            Op::Binary { a, b, .. } => vec![a, b],
            Op::Ternary { a, b, c, .. } => vec![a, b, c],
            Op::Convert { a, .. } => vec![a],
            _ => return None,
        };
        let operands: Vec<Expr> = operands.into_iter().map(|v| self.get(v)).collect();
        let function = self.helpers.double(self.draft.types, op);
        Some(self.call(function, &operands))
    }
}
