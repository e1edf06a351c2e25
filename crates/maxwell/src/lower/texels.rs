//! Texture operations in the form that languages have.

use shisa_ir::{
    Binary, Builder, Convert, Dim, Func, Lod, Nodes, Op, Scalar, Shape, Space, Swizzle, TexKind, TexOp, Value,
};

/// Rewrites computed offsets, comparisons with textures of one dimension, and loads of the bits of texels.
///
/// Languages take constant offsets only: others are added to the coordinates. They compare with textures of two dimensions,
/// so one of one dimension is bound with a height of 1. The bits of a texel are read as integers: the surface is bound in a
/// format whose texels are unsigned integers of the same size.
pub(super) fn adapt(func: &mut Func) {
    if func.nodes.textures.is_empty() {
        return;
    }
    func.rewrite(|b, v| match b.nodes.op(v) {
        Op::Texture(n) => {
            let op = *b.nodes.textures.get(n as usize)?;
            let op = moved(b, op);
            let adapted = flat(b, op);
            if let Some(slot) = b.nodes.textures.get_mut(n as usize) {
                *slot = adapted;
            }
            None
        }
        Op::Load { space: Space::Texels, address } => {
            let op = located(b.nodes, address)?;
            raw(b, op, v)
        }
        _ => None,
    });
}

/// The operation with a computed offset in its coordinates.
fn moved(b: &mut Builder<'_>, op: TexOp) -> TexOp {
    let Some(offset) = op.offset else { return op };
    let count = op.shape.dim.coordinates();
    let known = (0..count).all(|i| is_small(b.nodes, offset, i));
    if known || !matches!(op.kind, TexKind::Fetch | TexKind::Gather(_)) {
        return op;
    }
    let coord = if op.kind == TexKind::Fetch {
        b.iadd(op.coord, offset)
    } else {
        let level = b.i32(0);
        let shape = Shape { arrayed: false, ..op.shape };
        let size =
            TexOp { kind: TexKind::Size, texture: op.texture, ..TexOp::sample(0, shape, level, Lod::Zero) };
        let size = b.texture(size, Scalar::I32);
        let size = b.swizzle(size, Swizzle::IDENTITY, count);
        let (size, offset) = (
            b.convert(Convert::UnsignedToFloat, size, Scalar::F32),
            b.convert(Convert::SignedToFloat, offset, Scalar::F32),
        );
        let distance = b.binary(Binary::FDiv, offset, size);
        b.fadd(op.coord, distance)
    };
    TexOp { coord, offset: None, ..op }
}

/// Whether a component is a constant that languages accept as an offset.
fn is_small(nodes: &Nodes, v: Value, i: u8) -> bool {
    match nodes.op(v) {
        Op::Const(n) => (-8..8).contains(&(n as u32 as i32)),
        Op::Join { parts } => parts.get(usize::from(i)).is_some_and(|part| is_small(nodes, *part, 0)),
        _ => false,
    }
}

/// A comparison with a texture of one dimension as one with a texture of two.
fn flat(b: &mut Builder<'_>, op: TexOp) -> TexOp {
    if op.shape.dim != Dim::D1 || op.compare.is_none() {
        return op;
    }
    let (middle, none, still) = (b.f32(0.5, 1), b.i32(0), b.f32(0.0, 1));
    let coord = b.join(&[op.coord, middle]);
    let offset = op.offset.map(|offset| b.join(&[offset, none]));
    let lod = match op.lod {
        Lod::Gradient(x, y) => Lod::Gradient(b.join(&[x, still]), b.join(&[y, still])),
        lod => lod,
    };
    let shape = Shape { dim: Dim::D2, ..op.shape };
    TexOp { shape, coord, offset, lod, ..op }
}

/// The operation that yields the location of the texel at an address, if the address is that of a whole texel.
fn located(nodes: &Nodes, address: Value) -> Option<TexOp> {
    let Op::Convert { op: Convert::Pair, a, .. } = nodes.op(address) else { return None };
    let mut v = a;
    if let Op::Join { parts: [low, high, ..] } = nodes.op(a) {
        let component = |v: Value| match nodes.op(v) {
            Op::Swizzle { a, swizzle } => Some((a, swizzle.get(0))),
            _ => None,
        };
        let ((of, 0), (other, 1)) = (component(low)?, component(high)?) else { return None };
        if of != other {
            return None;
        }
        v = of;
    } else if let Op::Swizzle { a, .. } = nodes.op(a) {
        v = a;
    }
    let Op::Texture(n) = nodes.op(v) else { return None };
    nodes.textures.get(n as usize).filter(|op| op.kind == TexKind::Location).copied()
}

/// A load of the bits of a texel.
fn raw(b: &mut Builder<'_>, op: TexOp, load: Value) -> Option<Value> {
    let ty = b.ty(load);
    let texel = b.texture(TexOp { kind: TexKind::Fetch, ..op }, Scalar::I32);
    let whole = match ty.count {
        4 => texel,
        count => b.swizzle(texel, Swizzle::IDENTITY, count),
    };
    Some(match ty.scalar {
        Scalar::I32 => whole,
        scalar @ (Scalar::I8 | Scalar::I16) if ty.count == 1 => b.convert(Convert::Truncate, whole, scalar),
        _ => return None,
    })
}
