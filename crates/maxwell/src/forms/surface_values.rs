//! What surface instructions do.
//!
//! The registers of the address hold x, y and z of the texel, the layer last. PTX documents the two kinds of access: `.P`
//! converts by the format of the surface, `.D` moves bits. With `.BA`, to which ptxas compiles `.D` always, x counts bytes,
//! without it texels. Outside of the surface `.IGN` reads 0 and writes nothing, `.TRAP` ends the program, and neither
//! suffix takes the nearest location.

use super::atomic_values::{self, Kind};
use super::surface::{CLAMP, COMPONENTS, SHAPE, SIZE};
use crate::operand::{AT, B, C, D, MaxwellLift, registers, set_registers};
use alloc::vec::Vec;
use shisa_diag::{Code, Diagnostic};
use shisa_ir::{Convert, Dim, Lod, Scalar, Shape, Space, TexKind, TexOp, TextureRef, Type, Value};
use shisa_rows::Field;

/// The code of accesses whose meaning is not public.
const REFUSED: Code = "lift-surface";
/// The width of a register's number; that of a handle in the instruction is larger.
const REGISTER_BITS: u32 = 8;

fn refuse(l: &mut MaxwellLift<'_, '_>, what: &'static str) {
    l.refuse(Diagnostic::error(REFUSED, what));
}

/// Whether the instruction has this suffix.
fn set(l: &MaxwellLift<'_, '_>, name: &str) -> bool {
    super::set(l, name)
}

/// The shape, and how many coordinates it has with the layer.
fn shape(l: &mut MaxwellLift<'_, '_>) -> (Shape, u8) {
    let (dim, arrayed) = match SHAPE.get(&l.insn.word) {
        // A buffer is a surface of one dimension.
        0 | 1 => (Dim::D1, false),
        2 => (Dim::D1, true),
        3 => (Dim::D2, false),
        4 => (Dim::D2, true),
        5 => (Dim::D3, false),
        _ => {
            refuse(l, "no surface has this shape");
            (Dim::D1, false)
        }
    };
    (Shape { dim, arrayed, multisampled: false }, dim.coordinates() + u8::from(arrayed))
}

/// The surface: by the number of its handle, or by a handle in a register.
fn surface(l: &mut MaxwellLift<'_, '_>) -> TextureRef {
    let by_number = l.insn.form().operand(C).is_some_and(|handle| handle.field.width() > REGISTER_BITS);
    if by_number {
        return TextureRef::Unit(l.insn.field(C) as u16);
    }
    let handle = l.src(C);
    TextureRef::Handle(l.convert(Convert::ZeroExtend, handle, Scalar::I64))
}

/// An operation of a kind at these coordinates.
fn operation(l: &mut MaxwellLift<'_, '_>, kind: TexKind, shape: Shape, mut coordinates: Vec<Value>) -> TexOp {
    let layer = if shape.arrayed { coordinates.pop() } else { None };
    let coord = l.join(&coordinates);
    let texture = surface(l);
    TexOp { kind, texture, layer, traps: set(l, ".TRAP"), ..TexOp::sample(0, shape, coord, Lod::Zero) }
}

/// The nearest of the numbers from 0 to one below `end`.
fn nearest(l: &mut MaxwellLift<'_, '_>, v: Value, end: Value) -> Value {
    let (one, zero) = (l.i32(1), l.i32(0));
    let last = l.isub(end, one);
    let v = l.smin(v, last);
    l.smax(v, zero)
}

/// The coordinates in the registers; the nearest ones in the surface where no suffix says otherwise. `first` is where x
/// ends, if it does not count texels.
fn coordinates(l: &mut MaxwellLift<'_, '_>, (shape, count): (Shape, u8), x_end: Option<Value>) -> Vec<Value> {
    let n = l.insn.field(AT) & 0xff;
    let all = registers(l, n, count);
    let parts: Vec<Value> = (0..count).map(|i| l.component(all, i)).collect();
    match CLAMP.field.get(&l.insn.word) {
        0 | 2 => parts,
        1 => {
            let size = size(l, shape);
            let nearest = |(i, v)| {
                let end = x_end.filter(|_| i == 0).unwrap_or_else(|| l.component(size, i));
                nearest(l, v, end)
            };
            (0..).zip(parts).map(nearest).collect()
        }
        _ => {
            refuse(l, "there is no such treatment of coordinates outside");
            parts
        }
    }
}

