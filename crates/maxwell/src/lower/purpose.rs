//! What the bits of a value are used for. Registers have bits, and instructions do not state what they are.

use shisa_ir::{Convert, Func, Op, Ternary, Value};

/// What the bits of a value are used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Purpose {
    /// They are only moved.
    Moved,
    Integer,
    Float,
}

impl Purpose {
    /// The purpose of a value and of everything that its bits are moved to.
    pub(super) fn of(func: &Func, value: Value) -> Purpose {
        let mut reached = alloc::vec![false; func.nodes.list.len()];
        reached[value.index()] = true;
        let mut purpose = Purpose::Moved;
        loop {
            let mut grown = false;
            for &v in func.blocks.iter().flat_map(|b| &b.body) {
                let mut takes = false;
                func.nodes.operands(v, |o| takes |= reached[o.index()]);
                if !takes {
                    continue;
                }
                match func.nodes.op(v) {
                    Op::Swizzle { .. }
                    | Op::Join { .. }
                    | Op::Convert { op: Convert::Bits, .. }
                    | Op::Ternary { op: Ternary::Select, .. } => {
                        grown |= !core::mem::replace(&mut reached[v.index()], true);
                    }
                    Op::Store { .. } | Op::Write { .. } => {}
                    Op::Unary { op, .. } if op.is_float() => return Purpose::Float,
                    Op::Binary { op, .. } if op.is_float() => return Purpose::Float,
                    Op::Unary { .. } | Op::Binary { .. } => purpose = Purpose::Integer,
                    Op::Convert { op: Convert::SignedToFloat | Convert::UnsignedToFloat, .. } => {
                        purpose = Purpose::Integer;
                    }
                    _ => return Purpose::Float,
                }
            }
            for edge in func.blocks.iter().flat_map(|b| b.end.edges()) {
                let params = &func.blocks[edge.to.index()].params;
                for (param, argument) in params.iter().zip(&edge.args) {
                    if reached[argument.index()] {
                        grown |= !core::mem::replace(&mut reached[param.index()], true);
                    }
                }
            }
            if !grown {
                return purpose;
            }
        }
    }
}
