//! Operations that move components or bits and cancel out.

use super::simple::Simple;
use crate::arithmetic::Convert;
use crate::nodes::Nodes;
use crate::op::{Op, Value};
use crate::reg::Swizzle;
use crate::ty::Type;

pub(super) fn swizzled(nodes: &Nodes, a: Value, swizzle: Swizzle, ty: Type) -> Option<Simple> {
    let picks = |i: u8| swizzle.get(i);
    match nodes.op(a) {
        Op::Const(bits) => return Some(Simple::Op(Op::Const(bits))),
        Op::Swizzle { a: inner, swizzle: first } => {
            let op = Op::Swizzle { a: inner, swizzle: first.then(swizzle) };
            return Some(swizzled(nodes, inner, first.then(swizzle), ty).unwrap_or(Simple::Op(op)));
        }
        Op::Join { parts } => {
            let parts: [Value; 4] = core::array::from_fn(|i| parts[usize::from(picks(i as u8))]);
            let count = usize::from(ty.count.clamp(1, 4));
            let op = Op::Join { parts: core::array::from_fn(|i| parts[i.min(count - 1)]) };
            return Some(joined(nodes, &parts[..count], ty).unwrap_or(Simple::Op(op)));
        }
        // Only the used component of a converted vector.
        Op::Convert { op, rule, a: inner } if ty.count == 1 && op != Convert::Pair => {
            if let Op::Join { parts } = nodes.op(inner) {
                let a = parts[usize::from(picks(0))];
                return Some(Simple::Op(Op::Convert { op, rule, a }));
            }
        }
        _ => {}
    }
    let whole = nodes.ty(a) == ty && swizzle.keeps(ty.count);
    whole.then_some(Simple::Value(a))
}

pub(super) fn joined(nodes: &Nodes, parts: &[Value], ty: Type) -> Option<Simple> {
    if let [one] = parts {
        return Some(Simple::Value(*one));
    }
    if let Op::Const(bits) = nodes.op(parts[0])
        && parts.iter().all(|&p| nodes.op(p) == Op::Const(bits))
    {
        return Some(Simple::Op(Op::Const(bits)));
    }
    let origin = |v: Value| match nodes.op(v) {
        Op::Swizzle { a, swizzle } => (a, swizzle.get(0)),
        _ => (v, 0),
    };
    let (a, _) = origin(parts[0]);
    if parts.iter().any(|&p| origin(p).0 != a) {
        return None;
    }
    let mut picks = [0; 4];
    picks.iter_mut().zip(parts).for_each(|(pick, &p)| *pick = origin(p).1);
    let swizzle = Swizzle::from_slice(&picks[..parts.len()]);
    Some(swizzled(nodes, a, swizzle, ty).unwrap_or(Simple::Op(Op::Swizzle { a, swizzle })))
}

pub(super) fn converted(nodes: &Nodes, op: Convert, a: Value, ty: Type) -> Option<Simple> {
    if op == Convert::Bits && nodes.ty(a) == ty {
        return Some(Simple::Value(a));
    }
    let Op::Convert { op: inner, rule, a: x } = nodes.op(a) else { return None };
    let back = nodes.ty(x) == ty;
    match (op, inner) {
        (Convert::Bits, Convert::Bits) | (Convert::Pair, Convert::Pair) if back => Some(Simple::Value(x)),
        (Convert::Truncate, Convert::ZeroExtend | Convert::SignExtend) if back => Some(Simple::Value(x)),
        (Convert::Bits, Convert::Bits)
        | (Convert::ZeroExtend, Convert::ZeroExtend)
        | (Convert::SignExtend, Convert::SignExtend)
        | (Convert::Truncate, Convert::Truncate) => Some(Simple::Op(Op::Convert { op, rule, a: x })),
        _ => None,
    }
}
