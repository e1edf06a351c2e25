//! Simplification of truth values.

use super::simple::Simple;
use crate::arithmetic::{Binary, Convert, Ternary, Unary};
use crate::nodes::Nodes;
use crate::op::{Op, Value};
use crate::rule::FloatRule;
use crate::ty::{Scalar, Type};

/// The opposite of a truth value.
fn opposite(a: Value) -> Simple {
    Simple::Op(Op::Unary { op: Unary::Not, rule: FloatRule::IEEE, a })
}

/// A selection between true and false.
pub(super) fn selected(nodes: &Nodes, ty: Type, [cond, yes, no]: [Value; 3]) -> Option<Simple> {
    if ty.scalar != Scalar::I1 || nodes.ty(cond) != ty {
        return None;
    }
    match (nodes.op(yes), nodes.op(no)) {
        (Op::Const(yes), Op::Const(no)) if (yes ^ no) & 1 != 0 => {
            Some(if yes & 1 != 0 { Simple::Value(cond) } else { opposite(cond) })
        }
        _ => None,
    }
}

/// The opposite of a comparison is a comparison.
pub(super) fn negated(nodes: &Nodes, a: Value) -> Option<Simple> {
    use Binary::*;
    let Op::Binary { op, rule, a, b } = nodes.op(a) else { return None };
    let (op, a, b) = match op {
        IEq => (INe, a, b),
        INe => (IEq, a, b),
        FEq => (FNe, a, b),
        FNe => (FEq, a, b),
        ULt => (ULe, b, a),
        ULe => (ULt, b, a),
        SLt => (SLe, b, a),
        SLe => (SLt, b, a),
        _ => return None,
    };
    Some(Simple::Op(Op::Binary { op, rule, a, b }))
}

/// A constant compared with what a truth value chooses between two constants.
pub(super) fn compared(nodes: &Nodes, op: Binary, a: Value, b: Value) -> Option<Simple> {
    if !matches!(op, Binary::IEq | Binary::INe) {
        return None;
    }
    let (c, chosen) = match (nodes.op(a), nodes.op(b)) {
        (chosen, Op::Const(c)) | (Op::Const(c), chosen) => (c, chosen),
        _ => return None,
    };
    let (cond, yes, no) = match chosen {
        Op::Ternary { op: Ternary::Select, a, b, c, .. } => match (nodes.op(b), nodes.op(c)) {
            (Op::Const(yes), Op::Const(no)) => (a, yes, no),
            _ => return None,
        },
        Op::Convert { op: Convert::ZeroExtend, a, .. } => (a, 1, 0),
        _ => return None,
    };
    let compared = nodes.ty(a);
    let truth = Scalar::I1.by(compared.count);
    if nodes.ty(cond) != truth {
        return None;
    }
    let ones = u64::MAX >> (64 - compared.scalar.bits());
    let holds = |bits: u64| ((bits ^ c) & ones == 0) == (op == Binary::IEq);
    Some(match (holds(yes), holds(no)) {
        (true, false) => Simple::Value(cond),
        (false, true) => opposite(cond),
        (both, _) => Simple::Op(Op::Const(both.into())),
    })
}
