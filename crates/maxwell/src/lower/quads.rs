//! Derivatives of pixel programs. Compilers make them of an exchange with the neighbour in the quad (SHFL.BFLY) and a
//! difference whose sign depends on the lane (FSWZADD).

use super::LANE;
use shisa_ir::{Axis, Binary, Convert, Func, LaneOp, Nodes, Op, Scalar, Ternary, Unary, Value, WAVE, scalar};

/// The largest depth of expressions that are followed.
const DEPTH: u8 = 24;
/// Lanes of a quad.
const QUAD: u64 = 4;

/// Replaces differences of neighbours in a quad by derivatives.
pub(super) fn derivatives(func: &mut Func) {
    let exchanges = |v: &Value| matches!(func.nodes.op(*v), Op::Lane { .. });
    if !func.blocks.iter().flat_map(|b| &b.body).any(exchanges) {
        return;
    }
    func.rewrite(|b, v| {
        let (axis, of, negated) = difference(b.nodes, v)?;
        let of = match b.ty(of).scalar {
            Scalar::F32 => of,
            _ => b.convert(Convert::Bits, of, Scalar::F32),
        };
        let derivative = b.derivative(axis, of);
        Some(if negated { b.fneg(derivative) } else { derivative })
    });
}

/// The value whose derivative a sum is in all lanes of a quad, and whether it is the negated derivative.
fn difference(nodes: &Nodes, v: Value) -> Option<(Axis, Value, bool)> {
    let Op::Binary { op: Binary::FAdd, a, b, .. } = nodes.op(v) else { return None };
    if nodes.ty(v) != Scalar::F32.by(1) {
        return None;
    }
    let mut found = None;
    for lane in 0..QUAD {
        let (own, other) = match [a, b].map(|v| Term::of(nodes, v, lane, DEPTH)) {
            [Some(a @ Term { from: None, .. }), Some(b)] => (a, b),
            [Some(a), Some(b @ Term { from: None, .. })] => (b, a),
            _ => return None,
        };
        let axis = other.from?;
        let bit = if axis == Axis::X { 0 } else { 1 };
        if own.value != other.value || own.negated == other.negated {
            return None;
        }
        // The value of the first of both neighbours is subtracted.
        let negated = if lane >> bit & 1 == 0 { other.negated } else { own.negated };
        let one = (axis, own.value, negated);
        if *found.get_or_insert(one) != one {
            return None;
        }
    }
    found
}

/// A term of a sum in a lane.
struct Term {
    negated: bool,
    /// The neighbour that it comes from; `None` for the lane's own value.
    from: Option<Axis>,
    value: Value,
}

impl Term {
    fn of(nodes: &Nodes, v: Value, lane: u64, depth: u8) -> Option<Term> {
        let depth = depth.checked_sub(1)?;
        match nodes.op(v) {
            Op::Unary { op: Unary::FNeg, a, .. } => {
                let term = Term::of(nodes, a, lane, depth)?;
                Some(Term { negated: !term.negated, ..term })
            }
            Op::Ternary { op: Ternary::Select, a, b, c, .. } if at(nodes, a, lane, depth).is_some() => {
                let taken = if at(nodes, a, lane, depth)? & 1 != 0 { b } else { c };
                Term::of(nodes, taken, lane, depth)
            }
            Op::Convert { op: Convert::Bits, a, .. } if nodes.ty(a).scalar.bits() == 32 => {
                Term::of(nodes, a, lane, depth)
            }
            Op::Lane { op: LaneOp::Fetch | LaneOp::Shuffle, a, b } => {
                let value = Term::of(nodes, a, lane, depth)?;
                let from = neighbour(nodes, b, depth)?;
                value.from.is_none().then_some(Term { from: Some(from), ..value })
            }
            _ => Some(Term { negated: false, from: None, value: v }),
        }
    }
}

/// The direction in which a lane's number leads to a neighbour in its quad, in all lanes.
fn neighbour(nodes: &Nodes, number: Value, depth: u8) -> Option<Axis> {
    let leads = |bit: u64| (0..WAVE as u64).all(|lane| at(nodes, number, lane, depth) == Some(lane ^ bit));
    [(1, Axis::X), (2, Axis::Y)].into_iter().find(|(bit, _)| leads(*bit)).map(|(_, axis)| axis)
}

/// The value of an expression in a lane, if it depends on nothing but the lane's number.
fn at(nodes: &Nodes, v: Value, lane: u64, depth: u8) -> Option<u64> {
    let depth = depth.checked_sub(1)?;
    let of = |v: Value| at(nodes, v, lane, depth);
    let ty = nodes.ty(v);
    if ty.count != 1 {
        return None;
    }
    Some(match nodes.op(v) {
        Op::Const(bits) => bits,
        Op::Read { reg, .. } if reg == LANE => lane,
        Op::Unary { op, rule, a } => scalar::unary(op, rule, nodes.ty(a).scalar, of(a)?),
        Op::Binary { op, rule, a, b } => scalar::binary(op, rule, nodes.ty(a).scalar, of(a)?, of(b)?),
        Op::Ternary { op, rule, a, b, c } => scalar::ternary(op, rule, ty.scalar, of(a)?, of(b)?, of(c)?),
        Op::Convert { op, rule, a } => scalar::convert(op, rule, nodes.ty(a).scalar, ty.scalar, of(a)?),
        _ => return None,
    })
}
