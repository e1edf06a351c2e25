//! One operation becomes one expression, or a few.

use super::state::{Body, Part};
use crate::product;
use crate::syntax::{self, BinaryOp, Expr, Expression, Kind, kind_of};
use shisa_ir::{Axis, Convert, FloatRule, Node, Op, Scalar, Ternary, Type, Value};

impl Body<'_, '_> {
    /// Builds the expression of value `v`; effects become statements.
    #[inline(always)]
    pub(super) fn operation(&mut self, v: Value, node: &Node) -> Option<Expr> {
        let ty = node.ty;
        if self.plan.wide
            && let Some(e) = self.wide(node)
        {
            return Some(e);
        }
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
                let from = self.ty(a);
                let care = product::needs_care(self.program.func, self.options, rule, a, b);
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
                let conditions = self.ty(a).count;
                let (a, b, c) = (self.get(a), self.get(b), self.get(c));
                match conditions {
                    0 | 1 => self.select(a, b, c),
                    _ => self.select_any(a, b, c, kind_of(ty.scalar), ty.count),
                }
            }
            Op::Convert { op, rule, a } => {
                let from = self.ty(a);
                let a = self.operand_of(v, a);
                self.convert(op, rule, a, from, ty)
            }
            Op::Swizzle { a, swizzle } => match self.vector_of(a, swizzle) {
                Ok((vector, swizzle)) => self.swizzled(vector, swizzle, ty.count),
                Err((a, swizzle)) => self.gathered(ty, |i| (a, swizzle.get(i))),
            },
            Op::Join { parts } => self.gathered(ty, |i| (parts[usize::from(i & 3)], 0)),
            Op::Texture(_) => {
                let t = self.texture_op(v)?;
                if t.is_query() { self.query(v, &t) } else { self.texel(v, &t) }
            }
            Op::TextureAtomic(_) => {
                let t = self.texture_op(v)?;
                self.change_texel(&t)
            }
            Op::TextureStore(_) => {
                let t = self.texture_op(v)?;
                self.store_texel(&t);
                return None;
            }
            Op::Derivative { axis, a } => {
                let a = self.get(a);
                self.derivative(axis, a)
            }
            Op::Load { space, address } if self.is_patch(space) => self.load_patch(address, ty),
            Op::Store { space, address, value } if self.is_patch(space) => {
                self.draft.comes_from(Some(node.origin));
                self.store_patch(address, value);
                return None;
            }
            Op::Load { space, address } => self.load_words(space, address, ty),
            Op::Store { space, address, value } => {
                self.store_words(space, address, value);
                return None;
            }
            Op::Atomic { op, space, address, value, expected } => {
                return self.atomic(v, op, (space, address), value, expected);
            }
            Op::Lane { op, a, b } => return self.lane(op, a, b, ty),
            // The plan refuses every other arrival.
            Op::Barrier | Op::Arrive { .. } => {
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
            Op::EmitVertex { cond, stream, .. } => {
                self.emit_in_strip(cond, stream, node.origin);
                return None;
            }
            Op::EndStrip { cond, .. } => {
                self.end_strip(cond, node.origin);
                return None;
            }
            Op::Combine { .. } | Op::SetEmit { .. } | Op::Reduced => {
                self.impossible("an operation was planned that no language has");
                return None;
            }
        })
    }

    /// A value whose component `i` is the component that `from` returns.
    fn gathered(&mut self, ty: Type, from: impl Fn(u8) -> (Value, u8)) -> Expr {
        let count = ty.count.clamp(1, 4);
        let mut parts: [Option<Part>; 4] = [None; 4];
        for (i, part) in (0..count).zip(&mut parts) {
            let (v, component) = from(i);
            *part = Some(self.component_of(v, component));
        }
        self.assemble(ty, &parts[..usize::from(count)])
    }

    /// The first operand of `v`. If all operands are constants, it comes from data: languages evaluate constant
    /// expressions themselves and reject results that are not finite.
    #[inline(always)]
    fn operand_of(&mut self, v: Value, a: Value) -> Expr {
        let a_expr = self.get(a);
        if self.plan.folds(v) { self.unfolded(a, a_expr) } else { a_expr }
    }

    /// A constant operand, combined with data.
    fn unfolded(&mut self, a: Value, a_expr: Expr) -> Expr {
        let ty = self.ty(a);
        if ty.scalar == Scalar::I1 {
            return a_expr;
        }
        let zero = self.zero();
        let zero = self.splat(zero, ty.count);
        if ty.scalar == Scalar::F32 {
            let bits = self.bits(a_expr);
            let bits = self.binary(BinaryOp::InclusiveOr, bits, zero);
            self.float(bits)
        } else {
            self.binary(BinaryOp::InclusiveOr, a_expr, zero)
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

    /// A derivative within the quad; of the lane's own row or column if the target can express that.
    pub(super) fn derivative(&mut self, axis: Axis, a: Expr) -> Expr {
        let axis = match axis {
            Axis::X => syntax::Axis::X,
            Axis::Y => syntax::Axis::Y,
        };
        self.push(Expression::Derivative { axis, a })
    }

    fn convert(&mut self, op: Convert, rule: FloatRule, a: Expr, from: Type, ty: Type) -> Expr {
        match op {
            Convert::Bits => self.reinterpret(a, from.scalar, ty.scalar),
            Convert::FloatToSigned => self.float_to_int(rule, a, true, ty.count),
            Convert::FloatToUnsigned => self.float_to_int(rule, a, false, ty.count),
            Convert::SignedToFloat => {
                let signed = self.signed(a);
                let float = self.converted(signed, Kind::Float);
                self.result(rule, float, ty.count)
            }
            Convert::UnsignedToFloat => {
                let float = self.converted(a, Kind::Float);
                self.result(rule, float, ty.count)
            }
            Convert::ZeroExtend if from.scalar == Scalar::I1 => self.converted(a, Kind::Uint),
            Convert::SignExtend if from.scalar == Scalar::I1 => {
                let one = self.converted(a, Kind::Uint);
                let zero = self.u32s(0, ty.count);
                self.binary(BinaryOp::Subtract, zero, one)
            }
            Convert::Truncate if ty.scalar == Scalar::I1 && from.scalar != Scalar::I1 => {
                let (one, zero) = (self.u32s(1, ty.count), self.u32s(0, ty.count));
                let bit = self.binary(BinaryOp::And, a, one);
                self.binary(BinaryOp::NotEqual, bit, zero)
            }
            Convert::Float
            | Convert::Truncate
            | Convert::ZeroExtend
            | Convert::SignExtend
            | Convert::Pair => a,
        }
    }
}