/// The size of the surface along its dimensions, then its layers.
fn size(l: &mut MaxwellLift<'_, '_>, shape: Shape) -> Value {
    let (texture, level) = (surface(l), l.i32(0));
    let op =
        TexOp { kind: TexKind::Size, texture, ..TexOp::sample(0, shape_of_query(shape), level, Lod::Zero) };
    l.texture(op, Scalar::I32)
}

/// A query reads a surface of any shape; its operation has no layer.
fn shape_of_query(shape: Shape) -> Shape {
    Shape { arrayed: false, ..shape }
}

/// The address of the texel, or of the bytes, that an access of `bytes` bytes names.
fn address(l: &mut MaxwellLift<'_, '_>, bytes: i32) -> Value {
    let (shape, count) = shape(l);
    if !set(l, ".BA") {
        let at = coordinates(l, (shape, count), None);
        let op = operation(l, TexKind::Location, shape, at);
        let location = l.texture(op, Scalar::I32);
        return pair(l, location);
    }
    // The first texel exists in every surface.
    let first: Vec<Value> = (0..count).map(|_| l.i32(0)).collect();
    let op = operation(l, TexKind::Location, shape, first);
    let location = l.texture(op, Scalar::I32);
    let scale = l.component(location, 2);
    let size = size(l, shape);
    let (width, one, last) = (l.component(size, 0), l.i32(1), l.i32(bytes - 1));
    let width = l.shl(width, scale);
    let end = l.isub(width, last);
    let mut at = coordinates(l, (shape, count), Some(end));
    let Some(x) = at.first_mut() else { return pair(l, location) };
    let each = l.shl(one, scale);
    let within = l.isub(each, one);
    let offset = l.and(*x, within);
    // An x below 0 stays outside.
    *x = l.ashr(*x, scale);
    let op = operation(l, TexKind::Location, shape, at);
    let location = l.texture(op, Scalar::I32);
    let address = pair(l, location);
    let offset = l.convert(Convert::ZeroExtend, offset, Scalar::I64);
    l.iadd(address, offset)
}

fn pair(l: &mut MaxwellLift<'_, '_>, location: Value) -> Value {
    let halves = [0, 1].map(|i| l.component(location, i));
    let halves = l.join(&halves);
    l.pair(halves, Scalar::I64)
}

/// The components that a mask names.
fn masked(l: &MaxwellLift<'_, '_>) -> impl Iterator<Item = u8> + use<> {
    let mask = COMPONENTS.get(&l.insn.word);
    (0..4).filter(move |i| mask >> i & 1 != 0)
}

/// Loads components.
pub(super) fn load_formatted(l: &mut MaxwellLift<'_, '_>) {
    let shape = shape(l);
    let at = coordinates(l, shape, None);
    let op = operation(l, TexKind::Fetch, shape.0, at);
    let texel = l.texture(op, Scalar::F32);
    let bits = l.convert(Convert::Bits, texel, Scalar::I32);
    let parts: Vec<Value> = masked(l).map(|i| l.component(bits, i)).collect();
    if !parts.is_empty() {
        let all = l.join(&parts);
        l.set(D, all);
    }
    resident(l);
}

/// Stores components. PTX leaves those that the mask does not name open: they become 0.
pub(super) fn store_formatted(l: &mut MaxwellLift<'_, '_>) {
    let names: Vec<u8> = masked(l).collect();
    let n = l.insn.field(D) & 0xff;
    let given = registers(l, n, names.len().max(1) as u8);
    let parts = [0, 1, 2, 3].map(|i| match names.iter().position(|name| *name == i) {
        Some(position) => l.component(given, position as u8),
        None => l.i32(0),
    });
    let bits = l.join(&parts);
    let texel = l.convert(Convert::Bits, bits, Scalar::F32);
    let shape = shape(l);
    let at = coordinates(l, shape, None);
    let op = operation(l, TexKind::Store(texel), shape.0, at);
    l.texture_store(op);
}

