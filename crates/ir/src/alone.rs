//! Cross-lane operations of waves that have one lane.

use crate::*;

/// Replaces cross-lane operations by their meaning in a wave of one lane, whose number (the input `lane`, if there is one)
/// is 0. Returns whether there were any.
///
/// For programs that draw: shading languages do not define which pixels or vertices share a wave.
pub fn alone(func: &mut Func, lane: Option<Reg>) -> bool {
    let mut met = false;
    func.rewrite(|b, v| {
        let instead = match b.nodes.op(v) {
            Op::Read { reg, .. } if Some(reg) == lane => b.i32(0),
            Op::Lane { op: LaneOp::Ballot, a, .. } => b.convert(Convert::ZeroExtend, a, Scalar::I32),
            // A lane that does not exist yields the lane's own value.
            Op::Lane { a, .. } => a,
            Op::Combine { combine: Combine { op, before, .. }, rule, a } => {
                let ty = b.ty(a);
                let neutral = b.constant(ty, Combine::neutral(op, ty.scalar)?);
                b.rule = rule;
                if before { neutral } else { b.binary(op, neutral, a) }
            }
            _ => return None,
        };
        met = true;
        Some(instead)
    });
    met
}
