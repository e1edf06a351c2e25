//! One operation becomes one expression, or a few.

use super::{
    body::{Body, Part, literal},
    types,
};
use naga::{
    BinaryOperator, DerivativeAxis, DerivativeControl, Expression, Handle, Literal, MathFunction as Fun,
    ScalarKind, SwizzleComponent, UnaryOperator,
};
use shisa_ir::{
    Axis, Binary, Convert, FileId, FileKind, Op, Reg, Scalar, Swizzle, Ternary, Type, Unary, Value,
};

type Expr = Handle<Expression>;

const COMPONENTS: [SwizzleComponent; 4] =
    [SwizzleComponent::X, SwizzleComponent::Y, SwizzleComponent::Z, SwizzleComponent::W];

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

    fn read(&mut self, reg: Reg, swizzle: Swizzle, ty: Type) -> Expr {
        let file = &self.program.func.files[usize::from(reg.file.0)];
        let uniform = file.kind == FileKind::Uniform;
        if uniform && file.unit_bits == 1 {
            return self.read_bits(reg, swizzle, ty);
        }
        let kind = match uniform {
            true => self.carried(reg.file),
            false => self
                .program
                .interface
                .inputs
                .iter()
                .find(|io| {
                    io.reg.file == reg.file
                        && (io.reg.unit..io.reg.unit + u16::from(io.count)).contains(&reg.unit)
                })
                .map_or(file.scalar, |io| io.scalar),
        };
        let mut parts: [Option<Part>; 4] = [None; 4];
        let mut last: Option<(u16, Part)> = None;
        for (i, part) in (0..ty.count.clamp(1, 4)).zip(&mut parts) {
            let unit = reg.unit.saturating_add(u16::from(swizzle.get(i)));
            // Most reads stay within one vector: its other components need no search.
            let near = last.and_then(|(at, p)| {
                let index =
                    (u16::from(p.index) + unit).checked_sub(at).filter(|&i| i < u16::from(p.count))?;
                Some(Part { index: index as u8, ..p })
            });
            *part = if near.is_some() {
                near
            } else if uniform {
                let array = self.uniform_array(reg.file);
                let vector = array.and_then(|a| self.uniform(a, usize::from(unit / 4)));
                vector.map(|base| Part { base, index: (unit % 4) as u8, count: 4 })
            } else {
                self.input(Reg::new(reg.file, unit))
            };
            last = part.map(|p| (unit, p));
        }
        let whole = self.assemble(kind.by(ty.count), &parts[..usize::from(ty.count.clamp(1, 4))]);
        self.reinterpret(whole, kind, ty.scalar)
    }

    fn read_at(
        &mut self,
        file: FileId,
        base: u16,
        stride: u8,
        index: Value,
        swizzle: Swizzle,
        ty: Type,
    ) -> Expr {
        let Some(array) = self.uniform_array(file) else {
            let ty = self.types.ir(ty);
            return self.raw(Expression::ZeroValue(ty));
        };
        let mut index = self.get(index);
        if stride != 4 {
            let stride = self.u32(u32::from(stride / 4));
            index = self.mul(index, stride);
        }
        if base != 0 {
            let base = self.u32(u32::from(base / 4));
            index = self.add(index, base);
        }
        let vector = self.uniform_at(array, index);
        let kind = self.carried(file);
        let parts: [_; 4] =
            std::array::from_fn(|i| Some(Part { base: vector, index: swizzle.get(i as u8), count: 4 }));
        let whole = self.assemble(kind.by(ty.count), &parts[..usize::from(ty.count.clamp(1, 4))]);
        self.reinterpret(whole, kind, ty.scalar)
    }

    /// The kind that a uniform array's components have in the code.
    fn carried(&self, file: FileId) -> Scalar {
        let file = &self.program.func.files[usize::from(file.0)];
        if file.scalar == Scalar::F32 { Scalar::F32 } else { Scalar::I32 }
    }

    /// Single bits: bit n of an array, counted through its words, is unit n.
    fn read_bits(&mut self, reg: Reg, swizzle: Swizzle, ty: Type) -> Expr {
        let mut components = Vec::with_capacity(4);
        for i in 0..ty.count.clamp(1, 4) {
            let unit = reg.unit.saturating_add(u16::from(swizzle.get(i)));
            let array = self.uniform_array(reg.file);
            let Some(base) = array.and_then(|a| self.uniform(a, usize::from(unit / 128))) else {
                components.push(self.literal(naga::Literal::Bool(false)));
                continue;
            };
            let word = self.push(Expression::AccessIndex { base, index: u32::from(unit % 128 / 32) });
            let (mask, zero) = (self.u32(1 << (unit % 32)), self.u32(0));
            let bit = self.binary(BinaryOperator::And, word, mask);
            components.push(self.binary(BinaryOperator::NotEqual, bit, zero));
        }
        self.compose(ty, components)
    }

    /// The same bits as another 32-bit kind.
    fn reinterpret(&mut self, a: Expr, from: Scalar, to: Scalar) -> Expr {
        match (from, to) {
            (Scalar::F32, Scalar::I32) => self.bits(a),
            (Scalar::I32, Scalar::F32) => self.float(a),
            _ => a,
        }
    }

    /// Where component `i` of `v` is: looks through swizzles and joins that have no name.
    pub(super) fn part(&mut self, mut v: Value, mut i: u8) -> Part {
        let nodes = &self.program.func.nodes;
        // Chains of swizzles and joins are as long as instructions are; the bound is for safety.
        for _ in 0..16 {
            if self.plan.named(self.program, v) || self.plan.escapes(v) {
                break;
            }
            match nodes.op(v) {
                Op::Swizzle { a, swizzle } if !self.plan.escapes(a) => {
                    i = swizzle.get(i);
                    v = a;
                }
                Op::Join { parts } => {
                    v = parts[usize::from(i & 3)];
                    i = 0;
                }
                _ => break,
            }
        }
        Part { base: self.get(v), index: i, count: nodes.ty(v).count }
    }

    /// One component as a scalar.
    pub(super) fn component(&mut self, part: Part) -> Expr {
        match part.count {
            0 | 1 => part.base,
            _ => self.push(Expression::AccessIndex { base: part.base, index: u32::from(part.index) }),
        }
    }

    /// A value of type `ty` from its components; missing ones are zero. Runs from one vector stay together.
    pub(super) fn assemble(&mut self, ty: Type, parts: &[Option<Part>]) -> Expr {
        let count = ty.count.max(1);
        let Some(first) = parts.first().copied() else { return self.constant(ty, 0) };
        if parts.iter().all(|p| p.is_none()) {
            return self.constant(ty, 0);
        }
        if let Some(first) = first
            && count > 1
            && first.count <= 1
            && parts.iter().all(|p| *p == Some(first))
        {
            return self.splat(first.base, count);
        }
        if let Some(first) = first
            && (first.count > 1 || parts.len() == 1)
            && parts.iter().all(|p| p.is_some_and(|p| p.base == first.base && p.count == first.count))
        {
            return self.pick(first, parts);
        }
        let mut components = Vec::with_capacity(4);
        let mut i = 0;
        while i < parts.len() {
            let Some(p) = parts[i] else {
                let zero = self.constant(ty.with_count(1), 0);
                components.push(zero);
                i += 1;
                continue;
            };
            let same = |q: &&Option<Part>| q.is_some_and(|q| q.base == p.base && q.count == p.count);
            let run = if p.count > 1 { parts[i..].iter().take_while(same).count() } else { 1 };
            components.push(self.pick(p, &parts[i..i + run]));
            i += run;
        }
        self.compose(ty, components)
    }

    /// Components of one expression.
    fn pick(&mut self, p: Part, run: &[Option<Part>]) -> Expr {
        if run.len() <= 1 {
            return self.component(p);
        }
        let index = |i: usize| run.get(i).copied().flatten().map_or(0, |q| q.index & 3);
        if run.len() == usize::from(p.count) && (0..run.len()).all(|i| usize::from(index(i)) == i) {
            return p.base;
        }
        let pattern = std::array::from_fn(|i| COMPONENTS[usize::from(index(i.min(run.len() - 1)))]);
        self.push(Expression::Swizzle { size: types::size(run.len() as u8), vector: p.base, pattern })
    }

    pub(super) fn compose(&mut self, ty: Type, mut components: Vec<Expr>) -> Expr {
        match components.pop() {
            Some(only) if components.is_empty() => only,
            last => {
                components.extend(last);
                let ty = self.types.ir(ty);
                self.push(Expression::Compose { ty, components })
            }
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

    fn convert(&mut self, op: Convert, rule: shisa_ir::FloatRule, a: Expr, from: Type, ty: Type) -> Expr {
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

    /// The bits of `a`, which is unsigned, as signed numbers; what was made unsigned just for its bits
    /// is taken as it was.
    fn signed(&mut self, a: Expr) -> Expr {
        match *self.expression(a) {
            Expression::Literal(Literal::U32(bits)) => self.literal(Literal::I32(bits as i32)),
            Expression::As { expr, kind: ScalarKind::Uint, convert: None } if self.is_signed(expr) => expr,
            _ => self.push(Expression::As { expr: a, kind: ScalarKind::Sint, convert: None }),
        }
    }

    /// Whether an expression is seen to be of signed numbers.
    fn is_signed(&self, a: Expr) -> bool {
        let plainly = |e: Expr| match *self.expression(e) {
            Expression::As { kind, .. } => kind == ScalarKind::Sint,
            Expression::Literal(literal) => matches!(literal, Literal::I32(_)),
            _ => false,
        };
        match *self.expression(a) {
            Expression::Math { fun: Fun::Min | Fun::Max, arg, arg1, .. } => {
                plainly(arg) || arg1.is_some_and(plainly)
            }
            _ => plainly(a),
        }
    }

    fn unsigned(&mut self, a: Expr) -> Expr {
        self.push(Expression::As { expr: a, kind: ScalarKind::Uint, convert: None })
    }

    fn integer_unary(&mut self, op: Unary, a: Expr, ty: Type) -> Expr {
        match op {
            Unary::INeg => {
                let zero = self.u32s(0, ty.count);
                self.binary(BinaryOperator::Subtract, zero, a)
            }
            Unary::Not => {
                let op = match ty.scalar {
                    Scalar::I1 => UnaryOperator::LogicalNot,
                    _ => UnaryOperator::BitwiseNot,
                };
                self.push(Expression::Unary { op, expr: a })
            }
            Unary::PopCount => self.math(Fun::CountOneBits, a),
            Unary::LeadingZeros => self.math(Fun::CountLeadingZeros, a),
            _ => self.math(Fun::ReverseBits, a),
        }
    }

    pub(super) fn integer_binary(&mut self, op: Binary, a: Expr, b: Expr, b_value: Value, ty: Type) -> Expr {
        use BinaryOperator as B;
        let plain = match op {
            Binary::IAdd => B::Add,
            Binary::ISub => B::Subtract,
            Binary::IMul => B::Multiply,
            Binary::And if ty.scalar == Scalar::I1 && ty.count == 1 => B::LogicalAnd,
            Binary::Or if ty.scalar == Scalar::I1 && ty.count == 1 => B::LogicalOr,
            Binary::And => B::And,
            Binary::Or => B::InclusiveOr,
            Binary::Xor if ty.scalar == Scalar::I1 => B::NotEqual,
            Binary::Xor => B::ExclusiveOr,
            Binary::IEq => B::Equal,
            Binary::INe => B::NotEqual,
            Binary::ULt => B::Less,
            Binary::ULe => B::LessEqual,
            Binary::UMin => return self.math2(Fun::Min, a, b),
            Binary::UMax => return self.math2(Fun::Max, a, b),
            Binary::Shl | Binary::LShr | Binary::AShr => return self.shift(op, a, b, b_value, ty),
            Binary::UMulHi | Binary::SMulHi => {
                return self.high_product(op == Binary::SMulHi, a, b, ty.count);
            }
            Binary::SLt | Binary::SLe => {
                let (a, b) = (self.signed(a), self.signed(b));
                let op = if op == Binary::SLt { B::Less } else { B::LessEqual };
                return self.binary(op, a, b);
            }
            _ => {
                let (a, b) = (self.signed(a), self.signed(b));
                let r = self.math2(if op == Binary::SMin { Fun::Min } else { Fun::Max }, a, b);
                return self.unsigned(r);
            }
        };
        self.binary(plain, a, b)
    }

    /// A shift; languages leave open what a count of 32 or more does.
    fn shift(&mut self, op: Binary, a: Expr, b: Expr, b_value: Value, ty: Type) -> Expr {
        let known = match self.program.func.nodes.op(b_value) {
            Op::Const(bits) => Some(bits as u32),
            _ => None,
        };
        let operator = if op == Binary::Shl { BinaryOperator::ShiftLeft } else { BinaryOperator::ShiftRight };
        let last = self.u32s(31, ty.count);
        if op == Binary::AShr {
            let count = match known {
                Some(n) => self.u32s(n.min(31), ty.count),
                None => self.math2(Fun::Min, b, last),
            };
            let signed = self.signed(a);
            let r = self.binary(operator, signed, count);
            return self.unsigned(r);
        }
        match known {
            Some(n) if n < 32 => self.binary(operator, a, b),
            Some(_) => self.u32s(0, ty.count),
            None => {
                let count = self.binary(BinaryOperator::And, b, last);
                let r = self.binary(operator, a, count);
                let (over, zero) = (self.binary(BinaryOperator::Greater, b, last), self.u32s(0, ty.count));
                self.select_any(over, zero, r, naga::Scalar::U32, ty.count)
            }
        }
    }

    /// The high half of a product, from products of 16-bit halves.
    fn high_product(&mut self, signed: bool, a: Expr, b: Expr, count: u8) -> Expr {
        use BinaryOperator as B;
        let (low, half) = (self.u32s(0xffff, count), self.u32s(16, count));
        let [(al, ah), (bl, bh)] =
            [a, b].map(|x| (self.binary(B::And, x, low), self.binary(B::ShiftRight, x, half)));
        let t = self.mul(al, bl);
        let carry = self.binary(B::ShiftRight, t, half);
        let u = self.mul(ah, bl);
        let u = self.add(u, carry);
        let u_low = self.binary(B::And, u, low);
        let v = self.mul(al, bh);
        let v = self.add(v, u_low);
        let (u_high, v_high) = (self.binary(B::ShiftRight, u, half), self.binary(B::ShiftRight, v, half));
        let r = self.mul(ah, bh);
        let r = self.add(r, u_high);
        let mut r = self.add(r, v_high);
        if signed {
            // A negative factor counts 2^32 too much: take the other factor off the high half.
            for (x, other) in [(a, b), (b, a)] {
                let sign = self.u32s(31, count);
                let sign = self.binary(B::ShiftRight, x, sign);
                let excess = self.mul(sign, other);
                r = self.binary(B::Subtract, r, excess);
            }
        }
        r
    }
}
