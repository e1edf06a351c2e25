//! Plans one operation: checks its operands and chooses the operations on planes that compute it.

use super::micro::Micro;
use super::planes::{Wide, ZERO};
use super::planner::{Checked, NARROW_ZERO, Planner, Val, malformed};
use shisa_ir::scalar::Arithmetic;
use shisa_ir::{Binary, Convert, Emission, FloatRule, Node, Op, Scalar, Ternary, Type, Unary};

impl Planner<'_> {
    /// Plans a node; `copy` states that its register is overwritten before the last use of the value.
    pub(super) fn node(&mut self, node: &Node, copy: bool) -> Checked<Val> {
        let ty = node.ty;
        let mut out = Val { ty, at: [[ZERO; 2]; 4] };
        let count = out.count();
        if count == 0 && !node.op.has_effect() {
            return Err(malformed(node, "a value without components"));
        }
        let none = NARROW_ZERO;
        match node.op {
            Op::Const(bits) => {
                out.at = [self.constants.wide(ty.scalar, bits)?; 4];
            }
            Op::Param => return Err(malformed(node, "a block parameter outside of a block")),
            Op::Read { reg, swizzle } => {
                for i in 0..count {
                    out.at[i] = self.read(node, reg, swizzle.get(i as u8), copy)?;
                }
            }
            Op::ReadAt { file, base, stride, index, swizzle } => {
                let index = self.typed(node, index, Type::I32)?.at[0][0];
                for i in 0..count {
                    out.at[i] = self.read_at(node, file, (base, stride, index), swizzle.get(i as u8))?;
                }
            }
            Op::Write { reg, mask, value } => {
                let value = self.operand(node, value)?;
                if usize::from(mask.count()) != value.count() {
                    return Err(malformed(node, "the mask does not fit the value"));
                }
                for (i, component) in mask.iter().enumerate() {
                    self.write(node, reg, component, value.ty.scalar, value.at[i])?;
                }
                return Ok(Val::NONE);
            }
            Op::Unary { op, rule, a } => {
                let a = self.typed(node, a, ty)?;
                if op.is_float() != ty.scalar.is_float() {
                    return Err(malformed(node, "the operand is of the wrong kind"));
                }
                // Sign changes ignore the rule, except in a format without negative zero.
                let rule = match op {
                    Unary::FNeg | Unary::FAbs => FloatRule { model: rule.model, ..FloatRule::IEEE },
                    _ => rule,
                };
                for i in 0..count {
                    out.at[i] = self.saturating(rule, ty.scalar, [a.at[i], none, none], |rule| {
                        Arithmetic::Unary(op, rule, ty.scalar)
                    });
                }
            }
            Op::Binary { op: Binary::FDot, rule, a, b } => {
                let a = self.operand(node, a)?;
                let b = self.typed(node, b, a.ty)?;
                if ty != a.ty.with_count(1) || !ty.scalar.is_float() {
                    return Err(malformed(node, "a dot product is a scalar float"));
                }
                out.at[0] = self.dot(rule, a, b);
            }
            Op::Binary { op, rule, a, b } => {
                let a = self.operand(node, a)?;
                let b = self.typed(node, b, a.ty)?;
                if op.is_float() != a.ty.scalar.is_float() {
                    return Err(malformed(node, "the operands are of the wrong kind"));
                }
                if ty != op.result(a.ty) {
                    return Err(malformed(node, "the result has the wrong type"));
                }
                for i in 0..count {
                    out.at[i] = self.saturating(rule, ty.scalar, [a.at[i], b.at[i], none], |rule| {
                        Arithmetic::Binary(op, rule, a.ty.scalar)
                    });
                }
            }
            Op::Ternary { op: Ternary::Select, rule, a, b, c } => {
                let (cond, b, c) =
                    (self.operand(node, a)?, self.typed(node, b, ty)?, self.typed(node, c, ty)?);
                if cond.ty.scalar != Scalar::I1 || !matches!(cond.count(), n if n == 1 || n == count) {
                    return Err(malformed(node, "the condition does not fit"));
                }
                for i in 0..count {
                    let cond = cond.at[i.min(cond.count() - 1)];
                    out.at[i] = self.select(ty.scalar, rule, cond, b.at[i], c.at[i]);
                }
            }
            Op::Ternary { op: op @ Ternary::Fma, rule, a, b, c } => {
                let (a, b, c) =
                    (self.typed(node, a, ty)?, self.typed(node, b, ty)?, self.typed(node, c, ty)?);
                if !ty.scalar.is_float() {
                    return Err(malformed(node, "the operands are not floats"));
                }
                for i in 0..count {
                    out.at[i] = self.saturating(rule, ty.scalar, [a.at[i], b.at[i], c.at[i]], |rule| {
                        Arithmetic::Ternary(op, rule, ty.scalar)
                    });
                }
            }
            Op::Convert { op: Convert::Pair, a, .. } => {
                let a = self.operand(node, a)?;
                out.at = pair(node, &a)?;
            }
            Op::Convert { op, rule, a } => {
                let a = self.operand(node, a)?;
                if !op.converts(a.ty, ty) {
                    return Err(malformed(node, "a conversion between these types does not exist"));
                }
                for i in 0..count {
                    out.at[i] = self.convert(op, rule, a.ty.scalar, ty.scalar, a.at[i]);
                }
            }
            Op::Swizzle { a, swizzle } => {
                let a = self.operand(node, a)?;
                for i in 0..count {
                    let from = usize::from(swizzle.get(i as u8));
                    if from >= a.count() || a.ty.scalar != ty.scalar {
                        return Err(malformed(node, "the swizzle does not fit its operand"));
                    }
                    out.at[i] = a.at[from];
                }
            }
            Op::Join { parts } => {
                for (at, part) in out.at.iter_mut().zip(parts).take(count) {
                    *at = self.typed(node, part, ty.with_count(1))?.at[0];
                }
            }
            Op::Texture(_) => {
                let op = *self.texture(node).ok_or_else(|| malformed(node, "no such texture operation"))?;
                out.at = self.sample(node, &op)?;
            }
            Op::TextureStore(_) => {
                let op = *self.texture(node).ok_or_else(|| malformed(node, "no such texture operation"))?;
                self.texture_store(node, &op)?;
                return Ok(Val::NONE);
            }
            Op::TextureAtomic(_) => {
                let op = *self.texture(node).ok_or_else(|| malformed(node, "no such texture operation"))?;
                self.texture_atomic(node, &op, &mut out)?;
            }
            Op::Derivative { axis, a } => self.derivative(node, axis, a, &mut out)?,
            Op::Lane { op, a, b } => self.lane(node, op, a, b, &mut out)?,
            Op::Combine { combine, rule, a } => self.combine(node, combine, rule, a, &mut out)?,
            Op::Atomic { op, space, address, value, expected } => {
                self.atomic(node, op, (space, address), [value, expected], &mut out)?;
            }
            Op::Load { space, address } => self.load(node, space, address, &mut out)?,
            Op::Store { space, address, value } => {
                self.store(node, space, address, value)?;
                return Ok(Val::NONE);
            }
            Op::Kill { cond } => {
                let cond = self.typed(node, cond, Type::BOOL)?.at[0][0];
                self.ops.push(Micro::Kill { cond });
                return Ok(Val::NONE);
            }
            Op::SetEmit { vertex, primitive, flip } => {
                self.ops.push(Micro::SetEmit(Emission { vertex, primitive, flip }));
                return Ok(Val::NONE);
            }
            Op::Emit => {
                self.ops.push(Micro::Emit);
                return Ok(Val::NONE);
            }
            Op::EmitVertex { cond, vertex, stream } => {
                let cond = self.typed(node, cond, Type::BOOL)?.at[0][0];
                let vertex = self.typed(node, vertex, Type::I32)?.at[0][0];
                let stream = self.typed(node, stream, Type::I32)?.at[0][0];
                self.ops.push(Micro::EmitVertex { cond, vertex, stream });
                return Ok(Val::NONE);
            }
            Op::EndStrip { cond, vertex } => {
                let cond = self.typed(node, cond, Type::BOOL)?.at[0][0];
                let vertex = self.typed(node, vertex, Type::I32)?.at[0][0];
                self.ops.push(Micro::EndStrip { cond, vertex });
                return Ok(Val::NONE);
            }
            Op::Barrier => {
                self.ops.push(Micro::Barrier);
                return Ok(Val::NONE);
            }
            Op::Arrive { how, number, threads, vote } => {
                let [number, threads] = [
                    self.typed(node, number, Type::I32)?.at[0][0],
                    self.typed(node, threads, Type::I32)?.at[0][0],
                ];
                let vote = self.typed(node, vote, Type::BOOL)?.at[0][0];
                self.ops.push(Micro::Arrive { how, number, threads, vote });
                return Ok(Val::NONE);
            }
            Op::Reduced => {
                let dst = self.component(ty.scalar);
                self.ops.push(Micro::Reduced { dst: dst.first });
                out.at[0] = dst.planes();
            }
        }
        Ok(out)
    }
}

/// [`Convert::Pair`] in either direction.
fn pair(node: &Node, a: &Val) -> Checked<[Wide; 4]> {
    let none = NARROW_ZERO;
    let ty = node.ty;
    match (a.ty.scalar.bits(), a.ty.count, ty.scalar.bits(), ty.count) {
        (32, 2, 64, 1) => Ok([[a.at[0][0], a.at[1][0]], none, none, none]),
        (64, 1, 32, 2) => Ok([[a.at[0][0], ZERO], [a.at[0][1], ZERO], none, none]),
        _ => Err(malformed(node, "a pair converts between two 32-bit components and one 64-bit component")),
    }
}
