//! One operation becomes one expression, or a few.

use super::{
    body::{Body, Part, literal},
    types,
};
use naga::{BinaryOperator, DerivativeAxis, DerivativeControl, Expression, Handle, ScalarKind};
use shisa_ir::{Axis, Convert, FloatRule, Op, Scalar, Ternary, Type, Value};

type Expr = Handle<Expression>;

impl Body<'_, '_> {
    /// Makes what node `v` yields; effects become statements.
    pub(super) fn node(&mut self, v: Value) -> Option<Expr> {
        let nodes = &self.program.func.nodes;
        let node = &nodes.list[v.index()];
        let ty = node.ty;
        let operand_type = |a: Value| nodes.ty(a);
        Some(match node.op {
            Op::Const(_) | Op::Param => return None,
            Op::Read { reg, swizzle } => self.read(reg, swizzle, ty),
            Op::ReadAt { file, base, stride, index, swizzle } => {
                self.read_at(file, base, stride, index, swizzle, ty)
            }
            Op::Write { reg, mask, value } => {
                self.write(reg, mask, value, node.origin);
                return None;
            }
            Op::Unary { op, rule, a } => {
                let a = self.operand_of(v, a);
                match self.float_unary(op, rule, a, ty.count) {
                    Some(e) => e,
                    None => self.integer_unary(op, a, ty),
                }
            }
            Op::Binary { op, rule, a, b } => {
                let from = operand_type(a);
                let care = crate::product::needs_care(self.program.func, self.options, rule, a, b);
                let (a, b_expr) = (self.operand_of(v, a), self.get(b));
                match self.float_binary(op, rule, (a, b_expr), care, from.count) {
                    Some(e) => e,
                    None => self.integer_binary(op, a, b_expr, b, from),
                }
            }
            Op::Ternary { op: Ternary::Fma, rule, a, b, c } => {
                let (a, b, c) = (self.operand_of(v, a), self.get(b), self.get(c));
                self.fma(rule, a, b, c, ty.count)
            }
            Op::Ternary { op: Ternary::Select, a, b, c, .. } => {
                let conditions = operand_type(a).count;
                let (a, b, c) = (self.get(a), self.get(b), self.get(c));
                match conditions {
                    0 | 1 => self.select(a, b, c),
                    _ => self.select_any(a, b, c, types::scalar(ty.scalar), ty.count),
                }
            }
            Op::Convert { op, rule, a } => {
                let from = operand_type(a);
                let a = self.operand_of(v, a);
                self.convert(op, rule, a, from, ty)
            }
            Op::Swizzle { a, swizzle } => {
                let parts: [Part; 4] = std::array::from_fn(|i| self.part(a, swizzle.get(i as u8)));
                self.assemble(ty, &parts.map(Some)[..usize::from(ty.count.max(1))])
            }
            Op::Join { parts } => {
                let parts: [Part; 4] = std::array::from_fn(|i| self.part(parts[i], 0));
                self.assemble(ty, &parts.map(Some)[..usize::from(ty.count.max(1))])
            }
            Op::Texture(t) => {
                let t = nodes.textures[t as usize];
                self.sample(v, &t)
            }
            Op::TextureStore(t) => {
                let t = nodes.textures[t as usize];
                self.store_texel(&t);
                return None;
            }
            Op::Derivative { axis, a } => {
                let a = self.get(a);
                self.derivative(axis, a)
            }
            Op::Load { space, address } => self.load(space, address, ty),
            Op::Store { space, address, value } => {
                self.store_words(space, address, value);
                return None;
            }
            Op::Atomic { op, space, address, value, expected } => {
                return self.atomic(v, op, (space, address), value, expected);
            }
            Op::Barrier => {
                self.barrier();
                return None;
            }
            Op::Kill { cond } => {
                self.kill(cond, node.origin);
                return None;
            }
            Op::Emit => {
                self.emit_vertex(node.origin);
                return None;
            }
            // The plan refused these.
            Op::Lane { .. } | Op::Combine { .. } | Op::SetEmit { .. } => return None,
        })
    }

