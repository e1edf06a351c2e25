//! Simplifies one operation.

use super::constants::{computed, may_be_constant};
use super::integers::{bounded, cut, masked, neutral};
use super::moves::{converted, joined, swizzled};
use super::simple::Simple;
use super::truths::{compared, negated, selected};
use crate::arithmetic::{Ternary, Unary};
use crate::nodes::Nodes;
use crate::op::{Node, Op, Value};
use alloc::vec::Vec;

/// Whether an operation and the kinds of its operands show that it cannot become simpler: [`simplify`] returns `None` for it.
#[inline]
pub(super) fn is_simple(nodes: &Nodes, v: Value) -> bool {
    match nodes.list[v.index()].op {
        Op::Binary { op, a, b, .. } => {
            !may_be_constant(nodes, a) && (op.is_float() || a != b && !may_be_constant(nodes, b))
        }
        Op::Ternary { op: Ternary::Fma, a, .. } => !may_be_constant(nodes, a),
        Op::Const(_) | Op::Read { .. } | Op::ReadAt { .. } | Op::Write { .. } | Op::Texture(_) => true,
        _ => false,
    }
}

pub(super) fn simplify(nodes: &mut Nodes, node: &Node, body: &mut Vec<Value>) -> Option<Simple> {
    use Simple::{Op as Becomes, Value as Is};
    let ty = node.ty;
    match node.op {
        Op::Swizzle { a, swizzle } => swizzled(nodes, a, swizzle, ty),
        Op::Join { parts } => joined(nodes, &parts[..usize::from(ty.count.clamp(1, 4))], ty),
        Op::Ternary { op: Ternary::Select, a, b, c, .. } => match nodes.op(a) {
            _ if b == c => Some(Is(b)),
            Op::Const(bits) => Some(Is(if bits & 1 != 0 { b } else { c })),
            _ => selected(nodes, ty, [a, b, c]).or_else(|| computed(nodes, node, body)),
        },
        Op::Convert { op, a, .. } => converted(nodes, op, a, ty).or_else(|| computed(nodes, node, body)),
        Op::Unary { op, rule, a } => match (op, nodes.op(a)) {
            (Unary::INeg | Unary::Not | Unary::FNeg, Op::Unary { op: inner, a: x, .. }) if inner == op => {
                Some(Is(x))
            }
            (Unary::FAbs, Op::Unary { op: Unary::FAbs, .. }) => Some(Is(a)),
            (Unary::FAbs, Op::Unary { op: Unary::FNeg, a: x, .. }) => {
                Some(Becomes(Op::Unary { op, rule, a: x }))
            }
            (Unary::Not, Op::Binary { .. }) => negated(nodes, a),
            _ => computed(nodes, node, body),
        },
        Op::Binary { op, a, b, .. } if !op.is_float() => neutral(nodes, op, a, b)
            .or_else(|| bounded(nodes, op, a, b))
            .or_else(|| compared(nodes, op, a, b))
            .or_else(|| masked(nodes, node))
            .or_else(|| cut(nodes, node, body))
            .or_else(|| computed(nodes, node, body)),
        Op::Binary { .. } | Op::Ternary { .. } => computed(nodes, node, body),
        _ => None,
    }
}
