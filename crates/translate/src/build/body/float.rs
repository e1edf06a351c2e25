//! The rules of float operations, written out where languages leave them open.

use super::state::Body;
use crate::Products;
use crate::build::helpers::Helper;
use crate::syntax::{BinaryOp as Op, Expr, Kind, MathFunction as Fun, UnaryOp};
use shisa_ir::{Binary, FloatRule, NanRule, Unary};

const INFINITY: u32 = 0x7f80_0000;
const MAGNITUDE: u32 = 0x7fff_ffff;
const SIGN: u32 = 0x8000_0000;

impl Body<'_, '_> {
    /// The bits of a float.
    pub(super) fn bits(&mut self, a: Expr) -> Expr {
        self.bits_as(a, Kind::Uint)
    }

    /// The float with these bits.
    pub(super) fn float(&mut self, a: Expr) -> Expr {
        self.bits_as(a, Kind::Float)
    }

    fn and_bits(&mut self, a: Expr, mask: u32, count: u8) -> Expr {
        let (bits, mask) = (self.bits(a), self.u32s(mask, count));
        self.binary(Op::And, bits, mask)
    }

    /// Whether each component is NaN, tested on the bits.
    pub(super) fn is_nan(&mut self, a: Expr, count: u8) -> Expr {
        let (magnitude, infinity) = (self.and_bits(a, MAGNITUDE, count), self.u32s(INFINITY, count));
        self.binary(Op::Greater, magnitude, infinity)
    }

    /// Replaces denormals by zero of the same sign.
    fn flush_denormals(&mut self, a: Expr, count: u8) -> Expr {
        let (exponent, zero) = (self.and_bits(a, INFINITY, count), self.u32s(0, count));
        let small = self.binary(Op::Equal, exponent, zero);
        let sign = self.and_bits(a, SIGN, count);
        let signed_zero = self.float(sign);
        self.select(small, signed_zero, a)
    }

    #[inline]
    fn operand(&mut self, rule: FloatRule, a: Expr, count: u8) -> Expr {
        if rule.flush { self.flush_denormals(a, count) } else { a }
    }

    /// Applies the rule to a result.
    #[inline]
    pub(super) fn result(&mut self, rule: FloatRule, a: Expr, count: u8) -> Expr {
        let a = self.operand(rule, a, count);
        if rule.saturate { self.saturate(a, count) } else { a }
    }

    fn saturate(&mut self, a: Expr, count: u8) -> Expr {
        let clamped = self.math(Fun::Saturate, a);
        if !self.options.exact {
            return clamped;
        }
        let (nan, zero) = (self.is_nan(a, count), self.f32s(0.0, count));
        self.select(nan, zero, clamped)
    }

    /// sin(a * π/2) / a.
    fn sinc(&mut self, a: Expr, count: u8) -> Expr {
        let (zero, quarter) = (self.f32s(0.0, count), self.f32s(core::f32::consts::FRAC_PI_2, count));
        let angle = self.binary(Op::Multiply, a, quarter);
        let sine = self.math(Fun::Sin, angle);
        let (quotient, at_zero) = (self.binary(Op::Divide, sine, a), self.binary(Op::Equal, a, zero));
        self.select(at_zero, quarter, quotient)
    }

    /// An operation of one float operand; `None` for integer operations.
    pub(super) fn float_unary(&mut self, op: Unary, rule: FloatRule, a: Expr, count: u8) -> Option<Expr> {
        match op {
            // Sign changes are exact on every value, so no rule applies.
            Unary::FNeg => {
                return Some(self.unary(UnaryOp::Negate, a));
            }
            Unary::FAbs => return Some(self.math(Fun::Abs, a)),
            Unary::INeg | Unary::Not | Unary::PopCount | Unary::LeadingZeros | Unary::ReverseBits => {
                return None;
            }
            _ => {}
        }
        let a = self.operand(rule, a, count);
        let r = match op {
            Unary::FSat => self.saturate(a, count),
            Unary::FFloor => self.math(Fun::Floor, a),
            Unary::FCeil => self.math(Fun::Ceil, a),
            Unary::FTrunc => self.math(Fun::Trunc, a),
            Unary::FRound => self.math(Fun::Round, a),
            Unary::FSqrt => self.math(Fun::Sqrt, a),
            Unary::FRsqrt => self.math(Fun::InverseSqrt, a),
            Unary::FRcp => {
                let one = self.f32s(1.0, count);
                self.binary(Op::Divide, one, a)
            }
            Unary::FExp2 => self.math(Fun::Exp2, a),
            Unary::FLog2 => self.math(Fun::Log2, a),
            Unary::FSin => self.math(Fun::Sin, a),
            Unary::FCos => self.math(Fun::Cos, a),
            Unary::FSinc => self.sinc(a, count),
            _ => return None,
        };
        Some(self.result(rule, r, count))
    }

