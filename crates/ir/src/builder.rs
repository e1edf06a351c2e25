//! The builder: appends operations to an arena.

use crate::arithmetic::{Binary, Convert, Ternary, Unary, binary_operations, unary_operations};
use crate::nodes::Nodes;
use crate::op::{Atomic, Axis, Combine, Op, Space, Value};
use crate::reg::{Mask, Reg, Swizzle};
use crate::rule::FloatRule;
use crate::texture::TexOp;
use crate::ty::{Scalar, Type};

/// Appends operations. Float operations take the builder's current [`Builder::rule`].
///
/// Result types follow from the operands. The caller makes sure that the operand types fit; [`crate::verify`] checks
/// them.
#[derive(Debug)]
pub struct Builder<'a> {
    /// The arena to append to.
    pub nodes: &'a mut Nodes,
    /// The rule attached to float operations.
    pub rule: FloatRule,
    /// The number of the instruction recorded as the origin of operations.
    pub origin: u32,
}

macro_rules! build_unary {
    ($($(#[$doc:meta])* $op:ident $word:ident $kind:ident,)*) => {
        impl Builder<'_> {
            $(
                #[doc = concat!("[`Unary::", stringify!($op), "`]")]
                pub fn $word(&mut self, a: Value) -> Value {
                    self.unary(Unary::$op, a)
                }
            )*
        }
    };
}
unary_operations!(build_unary);

macro_rules! build_binary {
    ($($(#[$doc:meta])* $op:ident $word:ident $kind:ident -> $yields:ident,)*) => {
        impl Builder<'_> {
            $(
                #[doc = concat!("[`Binary::", stringify!($op), "`]")]
                pub fn $word(&mut self, a: Value, b: Value) -> Value {
                    self.binary(Binary::$op, a, b)
                }
            )*
        }
    };
}
binary_operations!(build_binary);

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

    /// Reads a value of type `ty` from a register; component i comes from the component that the swizzle selects.
    pub fn read(&mut self, reg: Reg, swizzle: Swizzle, ty: Type) -> Value {
        self.push(Op::Read { reg, swizzle }, ty)
    }

    /// Writes the components of `value` to the components in `mask`.
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

    /// Converts to the scalar kind `scalar`.
    pub fn convert(&mut self, op: Convert, a: Value, scalar: Scalar) -> Value {
        let ty = scalar.by(self.ty(a).count);
        self.push(Op::Convert { op, rule: self.rule, a }, ty)
    }

    /// Two 32-bit components as one 64-bit scalar of kind `scalar`.
    pub fn pair(&mut self, a: Value, scalar: Scalar) -> Value {
        self.push(Op::Convert { op: Convert::Pair, rule: FloatRule::IEEE, a }, scalar.by(1))
    }

    /// `count` components of `a`, selected by the swizzle; `a` itself if the swizzle is the identity.
    pub fn swizzle(&mut self, a: Value, swizzle: Swizzle, count: u8) -> Value {
        let ty = self.ty(a);
        if ty.count == count && swizzle.keeps(count) {
            return a;
        }
        self.push(Op::Swizzle { a, swizzle }, ty.with_count(count))
    }

    /// One component of `a`.
    pub fn component(&mut self, a: Value, i: u8) -> Value {
        self.swizzle(a, Swizzle::splat(i), 1)
    }

    /// A scalar repeated in `count` components.
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

    /// Appends a texel store (an operation whose kind is [`crate::TexKind::Store`] or [`crate::TexKind::Bits`]).
    pub fn texture_store(&mut self, op: TexOp) {
        let i = self.nodes.textures.len() as u32;
        self.nodes.textures.push(op);
        self.push(Op::TextureStore(i), Type::NONE);
    }

    /// An atomic change of a texel (an operation whose kind is [`crate::TexKind::Atomic`]); the result is the previous
    /// bits, of this type.
    pub fn texture_atomic(&mut self, op: TexOp, ty: Type) -> Value {
        let i = self.nodes.textures.len() as u32;
        self.nodes.textures.push(op);
        self.push(Op::TextureAtomic(i), ty)
    }

    /// A derivative within the quad.
    pub fn derivative(&mut self, axis: Axis, a: Value) -> Value {
        let ty = self.ty(a);
        self.push(Op::Derivative { axis, a }, ty)
    }

    /// Disables the output writes of lanes where `cond` holds.
    pub fn kill(&mut self, cond: Value) {
        self.push(Op::Kill { cond }, Type::NONE);
    }

    /// Reads memory.
    pub fn load(&mut self, space: Space, address: Value, ty: Type) -> Value {
        self.push(Op::Load { space, address }, ty)
    }

    /// Changes memory atomically and yields the previous value. Only a compare-and-exchange takes an `expected` value.
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
