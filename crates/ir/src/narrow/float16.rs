//! 16-bit floats as 32-bit floats, which represent each of them exactly.

use super::{Made, Narrower, word};
use crate::*;
use alloc::vec::Vec;

/// The bits of a 32-bit float except its sign.
const MAGNITUDE: u32 = 0x7fff_ffff;
/// The bits of infinity.
const INFINITY: u32 = 0x7f80_0000;
/// The bits of 65536, the first power of two above the range of 16-bit floats.
const BEYOND: u32 = 0x4780_0000;
/// The bits of 65520, the smallest number that rounds to infinity in 16 bits.
const TOO_LARGE: u32 = 0x477f_f000;
/// The bits of 2^-14, the smallest normal 16-bit float.
const NORMAL: u32 = 0x3880_0000;
/// 2^-24, the smallest denormal 16-bit float: the unit of denormals.
const UNITS: f32 = 1.0 / 16_777_216.0;
/// Difference of the exponent biases of 32-bit and 16-bit floats, at the exponent's position.
const BIAS: u32 = 112 << 23;
/// Difference of the numbers of fraction bits.
const DIGITS: u32 = 13;

/// Whether an operation with this rule yields the same in 32 bits as in 16 bits, except for rounding.
pub(super) fn plain(rule: FloatRule) -> bool {
    FloatRule { saturate: false, zero_product: false, nan: NanRule::Any, ..rule } == FloatRule::IEEE
}

/// An operation that flushes denormals, without the flush; `None` for others. Conversions from integers have no denormals,
/// and those to integers make zero of them.
fn without_flush(node: &Node) -> Option<Node> {
    let mut node = *node;
    let rule = match &mut node.op {
        Op::Unary { op: Unary::FNeg | Unary::FAbs, .. } => return None,
        Op::Unary { rule, .. }
        | Op::Binary { rule, .. }
        | Op::Ternary { op: Ternary::Fma, rule, .. }
        | Op::Convert { op: Convert::Float, rule, .. } => rule,
        _ => return None,
    };
    (core::mem::take(&mut rule.flush) && !rule.model).then_some(node)
}

impl Narrower {
    /// An operation that yields or takes 16-bit floats.
    pub(super) fn of_float16(&mut self, v: Value) -> Made {
        use {Binary::*, Unary::*};
        let node = self.old.list[v.index()];
        if let Some(without) = without_flush(&node) {
            return self.flushing(v, without);
        }
        let (ty, round) = (node.ty, |s: &mut Self, v| s.rounded(v, Round::Nearest));
        let made = match node.op {
            Op::Const(bits) => {
                let bits = self.push(Op::Const(bits), Scalar::I32.by(ty.count));
                self.unpacked(bits)
            }
            Op::Unary { op: FNeg | FAbs, .. } | Op::Swizzle { .. } | Op::Join { .. } | Op::Lane { .. } => {
                self.same(v)
            }
            Op::Ternary { op: Ternary::Select, .. } => self.same(v),
            Op::Unary { op: FSat | FFloor | FCeil | FTrunc | FRound, rule, .. } if plain(rule) => {
                self.same(v)
            }
            Op::Binary { op: FMin | FMax | FEq | FNe | FLt | FLe, rule, .. } if plain(rule) => self.same(v),
            // 32-bit floats have more than twice as many significant bits plus two, so rounding twice equals rounding
            // once.
            Op::Binary { op: FAdd | FSub | FMul | FDiv, rule, .. } if plain(rule) => {
                let whole = self.same(v);
                round(self, whole)
            }
            Op::Ternary { op: Ternary::Fma, rule, a, b, c } if plain(rule) => {
                let [a, b, c] = [a, b, c].map(|o| self.one(o));
                let sum = self.product_and_sum(rule, a, b, c);
                let sum = round(self, sum);
                self.finished(rule, sum)
            }
            Op::Convert { op, rule, a } => return self.convert_float16(v, op, rule, a),
            _ => return self.stays(v),
        };
        Made::One(made)
    }

