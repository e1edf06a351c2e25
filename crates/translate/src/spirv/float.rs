//! Float operations and their rules.
//!
//! This file closes what SPIR-V leaves open. Sums and products carry NoContraction, so that a driver rounds each of
//! them. Flushing and `0 * infinity` are written out as integer tests on the bits, which no assumption about finite
//! arithmetic can remove. Minimum and maximum use the instructions that define NaN. Whether Fma rounds once is the
//! device's choice; Vulkan does not guarantee it. Rounding directions other than to nearest cannot be expressed:
//! [`shisa_ir::emulate`] has replaced sums, products and conversions, and others are refused.

use super::writer::{Refusal, Writer};
use crate::SpirvVersion;
use crate::spirv::module::Id;
use shisa_ir::{Binary, FloatRule, NanRule, Round, Scalar, Type, Unary, Value};
use spirv::{Capability, ExecutionMode, GlslStd450Op as Glsl, Op};

/// Bit patterns of a float kind.
pub(super) struct Patterns {
    /// The sign bit.
    pub(super) sign: u64,
    /// Positive infinity: all bits of the exponent.
    pub(super) infinity: u64,
    /// 1.0.
    pub(super) one: u64,
}

/// The patterns of a float kind; those of `f32` for any other kind.
pub(super) const fn patterns(scalar: Scalar) -> Patterns {
    match scalar {
        Scalar::F16 => Patterns { sign: 1 << 15, infinity: 0x7c00, one: 0x3c00 },
        Scalar::F64 => {
            Patterns { sign: 1 << 63, infinity: 0x7ff0_0000_0000_0000, one: 0x3ff0_0000_0000_0000 }
        }
        _ => Patterns { sign: 1 << 31, infinity: 0x7f80_0000, one: 0x3f80_0000 },
    }
}

fn nearest(rule: FloatRule) -> Result<(), Refusal> {
    match rule.round {
        Round::Nearest => Ok(()),
        _ => Err(Refusal::Rounding),
    }
}

/// What a device must do with 16-bit floats so that results are those of the program, with the capabilities for it.
const FLOAT16_MODES: [(ExecutionMode, Capability); 3] = [
    (ExecutionMode::RoundingModeRTE, Capability::RoundingModeRTE),
    (ExecutionMode::DenormPreserve, Capability::DenormPreserve),
    (ExecutionMode::SignedZeroInfNanPreserve, Capability::SignedZeroInfNanPreserve),
];

