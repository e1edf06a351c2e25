//! What texture instructions compute.
//!
//! A texture instruction reads registers in a fixed order from two vectors. The long form has in the first vector the layer
//! and the coordinates, and in the second the handle, the number of the sample, the level, the offsets and the reference
//! value, each only if the suffixes say so. The short form has the same order over both vectors. `TXD` has the handle in
//! front of the coordinates, the layer after them, and the derivatives in the second vector. Mesa's compilers (nouveau, NAK)
//! and open emulators agree on this order; listings of uam and tests that others ran on a Switch confirm it.

mod long;
mod query;
mod short;
mod vectors;

pub(super) use long::{fetch, gather, gradients, sample};
pub(super) use query::{choice, level, query};
pub(super) use short::short;

use crate::operand::{AT, MaxwellLift, P};
use alloc::vec::Vec;
use shisa_diag::{Code, Diagnostic};
use shisa_ir::{Convert, Dim, Lod, Scalar, Shape, TexKind, TexOp, TextureRef, Type, Value};
use vectors::Vectors;

/// The code of texture operations whose meaning is not public.
const REFUSED: Code = "lift-texture";

/// The names of shapes, by number. Odd numbers have layers.
pub(super) const SHAPES: [&str; 8] =
    ["1D", "ARRAY_1D", "2D", "ARRAY_2D", "3D", "ARRAY_3D", "CUBE", "ARRAY_CUBE"];

/// Whether a suffix of the instruction consists of or contains this word: `.LZ.DC` contains `DC`.
fn has(l: &MaxwellLift<'_, '_>, word: &str) -> bool {
    super::suffixes(&l.insn).any(|suffix| suffix.split('.').any(|part| part == word))
}

fn refuse(l: &mut MaxwellLift<'_, '_>, what: &'static str) {
    l.refuse(Diagnostic::error(REFUSED, what));
}

/// The shape of a number of [`SHAPES`].
fn shape(l: &mut MaxwellLift<'_, '_>, number: u64) -> Shape {
    let dim = [Dim::D1, Dim::D2, Dim::D3, Dim::Cube][(number >> 1) as usize & 3];
    let multisampled = has(l, "MS");
    let shape = Shape { dim, arrayed: number & 1 != 0, multisampled };
    if !shape.exists() {
        refuse(l, "no texture has this shape");
    }
    shape
}

/// Whether a register holds the handle.
fn is_bindless(l: &MaxwellLift<'_, '_>) -> bool {
    l.insn.form().operand(AT).is_none_or(|handle| handle.field.width() == 0)
}

/// The texture: by the number of its handle, or by a handle in a register.
fn texture(l: &mut MaxwellLift<'_, '_>, from: &mut Vectors) -> TextureRef {
    if !is_bindless(l) {
        return TextureRef::Unit(l.insn.field(AT) as u16);
    }
    let handle = from.bits(l);
    TextureRef::Handle(l.convert(Convert::ZeroExtend, handle, Scalar::I64))
}

/// `width` bits of a value from `lo` on, without sign.
fn field(l: &mut MaxwellLift<'_, '_>, v: Value, lo: u8, width: u8) -> Value {
    let (shift, mask) = (l.i32(lo.into()), l.i32((1 << width) - 1));
    let v = l.lshr(v, shift);
    l.and(v, mask)
}

/// `width` bits of a value from `lo` on, with sign.
fn signed_field(l: &mut MaxwellLift<'_, '_>, v: Value, lo: u8, width: u8) -> Value {
    // Only a third offset of a gather ends past bit 32, and gathers from volumes are refused.
    let (up, down) = (l.i32(32u8.saturating_sub(width + lo).into()), l.i32((32 - width).into()));
    let v = l.shl(v, up);
    l.ashr(v, down)
}

/// A vector of `count` signed fields of `width` bits, `step` bits apart.
fn offsets(l: &mut MaxwellLift<'_, '_>, v: Value, (lo, width, step): (u8, u8, u8), count: u8) -> Value {
    let parts: Vec<Value> = (0..count).map(|i| signed_field(l, v, lo + i * step, width)).collect();
    l.join(&parts)
}

/// The bits of the four components that an operation reads.
fn texel(l: &mut MaxwellLift<'_, '_>, op: TexOp) -> Value {
    let texel = l.texture(op, Scalar::F32);
    l.convert(Convert::Bits, texel, Scalar::I32)
}

