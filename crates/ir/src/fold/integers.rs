//! Simplification of integer operations.

use super::simple::Simple;
use crate::arithmetic::Binary;
use crate::nodes::Nodes;
use crate::op::{Node, Op, Value};

/// Integer operations that a constant operand or equal operands decide.
pub(super) fn neutral(nodes: &Nodes, op: Binary, a: Value, b: Value) -> Option<Simple> {
    use Binary::*;
    let ones = u64::MAX >> (64 - nodes.ty(a).scalar.bits());
    let constant = |v| match nodes.op(v) {
        Op::Const(bits) => Some(bits & ones),
        _ => None,
    };
    if a == b {
        match op {
            And | Or | UMin | UMax | SMin | SMax => return Some(Simple::Value(a)),
            ISub | Xor | INe | ULt | SLt => return Some(Simple::Op(Op::Const(0))),
            IEq | ULe | SLe => return Some(Simple::Op(Op::Const(1))),
            _ => {}
        }
    }
    let commutes = matches!(op, IAdd | IMul | And | Or | Xor | UMin | UMax);
    // The result of `x op c`: `Ok` for x, `Err` for a constant.
    let right = |c: u64| match (op, c) {
        (IAdd | ISub | Or | Xor | Shl | LShr | AShr, 0) | (IMul, 1) => Some(Ok(())),
        (And, c) if c == ones => Some(Ok(())),
        (IMul | And | UMin | ULt, 0) => Some(Err(0)),
        (Or | UMax, c) if c == ones => Some(Err(ones)),
        (ULe, c) if c == ones => Some(Err(1)),
        _ => None,
    };
    // The result of `c op x`.
    let left = |c: u64| match (op, c) {
        _ if commutes => right(c),
        (ULt, c) if c == ones => Some(Err(0)),
        (ULe, 0) => Some(Err(1)),
        _ => None,
    };
    let (x, decided) = match (constant(b).and_then(right), constant(a).and_then(left)) {
        (Some(d), _) => (a, d),
        (None, Some(d)) => (b, d),
        (None, None) => return None,
    };
    Some(match decided {
        Ok(()) => Simple::Value(x),
        Err(bits) => Simple::Op(Op::Const(bits)),
    })
}

/// A value and the constant that it is masked with.
fn mask(nodes: &Nodes, op: Op) -> Option<(Value, u64)> {
    let Op::Binary { op: Binary::And, a, b, .. } = op else { return None };
    match (nodes.op(a), nodes.op(b)) {
        (_, Op::Const(bits)) => Some((a, bits)),
        (Op::Const(bits), _) => Some((b, bits)),
        _ => None,
    }
}

/// A mask applied to an or: the operand whose bits the mask clears is dropped.
pub(super) fn masked(nodes: &Nodes, node: &Node) -> Option<Simple> {
    let (v, wanted) = mask(nodes, node.op)?;
    let Op::Binary { op: Binary::Or, a, b, .. } = nodes.op(v) else { return None };
    let none = |part: Value| mask(nodes, nodes.op(part)).is_some_and(|(_, bits)| bits & wanted == 0);
    let left = if none(a) {
        b
    } else if none(b) {
        a
    } else {
        return None;
    };
    let mut op = node.op;
    if let Op::Binary { a, b, .. } = &mut op {
        *(if *a == v { a } else { b }) = left;
    }
    Some(Simple::Op(op))
}
