//! What the operations that yield an integer show of its size.

use crate::arithmetic::{Binary, Convert, Ternary, Unary};
use crate::nodes::Nodes;
use crate::op::{Op, Value};

/// How far operands of operands are followed. Masks and shifts of lifted code are closer.
const DEPTH: u32 = 4;

impl Nodes {
    /// The largest number that a component of an integer can be, without a sign, as far as the operations that yield it
    /// show.
    pub fn largest(&self, v: Value) -> u64 {
        self.largest_within(v, DEPTH)
    }

    fn largest_within(&self, v: Value, depth: u32) -> u64 {
        let Some(node) = self.list.get(v.index()) else { return u64::MAX };
        let any = u64::MAX >> (64 - node.ty.scalar.bits());
        let Some(depth) = depth.checked_sub(1) else { return any };
        let of = |v| self.largest_within(v, depth);
        let constant = |v: Value| match self.list.get(v.index()).map(|n| n.op) {
            Some(Op::Const(bits)) => Some(bits),
            _ => None,
        };
        let shift = |v| constant(v).filter(|by| *by < u64::from(node.ty.scalar.bits()));
        let largest = match node.op {
            Op::Const(bits) => Some(bits),
            Op::Binary { op: Binary::And, a, b, .. } => {
                constant(b).or_else(|| constant(a)).or_else(|| Some(of(a).min(of(b))))
            }
            Op::Binary { op: Binary::UMin, a, b, .. } => Some(of(a).min(of(b))),
            Op::Binary { op: Binary::Or | Binary::Xor, a, b, .. } => {
                Some(of(b)).filter(|n| *n < any).map(|n| all_below(n | of(a)))
            }
            Op::Binary { op: Binary::Shl, a, b, .. } => shift(b).and_then(|by| of(a).checked_mul(1 << by)),
            Op::Binary { op: Binary::LShr, a, b, .. } => shift(b).map(|by| of(a) >> by),
            Op::Ternary { op: Ternary::Select, b, c, .. } => {
                Some(of(b)).filter(|n| *n < any).map(|n| n.max(of(c)))
            }
            Op::Unary { op: Unary::PopCount | Unary::LeadingZeros, .. } => Some(node.ty.scalar.bits().into()),
            Op::Convert { op: Convert::ZeroExtend | Convert::Truncate, a, .. } => Some(of(a)),
            _ => None,
        };
        // What is above has lost its upper bits.
        largest.filter(|n| *n <= any).unwrap_or(any)
    }
}

/// The number with all bits up to the highest one of `n`.
pub(crate) fn all_below(n: u64) -> u64 {
    u64::MAX.checked_shr(n.leading_zeros()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{FILES, Machine, Random};
    use crate::{
        Block, Builder, End, FileId, FloatModel, Func, Mask, Reg, Scalar, Swizzle, Type, print_func,
    };
    use alloc::vec::Vec;

    /// An integer of 32 bits from an input and constants.
    fn number(b: &mut Builder<'_>, random: &mut Random, depth: u32) -> Value {
        use Binary::*;
        if depth == 0 {
            let small = random.pick(&[0, 1, 3, 7, 8, 31, 32, 255, 0x8000_0000, u32::MAX]);
            return match random.below(3) {
                0 => b.read(Reg::new(FileId(4), 0), Swizzle::IDENTITY, Type::I32),
                _ => b.i32(small as i32),
            };
        }
        let mut one = |b: &mut Builder<'_>| number(b, random, depth - 1);
        let (x, y) = (one(b), one(b));
        match random.below(12) {
            0 => {
                let zero = b.i32(0);
                let truth = b.binary(INe, x, zero);
                b.select(truth, x, y)
            }
            1 => b.unary(random.pick(&[Unary::PopCount, Unary::LeadingZeros, Unary::Not]), x),
            2 => {
                let half = b.convert(Convert::Truncate, x, Scalar::I16);
                b.convert(random.pick(&[Convert::ZeroExtend, Convert::SignExtend]), half, Scalar::I32)
            }
            n => b.binary([And, And, UMin, UMax, Or, Xor, IAdd, LShr, Shl][n - 3], x, y),
        }
    }

    #[test]
    fn no_value_is_larger() {
        let (mut random, mut bounded) = (Random::new(5), 0);
        for _ in 0..4000 {
            let mut func = Func { files: FILES, nodes: Nodes::default(), blocks: Vec::new() };
            let mut b = Builder::new(&mut func.nodes, 0);
            let v = number(&mut b, &mut random, 3);
            let largest = b.nodes.largest(v);
            bounded += usize::from(largest < u32::MAX.into());
            let most = b.constant(Type::I32, largest);
            let over = b.ult(most, v);
            let over = b.convert(Convert::ZeroExtend, over, Scalar::I32);
            b.write(Reg::new(FileId(3), 0), Mask::first(1), over);
            let body = (0..func.nodes.list.len() as u32).map(Value).collect();
            func.blocks.push(Block { params: Vec::new(), body, end: End::Exit });
            for input in [0, 1, 0x1234_5678, 0x8000_0000, u32::MAX] {
                let outcome = Machine::given(&func, FloatModel::F32, 2, |_, _| input.into()).run();
                assert!(
                    outcome.finished && outcome.events.iter().all(|unit| *unit == 0),
                    "{}",
                    print_func(&func)
                );
            }
        }
        assert!(bounded > 1000, "{bounded}");
    }
}
