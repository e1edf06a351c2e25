//! 64-bit values as two 32-bit values.

use super::{Made, Narrower, word};
use crate::*;
use alloc::vec::Vec;

impl Narrower {
    /// A 64-bit value from its two parts, for an operation that is not narrowed.
    pub(super) fn whole(&mut self, low: Value, high: Value, ty: Type) -> Value {
        let parts: Vec<Value> = (0..ty.count)
            .map(|i| {
                let (low, high) = (self.component(low, i), self.component(high, i));
                let two = self.join(&[low, high]);
                self.convert(Convert::Pair, two, ty.with_count(1))
            })
            .collect();
        self.join(&parts)
    }

    /// The two parts of a 64-bit value that an operation yields which is not narrowed.
    pub(super) fn parted(&mut self, whole: Value) -> Made {
        let (mut low, mut high) = (Vec::new(), Vec::new());
        for i in 0..self.new.ty(whole).count {
            let one = self.component(whole, i);
            let two = self.convert(Convert::Pair, one, Scalar::I32.by(2));
            low.push(self.component(two, 0));
            high.push(self.component(two, 1));
        }
        let low = self.join(&low);
        Made::Halves(low, self.join(&high))
    }

    /// An operation that yields or takes 64-bit values.
    pub(super) fn of_halves(&mut self, v: Value) -> Made {
        let node = self.old.list[v.index()];
        let ty = node.ty;
        if let Some(made) = self.native(v) {
            return made;
        }
        match node.op {
            Op::Const(bits) => {
                let mut half = |bits: u64| self.push(Op::Const(bits & 0xffff_ffff), word(ty));
                Made::Halves(half(bits), half(bits >> 32))
            }
            Op::Unary { op, a, .. } if self.was(a).scalar == Scalar::I64 => {
                let a = self.halves(a);
                self.unary_halves(op, a)
            }
            Op::Binary { op, a, b, .. } if !matches!(op, Binary::UMulHi | Binary::SMulHi) => {
                let (a, b) = (self.halves(a), self.halves(b));
                self.binary_halves(op, a, b)
            }
            Op::Ternary { op: Ternary::Select, a, b, c, .. } => {
                let (a, b, c) = (self.one(a), self.halves(b), self.halves(c));
                Made::Halves(self.select(a, b.0, c.0), self.select(a, b.1, c.1))
            }
            Op::Swizzle { a, swizzle } => {
                let (low, high) = self.halves(a);
                let mut half = |a| self.push(Op::Swizzle { a, swizzle }, word(ty));
                Made::Halves(half(low), half(high))
            }
            Op::Join { parts } => {
                let list = &parts[..usize::from(ty.count.clamp(1, 4))];
                let (low, high): (Vec<Value>, Vec<Value>) = list.iter().map(|&p| self.halves(p)).unzip();
                let low = self.join(&low);
                Made::Halves(low, self.join(&high))
            }
            Op::Lane { op, a, b } => {
                let ((low, high), b) = (self.halves(a), self.one(b));
                let mut half = |a| self.push(Op::Lane { op, a, b }, word(ty));
                Made::Halves(half(low), half(high))
            }
            Op::Convert { op, rule, a } => {
                let made = match self.convert_halves(op, a, ty) {
                    Some(made) => Some(made),
                    None => self.convert_whole_numbers(op, rule, a, ty),
                };
                made.unwrap_or_else(|| self.stays(v))
            }
            _ => self.stays(v),
        }
    }

    /// The operation unchanged, on operands of their original kinds.
    pub(super) fn stays(&mut self, v: Value) -> Made {
        let mut node = self.old.list[v.index()];
        let mut operands = Vec::new();
        self.old.operands(v, |o| operands.push(o));
        let mut restored = operands.into_iter().map(|o| self.restored(o)).collect::<Vec<_>>().into_iter();
        map_operands(&mut node, None, |o| restored.next().unwrap_or(o));
        let whole = self.push(node.op, node.ty);
        self.carried(whole)
    }

    fn unary_halves(&mut self, op: Unary, (low, high): (Value, Value)) -> Made {
        match op {
            Unary::Not => Made::Halves(self.unary(op, low), self.unary(op, high)),
            Unary::ReverseBits => Made::Halves(self.unary(op, high), self.unary(op, low)),
            Unary::PopCount => {
                let (low, high) = (self.unary(op, low), self.unary(op, high));
                let sum = self.binary(Binary::IAdd, low, high);
                Made::Halves(sum, self.number(0, low))
            }
            Unary::LeadingZeros => {
                let zero = self.number(0, high);
                let empty = self.binary(Binary::IEq, high, zero);
                let (low, high) = (self.unary(op, low), self.unary(op, high));
                let width = self.number(32, low);
                let low = self.binary(Binary::IAdd, low, width);
                Made::Halves(self.select(empty, low, high), zero)
            }
            _ => {
                let zero = self.number(0, low);
                self.binary_halves(Binary::ISub, (zero, zero), (low, high))
            }
        }
    }

