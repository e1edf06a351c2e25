//! 8-bit and 16-bit integers as zero-extended 32-bit integers.

use super::{Narrower, word};
use crate::*;

impl Narrower {
    /// The low bits.
    pub(super) fn masked(&mut self, a: Value, bits: u8) -> Value {
        if bits >= 32 {
            return a;
        }
        let mask = self.number((1 << bits) - 1, a);
        self.binary(Binary::And, a, mask)
    }

    /// The low bits shifted to the top of a 32-bit word.
    fn raised(&mut self, a: Value, bits: u8) -> Value {
        let by = self.number(32 - u32::from(bits), a);
        self.binary(Binary::Shl, a, by)
    }

    /// The low bits sign-extended to a 32-bit word.
    fn signed(&mut self, a: Value, bits: u8) -> Value {
        let raised = self.raised(a, bits);
        let by = self.number(32 - u32::from(bits), a);
        self.binary(Binary::AShr, raised, by)
    }

    /// A narrower integer extended to 32 bits.
    pub(super) fn extended(&mut self, op: Convert, a: Value, ty: Type) -> Value {
        let (from, a) = (self.was(a).scalar, self.one(a));
        match (from, op) {
            (Scalar::I8 | Scalar::I16, Convert::SignExtend) => self.signed(a, from.bits()),
            (Scalar::I8 | Scalar::I16 | Scalar::I32, _) => a,
            _ => self.convert(op, a, ty),
        }
    }

    /// An operation that yields or takes 8-bit or 16-bit integers, and no 64-bit values.
    pub(super) fn of_small(&mut self, v: Value) -> Value {
        let node = self.old.list[v.index()];
        let ty = node.ty;
        match node.op {
            Op::Const(bits) => self.push(Op::Const(bits), word(ty)),
            Op::Unary { op, a, .. } => {
                let bits = ty.scalar.bits();
                let a = self.one(a);
                match op {
                    Unary::LeadingZeros => {
                        let zeros = self.unary(op, a);
                        let above = self.number(32 - u32::from(bits), a);
                        self.binary(Binary::ISub, zeros, above)
                    }
                    Unary::ReverseBits => {
                        let raised = self.raised(a, bits);
                        self.unary(op, raised)
                    }
                    Unary::PopCount => self.unary(op, a),
                    _ => {
                        let whole = self.unary(op, a);
                        self.masked(whole, bits)
                    }
                }
            }
            Op::Binary { op, a, b, .. } => {
                let bits = self.was(a).scalar.bits();
                let (a, b) = (self.one(a), self.one(b));
                self.small_binary(op, a, b, bits)
            }
            Op::Convert { op, rule, a } => self.convert_small(op, rule, a, ty),
            _ => self.copy(v).unwrap_or(v),
        }
    }

    fn small_binary(&mut self, op: Binary, a: Value, b: Value, bits: u8) -> Value {
        use Binary::*;
        match op {
            IAdd | ISub | IMul | Shl => {
                let whole = self.binary(op, a, b);
                self.masked(whole, bits)
            }
            UMulHi | SMulHi => {
                let signed = op == SMulHi;
                let (a, b) = if signed { (self.signed(a, bits), self.signed(b, bits)) } else { (a, b) };
                let product = self.binary(IMul, a, b);
                let by = self.number(bits.into(), product);
                let high = self.binary(LShr, product, by);
                self.masked(high, bits)
            }
            SMin | SMax => {
                let (a, b) = (self.signed(a, bits), self.signed(b, bits));
                let whole = self.binary(op, a, b);
                self.masked(whole, bits)
            }
            SLt | SLe => {
                let (a, b) = (self.raised(a, bits), self.raised(b, bits));
                self.binary(op, a, b)
            }
            AShr => {
                let a = self.signed(a, bits);
                let whole = self.binary(op, a, b);
                self.masked(whole, bits)
            }
            _ => self.binary(op, a, b),
        }
    }

    pub(super) fn convert_small(&mut self, op: Convert, rule: FloatRule, old: Value, ty: Type) -> Value {
        let (from, a) = (self.was(old), self.one(old));
        let bits = ty.scalar.bits();
        let float = |s: &mut Self, op, a, ty| s.push(Op::Convert { op, rule, a }, ty);
        match op {
            Convert::ZeroExtend | Convert::SignExtend => {
                let whole = self.extended(op, old, word(ty));
                self.masked(whole, bits)
            }
            Convert::Truncate if ty.scalar == Scalar::I1 => self.convert(op, a, ty),
            Convert::Truncate => self.masked(a, bits),
            Convert::UnsignedToFloat => float(self, op, a, ty),
            Convert::SignedToFloat => {
                let a = self.signed(a, from.scalar.bits());
                float(self, op, a, ty)
            }
            Convert::FloatToUnsigned => {
                let whole = float(self, op, a, word(ty));
                let most = self.number((1 << bits) - 1, whole);
                self.binary(Binary::UMin, whole, most)
            }
            Convert::FloatToSigned => {
                let whole = float(self, op, a, word(ty));
                let most = self.number((1 << (bits - 1)) - 1, whole);
                let least = self.number(u32::MAX << (bits - 1), whole);
                let whole = self.binary(Binary::SMin, whole, most);
                let whole = self.binary(Binary::SMax, whole, least);
                self.masked(whole, bits)
            }
            // 16-bit floats are handled before, and no other float kind is as narrow.
            _ => self.convert(op, a, word(ty)),
        }
    }
}
