//! Simplification of integer operations.

use super::simple::Simple;
use crate::arithmetic::Binary;
use crate::largest::all_below;
use crate::nodes::Nodes;
use crate::op::{Node, Op, Value};
use alloc::vec::Vec;

/// Integer operations that a constant operand or equal operands decide.
pub(super) fn neutral(nodes: &Nodes, op: Binary, a: Value, b: Value) -> Option<Simple> {
    use Binary::*;
    let ones = u64::MAX >> (64 - nodes.ty(a).scalar.bits());
    let sign = ones ^ ones >> 1;
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
    let commutes = matches!(op, IAdd | IMul | And | Or | Xor | UMin | UMax | SMin | SMax);
    // The result of `x op c`: `Ok` for x, `Err` for a constant.
    let right = |c: u64| match (op, c) {
        (IAdd | ISub | Or | Xor | Shl | LShr | AShr, 0) | (IMul, 1) => Some(Ok(())),
        (And, c) if c == ones => Some(Ok(())),
        (IMul | And | UMin | ULt, 0) => Some(Err(0)),
        (Or | UMax, c) if c == ones => Some(Err(ones)),
        (ULe, c) if c == ones => Some(Err(1)),
        (SMax, c) if c == sign => Some(Ok(())),
        (SMin, c) if c == sign => Some(Err(sign)),
        (SMin, c) if c == ones >> 1 => Some(Ok(())),
        (SMax, c) if c == ones >> 1 => Some(Err(ones >> 1)),
        (UMax, 0) => Some(Ok(())),
        (UMin, c) if c == ones => Some(Ok(())),
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

/// Operations with a constant that the size of the other operand decides.
pub(super) fn bounded(nodes: &Nodes, op: Binary, a: Value, b: Value) -> Option<Simple> {
    use Binary::*;
    if !matches!(op, And | UMin | UMax | LShr | IEq | INe | ULt | ULe | SLt | SLe) {
        return None;
    }
    let ones = u64::MAX >> (64 - nodes.ty(a).scalar.bits());
    let (x, c, is_first) = match (nodes.op(a), nodes.op(b)) {
        (_, Op::Const(bits)) => (a, bits & ones, false),
        (Op::Const(bits), _) => (b, bits & ones, true),
        _ => return None,
    };
    let largest = nodes.largest(x);
    let bits = |bits| Some(Simple::Op(Op::Const(bits)));
    let same = Some(Simple::Value(x));
    // Numbers without a sign compare as unsigned ones do. A negative constant is below all of them.
    let sign = ones ^ ones >> 1;
    let (op, c) = match op {
        SLt | SLe if largest >= sign => return None,
        SLt | SLe if c >= sign => return bits(is_first.into()),
        SLt => (ULt, c),
        SLe => (ULe, c),
        _ => (op, c),
    };
    match op {
        And if all_below(largest) & !c == 0 => same,
        And if all_below(largest) & c == 0 => bits(0),
        UMin if largest <= c => same,
        UMax if largest <= c => bits(c),
        LShr if !is_first && (c >= 64 || largest >> c == 0) => bits(0),
        IEq | INe if largest < c => bits((op == INe).into()),
        ULt if !is_first && largest < c => bits(1),
        ULe if !is_first && largest <= c => bits(1),
        ULt if is_first && largest <= c => bits(0),
        ULe if is_first && largest < c => bits(0),
        _ => None,
    }
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

/// Upper bits that are shifted out and replaced by zeros: a mask does the same.
pub(super) fn cut(nodes: &mut Nodes, node: &Node, body: &mut Vec<Value>) -> Option<Simple> {
    let Op::Binary { op: Binary::LShr, rule, a, b } = node.op else { return None };
    let Op::Binary { op: Binary::Shl, a: x, b: up, .. } = nodes.op(a) else { return None };
    let (Op::Const(down), Op::Const(up)) = (nodes.op(b), nodes.op(up)) else { return None };
    let bits = u64::from(node.ty.scalar.bits());
    if up != down || down >= bits {
        return None;
    }
    let mask = nodes.push(Op::Const(u64::MAX >> (64 - bits) >> down), node.ty, node.origin);
    body.push(mask);
    Some(Simple::Op(Op::Binary { op: Binary::And, rule, a: x, b: mask }))
}
