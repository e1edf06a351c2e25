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

    /// The value that a function of one line writes once its lanes are alone, in IR.
    fn written(lines: &str) -> alloc::string::String {
        let text =
            alloc::format!("b0:\n  %0: i32 = read i:0 xxxx\n  %1: i1 = read p:0 xxxx\n{lines}\n  exit\n");
        let mut func = crate::parse_func(&text, FILES, &shisa_diag::Limits::default()).unwrap();
        assert!(alone(&mut func, None), "{text}");
        verify(&func).unwrap();
        remove_dead(&mut func);
        print_func(&func)
    }

    #[test]
    fn exchange_among_one_lane_is_its_own_value() {
        let ballot = written("  %2: i32 = ballot %1 %1\n  %3 = write o:0 x %2");
        assert!(ballot.contains("zero_extend %0"), "{ballot}");
        for op in ["shuffle", "shuffle_xor", "fetch", "quad_or"] {
            let fetched = written(&alloc::format!("  %2: i32 = {op} %0 %0\n  %3 = write o:0 x %2"));
            assert!(fetched.contains("write o:0 x %0"), "{fetched}");
        }
        let any = written(
            "  %2: i1 = any %1 %1\n  %3 = write p:0 x %2\n  %4: i32 = zero_extend %2\n  %5 = write o:0 x %4",
        );
        assert!(any.contains("write p:0 x %0"), "{any}");
    }

    #[test]
    fn a_reduction_of_one_lane_combines_it_with_the_neutral_value() {
        let combined =
            |how: &str| written(&alloc::format!("  %2: i32 = combine_smin {how}%0\n  %3 = write o:0 x %2"));
        let all = combined("");
        assert!(all.contains("const 0x7fffffff") && all.contains("smin %"), "{all}");
        let before = combined("before ");
        assert!(before.contains("const 0x7fffffff") && !before.contains("smin"), "{before}");
    }
}