/// Writes the predicate of a read: whether a page of the texture was missing. All textures are complete. NAK calls the
/// predicate `fault`; tests that others ran on a Switch find it false.
fn found(l: &mut MaxwellLift<'_, '_>) {
    let missing = l.constant(Type::BOOL, 0);
    l.set(P, missing);
}

/// The components that a mask chooses.
fn chosen(bits: u64) -> impl Iterator<Item = u8> {
    (0..4).filter(move |i| bits >> i & 1 != 0)
}

/// A read of a texture, built from the registers in the order that both forms share.
fn read(l: &mut MaxwellLift<'_, '_>, kind: TexKind, number: u64, mut from: Vectors) -> TexOp {
    let (shape, whole) = (shape(l, number), kind == TexKind::Fetch);
    let packed = (shape.arrayed || has(l, "LC")).then(|| from.bits(l));
    let coord = from.vector(l, shape.dim.coordinates(), whole);
    let texture = texture(l, &mut from);
    let sample = shape.multisampled.then(|| from.bits(l));
    let lod = lod(l, &mut from, kind);
    let offset = has(l, "AOFFI").then(|| from.bits(l));
    let mut op = TexOp { kind, texture, sample, ..TexOp::sample(0, shape, coord, lod) };
    if let Some(packed) = packed {
        op.layer = shape.arrayed.then(|| field(l, packed, 0, 16));
        op.least = has(l, "LC").then(|| clamp(l, packed, 16));
    }
    if let Some(offset) = offset {
        shift(l, &mut op, offset, 0);
    }
    op.compare = has(l, "DC").then(|| from.float(l));
    check(l, &op);
    op
}

/// The level of detail. `.LBA` and `.LLA` read the same register as `.LB` and `.LL`, with the same result
/// in tests that others ran on a Switch.
fn lod(l: &mut MaxwellLift<'_, '_>, from: &mut Vectors, kind: TexKind) -> Lod {
    match kind {
        TexKind::Gather(_) => Lod::Zero,
        _ if has(l, "LZ") => Lod::Zero,
        TexKind::Fetch => Lod::Level(from.bits(l)),
        _ if has(l, "LB") || has(l, "LBA") => Lod::Bias(from.float(l)),
        _ if has(l, "LL") || has(l, "LLA") => Lod::Level(from.float(l)),
        _ if has(l, "INVALIDBLOD4") || has(l, "INVALIDBLOD5") => {
            refuse(l, "no level of detail has this number");
            Lod::Zero
        }
        _ => Lod::Implicit,
    }
}

/// The least level of detail, a number with 8 bits after the point in 12 bits from `lo` on (NAK, yuzu).
fn clamp(l: &mut MaxwellLift<'_, '_>, packed: Value, lo: u8) -> Value {
    let number = field(l, packed, lo, 12);
    let number = l.convert(Convert::UnsignedToFloat, number, Scalar::F32);
    let unit = l.f32(1.0 / 256.0, 1);
    l.fmul(number, unit)
}

/// Adds the offsets of a register to the coordinate: 4 bits each from bit `lo` on. A gather has 8 bits each, of which the
/// hardware uses 6: the limits of `textureGatherOffset` are -32 and 31.
fn shift(l: &mut MaxwellLift<'_, '_>, op: &mut TexOp, packed: Value, lo: u8) {
    let layout = if matches!(op.kind, TexKind::Gather(_)) { (lo, 6, 8) } else { (lo, 4, 4) };
    let offset = offsets(l, packed, layout, op.shape.dim.coordinates());
    match op.kind {
        TexKind::Fetch => op.coord = l.iadd(op.coord, offset),
        _ => op.offset = Some(offset),
    }
}

/// Refuses combinations whose result is not public.
fn check(l: &mut MaxwellLift<'_, '_>, op: &TexOp) {
    let Shape { dim, .. } = op.shape;
    let given = matches!(op.lod, Lod::Zero | Lod::Level(_));
    if op.offset.is_some() && dim == Dim::Cube {
        refuse(l, "a face of a cube has no directions for an offset");
    }
    if op.kind == TexKind::Fetch && dim == Dim::Cube {
        refuse(l, "texels of a cube have no whole coordinates");
    }
    if matches!(op.kind, TexKind::Gather(_)) && !matches!(dim, Dim::D2 | Dim::Cube) {
        refuse(l, "a gather reads textures of two dimensions and cubes");
    }
    if op.shape.multisampled && matches!(op.lod, Lod::Level(_)) {
        refuse(l, "a texture with several samples has one level");
    }
    if op.least.is_some() && given {
        refuse(l, "the effect of .LC on a given level is not public");
    }
}