impl Writer<'_> {
    /// The execution modes of a program that computes with 16-bit floats, where the options allow that.
    pub(super) fn float16_modes(&mut self) -> Vec<(ExecutionMode, Vec<u32>)> {
        if !self.options.float16 || !self.module.has(Capability::Float16) {
            return Vec::new();
        }
        if self.version < SpirvVersion::V1_4 {
            self.module.extension("SPV_KHR_float_controls");
        }
        let mode = |(mode, capability)| {
            self.module.capability(capability);
            (mode, vec![Scalar::F16.bits().into()])
        };
        FLOAT16_MODES.into_iter().map(mode).collect()
    }

    /// A float operation of one operand.
    pub(super) fn float_unary(&mut self, op: Unary, rule: FloatRule, ty: Type, a: Id) -> Result<Id, Refusal> {
        use Unary::*;
        match op {
            FNeg => return Ok(self.value(Op::FNegate, ty, &[a])),
            FAbs => return Ok(self.glsl(Glsl::FAbs, ty, &[a])),
            FSqrt | FRsqrt | FRcp | FExp2 | FLog2 | FSin | FCos | FSinc => nearest(rule)?,
            _ => {}
        }
        if ty.scalar == Scalar::F64 && matches!(op, FExp2 | FLog2 | FSin | FCos | FSinc) {
            return Err(Refusal::Unsupported("this function of 64-bit floats"));
        }
        let a = self.flushed(rule, ty, a);
        let result = match op {
            FSat => return Ok(self.saturated(ty, a)),
            FRcp => {
                let one = self.module.constant(ty, patterns(ty.scalar).one);
                self.exact(Op::FDiv, ty, &[one, a])
            }
            FFloor => self.glsl(Glsl::Floor, ty, &[a]),
            FCeil => self.glsl(Glsl::Ceil, ty, &[a]),
            FTrunc => self.glsl(Glsl::Trunc, ty, &[a]),
            FRound => self.glsl(Glsl::RoundEven, ty, &[a]),
            FSqrt => self.glsl(Glsl::Sqrt, ty, &[a]),
            FRsqrt => self.glsl(Glsl::InverseSqrt, ty, &[a]),
            FExp2 => self.glsl(Glsl::Exp2, ty, &[a]),
            FLog2 => self.glsl(Glsl::Log2, ty, &[a]),
            FSin => self.glsl(Glsl::Sin, ty, &[a]),
            FCos => self.glsl(Glsl::Cos, ty, &[a]),
            FSinc => self.sinc(ty, a),
            _ => return Err(Refusal::Invalid("an integer operation on floats")),
        };
        Ok(self.finished(rule, ty, result))
    }

    /// sin(a * π/2) / a.
    fn sinc(&mut self, ty: Type, a: Id) -> Id {
        // π/2 as binary16 and as binary32; other floats were refused before.
        let quarter = if ty.scalar == Scalar::F16 { 0x3e48 } else { 0x3fc9_0fdb };
        let (zero, quarter) = (self.module.constant(ty, 0), self.module.constant(ty, quarter));
        let angle = self.exact(Op::FMul, ty, &[a, quarter]);
        let sine = self.glsl(Glsl::Sin, ty, &[angle]);
        let quotient = self.exact(Op::FDiv, ty, &[sine, a]);
        let at_zero = self.value(Op::FOrdEqual, Scalar::I1.by(ty.count), &[a, zero]);
        self.value(Op::Select, ty, &[at_zero, quarter, quotient])
    }

    /// A float operation of two operands; `ty` is theirs.
    pub(super) fn float_binary(
        &mut self,
        op: Binary,
        rule: FloatRule,
        ty: Type,
        (a, b): (Value, Value),
    ) -> Result<Id, Refusal> {
        use Binary::*;
        let care = self.needs_care(rule, a, b);
        let (a, b) = (self.id(a)?, self.id(b)?);
        let (a, b) = (self.flushed(rule, ty, a), self.flushed(rule, ty, b));
        if matches!(op, FAdd | FSub | FMul | FDiv | FPow | FDot) {
            nearest(rule)?;
        }
        let truth = Scalar::I1.by(ty.count);
        let product = FloatRule { zero_product: care, ..rule };
        let result = match op {
            FEq => return Ok(self.value(Op::FOrdEqual, truth, &[a, b])),
            FNe => return Ok(self.value(Op::FUnordNotEqual, truth, &[a, b])),
            FLt => return Ok(self.value(Op::FOrdLessThan, truth, &[a, b])),
            FLe => return Ok(self.value(Op::FOrdLessThanEqual, truth, &[a, b])),
            FMin | FMax if rule.nan == NanRule::Second => {
                let wins = if op == FMin { Op::FOrdLessThan } else { Op::FOrdGreaterThan };
                let first = self.value(wins, truth, &[a, b]);
                self.value(Op::Select, ty, &[first, a, b])
            }
            FMin => self.glsl(Glsl::NMin, ty, &[a, b]),
            FMax => self.glsl(Glsl::NMax, ty, &[a, b]),
            FAdd => self.exact(Op::FAdd, ty, &[a, b]),
            FSub => self.exact(Op::FSub, ty, &[a, b]),
            FDiv => self.exact(Op::FDiv, ty, &[a, b]),
            FMul => self.product(product, ty, a, b),
            FPow if ty.scalar == Scalar::F64 => {
                return Err(Refusal::Unsupported("this function of 64-bit floats"));
            }
            FPow => {
                let log = self.glsl(Glsl::Log2, ty, &[a]);
                let exact = rule.zero_product && self.options.products == crate::Products::Exact;
                let exponent = self.product(FloatRule { zero_product: exact, ..rule }, ty, b, log);
                self.glsl(Glsl::Exp2, ty, &[exponent])
            }
            FDot => return Ok(self.dot(product, ty, a, b)),
            _ => return Err(Refusal::Invalid("an integer operation on floats")),
        };
        Ok(self.finished(rule, ty, result))
    }

    /// a * b + c, rounded once.
    pub(super) fn float_fma(
        &mut self,
        rule: FloatRule,
        ty: Type,
        (a, b, c): (Value, Value, Value),
    ) -> Result<Id, Refusal> {
        nearest(rule)?;
        let care = self.needs_care(rule, a, b);
        let (a, b, c) = (self.id(a)?, self.id(b)?, self.id(c)?);
        let (a, b, c) = (self.flushed(rule, ty, a), self.flushed(rule, ty, b), self.flushed(rule, ty, c));
        let mut result = self.glsl(Glsl::Fma, ty, &[a, b, c]);
        if care {
            let zero = self.module.constant(ty, 0);
            let sum = self.exact(Op::FAdd, ty, &[zero, c]);
            let test = self.zero_times_infinity(ty, a, b);
            result = self.value(Op::Select, ty, &[test, sum, result]);
        }
        Ok(self.finished(rule, ty, result))
    }

    /// The sum of the products of the components, from the first to the last, each step rounded.
    fn dot(&mut self, rule: FloatRule, ty: Type, a: Id, b: Id) -> Id {
        let step = FloatRule { saturate: false, ..rule };
        let one = ty.with_count(1);
        let products = self.product(step, ty, a, b);
        let products = self.finished(step, ty, products);
        let mut sum = products;
        if ty.count > 1 {
            sum = self.value(Op::CompositeExtract, one, &[products, 0]);
            for i in 1..u32::from(ty.count) {
                let next = self.value(Op::CompositeExtract, one, &[products, i]);
                sum = self.exact(Op::FAdd, one, &[sum, next]);
                sum = self.finished(step, one, sum);
            }
        }
        if rule.saturate { self.saturated(one, sum) } else { sum }
    }

    /// a * b, rounded.
    fn product(&mut self, rule: FloatRule, ty: Type, a: Id, b: Id) -> Id {
        let product = self.exact(Op::FMul, ty, &[a, b]);
        if !rule.zero_product {
            return product;
        }
        let test = self.zero_times_infinity(ty, a, b);
        let zero = self.module.constant(ty, 0);
        self.value(Op::Select, ty, &[test, zero, product])
    }

    fn needs_care(&self, rule: FloatRule, a: Value, b: Value) -> bool {
        crate::product::needs_care(self.func, self.options, rule, a, b)
    }

    /// The components in which one operand is zero and the other infinite.
    fn zero_times_infinity(&mut self, ty: Type, a: Id, b: Id) -> Id {
        let p = patterns(ty.scalar);
        let int = ty.scalar.as_int().by(ty.count);
        let truth = Scalar::I1.by(ty.count);
        let mask = self.module.constant(int, p.sign - 1);
        let zero = self.module.constant(int, 0);
        let infinity = self.module.constant(int, p.infinity);
        let [a, b] = [a, b].map(|x| {
            let bits = self.value(Op::Bitcast, int, &[x]);
            let magnitude = self.value(Op::BitwiseAnd, int, &[bits, mask]);
            let is_zero = self.value(Op::IEqual, truth, &[magnitude, zero]);
            (is_zero, self.value(Op::IEqual, truth, &[magnitude, infinity]))
        });
        let first = self.value(Op::LogicalAnd, truth, &[a.0, b.1]);
        let second = self.value(Op::LogicalAnd, truth, &[a.1, b.0]);
        self.value(Op::LogicalOr, truth, &[first, second])
    }

    /// Applies the rule to a result: flushes it, then clamps it.
    pub(super) fn finished(&mut self, rule: FloatRule, ty: Type, result: Id) -> Id {
        let result = self.flushed(rule, ty, result);
        if rule.saturate { self.saturated(ty, result) } else { result }
    }

    /// Clamped to 0 … 1, NaN to 0.
    fn saturated(&mut self, ty: Type, a: Id) -> Id {
        let zero = self.module.constant(ty, 0);
        let one = self.module.constant(ty, patterns(ty.scalar).one);
        self.glsl(Glsl::NClamp, ty, &[a, zero, one])
    }

    /// Replaces denormals by zeros of the same sign, if the rule flushes.
    pub(super) fn flushed(&mut self, rule: FloatRule, ty: Type, a: Id) -> Id {
        if !rule.flush {
            return a;
        }
        let p = patterns(ty.scalar);
        let int = ty.scalar.as_int().by(ty.count);
        let bits = self.value(Op::Bitcast, int, &[a]);
        let exponent = self.module.constant(int, p.infinity);
        let exponent = self.value(Op::BitwiseAnd, int, &[bits, exponent]);
        let zero = self.module.constant(int, 0);
        let small = self.value(Op::IEqual, Scalar::I1.by(ty.count), &[exponent, zero]);
        let sign = self.module.constant(int, p.sign);
        let sign = self.value(Op::BitwiseAnd, int, &[bits, sign]);
        let zero = self.value(Op::Bitcast, ty, &[sign]);
        self.value(Op::Select, ty, &[small, zero, a])
    }

    /// A rounded operation that must not be contracted with another.
    fn exact(&mut self, op: Op, ty: Type, operands: &[u32]) -> Id {
        let id = self.value(op, ty, operands);
        self.module.decorate(id, spirv::Decoration::NoContraction, &[]);
        id
    }
}