    /// An operation that flushes denormals, as the same operation `without` that, of operands that are flushed; its result
    /// is flushed, too.
    fn flushing(&mut self, v: Value, without: Node) -> Made {
        let with = core::mem::replace(&mut self.old.list[v.index()], without);
        let mut operands = Vec::new();
        self.old.operands(v, |o| operands.push((o, self.made[o.index()])));
        for (o, made) in &operands {
            if let (Scalar::F16, Some(Made::One(a))) = (self.was(*o).scalar, made) {
                self.made[o.index()] = Some(Made::One(self.flushed(*a)));
            }
        }
        let made = self.of_float16(v);
        self.old.list[v.index()] = with;
        operands.into_iter().for_each(|(o, made)| self.made[o.index()] = made);
        match made {
            Made::One(a) if with.ty.scalar == Scalar::F16 => Made::One(self.flushed(a)),
            made => made,
        }
    }

    /// A float, or zero with its sign where it is a 16-bit denormal.
    fn flushed(&mut self, a: Value) -> Value {
        let (sign, magnitude) = self.sign_and_magnitude(a);
        let [least, zero] = [NORMAL, 0].map(|n| self.number(n, magnitude));
        let is_small = self.binary(Binary::ULt, magnitude, least);
        let magnitude = self.select(is_small, zero, magnitude);
        let bits = self.binary(Binary::Or, magnitude, sign);
        self.float_of(bits)
    }

    /// The operation applied to the replacements of its operands.
    fn same(&mut self, v: Value) -> Value {
        self.copy(v).unwrap_or(v)
    }

    fn convert_float16(&mut self, v: Value, op: Convert, rule: FloatRule, a: Value) -> Made {
        let (from, to) = (self.was(a).scalar, self.old.ty(v));
        let rounds = plain(FloatRule { round: Round::Nearest, ..rule });
        Made::One(match op {
            Convert::Bits if from == Scalar::F16 => {
                let a = self.one(a);
                self.packed(a)
            }
            Convert::Bits => {
                let a = self.one(a);
                self.unpacked(a)
            }
            Convert::Float if from == Scalar::F16 && to.scalar == Scalar::F32 && plain(rule) => {
                let a = self.one(a);
                self.finished(rule, a)
            }
            Convert::Float if from == Scalar::F32 && rounds => {
                let a = self.one(a);
                let rounded = self.rounded(a, rule.round);
                self.finished(rule, rounded)
            }
            // Numbers that would round twice here exceed the range of 16-bit floats, and none is a denormal.
            Convert::SignedToFloat | Convert::UnsignedToFloat
                if from.bits() <= 32
                    && (plain(FloatRule { flush: false, round: Round::Nearest, ..rule })) =>
            {
                let whole = match from {
                    Scalar::I8 | Scalar::I16 => self.convert_small(op, FloatRule::IEEE, a, word(to)),
                    _ => {
                        let a = self.one(a);
                        self.convert(op, a, Scalar::F32.by(to.count))
                    }
                };
                let rounded = self.rounded(whole, rule.round);
                self.finished(rule, rounded)
            }
            Convert::FloatToSigned | Convert::FloatToUnsigned if to.scalar.bits() <= 32 && plain(rule) => {
                match to.scalar {
                    Scalar::I8 | Scalar::I16 => self.convert_small(op, rule, a, to),
                    _ => self.same(v),
                }
            }
            _ => return self.stays(v),
        })
    }

    /// The effect of the rule on a result, other than rounding.
    pub(super) fn finished(&mut self, rule: FloatRule, a: Value) -> Value {
        if rule.saturate { self.unary(Unary::FSat, a) } else { a }
    }

    fn float(&mut self, n: f32, like: Value) -> Value {
        let ty = Scalar::F32.by(self.new.ty(like).count);
        self.push(Op::Const(n.to_bits().into()), ty)
    }

