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

#[cfg(test)]
mod tests {
    use super::alone;
    use crate::testing::FILES;
    use crate::*;
    use alloc::vec::Vec;

    /// A function that reads a register.
    fn reading(reg: Reg) -> Func {
        let mut func = Func { files: FILES, nodes: Nodes::default(), blocks: Vec::new() };
        let mut b = Builder::new(&mut func.nodes, 0);
        let read = b.read(reg, Swizzle::IDENTITY, Type::I32);
        b.write(Reg::new(FileId(3), 0), Mask::first(1), read);
        let body = (0..func.nodes.list.len() as u32).map(Value).collect();
        func.blocks.push(Block { params: Vec::new(), body, end: End::Exit });
        func
    }

    #[test]
    fn programs_without_lanes_stay() {
        let (lane, other) = (Reg::new(FileId(4), 0), Reg::new(FileId(4), 1));
        let mut func = reading(lane);
        assert!(alone(&mut func, Some(lane)));
        assert!(func.blocks[0].body.iter().any(|v| func.nodes.op(*v) == Op::Const(0)));
        for (read, lane) in [(other, Some(lane)), (lane, None)] {
            let mut func = reading(read);
            let before = func.nodes.list.len();
            assert!(!alone(&mut func, lane));
            assert_eq!(func.nodes.list.len(), before);
        }
    }
}