    fn binary_halves(&mut self, op: Binary, a: (Value, Value), b: (Value, Value)) -> Made {
        use Binary::*;
        match op {
            And | Or | Xor => Made::Halves(self.binary(op, a.0, b.0), self.binary(op, a.1, b.1)),
            IAdd => {
                let low = self.binary(IAdd, a.0, b.0);
                let carry = self.binary(ULt, low, a.0);
                let high = self.binary(IAdd, a.1, b.1);
                let carry = self.bit(carry);
                Made::Halves(low, self.binary(IAdd, high, carry))
            }
            ISub => {
                let low = self.binary(ISub, a.0, b.0);
                let borrow = self.binary(ULt, a.0, b.0);
                let high = self.binary(ISub, a.1, b.1);
                let borrow = self.bit(borrow);
                Made::Halves(low, self.binary(ISub, high, borrow))
            }
            IMul => {
                let low = self.binary(IMul, a.0, b.0);
                let top = self.binary(UMulHi, a.0, b.0);
                let (x, y) = (self.binary(IMul, a.0, b.1), self.binary(IMul, a.1, b.0));
                let cross = self.binary(IAdd, x, y);
                Made::Halves(low, self.binary(IAdd, top, cross))
            }
            Shl | LShr | AShr => self.shifted(op, a, b),
            IEq | INe => {
                let (low, high) = (self.binary(op, a.0, b.0), self.binary(op, a.1, b.1));
                Made::One(self.binary(if op == IEq { And } else { Or }, low, high))
            }
            UMin | UMax | SMin | SMax => {
                let below = self.below(if matches!(op, UMin | UMax) { ULt } else { SLt }, a, b);
                let (x, y) = if matches!(op, UMin | SMin) { (a, b) } else { (b, a) };
                Made::Halves(self.select(below, x.0, y.0), self.select(below, x.1, y.1))
            }
            ULe | SLe => {
                let above = self.below(if op == ULe { ULt } else { SLt }, b, a);
                Made::One(self.unary(Unary::Not, above))
            }
            _ => Made::One(self.below(op, a, b)),
        }
    }

    /// a < b: compares the high parts, and the low parts if the high parts are equal.
    fn below(&mut self, op: Binary, a: (Value, Value), b: (Value, Value)) -> Value {
        let high = self.binary(op, a.1, b.1);
        let equal = self.binary(Binary::IEq, a.1, b.1);
        let low = self.binary(Binary::ULt, a.0, b.0);
        let low = self.binary(Binary::And, equal, low);
        self.binary(Binary::Or, high, low)
    }

    /// A truth value as the integer 0 or 1.
    pub(super) fn bit(&mut self, truth: Value) -> Value {
        let ty = Scalar::I32.by(self.new.ty(truth).count);
        self.convert(Convert::ZeroExtend, truth, ty)
    }

    /// Bits shifted out of one part enter the other. Shift amounts of 32 or more, including negative numbers, yield 0.
    fn shifted(&mut self, op: Binary, a: (Value, Value), b: (Value, Value)) -> Made {
        use Binary::*;
        // An amount with nonzero high part is treated as 64.
        let (zero, width, half) = (self.number(0, b.0), self.number(64, b.0), self.number(32, b.0));
        let small = self.binary(IEq, b.1, zero);
        let n = self.select(small, b.0, width);
        let (rest, over) = (self.binary(ISub, half, n), self.binary(ISub, n, half));
        let (near, far) = if op == Shl { (a.0, a.1) } else { (a.1, a.0) };
        let back = if op == Shl { LShr } else { Shl };
        // `near` is the part whose bits are shifted into the other part.
        let away = self.binary(op, near, n);
        let kept = self.binary(if op == Shl { Shl } else { LShr }, far, n);
        let crossing = self.binary(back, near, rest);
        let within = self.binary(Or, kept, crossing);
        let beyond = self.binary(op, near, over);
        let is_within = self.binary(ULt, n, half);
        let other = self.select(is_within, within, beyond);
        if op == Shl { Made::Halves(away, other) } else { Made::Halves(other, away) }
    }

    /// A conversion from or to 64 bits, except conversions of floats.
    fn convert_halves(&mut self, op: Convert, a: Value, ty: Type) -> Option<Made> {
        let from = self.was(a);
        Some(match op {
            Convert::Pair if ty.scalar == Scalar::I64 && from.scalar == Scalar::I32 => {
                let two = self.one(a);
                let low = self.component(two, 0);
                Made::Halves(low, self.component(two, 1))
            }
            Convert::Pair if ty.scalar == Scalar::I32 && from.scalar == Scalar::I64 => {
                let (low, high) = self.halves(a);
                Made::One(self.join(&[low, high]))
            }
            Convert::Truncate if from.scalar == Scalar::I64 => {
                let (low, _) = self.halves(a);
                match ty.scalar {
                    Scalar::I1 => Made::One(self.convert(Convert::Truncate, low, ty)),
                    narrow => Made::One(self.masked(low, narrow.bits())),
                }
            }
            Convert::ZeroExtend if ty.scalar == Scalar::I64 => {
                let low = self.extended(op, a, Scalar::I32.by(ty.count));
                Made::Halves(low, self.number(0, low))
            }
            Convert::SignExtend if ty.scalar == Scalar::I64 => {
                let low = self.extended(op, a, Scalar::I32.by(ty.count));
                let last = self.number(31, low);
                Made::Halves(low, self.binary(Binary::AShr, low, last))
            }
            _ => return None,
        })
    }
}