    fn bits(&mut self, a: Value) -> Value {
        let ty = Scalar::I32.by(self.new.ty(a).count);
        self.convert(Convert::Bits, a, ty)
    }

    pub(super) fn float_of(&mut self, bits: Value) -> Value {
        let ty = Scalar::F32.by(self.new.ty(bits).count);
        self.convert(Convert::Bits, bits, ty)
    }

    pub(super) fn with(&mut self, op: Binary, a: Value, n: u32) -> Value {
        let n = self.number(n, a);
        self.binary(op, a, n)
    }

    pub(super) fn sign_and_magnitude(&mut self, a: Value) -> (Value, Value) {
        let bits = self.bits(a);
        (self.with(Binary::And, bits, !MAGNITUDE), self.with(Binary::And, bits, MAGNITUDE))
    }

    /// A positive number, given by its bits, in units of the smallest 16-bit denormal.
    fn in_units(&mut self, magnitude: Value) -> Value {
        let (number, scale) = (self.float_of(magnitude), self.float(1.0 / UNITS, magnitude));
        self.binary(Binary::FMul, number, scale)
    }

    /// A float rounded to the significant bits of a 16-bit float.
    fn rounded(&mut self, a: Value, round: Round) -> Value {
        use Binary::*;
        let (sign, magnitude) = self.sign_and_magnitude(a);
        let units = self.in_units(magnitude);
        let infinity = self.number(INFINITY, magnitude);
        let (units, normal, limit, beyond) = if round == Round::Nearest {
            // Half of the last preserved bit, a little less where that bit is even.
            let last = self.with(LShr, magnitude, DIGITS);
            let odd = self.with(And, last, 1);
            let half = self.with(IAdd, odd, (1 << (DIGITS - 1)) - 1);
            let limit = self.number(TOO_LARGE, magnitude);
            (self.unary(Unary::FRound, units), self.binary(IAdd, magnitude, half), limit, infinity)
        } else {
            let zero = self.number(0, magnitude);
            let away = match round {
                Round::Up => self.binary(IEq, sign, zero),
                Round::Down => self.binary(INe, sign, zero),
                _ => self.binary(ULt, zero, zero),
            };
            let (up, down) = (self.unary(Unary::FCeil, units), self.unary(Unary::FTrunc, units));
            // All that is cut off counts as one, or nothing.
            let most = self.number((1 << DIGITS) - 1, magnitude);
            let more = self.select(away, most, zero);
            let largest = self.number(BEYOND - (1 << DIGITS), magnitude);
            let finite = self.binary(ULt, magnitude, infinity);
            let cut = self.select(finite, largest, infinity);
            let (above, limit) = (self.with(IAdd, largest, 1), self.number(BEYOND, magnitude));
            let limit = self.select(away, above, limit);
            let normal = self.binary(IAdd, magnitude, more);
            (self.select(away, up, down), normal, limit, self.select(away, infinity, cut))
        };
        let normal = self.with(And, normal, u32::MAX << DIGITS);
        let scale = self.float(UNITS, units);
        let denormal = self.binary(FMul, units, scale);
        let denormal = self.bits(denormal);
        let [nan, least] = [0x7fc0_0000, NORMAL].map(|n| self.number(n, magnitude));
        let is_small = self.binary(ULt, magnitude, least);
        let fits = self.binary(ULt, magnitude, limit);
        let is_nan = self.binary(ULt, infinity, magnitude);
        let within = self.select(is_small, denormal, normal);
        let rounded = self.select(fits, within, beyond);
        let rounded = self.binary(Or, rounded, sign);
        let rounded = self.select(is_nan, nan, rounded);
        self.float_of(rounded)
    }

