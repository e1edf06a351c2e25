//! Operand requirements of texture operations.

use crate::{Dim, Lod, Nodes, SamplerRef, Scalar, Space, TexKind, TexOp, TextureRef, Type, Value};
use alloc::{format, string::String};

/// Checks a texture operation; the error text states what is wrong.
pub(super) fn check_texture(nodes: &Nodes, t: &TexOp, ty: Type) -> Result<(), String> {
    let coordinates = t.coordinates();
    let float = |v: Value, count: u8| nodes.ty(v).scalar.is_float() && nodes.ty(v).count == count;
    let integer = |v: Value, count: u8| nodes.ty(v) == Scalar::I32.by(count);
    let stores = matches!(t.kind, TexKind::Store(_) | TexKind::Bits { .. });
    let filters = matches!(t.kind, TexKind::Sample | TexKind::Gather(_));
    let lod = match (t.kind, t.lod) {
        (TexKind::Gather(_) | TexKind::Size | TexKind::Samples, lod) => lod == Lod::Zero,
        (_, Lod::Zero) if t.is_exact() => true,
        (_, Lod::Level(v)) if t.is_exact() => !t.shape.multisampled && integer(v, 1),
        _ if t.is_exact() => false,
        (TexKind::Sample, Lod::Zero) | (_, Lod::Implicit) => true,
        (_, Lod::Bias(v)) | (TexKind::Sample, Lod::Level(v)) => float(v, 1),
        (TexKind::Sample, Lod::Gradient(x, y)) => float(x, coordinates) && float(y, coordinates),
        _ => false,
    };
    let computed = !matches!(t.lod, Lod::Zero | Lod::Level(_));
    let flat = t.shape.dim != Dim::Cube;
    let checks = [
        (
            t.shape.exists() && (t.is_exact() || !t.shape.multisampled) && (flat || !t.is_exact()),
            "an invalid shape",
        ),
        (
            if t.is_whole() { integer(t.coord, coordinates) } else { float(t.coord, coordinates) },
            "an invalid coordinate",
        ),
        (lod, "an invalid level of detail"),
        (t.least.is_none_or(|v| computed && float(v, 1)), "an invalid least level of detail"),
        (t.layer.map(|v| integer(v, 1)) == t.shape.arrayed.then_some(true), "an invalid layer"),
        (t.sample.map(|v| integer(v, 1)) == t.shape.multisampled.then_some(true), "an invalid sample"),
        (t.compare.is_none_or(|v| filters && float(v, 1)), "an invalid comparison"),
        (t.offset.is_none_or(|v| filters && flat && integer(v, coordinates)), "an invalid offset"),
        (
            !matches!(t.texture, TextureRef::Handle(v) if !Space::Global.takes(nodes.ty(v))),
            "an invalid handle",
        ),
        (!matches!(t.texture, TextureRef::Numbered(v) if !integer(v, 1)), "an invalid number"),
        (matches!(t.kind, TexKind::Store(_)) || !t.towards_zero, "a rounding direction but no store"),
        (t.is_exact() || !t.traps, "an error outside the texture, which it cannot reach"),
        (!matches!(t.sampler, SamplerRef::Handle(v) if !integer(v, 1)), "an invalid sampler"),
        (!t.is_whole() || t.sampler == SamplerRef::Texture, "a sampler that it does not use"),
        (!matches!(t.kind, TexKind::Gather(4..)), "an invalid component"),
        (!matches!(t.kind, TexKind::Store(v) if nodes.ty(v).count != 4), "an invalid texel"),
        (
            match t.kind {
                TexKind::Bits { value, bytes } => {
                    let words = match bytes {
                        1 | 2 | 4 => 1,
                        8 => 2,
                        16 => 4,
                        _ => 0,
                    };
                    words != 0 && integer(value, words)
                }
                TexKind::Atomic { value, expected, .. } => nodes.ty(value) == ty && nodes.ty(expected) == ty,
                _ => true,
            },
            "invalid bits",
        ),
        (
            match t.kind {
                _ if stores => ty == Type::NONE,
                TexKind::Atomic { .. } => matches!(ty.scalar, Scalar::I32 | Scalar::I64) && ty.count == 1,
                _ => ty.count == 4,
            },
            "an invalid result",
        ),
        (!t.yields_integers() || ty == Scalar::I32.by(4), "an invalid result of a query"),
    ];
    match checks.iter().find(|(right, _)| !right) {
        None => Ok(()),
        Some((_, what)) => Err(format!("{what}: {} at {}, giving {ty}", t.shape.name(), nodes.ty(t.coord))),
    }
}
