//! Conversions between kinds.

use super::float::patterns;
use super::writer::{Refusal, Writer};
use crate::spirv::module::Id;
use shisa_ir::{Convert, FloatRule, Round, Scalar, Type};
use spirv::{GlslStd450Op as Glsl, Op};

impl Writer<'_> {
    /// Converts `a` from type `from` to type `to`.
    pub(super) fn convert(
        &mut self,
        op: Convert,
        rule: FloatRule,
        (from, to): (Type, Type),
        a: Id,
    ) -> Result<Id, Refusal> {
        let inexact = matches!(op, Convert::Float | Convert::SignedToFloat | Convert::UnsignedToFloat);
        if inexact && rule.round != Round::Nearest {
            return Err(Refusal::Rounding);
        }
        let result = match op {
            Convert::Bits => return Ok(self.bits(from, to, a)),
            Convert::Pair => return Ok(self.value(Op::Bitcast, to, &[a])),
            Convert::Truncate => return Ok(self.truncate(from, to, a)),
            Convert::ZeroExtend => return Ok(self.extend(Op::UConvert, 1, (from, to), a)),
            Convert::SignExtend => return Ok(self.extend(Op::SConvert, u64::MAX, (from, to), a)),
            Convert::FloatToSigned | Convert::FloatToUnsigned => {
                let a = self.flushed(rule, from, a);
                return Ok(self.float_to_integer(op == Convert::FloatToSigned, (from, to), a));
            }
            Convert::Float => {
                let a = self.flushed(rule, from, a);
                if from == to { a } else { self.value(Op::FConvert, to, &[a]) }
            }
            Convert::UnsignedToFloat if from.scalar == Scalar::I1 => {
                self.choose(to, patterns(to.scalar).one, a)
            }
            Convert::SignedToFloat if from.scalar == Scalar::I1 => {
                let p = patterns(to.scalar);
                self.choose(to, p.one | p.sign, a)
            }
            Convert::UnsignedToFloat => self.value(Op::ConvertUToF, to, &[a]),
            Convert::SignedToFloat => self.value(Op::ConvertSToF, to, &[a]),
        };
        Ok(self.finished(rule, to, result))
    }

    /// The same bits as another kind.
    pub(super) fn bits(&mut self, from: Type, to: Type, a: Id) -> Id {
        if from == to { a } else { self.value(Op::Bitcast, to, &[a]) }
    }

    /// `bits` where the truth value holds, else zero.
    fn choose(&mut self, to: Type, bits: u64, a: Id) -> Id {
        let yes = self.module.constant(to, bits);
        let no = self.module.constant(to, 0);
        self.value(Op::Select, to, &[a, yes, no])
    }

    fn extend(&mut self, op: Op, truth: u64, (from, to): (Type, Type), a: Id) -> Id {
        match (from.scalar, from == to) {
            (_, true) => a,
            (Scalar::I1, _) => self.choose(to, truth, a),
            _ => self.value(op, to, &[a]),
        }
    }

    fn truncate(&mut self, from: Type, to: Type, a: Id) -> Id {
        if from == to {
            return a;
        }
        if to.scalar != Scalar::I1 {
            return self.value(Op::UConvert, to, &[a]);
        }
        let one = self.module.constant(from, 1);
        let zero = self.module.constant(from, 0);
        let low = self.value(Op::BitwiseAnd, from, &[a, one]);
        self.value(Op::INotEqual, to, &[low, zero])
    }

    /// The conversion instructions are undefined outside the target's range. The operand is clamped to the largest
    /// float inside it; values above the range and NaN are corrected afterwards.
    fn float_to_integer(&mut self, signed: bool, (mut from, to): (Type, Type), mut a: Id) -> Id {
        if from.scalar == Scalar::F16 {
            // binary16 does not span the wider integers.
            from = Scalar::F32.by(from.count);
            a = self.value(Op::FConvert, from, &[a]);
        }
        let digits = u32::from(to.scalar.bits()) - u32::from(signed);
        let limit = power_of_two(from.scalar, digits);
        let low = if signed { limit | patterns(from.scalar).sign } else { 0 };
        let low = self.module.constant(from, low);
        let high = self.module.constant(from, limit - 1);
        let inside = self.glsl(Glsl::NClamp, from, &[a, low, high]);
        let truth = Scalar::I1.by(from.count);
        let whole = if signed {
            // By magnitude and sign: some consumers of SPIR-V treat ConvertFToS to an unsigned type as unsigned.
            let magnitude = self.glsl(Glsl::FAbs, from, &[inside]);
            let magnitude = self.value(Op::ConvertFToU, to, &[magnitude]);
            let (none, zero) = (self.module.constant(to, 0), self.module.constant(from, 0));
            let negated = self.value(Op::ISub, to, &[none, magnitude]);
            let below = self.value(Op::FOrdLessThan, truth, &[inside, zero]);
            self.value(Op::Select, to, &[below, negated, magnitude])
        } else {
            self.value(Op::ConvertFToU, to, &[inside])
        };
        let above = self.value(Op::FOrdGreaterThan, truth, &[a, high]);
        let max = self.module.constant(to, u64::MAX >> (64 - digits));
        let whole = self.value(Op::Select, to, &[above, max, whole]);
        if !signed {
            // NClamp maps NaN to the lower bound, which is the required 0.
            return whole;
        }
        let p = patterns(from.scalar);
        let int = from.scalar.as_int().by(from.count);
        let raw = self.value(Op::Bitcast, int, &[a]);
        let mask = self.module.constant(int, p.sign - 1);
        let magnitude = self.value(Op::BitwiseAnd, int, &[raw, mask]);
        let infinity = self.module.constant(int, p.infinity);
        let nan = self.value(Op::UGreaterThan, truth, &[magnitude, infinity]);
        let zero = self.module.constant(to, 0);
        self.value(Op::Select, to, &[nan, zero, whole])
    }
}

/// 2^n as `f64` or `f32`; its lower neighbour is 2^n - 1 or more, so truncation leaves the range.
const fn power_of_two(scalar: Scalar, n: u32) -> u64 {
    match scalar {
        Scalar::F64 => (n as u64 + 1023) << 52,
        _ => (n as u64 + 127) << 23,
    }
}
