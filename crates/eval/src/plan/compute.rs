//! Arithmetic: loops where they exist, else one lane at a time.

use super::micro::Micro;
use super::planes::{PlaneId, Wide, ZERO};
use super::planner::{NARROW_ZERO, Planner, Val};
use crate::loops::{Loop, moves};
use shisa_ir::scalar::Arithmetic;
use shisa_ir::scalar::{DotOrder, DotSteps};
use shisa_ir::{Binary, Convert, FloatRule, Scalar, Ternary, Unary};

impl Planner<'_> {
    /// A number with denormals flushed.
    fn flush(&mut self, a: PlaneId) -> PlaneId {
        match self.constants.word(a) {
            Some(bits) if bits & 0x7f80_0000 != 0 || bits & 0x7fff_ffff == 0 => a,
            _ => self.run1(moves::FLUSH, a),
        }
    }

    /// An operation on one component with a result of kind `to`.
    pub(super) fn compute(&mut self, op: Arithmetic, to: Scalar, args: [Wide; 3]) -> Wide {
        if let Arithmetic::Unary(Unary::FRsqrt, rule, kind) = op
            && rule.model
            && !self.model.is_f24(rule, kind)
        {
            // As emulators compute it: the reciprocal of the rounded square root.
            let root = self.compute(Arithmetic::Unary(Unary::FSqrt, rule, kind), to, args);
            return self.compute(Arithmetic::Unary(Unary::FRcp, rule, kind), to, [root, args[1], args[2]]);
        }
        if let Some(run) = Loop::of(op, self.model) {
            return [self.run(run, args.map(|a| a[0])), ZERO];
        }
        if let Some((plain, result)) = op.unflushed()
            && let Some(run) = Loop::of(plain, self.model)
        {
            let args = args.map(|a| self.flush(a[0]));
            let v = self.run(run, args);
            return [if result { self.run1(moves::FLUSH, v) } else { v }, ZERO];
        }
        if let Some(halves) = self.halves(op, args) {
            return halves;
        }
        if let Some(v) = self.narrow(op, args.map(|a| a[0])) {
            return [v, ZERO];
        }
        let dst = self.component(to);
        self.ops.push(Micro::ByLane { op, dst, args });
        dst.planes()
    }

    /// As [`Self::compute`]; saturation, if the rule has it, is an operation of its own.
    pub(super) fn saturating(
        &mut self,
        rule: FloatRule,
        to: Scalar,
        args: [Wide; 3],
        op: impl Fn(FloatRule) -> Arithmetic,
    ) -> Wide {
        let step = FloatRule { saturate: false, ..rule };
        let at = self.compute(op(step), to, args);
        if rule.saturate && to.is_float() {
            return self.compute(
                Arithmetic::Unary(Unary::FSat, step, to),
                to,
                [at, NARROW_ZERO, NARROW_ZERO],
            );
        }
        at
    }

    pub(super) fn dot(&mut self, rule: FloatRule, a: Val, b: Val) -> Wide {
        let none = NARROW_ZERO;
        let scalar = a.ty.scalar;
        let step = FloatRule { saturate: false, ..rule };
        let mut sum = if self.model.dot_steps == DotSteps::Once && self.model.is_f24(step, scalar) {
            let (dst, first) = (self.alloc(1), |v: Val| v.at.map(|at| at[0]));
            let count = a.ty.count;
            self.ops.push(Micro::Dot { rule: step, dst, count, a: first(a), b: first(b) });
            [dst.into(), ZERO]
        } else {
            let mut products = [none; 4];
            for (i, product) in products.iter_mut().enumerate().take(a.count()) {
                let factors = [a.at[i], b.at[i], none];
                *product = self.compute(Arithmetic::Binary(Binary::FMul, step, scalar), scalar, factors);
            }
            let order = if step.model { self.model.dot_order } else { DotOrder::Forward };
            let start = self.model.dot_from_zero(step).then_some(none);
            let add =
                |a, b| self.compute(Arithmetic::Binary(Binary::FAdd, step, scalar), scalar, [a, b, none]);
            // A sum without products is zero.
            order.sums(start, a.count(), |i| products[i], add).unwrap_or(none)
        };
        if rule.saturate {
            sum = self.compute(Arithmetic::Unary(Unary::FSat, step, scalar), scalar, [sum, none, none]);
        }
        sum
    }

    pub(super) fn select(
        &mut self,
        scalar: Scalar,
        rule: FloatRule,
        cond: Wide,
        yes: Wide,
        no: Wide,
    ) -> Wide {
        // A selection moves bits, so the kind of its operands does not matter.
        let kind = if scalar.bits() == 64 { Scalar::I64 } else { scalar };
        self.compute(Arithmetic::Ternary(Ternary::Select, rule, kind), kind, [cond, yes, no])
    }

    pub(super) fn convert(
        &mut self,
        op: Convert,
        rule: FloatRule,
        from: Scalar,
        to: Scalar,
        a: Wide,
    ) -> Wide {
        match op {
            // The planes stay the same: bits are unchanged, and the upper bits are already zero.
            Convert::Bits if from.bits() == to.bits() => a,
            Convert::ZeroExtend if from.bits() <= to.bits() => a,
            Convert::Truncate if to.bits() == 32 && from.bits() >= 32 => [a[0], ZERO],
            Convert::Truncate if to.bits() < 32 => [self.run1(moves::extract(0, to.bits()), a[0]), ZERO],
            _ => self.saturating(rule, to, [a, NARROW_ZERO, NARROW_ZERO], |rule| {
                Arithmetic::Convert(op, rule, from, to)
            }),
        }
    }
}
