//! Integer arithmetic and bit operations.

use super::state::Body;
use crate::syntax::{BinaryOp, Expr, Expression, Kind, Literal, MathFunction as Fun, UnaryOp};
use shisa_ir::{Binary, Op, Scalar, Type, Unary, Value};

impl Body<'_, '_> {
    pub(super) fn integer_unary(&mut self, op: Unary, a: Expr, ty: Type) -> Expr {
        match op {
            Unary::INeg => {
                let zero = self.u32s(0, ty.count);
                self.binary(BinaryOp::Subtract, zero, a)
            }
            Unary::Not => {
                let op = match ty.scalar {
                    Scalar::I1 => UnaryOp::LogicalNot,
                    _ => UnaryOp::BitwiseNot,
                };
                self.unary(op, a)
            }
            Unary::PopCount => self.math(Fun::CountOneBits, a),
            Unary::LeadingZeros => self.math(Fun::CountLeadingZeros, a),
            _ => self.math(Fun::ReverseBits, a),
        }
    }

    pub(super) fn integer_binary(&mut self, op: Binary, a: Expr, b: Expr, b_value: Value, ty: Type) -> Expr {
        use BinaryOp as B;
        let plain = match op {
            Binary::IAdd => B::Add,
            Binary::ISub => B::Subtract,
            Binary::IMul => B::Multiply,
            Binary::And if ty.scalar == Scalar::I1 && ty.count == 1 => B::LogicalAnd,
            Binary::Or if ty.scalar == Scalar::I1 && ty.count == 1 => B::LogicalOr,
            Binary::And => B::And,
            Binary::Or => B::InclusiveOr,
            Binary::Xor if ty.scalar == Scalar::I1 => B::NotEqual,
            Binary::Xor => B::ExclusiveOr,
            Binary::IEq => B::Equal,
            Binary::INe => B::NotEqual,
            Binary::ULt => B::Less,
            Binary::ULe => B::LessEqual,
            Binary::UMin => return self.math2(Fun::Min, a, b),
            Binary::UMax => return self.math2(Fun::Max, a, b),
            Binary::Shl | Binary::LShr | Binary::AShr => return self.shift(op, a, b, b_value, ty),
            Binary::UMulHi | Binary::SMulHi => {
                return self.high_product(op == Binary::SMulHi, a, b, ty.count);
            }
            Binary::SLt | Binary::SLe => {
                let (a, b) = (self.signed(a), self.signed(b));
                let op = if op == Binary::SLt { B::Less } else { B::LessEqual };
                return self.binary(op, a, b);
            }
            _ => {
                let (a, b) = (self.signed(a), self.signed(b));
                let r = self.math2(if op == Binary::SMin { Fun::Min } else { Fun::Max }, a, b);
                return self.unsigned(r);
            }
        };
        self.binary(plain, a, b)
    }

    /// A shift. Languages leave the result for a count of 32 or more open.
    fn shift(&mut self, op: Binary, a: Expr, b: Expr, b_value: Value, ty: Type) -> Expr {
        let known = match self.node(b_value).op {
            Op::Const(bits) => Some(bits as u32),
            _ => None,
        };
        let is_less = self.program.func.nodes.largest(b_value) < 32;
        let operator = if op == Binary::Shl { BinaryOp::ShiftLeft } else { BinaryOp::ShiftRight };
        let last = self.u32s(31, ty.count);
        if op == Binary::AShr {
            let count = match known {
                Some(n) => self.u32s(n.min(31), ty.count),
                None if is_less => b,
                None => self.math2(Fun::Min, b, last),
            };
            let signed = self.signed(a);
            let r = self.binary(operator, signed, count);
            return self.unsigned(r);
        }
        match known {
            _ if is_less => self.binary(operator, a, b),
            Some(_) => self.u32s(0, ty.count),
            None => {
                let count = self.binary(BinaryOp::And, b, last);
                let r = self.binary(operator, a, count);
                let (over, zero) = (self.binary(BinaryOp::Greater, b, last), self.u32s(0, ty.count));
                self.select_any(over, zero, r, Kind::Uint, ty.count)
            }
        }
    }

    /// The high half of a product, from products of 16-bit halves.
    fn high_product(&mut self, signed: bool, a: Expr, b: Expr, count: u8) -> Expr {
        use BinaryOp as B;
        let (low, half) = (self.u32s(0xffff, count), self.u32s(16, count));
        let [(al, ah), (bl, bh)] =
            [a, b].map(|x| (self.binary(B::And, x, low), self.binary(B::ShiftRight, x, half)));
        let t = self.mul(al, bl);
        let carry = self.binary(B::ShiftRight, t, half);
        let u = self.mul(ah, bl);
        let u = self.add(u, carry);
        let u_low = self.binary(B::And, u, low);
        let v = self.mul(al, bh);
        let v = self.add(v, u_low);
        let (u_high, v_high) = (self.binary(B::ShiftRight, u, half), self.binary(B::ShiftRight, v, half));
        let r = self.mul(ah, bh);
        let r = self.add(r, u_high);
        let mut r = self.add(r, v_high);
        if signed {
            // A negative factor counts 2^32 too much: subtract the other factor from the high half.
            for (x, other) in [(a, b), (b, a)] {
                let sign = self.u32s(31, count);
                let sign = self.binary(B::ShiftRight, x, sign);
                let excess = self.mul(sign, other);
                r = self.binary(B::Subtract, r, excess);
            }
        }
        r
    }

    /// The bits of the unsigned value `a` as signed numbers. A conversion from signed to unsigned bits is undone, not
    /// repeated.
    pub(super) fn signed(&mut self, a: Expr) -> Expr {
        match self.draft.expression(a) {
            Expression::Literal(Literal::U32(bits)) => self.literal(Literal::I32(bits as i32)),
            Expression::Bits { kind: Kind::Uint, a } if self.is_signed(a) => a,
            _ => self.bits_as(a, Kind::Sint),
        }
    }

    /// Whether an expression is known to be signed.
    fn is_signed(&self, a: Expr) -> bool {
        let plainly = |e: Expr| match self.draft.expression(e) {
            Expression::Bits { kind, .. } | Expression::Convert { kind, .. } => kind == Kind::Sint,
            Expression::Literal(literal) => matches!(literal, Literal::I32(_)),
            _ => false,
        };
        match self.draft.expression(a) {
            Expression::Math { function: Fun::Min | Fun::Max, a, b, .. } => {
                plainly(a) || b.is_some_and(plainly)
            }
            _ => plainly(a),
        }
    }

    fn unsigned(&mut self, a: Expr) -> Expr {
        self.bits_as(a, Kind::Uint)
    }
}
