//! Integer and logical operations.

use super::writer::{Refusal, Writer};
use crate::spirv::module::Id;
use shisa_ir::{Binary, Op as IrOp, Scalar, Type, Unary, Value};
use spirv::{GlslStd450Op as Glsl, Op};

impl Writer<'_> {
    /// An integer operation of one operand.
    pub(super) fn integer_unary(&mut self, op: Unary, ty: Type, a: Id) -> Result<Id, Refusal> {
        match op {
            Unary::Not if ty.scalar == Scalar::I1 => Ok(self.value(Op::LogicalNot, ty, &[a])),
            Unary::Not => Ok(self.value(Op::Not, ty, &[a])),
            Unary::INeg => Ok(self.value(Op::SNegate, ty, &[a])),
            Unary::PopCount | Unary::LeadingZeros | Unary::ReverseBits => self.bit_count(op, ty, a),
            _ => Err(Refusal::Invalid("a float operation on integers")),
        }
    }

    /// Counting and reversing bits: the instructions take 32 bits; narrower operands are widened.
    fn bit_count(&mut self, op: Unary, ty: Type, a: Id) -> Result<Id, Refusal> {
        let bits = u32::from(ty.scalar.bits());
        if !matches!(bits, 8 | 16 | 32) {
            return Err(Refusal::Unsupported("counting or reversing bits of this width"));
        }
        let wide = Scalar::I32.by(ty.count);
        let a = if bits < 32 { self.value(Op::UConvert, wide, &[a]) } else { a };
        let result = match op {
            Unary::PopCount => self.value(Op::BitCount, wide, &[a]),
            Unary::LeadingZeros => {
                // The number of the highest bit is -1 for 0, which yields the full width.
                let top = self.glsl(Glsl::FindUMsb, wide, &[a]);
                let last = self.module.constant(wide, u64::from(bits) - 1);
                self.value(Op::ISub, wide, &[last, top])
            }
            _ => {
                let reversed = self.value(Op::BitReverse, wide, &[a]);
                let shift = self.module.constant(wide, u64::from(32 - bits));
                self.value(Op::ShiftRightLogical, wide, &[reversed, shift])
            }
        };
        Ok(if bits < 32 { self.value(Op::UConvert, ty, &[result]) } else { result })
    }

    /// An integer operation of two operands; `ty` is theirs.
    pub(super) fn integer_binary(
        &mut self,
        op: Binary,
        ty: Type,
        (first, second): (Value, Value),
    ) -> Result<Id, Refusal> {
        use Binary::*;
        let (a, b) = (self.id(first)?, self.id(second)?);
        let logical = ty.scalar == Scalar::I1;
        let truth = Scalar::I1.by(ty.count);
        let simple = match op {
            And if logical => Op::LogicalAnd,
            Or if logical => Op::LogicalOr,
            Xor | INe if logical => Op::LogicalNotEqual,
            IEq if logical => Op::LogicalEqual,
            _ if logical => return Err(Refusal::Unsupported("arithmetic on truth values")),
            And => Op::BitwiseAnd,
            Or => Op::BitwiseOr,
            Xor => Op::BitwiseXor,
            IAdd => Op::IAdd,
            ISub => Op::ISub,
            IMul => Op::IMul,
            IEq => Op::IEqual,
            INe => Op::INotEqual,
            ULt => Op::ULessThan,
            ULe => Op::ULessThanEqual,
            SLt => Op::SLessThan,
            SLe => Op::SLessThanEqual,
            UMin => return Ok(self.glsl(Glsl::UMin, ty, &[a, b])),
            UMax => return Ok(self.glsl(Glsl::UMax, ty, &[a, b])),
            // SMin and SMax of unsigned types are legal, but some consumers of SPIR-V treat them as unsigned.
            SMin | SMax => {
                let (less, more) = if op == SMin { (a, b) } else { (b, a) };
                let first = self.value(Op::SLessThan, truth, &[a, b]);
                return Ok(self.value(Op::Select, ty, &[first, less, more]));
            }
            UMulHi => return Ok(self.high_half(Op::UMulExtended, ty, a, b)),
            SMulHi => return Ok(self.high_half(Op::SMulExtended, ty, a, b)),
            Shl | LShr | AShr => return Ok(self.shift(op, ty, (first, second), (a, b))),
            _ => return Err(Refusal::Invalid("a float operation on integers")),
        };
        Ok(self.value(simple, if op.compares() { truth } else { ty }, &[a, b]))
    }

    fn high_half(&mut self, op: Op, ty: Type, a: Id, b: Id) -> Id {
        let member = self.module.ty(ty);
        let couple = self.module.couple(member);
        let both = self.raw(op, couple, &[a, b]);
        self.value(Op::CompositeExtract, ty, &[both, 1])
    }

    /// In SPIR-V a shift by the width or more is undefined. An amount that may be as large is checked at run time.
    fn shift(&mut self, op: Binary, ty: Type, (_, amount): (Value, Value), (a, b): (Id, Id)) -> Id {
        let width = u64::from(ty.scalar.bits());
        let is_less = self.func.nodes.largest(amount) < width;
        let instruction = match op {
            Binary::Shl => Op::ShiftLeftLogical,
            Binary::LShr => Op::ShiftRightLogical,
            _ => Op::ShiftRightArithmetic,
        };
        let constant = match self.func.nodes.list.get(amount.index()).map(|n| n.op) {
            Some(IrOp::Const(bits)) => Some(bits & (u64::MAX >> (64 - width))),
            _ => None,
        };
        if op == Binary::AShr {
            let last = self.module.constant(ty, width - 1);
            let amount = match constant {
                Some(n) => self.module.constant(ty, n.min(width - 1)),
                None if is_less => b,
                None => self.glsl(Glsl::UMin, ty, &[b, last]),
            };
            // Legal on unsigned types too, but some consumers of SPIR-V treat it as unsigned there.
            let signed = self.module.signed(ty);
            let a = self.raw(Op::Bitcast, signed, &[a]);
            let shifted = self.raw(instruction, signed, &[a, amount]);
            return self.value(Op::Bitcast, ty, &[shifted]);
        }
        if is_less {
            return self.value(instruction, ty, &[a, b]);
        }
        if constant.is_some() {
            return self.module.constant(ty, 0);
        }
        let last = self.module.constant(ty, width - 1);
        let amount = self.value(Op::BitwiseAnd, ty, &[b, last]);
        let shifted = self.value(instruction, ty, &[a, amount]);
        let inside = self.value(Op::ULessThanEqual, Scalar::I1.by(ty.count), &[b, last]);
        let zero = self.module.constant(ty, 0);
        self.value(Op::Select, ty, &[inside, shifted, zero])
    }
}