    /// The first operand of `v`. When all operands are constants it comes from data: languages evaluate
    /// constant expressions themselves and reject results that are not finite.
    fn operand_of(&mut self, v: Value, a: Value) -> Expr {
        let a_expr = self.get(a);
        let ty = self.program.func.nodes.ty(a);
        if !self.plan.folds(v) || ty.scalar == Scalar::I1 {
            return a_expr;
        }
        let zero = self.zero();
        let zero = self.splat(zero, ty.count);
        if ty.scalar == Scalar::F32 {
            let bits = self.bits(a_expr);
            let bits = self.binary(BinaryOperator::InclusiveOr, bits, zero);
            self.float(bits)
        } else {
            self.binary(BinaryOperator::InclusiveOr, a_expr, zero)
        }
    }

    /// A constant.
    pub(super) fn constant(&mut self, ty: Type, bits: u64) -> Expr {
        match literal(ty, bits) {
            Some(literal) => {
                let value = self.literal(literal);
                self.splat(value, ty.count)
            }
            None => {
                // Not finite: the bits plus a zero that only the running program knows.
                let (zero, bits) = (self.zero(), self.u32(bits as u32));
                let bits = self.binary(BinaryOperator::InclusiveOr, zero, bits);
                let value = self.float(bits);
                self.splat(value, ty.count)
            }
        }
    }

    /// The same bits as another 32-bit kind.
    pub(super) fn reinterpret(&mut self, a: Expr, from: Scalar, to: Scalar) -> Expr {
        match (from, to) {
            (Scalar::F32, Scalar::I32) => self.bits(a),
            (Scalar::I32, Scalar::F32) => self.float(a),
            _ => a,
        }
    }

    /// A derivative within the quad; of its own row or column where the target can say so.
    pub(super) fn derivative(&mut self, axis: Axis, a: Expr) -> Expr {
        let axis = match axis {
            Axis::X => DerivativeAxis::X,
            Axis::Y => DerivativeAxis::Y,
        };
        self.push(Expression::Derivative { axis, ctrl: DerivativeControl::Fine, expr: a })
    }

    fn convert(&mut self, op: Convert, rule: FloatRule, a: Expr, from: Type, ty: Type) -> Expr {
        let to = |body: &mut Self, expr, kind| body.push(Expression::As { expr, kind, convert: Some(4) });
        match op {
            Convert::Bits => self.reinterpret(a, from.scalar, ty.scalar),
            Convert::FloatToSigned => self.float_to_int(rule, a, true, ty.count),
            Convert::FloatToUnsigned => self.float_to_int(rule, a, false, ty.count),
            Convert::SignedToFloat => {
                let signed = self.signed(a);
                let float = to(self, signed, ScalarKind::Float);
                self.result(rule, float, ty.count)
            }
            Convert::UnsignedToFloat => {
                let float = to(self, a, ScalarKind::Float);
                self.result(rule, float, ty.count)
            }
            Convert::ZeroExtend if from.scalar == Scalar::I1 => to(self, a, ScalarKind::Uint),
            Convert::SignExtend if from.scalar == Scalar::I1 => {
                let one = to(self, a, ScalarKind::Uint);
                let zero = self.u32s(0, ty.count);
                self.binary(BinaryOperator::Subtract, zero, one)
            }
            Convert::Truncate if ty.scalar == Scalar::I1 && from.scalar != Scalar::I1 => {
                let (one, zero) = (self.u32s(1, ty.count), self.u32s(0, ty.count));
                let bit = self.binary(BinaryOperator::And, a, one);
                self.binary(BinaryOperator::NotEqual, bit, zero)
            }
            Convert::Float
            | Convert::Truncate
            | Convert::ZeroExtend
            | Convert::SignExtend
            | Convert::Pair => a,
        }
    }
}
