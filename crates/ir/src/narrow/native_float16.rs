//! Operations on 16-bit floats that stay as they are.

use super::float16::plain;
use super::{Made, Narrower};
use crate::*;
use alloc::vec::Vec;

impl Narrower {
    /// An operation that yields or takes 16-bit floats, which the target has.
    pub(super) fn of_native_float16(&mut self, v: Value) -> Made {
        let node = self.old.list[v.index()];
        match how(&self.old, &node) {
            How::Native => Made::One(self.copy(v).unwrap_or(v)),
            How::Bits => {
                let Op::Convert { a, .. } = node.op else { return self.stays(v) };
                let a = self.one(a);
                let is_float = node.ty.scalar == Scalar::F16;
                Made::One(if is_float { self.unpacked(a) } else { self.packed(a) })
            }
            How::Lane => {
                let Op::Lane { op, a, b } = node.op else { return self.stays(v) };
                let (a, b) = (self.one(a), self.one(b));
                let bits = self.packed(a);
                let ty = self.new.ty(bits);
                let brought = self.push(Op::Lane { op, a: bits, b }, ty);
                Made::One(self.unpacked(brought))
            }
            How::Wide => self.in_32_bits(v),
            How::Unchanged => self.stays(v),
        }
    }

    /// The operation as on a target without 16-bit floats, between conversions, which are exact.
    fn in_32_bits(&mut self, v: Value) -> Made {
        let mut operands = Vec::new();
        self.old.operands(v, |o| operands.push((o, self.made[o.index()])));
        for (o, made) in &operands {
            if let (Scalar::F16, Some(Made::One(a))) = (self.was(*o).scalar, made) {
                let ty = Scalar::F32.by(self.was(*o).count);
                self.made[o.index()] = Some(Made::One(self.convert(Convert::Float, *a, ty)));
            }
        }
        self.float16 = false;
        let made = self.of_float16(v);
        self.float16 = true;
        operands.into_iter().for_each(|(o, made)| self.made[o.index()] = made);
        match (made, self.old.ty(v)) {
            (Made::One(a), ty) if ty.scalar == Scalar::F16 => Made::One(self.convert(Convert::Float, a, ty)),
            (made, _) => made,
        }
    }
}

/// How an operation is computed.
enum How {
    /// By the target.
    Native,
    /// As integers with the same bits.
    Bits,
    /// As an exchange of integers with the same bits: fewer targets exchange 16-bit values.
    Lane,
    /// In 32 bits. Targets round quotients, and may round a fused product and sum twice.
    Wide,
    /// By the target, which may refuse it.
    Unchanged,
}

fn how(nodes: &Nodes, node: &Node) -> How {
    use {Binary::*, Unary::*};
    let is_plain = |rule: FloatRule| plain(FloatRule { flush: false, ..rule });
    match node.op {
        Op::Const(_) | Op::Swizzle { .. } | Op::Join { .. } => How::Native,
        Op::Ternary { op: Ternary::Select, .. } | Op::Unary { op: FNeg | FAbs, .. } => How::Native,
        Op::Unary { op: FSat | FFloor | FCeil | FTrunc | FRound, rule, .. } if is_plain(rule) => How::Native,
        Op::Binary { op: FMin | FMax | FEq | FNe | FLt | FLe | FAdd | FSub | FMul, rule, .. }
            if is_plain(rule) =>
        {
            How::Native
        }
        Op::Binary { op: FDiv, .. } | Op::Ternary { op: Ternary::Fma, .. } => How::Wide,
        Op::Convert { op: Convert::Bits, .. } => How::Bits,
        Op::Convert { op: Convert::Float, rule, a } => match (nodes.ty(a).scalar, node.ty.scalar) {
            (Scalar::F64, _) | (_, Scalar::F64) => How::Unchanged,
            _ if is_plain(rule) => How::Native,
            _ => How::Wide,
        },
        Op::Convert { .. } => How::Wide,
        Op::Lane { .. } => How::Lane,
        _ => How::Unchanged,
    }
}
