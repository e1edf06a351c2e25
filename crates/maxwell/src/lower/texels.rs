//! Texture operations in the form that languages have.

use alloc::{collections::BTreeMap, vec::Vec};
use shisa_ir::{
    Binary, Builder, Convert, Dim, Func, Lod, Nodes, Op, SamplerRef, Scalar, Shape, Space, Swizzle, TexKind,
    TexOp, TextureRef, Type, Value,
};

/// Rewrites computed offsets, comparisons with textures of one dimension, and accesses to the bits of texels.
///
/// Languages take constant offsets only: others are added to the coordinates. They compare with textures of two dimensions,
/// so one of one dimension is bound with a height of 1. The bits of a texel are integers: the surface is bound in a format
/// whose texels are unsigned integers, and have the size of the access. An x in bytes is divided by that size.
pub(super) fn adapt(func: &mut Func) {
    if func.nodes.textures.is_empty() {
        return;
    }
    func.rewrite(|b, v| match b.nodes.op(v) {
        Op::Texture(n) | Op::TextureStore(n) => {
            let op = *b.nodes.textures.get(n as usize)?;
            let op = numbered(b, op);
            let op = moved(b, op);
            let adapted = flat(b, op);
            if let Some(slot) = b.nodes.textures.get_mut(n as usize) {
                *slot = adapted;
            }
            None
        }
        _ => None,
    });
    let sizes = sizes(func);
    func.rewrite(|b, v| match b.nodes.op(v) {
        // The size of a texel as a power of two.
        Op::Swizzle { a, swizzle } if b.ty(v).count == 1 && swizzle.get(0) == 2 => {
            let op = texture(b.nodes, a)?;
            let bytes = sizes.get(&b.nodes.list[v.index()].origin)?;
            (op.kind == TexKind::Location).then(|| b.i32(bytes.trailing_zeros() as i32))
        }
        Op::Load { space: Space::Texels, address } => {
            let op = located(b.nodes, address)?;
            Some(raw(b, op, v))
        }
        Op::Atomic { op, space: Space::Texels, address, value, expected } => {
            let ty = b.ty(v);
            let at = located(b.nodes, address).filter(|_| matches!(ty, Type::I32 | Type::I64))?;
            Some(b.texture_atomic(TexOp { kind: TexKind::Atomic { op, value, expected }, ..at }, ty))
        }
        _ => None,
    });
    store_bits(func);
    // What is left of an address is where in a texel it is.
    func.rewrite(|b, v| match b.nodes.op(v) {
        Op::Swizzle { a, .. } => {
            let (op, ty) = (texture(b.nodes, a)?, b.ty(v));
            (op.kind == TexKind::Location).then(|| b.constant(ty, 0))
        }
        _ => None,
    });
}

/// The size in bytes of the texels that an instruction accesses by their bits, by the number of the instruction.
fn sizes(func: &Func) -> BTreeMap<u32, u8> {
    let nodes = &func.nodes;
    let all = func.blocks.iter().flat_map(|b| &b.body);
    all.filter_map(|v| {
        let ty = match nodes.op(*v) {
            Op::Load { space: Space::Texels, .. } | Op::Atomic { space: Space::Texels, .. } => nodes.ty(*v),
            Op::Store { space: Space::Texels, value, .. } => nodes.ty(value),
            _ => return None,
        };
        Some((nodes.list[v.index()].origin, ty.scalar.bits() / 8 * ty.count))
    })
    .collect()
}

/// Replaces stores of the bits of texels by texture operations.
fn store_bits(func: &mut Func) {
    let mut bodies: Vec<Vec<Value>> = func.blocks.iter_mut().map(|b| core::mem::take(&mut b.body)).collect();
    for body in &mut bodies {
        let mut made = Vec::with_capacity(body.len());
        for &v in &*body {
            let found = match func.nodes.op(v) {
                Op::Store { space: Space::Texels, address, value } => {
                    located(&func.nodes, address).map(|op| (op, value))
                }
                _ => None,
            };
            let Some((op, value)) = found else {
                made.push(v);
                continue;
            };
            let (ty, start, origin) =
                (func.nodes.ty(value), func.nodes.list.len() as u32, func.nodes.list[v.index()].origin);
            let b = &mut Builder::new(&mut func.nodes, origin);
            let words = match ty.scalar {
                Scalar::I8 | Scalar::I16 => b.convert(Convert::ZeroExtend, value, Scalar::I32),
                _ => value,
            };
            let bytes = ty.scalar.bits() / 8 * ty.count;
            b.texture_store(TexOp { kind: TexKind::Bits { value: words, bytes }, ..op });
            made.extend((start..func.nodes.list.len() as u32).map(Value));
        }
        *body = made;
    }
    for (block, body) in func.blocks.iter_mut().zip(bodies) {
        block.body = body;
    }
}

/// The bit of a handle where the number of the sampler begins; below is that of the texture (nouveau).
const SAMPLER_BIT: i32 = 20;

/// The operation with the numbers that its handle consists of, unless that is at a fixed offset of a constant bank: hosts
/// know the texture of such a handle, and have arrays of textures and samplers for others.
fn numbered(b: &mut Builder<'_>, op: TexOp) -> TexOp {
    let handle = match op.texture {
        TextureRef::Handle(v) if fixed(b.nodes, v).is_none() => b.convert(Convert::Truncate, v, Scalar::I32),
        _ => return op,
    };
    let (below, bit) = (b.i32((1 << SAMPLER_BIT) - 1), b.i32(SAMPLER_BIT));
    let texture = TextureRef::Numbered(b.and(handle, below));
    let sampler = match op.is_whole() {
        true => op.sampler,
        false => SamplerRef::Handle(b.lshr(handle, bit)),
    };
    TexOp { texture, sampler, ..op }
}

/// The bank and the offset in it of a handle that is at a fixed offset.
pub(super) fn fixed(nodes: &Nodes, handle: Value) -> Option<(u8, u64)> {
    let Op::Convert { op: Convert::ZeroExtend, a, .. } = nodes.op(handle) else { return None };
    let Op::Load { space: Space::Constant(bank), address } = nodes.op(a) else { return None };
    let Op::Const(offset) = nodes.op(address) else { return None };
    Some((bank, offset))
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

/// The texture operation that yields a value.
fn texture(nodes: &Nodes, v: Value) -> Option<TexOp> {
    match nodes.op(v) {
        Op::Texture(n) => nodes.textures.get(n as usize).copied(),
        _ => None,
    }
}

/// The operation that yields the location of the texel at an address. An address within a texel counts as that of the
/// texel: that of its upper half, and that of an x which is no multiple of the size of the access.
fn located(nodes: &Nodes, address: Value) -> Option<TexOp> {
    let mut whole = address;
    while let Op::Binary { op: Binary::IAdd | Binary::And, a, .. } = nodes.op(whole) {
        whole = a;
    }
    let Op::Convert { op: Convert::Pair, a, .. } = nodes.op(whole) else { return None };
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
    texture(nodes, v).filter(|op| op.kind == TexKind::Location)
}

/// A load of the bits of a texel.
fn raw(b: &mut Builder<'_>, op: TexOp, load: Value) -> Value {
    let ty = b.ty(load);
    let texel = b.texture(TexOp { kind: TexKind::Fetch, ..op }, Scalar::I32);
    let whole = match ty.count {
        4 => texel,
        count => b.swizzle(texel, Swizzle::IDENTITY, count),
    };
    match ty.scalar {
        Scalar::I8 | Scalar::I16 => b.convert(Convert::Truncate, whole, ty.scalar),
        _ => whole,
    }
}
