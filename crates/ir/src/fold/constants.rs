//! Operations on constants.

use super::simple::Simple;
use crate::arithmetic::{Binary, Convert};
use crate::nodes::Nodes;
use crate::op::{Node, Op, Value};
use crate::scalar;
use alloc::vec::Vec;

/// The components of a constant, which may be a join of constants.
fn constant(nodes: &Nodes, v: Value) -> Option<[u64; 4]> {
    match nodes.op(v) {
        Op::Const(bits) => Some([bits; 4]),
        Op::Join { parts } => {
            let mut bits = [0; 4];
            for (b, &p) in bits.iter_mut().zip(&parts) {
                let Op::Const(part) = nodes.op(p) else { return None };
                *b = part;
            }
            Some(bits)
        }
        _ => None,
    }
}

/// Whether a value may be a constant, or a join of constants.
#[inline]
pub(super) fn may_be_constant(nodes: &Nodes, v: Value) -> bool {
    matches!(nodes.list[v.index()].op, Op::Const(_) | Op::Join { .. })
}

/// The operation on constants.
pub(super) fn computed(nodes: &mut Nodes, node: &Node, body: &mut Vec<Value>) -> Option<Simple> {
    let (rule, first) = match node.op {
        Op::Unary { rule, a, .. }
        | Op::Binary { rule, a, .. }
        | Op::Ternary { rule, a, .. }
        | Op::Convert { rule, a, .. } => (rule, a),
        _ => return None,
    };
    // Most operations have no constant operand.
    if rule.model || !may_be_constant(nodes, first) {
        return None;
    }
    let kind = |v: Value| nodes.ty(v).scalar;
    let at = |v: Value| constant(nodes, v);
    let bits: [u64; 4] = match node.op {
        Op::Unary { op, rule, a } => at(a)?.map(|x| scalar::unary(op, rule, kind(a), x)),
        Op::Binary { op: Binary::FDot, rule, a, b } => {
            let count = usize::from(nodes.ty(a).count).min(4);
            [scalar::dot(rule, kind(a), &at(a)?[..count], &at(b)?[..count]); 4]
        }
        Op::Binary { op, rule, a, b } => {
            let (x, y) = (at(a)?, at(b)?);
            core::array::from_fn(|i| scalar::binary(op, rule, kind(a), x[i], y[i]))
        }
        Op::Ternary { op, rule, a, b, c } => {
            let (x, y, z) = (at(a)?, at(b)?, at(c)?);
            core::array::from_fn(|i| scalar::ternary(op, rule, node.ty.scalar, x[i], y[i], z[i]))
        }
        Op::Convert { op: Convert::Pair, a, .. } if node.ty.count == 2 => {
            let [low, high] = scalar::halves(at(a)?[0]);
            [low, high, high, high]
        }
        Op::Convert { op: Convert::Pair, a, .. } => {
            let parts = at(a)?;
            [scalar::pair([parts[0], parts[1]]); 4]
        }
        Op::Convert { op, rule, a } => at(a)?.map(|x| scalar::convert(op, rule, kind(a), node.ty.scalar, x)),
        _ => return None,
    };
    Some(made(nodes, node, bits, body))
}

/// The constant of these components in place of an operation.
pub(super) fn made(nodes: &mut Nodes, node: &Node, bits: [u64; 4], body: &mut Vec<Value>) -> Simple {
    let count = usize::from(node.ty.count.clamp(1, 4));
    if bits[..count].iter().all(|&b| b == bits[0]) {
        return Simple::Op(Op::Const(bits[0]));
    }
    let mut part = |i: usize| {
        let v = nodes.push(Op::Const(bits[i]), node.ty.with_count(1), node.origin);
        body.push(v);
        v
    };
    let mut parts = [part(0); 4];
    for i in 1..4 {
        parts[i] = if i < count { part(i) } else { parts[i - 1] };
    }
    Simple::Op(Op::Join { parts })
}
