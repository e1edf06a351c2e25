//! The arena of operations.

use crate::*;
use alloc::vec::Vec;

/// Operations in the order of their creation, with the tables they refer to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Nodes {
    /// The operations; a [`Value`] is an index.
    pub list: Vec<Node>,
    /// The texture operations that [`Op::Texture`] and [`Op::TextureStore`] refer to.
    pub textures: Vec<TexOp>,
}

impl Nodes {
    /// Removes all operations, but not their memory.
    pub(crate) fn clear(&mut self) {
        self.list.clear();
        self.textures.clear();
    }

    /// Appends a node.
    pub fn push(&mut self, op: Op, ty: Type, origin: u32) -> Value {
        let v = Value(self.list.len() as u32);
        self.list.push(Node { op, ty, origin });
        v
    }

    /// Appends a copy of an operation of another arena, with every operand `o` replaced by `f(o)`.
    #[inline]
    pub(crate) fn adopt(&mut self, from: &Nodes, v: Value, f: impl FnMut(Value) -> Value) -> Value {
        self.append(from.list[v.index()], |_, t| from.textures.get(t).copied(), f)
    }

    /// Appends a copy of an operation of this arena, with every operand `o` replaced by `f(o)`.
    #[inline]
    pub(crate) fn copy(&mut self, v: Value, f: impl FnMut(Value) -> Value) -> Value {
        self.append(self.list[v.index()], |nodes, t| nodes.textures.get(t).copied(), f)
    }

    /// Appends a node with every operand `o` replaced by `f(o)`; `texture` finds its texture operation.
    #[inline]
    fn append(
        &mut self,
        mut node: Node,
        texture: impl FnOnce(&Nodes, usize) -> Option<TexOp>,
        mut f: impl FnMut(Value) -> Value,
    ) -> Value {
        if let Op::Texture(t) | Op::TextureStore(t) | Op::TextureAtomic(t) = &mut node.op {
            let texture = texture(self, *t as usize);
            *t = self.textures.len() as u32;
            self.textures.extend(texture.map(|t| t.map(|a| f(*a))));
        } else {
            map_operands(&mut node, None, f);
        }
        let copy = Value(self.list.len() as u32);
        self.list.push(node);
        copy
    }

    /// Type of a value.
    pub fn ty(&self, v: Value) -> Type {
        self.list[v.index()].ty
    }

    /// The operation that yields a value.
    pub fn op(&self, v: Value) -> Op {
        self.list[v.index()].op
    }

    /// Which lanes must agree that the operation runs.
    pub fn class(&self, v: Value) -> Class {
        match self.op(v) {
            Op::Texture(t) => match self.textures.get(t as usize) {
                Some(t) if !t.is_convergent() => Class::Lane,
                _ => Class::Convergent,
            },
            op => op.class(),
        }
    }

    /// Whether the operation has no side effects and its result depends only on its operands, so that it may be moved
    /// or duplicated. Derivatives count as pure, but still need the whole quad.
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
    #[inline]
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

/// Calls `$f` with a reference to every operand in order, except the operands of texture operations.
macro_rules! each_operand {
    ($op:expr, $ty:expr, $f:expr) => {{
        let mut f = $f;
        match $op {
            Op::Const(_)
            | Op::Param
            | Op::Read { .. }
            | Op::Texture(_)
            | Op::TextureStore(_)
            | Op::TextureAtomic(_)
            | Op::SetEmit { .. }
            | Op::Emit
            | Op::Barrier
            | Op::Reduced => {}
            Op::ReadAt { index: a, .. }
            | Op::Write { value: a, .. }
            | Op::Unary { a, .. }
            | Op::Convert { a, .. }
            | Op::Swizzle { a, .. }
            | Op::Derivative { a, .. }
            | Op::Combine { a, .. }
            | Op::Load { address: a, .. }
            | Op::Kill { cond: a } => f(a),
            Op::Binary { a, b, .. }
            | Op::Lane { a, b, .. }
            | Op::Store { address: a, value: b, .. }
            | Op::EndStrip { cond: a, vertex: b } => {
                f(a);
                f(b);
            }
            Op::Ternary { a, b, c, .. }
            | Op::Atomic { address: a, value: b, expected: c, .. }
            | Op::Arrive { number: a, threads: b, vote: c, .. }
            | Op::EmitVertex { cond: a, vertex: b, stream: c } => {
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
#[inline]
pub fn map_operands(node: &mut Node, texture: Option<&mut TexOp>, mut f: impl FnMut(Value) -> Value) {
    if let Some(t) = texture {
        *t = t.map(|a| f(*a));
    }
    each_operand!(&mut node.op, node.ty, |a: &mut Value| *a = f(*a));
    if let Op::Join { parts } = &mut node.op {
        // Parts after the last one repeat it.
        let count = usize::from(node.ty.count.clamp(1, 4));
        let last = parts[count - 1];
        parts[count..].fill(last);
    }
}
