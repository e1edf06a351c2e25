//! The arena of operations and the builder that fills it.

use crate::*;
use alloc::vec::Vec;

/// Operations in the order they were made, with the tables they refer to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Nodes {
    /// The operations; a [`Value`] is an index.
    pub list: Vec<Node>,
    /// The texture operations that [`Op::Texture`] and [`Op::TextureStore`] refer to.
    pub textures: Vec<TexOp>,
}

impl Nodes {
    /// Appends a node.
    pub fn push(&mut self, op: Op, ty: Type, origin: u32) -> Value {
        let v = Value(self.list.len() as u32);
        self.list.push(Node { op, ty, origin });
        v
    }

    /// Type of a value.
    pub fn ty(&self, v: Value) -> Type {
        self.list[v.index()].ty
    }

    /// The operation that yields a value.
    pub fn op(&self, v: Value) -> Op {
        self.list[v.index()].op
    }

    /// Who must agree that the operation runs.
    pub fn class(&self, v: Value) -> Class {
        match self.op(v) {
            Op::Texture(t) => match self.textures.get(t as usize) {
                Some(t) if !t.is_convergent() => Class::Lane,
                _ => Class::Convergent,
            },
            op => op.class(),
        }
    }

    /// Whether the operation only computes: wherever its operands are known it yields the same, however often it runs, but
    /// for a derivative, which has to find the whole quad.
    pub fn is_pure(&self, v: Value) -> bool {
        match self.op(v) {
            Op::Const(_)
            | Op::Read { .. }
            | Op::ReadAt { .. }
            | Op::Unary { .. }
            | Op::Binary { .. }
            | Op::Ternary { .. }
            | Op::Convert { .. }
            | Op::Swizzle { .. }
            | Op::Join { .. }
            | Op::Derivative { .. } => true,
            Op::Texture(_) => self.class(v) == Class::Lane,
            _ => false,
        }
    }

    /// Replaces every operand `o` of `v` by `f(o)`, in order.
    pub fn map(&mut self, v: Value, f: impl FnMut(Value) -> Value) {
        let node = &mut self.list[v.index()];
        let texture = node.op.texture().and_then(|t| self.textures.get_mut(t as usize));
        map_operands(node, texture, f);
    }

    /// Calls `f` with every operand of `v`, in order.
    #[inline]
    pub fn operands(&self, v: Value, mut f: impl FnMut(Value)) {
        let node = &self.list[v.index()];
        if let Some(t) = node.op.texture().and_then(|t| self.textures.get(t as usize)) {
            t.map(|a| f(*a));
        }
        each_operand!(&node.op, node.ty, |a: &Value| f(*a));
    }
}

/// Calls `$f` with a reference to every operand, in order, but those of texture operations.
macro_rules! each_operand {
    ($op:expr, $ty:expr, $f:expr) => {{
        let mut f = $f;
        match $op {
            Op::Const(_)
            | Op::Param
            | Op::Read { .. }
            | Op::Texture(_)
            | Op::TextureStore(_)
            | Op::SetEmit { .. }
            | Op::Emit
            | Op::Barrier => {}
            Op::ReadAt { index: a, .. }
            | Op::Write { value: a, .. }
            | Op::Unary { a, .. }
            | Op::Convert { a, .. }
            | Op::Swizzle { a, .. }
            | Op::Derivative { a, .. }
            | Op::Combine { a, .. }
            | Op::Load { address: a, .. }
            | Op::Kill { cond: a } => f(a),
            Op::Binary { a, b, .. } | Op::Lane { a, b, .. } | Op::Store { address: a, value: b, .. } => {
                f(a);
                f(b);
            }
            Op::Ternary { a, b, c, .. } | Op::Atomic { address: a, value: b, expected: c, .. } => {
                f(a);
                f(b);
                f(c);
            }
            Op::Join { parts } => parts.into_iter().take(usize::from($ty.count.max(1))).for_each(f),
        }
    }};
}
use each_operand;

/// Replaces every operand `v` of `node` (and of its texture operation) by `f(v)`, in order.
pub fn map_operands(node: &mut Node, texture: Option<&mut TexOp>, mut f: impl FnMut(Value) -> Value) {
    if let Some(t) = texture {
        *t = t.map(|a| f(*a));
    }
    each_operand!(&mut node.op, node.ty, |a: &mut Value| *a = f(*a));
    if let Op::Join { parts } = &mut node.op {
        // Behind the last part it is repeated.
        let count = usize::from(node.ty.count.clamp(1, 4));
        let last = parts[count - 1];
        parts[count..].fill(last);
    }
}