    /// An operation of two float operands; `None` for integer operations. `care` states that the product of these
    /// operands needs extra code.
    pub(super) fn float_binary(
        &mut self,
        op: Binary,
        rule: FloatRule,
        (a, b): (Expr, Expr),
        care: bool,
        count: u8,
    ) -> Option<Expr> {
        use Binary::*;
        if !matches!(op, FAdd | FSub | FMul | FDiv | FMin | FMax | FPow | FDot | FEq | FNe | FLt | FLe) {
            return None;
        }
        let (a, b) = (self.operand(rule, a, count), self.operand(rule, b, count));
        let r = match op {
            FAdd => self.add(a, b),
            FSub => self.binary(Op::Subtract, a, b),
            FMul => self.product(care, a, b, count),
            FDiv => self.binary(Op::Divide, a, b),
            FMin => self.extreme(rule, Fun::Min, Op::Less, a, b, count),
            FMax => self.extreme(rule, Fun::Max, Op::Greater, a, b, count),
            FPow => {
                let log = self.math(Fun::Log2, a);
                let care = rule.zero_product && self.options.products == Products::Exact;
                let log = self.product(care, b, log, count);
                self.math(Fun::Exp2, log)
            }
            FDot => {
                let dot = self.dot(rule, care, a, b, count);
                return Some(self.result(rule, dot, 1));
            }
            FEq => return Some(self.binary(Op::Equal, a, b)),
            // Some compilers make `!=` false if an operand is NaN.
            FNe if self.options.exact => {
                let expr = self.binary(Op::Equal, a, b);
                return Some(self.unary(UnaryOp::LogicalNot, expr));
            }
            FNe => return Some(self.binary(Op::NotEqual, a, b)),
            FLt => return Some(self.binary(Op::Less, a, b)),
            _ => return Some(self.binary(Op::LessEqual, a, b)),
        };
        Some(self.result(rule, r, count))
    }

    /// a * b + c.
    pub(super) fn fma(&mut self, rule: FloatRule, a: Expr, b: Expr, c: Expr, count: u8) -> Expr {
        let (a, b, c) =
            (self.operand(rule, a, count), self.operand(rule, b, count), self.operand(rule, c, count));
        let r = if rule.zero_product && self.options.products == Products::Exact {
            let product = self.math3(Fun::Fma, a, b, c);
            let zero = self.product_is_zero(a, b, count);
            self.select(zero, c, product)
        } else {
            self.math3(Fun::Fma, a, b, c)
        };
        self.result(rule, r, count)
    }

    /// a * b; with `care`, `0 * infinity` is 0.
    fn product(&mut self, care: bool, a: Expr, b: Expr, count: u8) -> Expr {
        if !care {
            return self.mul(a, b);
        }
        let function = self.helpers.get(self.draft.types, Helper::Product(count));
        self.call(function, &[a, b])
    }

    /// Whether one factor is zero and none is NaN.
    fn product_is_zero(&mut self, a: Expr, b: Expr, count: u8) -> Expr {
        let zero = self.f32s(0.0, count);
        let (za, zb) = (self.binary(Op::Equal, a, zero), self.binary(Op::Equal, b, zero));
        let (na, nb) = (self.is_nan(a, count), self.is_nan(b, count));
        let any_zero = self.either(za, zb, count);
        let any_nan = self.either(na, nb, count);
        let number = self.unary(UnaryOp::LogicalNot, any_nan);
        let op = if count > 1 { Op::And } else { Op::LogicalAnd };
        self.binary(op, any_zero, number)
    }