/// The type of raw data, how many bytes it has, and whether it has a sign.
fn raw(l: &mut MaxwellLift<'_, '_>) -> Option<(Type, i32, bool)> {
    Some(match SIZE.get(&l.insn.word) {
        0 => (Scalar::I8.by(1), 1, false),
        1 => (Scalar::I8.by(1), 1, true),
        2 => (Scalar::I16.by(1), 2, false),
        3 => (Scalar::I16.by(1), 2, true),
        4 => (Type::I32, 4, false),
        5 => (Scalar::I32.by(2), 8, false),
        6 => (Scalar::I32.by(4), 16, false),
        _ => {
            refuse(l, "no raw data has this size");
            return None;
        }
    })
}

/// Loads raw data.
pub(super) fn load_raw(l: &mut MaxwellLift<'_, '_>) {
    let Some((ty, bytes, signed)) = raw(l) else { return };
    let address = address(l, bytes);
    let mut v = l.load(Space::Texels, address, ty);
    if ty.scalar != Scalar::I32 {
        v = l.convert(if signed { Convert::SignExtend } else { Convert::ZeroExtend }, v, Scalar::I32);
    }
    l.set(D, v);
    resident(l);
}

/// Stores raw data.
pub(super) fn store_raw(l: &mut MaxwellLift<'_, '_>) {
    let Some((ty, bytes, _)) = raw(l) else { return };
    let n = l.insn.field(D) & 0xff;
    let mut v = registers(l, n, ty.count);
    if ty.scalar != Scalar::I32 {
        v = l.convert(Convert::Truncate, v, ty.scalar);
    }
    let address = address(l, bytes);
    l.store(Space::Texels, address, v);
}

/// The predicate of an access that can miss a page: no page is missing.
fn resident(l: &mut MaxwellLift<'_, '_>) {
    if l.insn.form().operand(crate::operand::P).is_some() {
        super::memory_values::present(l);
    }
}

/// The types of raw data by number; the last two are not described anywhere.
fn kind(l: &MaxwellLift<'_, '_>, ty: Option<Field>) -> Option<Kind> {
    match ty {
        Some(field) => Kind::global(field.get(&l.insn.word), l.ctx.chip),
        // PTX: formatted operations change 32 bits, whose sign is that of the format.
        None => Kind::global(0, l.ctx.chip),
    }
}

/// Changes a texel with the value in the registers of a slot, and writes what was there to `old` if there is such a slot.
/// The field holds the type of raw data; there is none for a formatted access.
pub(super) fn change(l: &mut MaxwellLift<'_, '_>, operation: Field, ty: Option<Field>, gives: bool) {
    let (kind, number) = (kind(l, ty), operation.get(&l.insn.word));
    if ty.is_none() && [1, 2].contains(&number) {
        return refuse(
            l,
            "whether the format of the surface has a sign decides on the smaller and the larger",
        );
    }
    let bytes = kind.map_or(4, Kind::bytes);
    let address = address(l, bytes);
    let value = if gives { B } else { D };
    let old = atomic_values::change_at(l, (Space::Texels, address), (kind, number), value);
    if let (Some(old), true) = (old, gives) {
        l.set(D, old);
        resident(l);
    }
}

/// Stores the second value of a pair of registers where the first is, and gives what was there.
pub(super) fn exchange(l: &mut MaxwellLift<'_, '_>, ty: Option<Field>) {
    let number = ty.map_or(0, |field| field.get(&l.insn.word));
    let count = match number {
        0 | 1 => 1,
        2 | 5 => 2,
        _ => return refuse(l, "this type is not compared and exchanged"),
    };
    let address = address(l, 4 * i32::from(count));
    let n = l.insn.field(B) & 0xff;
    let old = atomic_values::exchange_at(l, (Space::Texels, address), n, count);
    let d = l.insn.field(D) & 0xff;
    set_registers(l, d, old);
    resident(l);
}
