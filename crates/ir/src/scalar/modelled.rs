//! Operations as a float model resolves them.

use super::model::{DotSteps, FloatModel, Whole, WholeRange};
use super::{Exact, Format, Num, float24};
use crate::{Binary, Convert, FloatRule, Round, Scalar, Ternary, Unary};

impl FloatModel {
    /// As [`super::unary`].
    pub fn unary(self, op: Unary, rule: FloatRule, scalar: Scalar, a: u64) -> u64 {
        if self.is_f24(rule, scalar) {
            return self.unary24(op, a as u32).into();
        }
        match op {
            // Two roundings, as for a division by a square root.
            Unary::FRsqrt if rule.model => {
                super::unary(Unary::FRcp, rule, scalar, super::unary(Unary::FSqrt, rule, scalar, a))
            }
            _ => super::unary(op, rule, scalar, a),
        }
    }

    /// As [`super::binary`].
    pub fn binary(self, op: Binary, rule: FloatRule, scalar: Scalar, a: u64, b: u64) -> u64 {
        if !self.is_f24(rule, scalar) {
            return super::binary(op, rule, scalar, a, b);
        }
        let (x, y) = (float24::operand(a as u32, self), float24::operand(b as u32, self));
        let bits = match op {
            Binary::FAdd => float24::round(float24::add(x, y), self.add, self),
            Binary::FSub => float24::round(float24::add(x, -y), self.add, self),
            Binary::FMul | Binary::FDot => {
                float24::round(float24::mul(x, y, rule.zero_product), self.mul, self)
            }
            Binary::FMin | Binary::FMax => unsigned_zero(super::binary(op, rule, scalar, a, b) as u32),
            Binary::FDiv | Binary::FPow => {
                let (x, y) = (x.to_bits(), y.to_bits());
                let wide = super::binary(op, rule, Scalar::F64, x, y);
                float24::round(f64::from_bits(wide), self.special, self)
            }
            _ => return super::binary(op, rule, scalar, a, b),
        };
        bits.into()
    }

    /// As [`super::ternary`].
    pub fn ternary(self, op: Ternary, rule: FloatRule, scalar: Scalar, a: u64, b: u64, c: u64) -> u64 {
        if op == Ternary::Fma && self.is_f24(rule, scalar) {
            let operand = |bits| float24::operand(bits as u32, self);
            let (x, y, z) = (operand(a), operand(b), operand(c));
            let sum = float24::add(float24::mul(x, y, rule.zero_product), z);
            return float24::round(sum, self.add, self).into();
        }
        super::ternary(op, rule, scalar, a, b, c)
    }

    /// As [`super::convert`].
    pub fn convert(self, op: Convert, rule: FloatRule, from: Scalar, to: Scalar, a: u64) -> u64 {
        if !rule.model {
            return super::convert(op, rule, from, to, a);
        }
        if op == Convert::FloatToSigned {
            let whole = match self.whole {
                Whole::Truncate => a,
                Whole::Floor => super::unary(Unary::FFloor, FloatRule::IEEE, from, a),
                Whole::Nearest => super::unary(Unary::FRound, FloatRule::IEEE, from, a),
            };
            let bits = super::convert(op, rule, from, Scalar::I64, whole) as i64;
            let limits = (i64::MAX >> (64 - to.bits()), i64::MIN >> (64 - to.bits()));
            let bits = match self.whole_range {
                WholeRange::Wide => bits.clamp(limits.1, limits.0),
                WholeRange::Wrap => i64::from(bits as i8),
                WholeRange::Clamp => bits.clamp(-128, 127),
            };
            return super::low(to, bits as u64);
        }
        let rounds = matches!(op, Convert::Float | Convert::SignedToFloat | Convert::UnsignedToFloat);
        if rounds && self.is_f24(rule, to) && to != from {
            let wide = super::convert(op, rule, from, Scalar::F64, a);
            return float24::round(f64::from_bits(wide), self.add, self).into();
        }
        super::convert(op, rule, from, to, a)
    }

    /// As [`super::dot`].
    pub fn dot(self, rule: FloatRule, scalar: Scalar, a: &[u64], b: &[u64]) -> u64 {
        if !rule.model {
            return super::dot(rule, scalar, a, b);
        }
        let pairs = || a.iter().zip(b);
        if self.dot_steps == DotSteps::Once && self.is_f24(rule, scalar) {
            let mut terms = [0.0; 4];
            for (term, (&a, &b)) in terms.iter_mut().zip(pairs()) {
                let (x, y) = (float24::operand(a as u32, self), float24::operand(b as u32, self));
                *term = float24::mul(x, y, rule.zero_product);
            }
            return float24::round(float24::add_all(terms), self.add, self).into();
        }
        let mut terms = [0; 4];
        for (term, (&a, &b)) in terms.iter_mut().zip(pairs()) {
            *term = self.binary(Binary::FMul, rule, scalar, a, b);
        }
        let sum = self.dot_order.sums(
            self.dot_from_zero(rule).then_some(0),
            pairs().count().min(4),
            |i| terms[i],
            |a, b| self.binary(Binary::FAdd, rule, scalar, a, b),
        );
        sum.unwrap_or(0)
    }

    /// A float24 operation.
    fn unary24(self, op: Unary, a: u32) -> u32 {
        let x = float24::operand(a, self);
        let wide = |op| f64::from_bits(super::unary(op, FloatRule::IEEE, Scalar::F64, x.to_bits()));
        let result = match op {
            Unary::FNeg => return unsigned_zero(a ^ 0x8000_0000),
            Unary::FAbs => return a & 0x7fff_ffff,
            Unary::FSat => return super::unary(op, FloatRule::IEEE, Scalar::F32, a.into()) as u32,
            Unary::FRcp => to_odd(super::divide(Format::F64.decode(1f64.to_bits()), exact(x))),
            Unary::FSqrt | Unary::FRsqrt if x > 0.0 => match exact(x) {
                Num::Finite(n) => {
                    to_odd(Num::Finite(if op == Unary::FSqrt { n.sqrt() } else { shortened(n).rsqrt() }))
                }
                _ => wide(op),
            },
            Unary::FExp2 => float24::power_of_two(x, wide(op)),
            _ => wide(op),
        };
        float24::round(result, self.special, self)
    }
}

fn unsigned_zero(bits: u32) -> u32 {
    if bits == 0x8000_0000 { 0 } else { bits }
}

fn exact(x: f64) -> Num {
    Format::F64.decode(x.to_bits())
}

/// The same number without trailing zeros in its significand: that of a binary32 then has at most 24 bits.
fn shortened(x: Exact) -> Exact {
    let zeros = x.sig.trailing_zeros();
    Exact { exp: x.exp + zeros as i32, sig: x.sig >> zeros, ..x }
}

/// As a binary64 rounded to odd: the last bit is set if it is inexact.
fn to_odd(x: Num) -> f64 {
    let away = if matches!(x, Num::Finite(Exact { neg: true, .. })) { Round::Down } else { Round::Up };
    let (toward, away) = (Format::F64.encode(x, Round::Zero), Format::F64.encode(x, away));
    f64::from_bits(if toward == away { toward } else { toward | 1 })
}