    fn either(&mut self, a: Expr, b: Expr, count: u8) -> Expr {
        self.binary(if count > 1 { Op::InclusiveOr } else { Op::LogicalOr }, a, b)
    }

    fn extreme(&mut self, rule: FloatRule, fun: Fun, wins: Op, a: Expr, b: Expr, count: u8) -> Expr {
        match rule.nan {
            NanRule::Any if !self.options.exact => self.math2(fun, a, b),
            NanRule::Second => {
                let first = self.binary(wins, a, b);
                self.select(first, a, b)
            }
            NanRule::Any | NanRule::Number => {
                let r = self.math2(fun, a, b);
                let (na, nb) = (self.is_nan(a, count), self.is_nan(b, count));
                let r = self.select(nb, a, r);
                self.select(na, b, r)
            }
        }
    }

    /// The sum of products; with exact results, from the first component to the last.
    fn dot(&mut self, rule: FloatRule, care: bool, a: Expr, b: Expr, count: u8) -> Expr {
        if count <= 1 {
            return self.product(care, a, b, 1);
        }
        if !self.options.exact && !care && !rule.flush {
            return self.math2(Fun::Dot, a, b);
        }
        if care && !rule.flush {
            let function = self.helpers.get(self.draft.types, Helper::Dot(count));
            return self.call(function, &[a, b]);
        }
        let products = self.product(care, a, b, count);
        let products = self.operand(rule, products, count);
        let mut sum = self.member(products, 0);
        for index in 1..u32::from(count) {
            let next = self.member(products, index);
            sum = self.add(sum, next);
            sum = self.operand(rule, sum, 1);
        }
        sum
    }

    /// A conversion to a signed or unsigned integer, toward zero, clamped. Returns the bits of the result.
    pub(super) fn float_to_int(&mut self, rule: FloatRule, a: Expr, signed: bool, count: u8) -> Expr {
        let a = self.operand(rule, a, count);
        // The largest floats below the ends of the ranges, and the ends themselves.
        let (low, high, end, last) = match signed {
            true => (-2_147_483_648.0, 2_147_483_520.0, 2_147_483_648.0, 0x7fff_ffff),
            false => (0.0, 4_294_967_040.0, 4_294_967_296.0, u32::MAX),
        };
        let (low, high) = (self.f32s(low, count), self.f32s(high, count));
        let clamped = self.math3(Fun::Clamp, a, low, high);
        let kind = if signed { Kind::Sint } else { Kind::Uint };
        let mut r = self.converted(clamped, kind);
        if signed {
            r = self.bits_as(r, Kind::Uint);
        }
        if !self.options.exact {
            return r;
        }
        let end = self.f32s(end, count);
        let over = self.binary(Op::GreaterEqual, a, end);
        let last = self.u32s(last, count);
        let r = self.select_any(over, last, r, Kind::Uint, count);
        let (nan, zero) = (self.is_nan(a, count), self.u32s(0, count));
        self.select_any(nan, zero, r, Kind::Uint, count)
    }

    /// `condition ? yes : no` in each component, for any kind; the condition has either one component or as many as
    /// the operands.
    pub(super) fn select_any(&mut self, condition: Expr, yes: Expr, no: Expr, kind: Kind, count: u8) -> Expr {
        if count <= 1 || kind == Kind::Float || !self.selects_floats_only() {
            return self.select(condition, yes, no);
        }
        let count = count.min(4);
        let components: [Expr; 4] = std::array::from_fn(|i| {
            if i >= usize::from(count) {
                return no;
            }
            let [c, y, n] = [condition, yes, no].map(|base| self.member(base, i as u32));
            self.select(c, y, n)
        });
        let ty = self.types.of(kind, count);
        self.composed(ty, &components[..usize::from(count)])
    }
}