    /// The bits of a float that a 16-bit float represents exactly, zero-extended.
    pub(super) fn packed(&mut self, a: Value) -> Value {
        use Binary::*;
        let ty = self.new.ty(a);
        if ty.scalar == Scalar::F16 {
            let bits = self.convert(Convert::Bits, a, Scalar::I16.by(ty.count));
            return self.convert(Convert::ZeroExtend, bits, Scalar::I32.by(ty.count));
        }
        let (sign, magnitude) = self.sign_and_magnitude(a);
        let units = self.in_units(magnitude);
        let ty = self.new.ty(magnitude);
        let denormal = self.convert(Convert::FloatToUnsigned, units, ty);
        let normal = self.with(ISub, magnitude, BIAS);
        let normal = self.with(LShr, normal, DIGITS);
        let special = self.with(LShr, magnitude, DIGITS);
        let special = self.with(And, special, 0x3ff);
        let special = self.with(Or, special, 0x7c00);
        let [least, beyond] = [NORMAL, BEYOND].map(|n| self.number(n, magnitude));
        let is_small = self.binary(ULt, magnitude, least);
        let is_finite = self.binary(ULt, magnitude, beyond);
        let within = self.select(is_small, denormal, normal);
        let bits = self.select(is_finite, within, special);
        let sign = self.with(LShr, sign, 16);
        self.binary(Or, bits, sign)
    }

    /// The replacement of the 16-bit float with these zero-extended bits.
    pub(super) fn unpacked(&mut self, bits: Value) -> Value {
        use Binary::*;
        if self.float16 {
            let count = self.new.ty(bits).count;
            let bits = self.convert(Convert::Truncate, bits, Scalar::I16.by(count));
            return self.convert(Convert::Bits, bits, Scalar::F16.by(count));
        }
        let magnitude = self.with(And, bits, 0x7fff);
        let ty = Scalar::F32.by(self.new.ty(bits).count);
        let units = self.convert(Convert::UnsignedToFloat, magnitude, ty);
        let scale = self.float(UNITS, units);
        let denormal = self.binary(FMul, units, scale);
        let denormal = self.bits(denormal);
        let moved = self.with(Shl, magnitude, DIGITS);
        let normal = self.with(IAdd, moved, BIAS);
        let special = self.with(Or, moved, INFINITY);
        let [least, infinity] = [0x400, 0x7c00].map(|n| self.number(n, magnitude));
        let is_small = self.binary(ULt, magnitude, least);
        let is_finite = self.binary(ULt, magnitude, infinity);
        let within = self.select(is_small, denormal, normal);
        let whole = self.select(is_finite, within, special);
        let sign = self.with(And, bits, 0x8000);
        let sign = self.with(Shl, sign, 16);
        let whole = self.binary(Or, whole, sign);
        self.float_of(whole)
    }

    /// `a * b + c` rounded to odd: an inexact result has its last bit set, so that it rounds to fewer bits as the exact
    /// result does. The product is exact.
    fn product_and_sum(&mut self, rule: FloatRule, a: Value, b: Value, c: Value) -> Value {
        use Binary::*;
        let ty = self.new.ty(a);
        let rule = FloatRule { saturate: false, ..rule };
        let product = self.push(Op::Binary { op: FMul, rule, a, b }, ty);
        let sum = self.binary(FAdd, product, c);
        let of_c = self.binary(FSub, sum, product);
        let of_product = self.binary(FSub, sum, of_c);
        let (lost, more) = (self.binary(FSub, product, of_product), self.binary(FSub, c, of_c));
        let error = self.binary(FAdd, lost, more);
        let zero = self.float(0.0, sum);
        let (up, above) = (self.binary(FLt, zero, error), self.binary(FLt, zero, sum));
        let down = self.binary(FLt, error, zero);
        let inexact = self.binary(Or, up, down);
        let bits = self.bits(sum);
        let last = self.with(And, bits, 1);
        let one = self.number(1, bits);
        let is_even = self.binary(ULt, last, one);
        let outwards = self.binary(IEq, up, above);
        let (farther, nearer) = (self.with(IAdd, bits, 1), self.with(ISub, bits, 1));
        let odd = self.select(outwards, farther, nearer);
        let moves = self.binary(And, inexact, is_even);
        let bits = self.select(moves, odd, bits);
        self.float_of(bits)
    }
}