/// Appends operations. Float operations take the builder's current [`Builder::rule`].
///
/// Types follow from the operands; that they fit is the caller's duty and [`crate::verify`]'s check.
#[derive(Debug)]
pub struct Builder<'a> {
    /// Where operations go.
    pub nodes: &'a mut Nodes,
    /// The rule given to float operations.
    pub rule: FloatRule,
    /// The instruction that operations are noted to come from.
    pub origin: u32,
}

macro_rules! unary {
    ($($(#[$doc:meta])* $name:ident = $op:ident;)*) => {
        $(#[doc = concat!("[`Unary::", stringify!($op), "`]")] pub fn $name(&mut self, a: Value) -> Value { self.unary(Unary::$op, a) })*
    };
}
macro_rules! binary {
    ($($(#[$doc:meta])* $name:ident = $op:ident;)*) => {
        $(#[doc = concat!("[`Binary::", stringify!($op), "`]")] pub fn $name(&mut self, a: Value, b: Value) -> Value { self.binary(Binary::$op, a, b) })*
    };
}

impl<'a> Builder<'a> {
    /// A builder with IEEE arithmetic.
    pub fn new(nodes: &'a mut Nodes, origin: u32) -> Self {
        Builder { nodes, rule: FloatRule::IEEE, origin }
    }

    /// Appends any operation.
    pub fn push(&mut self, op: Op, ty: Type) -> Value {
        self.nodes.push(op, ty, self.origin)
    }

    /// Type of a value.
    pub fn ty(&self, v: Value) -> Type {
        self.nodes.ty(v)
    }

    /// The same bits in every component.
    pub fn constant(&mut self, ty: Type, bits: u64) -> Value {
        self.push(Op::Const(bits), ty)
    }

    /// A 32-bit integer.
    pub fn i32(&mut self, v: i32) -> Value {
        self.constant(Type::I32, u64::from(v as u32))
    }

    /// A binary32 number in each of `count` components.
    pub fn f32(&mut self, v: f32, count: u8) -> Value {
        self.constant(Scalar::F32.by(count), u64::from(v.to_bits()))
    }

    /// Reads `ty` from a register: component i from the swizzle's choice.
    pub fn read(&mut self, reg: Reg, swizzle: Swizzle, ty: Type) -> Value {
        self.push(Op::Read { reg, swizzle }, ty)
    }

    /// Writes the components of `value` to the components of `mask`.
    pub fn write(&mut self, reg: Reg, mask: Mask, value: Value) {
        self.push(Op::Write { reg, mask, value }, Type::NONE);
    }

    /// Any operation of one operand.
    pub fn unary(&mut self, op: Unary, a: Value) -> Value {
        let ty = self.ty(a);
        self.push(Op::Unary { op, rule: self.rule, a }, ty)
    }

    /// Any operation of two operands.
    pub fn binary(&mut self, op: Binary, a: Value, b: Value) -> Value {
        let ty = op.result(self.ty(a));
        self.push(Op::Binary { op, rule: self.rule, a, b }, ty)
    }

    unary! {
        fneg = FNeg; fabs = FAbs; fsat = FSat; ffloor = FFloor; fceil = FCeil; ftrunc = FTrunc; fround = FRound;
        fsqrt = FSqrt; frsqrt = FRsqrt; frcp = FRcp; fexp2 = FExp2; flog2 = FLog2; fsin = FSin; fcos = FCos;
        fsinc = FSinc;
        ineg = INeg; not = Not; popcount = PopCount; leading_zeros = LeadingZeros; reverse_bits = ReverseBits;
    }
    binary! {
        fadd = FAdd; fsub = FSub; fmul = FMul; fdiv = FDiv; fmin = FMin; fmax = FMax; fpow = FPow; fdot = FDot;
        feq = FEq; fne = FNe; flt = FLt; fle = FLe;
        iadd = IAdd; isub = ISub; imul = IMul; umul_hi = UMulHi; smul_hi = SMulHi;
        umin = UMin; umax = UMax; smin = SMin; smax = SMax; and = And; or = Or; xor = Xor;
        shl = Shl; lshr = LShr; ashr = AShr;
        ieq = IEq; ine = INe; ult = ULt; ule = ULe; slt = SLt; sle = SLe;
    }

    /// a * b + c, rounded once.
    pub fn fma(&mut self, a: Value, b: Value, c: Value) -> Value {
        let ty = self.ty(a);
        self.push(Op::Ternary { op: Ternary::Fma, rule: self.rule, a, b, c }, ty)
    }

    /// cond ? yes : no.
    pub fn select(&mut self, cond: Value, yes: Value, no: Value) -> Value {
        let ty = self.ty(yes);
        self.push(Op::Ternary { op: Ternary::Select, rule: FloatRule::IEEE, a: cond, b: yes, c: no }, ty)
    }

    /// Changes the kind to `scalar`.
    pub fn convert(&mut self, op: Convert, a: Value, scalar: Scalar) -> Value {
        let ty = scalar.by(self.ty(a).count);
        self.push(Op::Convert { op, rule: self.rule, a }, ty)
    }

    /// Two 32-bit components as one 64-bit scalar of kind `scalar`.
    pub fn pair(&mut self, a: Value, scalar: Scalar) -> Value {
        self.push(Op::Convert { op: Convert::Pair, rule: FloatRule::IEEE, a }, scalar.by(1))
    }

    /// `count` components of `a`, chosen by the swizzle; `a` itself when that is what it says.
    pub fn swizzle(&mut self, a: Value, swizzle: Swizzle, count: u8) -> Value {
        let ty = self.ty(a);
        if ty.count == count && (0..count).all(|i| swizzle.get(i) == i) {
            return a;
        }
        self.push(Op::Swizzle { a, swizzle }, ty.with_count(count))
    }

    /// One component of `a`.
    pub fn component(&mut self, a: Value, i: u8) -> Value {
        self.swizzle(a, Swizzle::splat(i), 1)
    }

    /// A scalar in `count` components.
    pub fn splat(&mut self, a: Value, count: u8) -> Value {
        self.swizzle(a, Swizzle::splat(0), count)
    }

    /// A vector of 1 to 4 scalars.
    pub fn join(&mut self, parts: &[Value]) -> Value {
        let at = |i: usize| parts[i.min(parts.len() - 1)];
        if parts.len() == 1 {
            return parts[0];
        }
        let ty = self.ty(parts[0]).with_count(parts.len() as u8);
        self.push(Op::Join { parts: [at(0), at(1), at(2), at(3)] }, ty)
    }

    /// A texture operation; the result has four components of kind `scalar`.
    pub fn texture(&mut self, op: TexOp, scalar: Scalar) -> Value {
        let i = self.nodes.textures.len() as u32;
        self.nodes.textures.push(op);
        self.push(Op::Texture(i), scalar.by(4))
    }

    /// Writes a texel; the operation's kind says what.
    pub fn texture_store(&mut self, op: TexOp) {
        let i = self.nodes.textures.len() as u32;
        self.nodes.textures.push(op);
        self.push(Op::TextureStore(i), Type::NONE);
    }

    /// A derivative within the quad.
    pub fn derivative(&mut self, axis: Axis, a: Value) -> Value {
        let ty = self.ty(a);
        self.push(Op::Derivative { axis, a }, ty)
    }

    /// Stops lanes where `cond` holds from writing outputs.
    pub fn kill(&mut self, cond: Value) {
        self.push(Op::Kill { cond }, Type::NONE);
    }

    /// Reads memory.
    pub fn load(&mut self, space: Space, address: Value, ty: Type) -> Value {
        self.push(Op::Load { space, address }, ty)
    }

    /// Changes memory at once; what was there. An operation other than a compared exchange takes no
    /// `expected` value.
    pub fn atomic(
        &mut self,
        op: Atomic,
        (space, address): (Space, Value),
        value: Value,
        expected: Option<Value>,
    ) -> Value {
        let ty = self.ty(value);
        self.push(Op::Atomic { op, space, address, value, expected: expected.unwrap_or(value) }, ty)
    }

    /// Combines the values of several lanes.
    pub fn combine(&mut self, combine: Combine, a: Value) -> Value {
        let (rule, ty) = (self.rule, self.ty(a));
        self.push(Op::Combine { combine, rule, a }, ty)
    }

    /// Writes memory.
    pub fn store(&mut self, space: Space, address: Value, value: Value) {
        self.push(Op::Store { space, address, value }, Type::NONE);
    }
}
