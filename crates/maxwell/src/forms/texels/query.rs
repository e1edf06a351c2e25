//! Queries: properties of textures, and the level that a sample would read.

use super::long::write;
use super::{Vectors, check, chosen, is_bindless, read, refuse, texture};
use crate::operand::{A, B, MaxwellLift, SHAPE, TABLE};
use shisa_diag::Diagnostic;
use shisa_ir::{Convert, Dim, Lod, Scalar, Swizzle, TexKind, TexOp, Value};
use shisa_rows::UNSTATED;

/// Queries a property of a texture; `name` is the one in the text. The instruction has no shape.
///
/// The dimension has the size of a level in components 0 to 2 and the number of levels in component 3: tests that others
/// ran on a Switch show it for all shapes. uam, nouveau and NAK read the number of samples from component 2 of the texture
/// type. What its other components and the other properties are is not public.
pub(in crate::forms) fn query(l: &mut MaxwellLift<'_, '_>, name: &str) {
    let registers = 1 + u8::from(is_bindless(l));
    let mut from = Vectors::new(l, [(A, registers), (B, 0)]);
    let texture = texture(l, &mut from);
    let level = from.bits(l);
    let (kind, order) = match name {
        "TEX_HEADER_DIMENSION" => (TexKind::Size, Swizzle::IDENTITY),
        "TEX_HEADER_TEXTURE_TYPE" if chosen(l.insn.field(TABLE)).all(|i| i == 2) => {
            (TexKind::Samples, Swizzle::splat(0))
        }
        _ => return refuse(l, "the value of this property is not public"),
    };
    let op = TexOp { kind, texture, ..TexOp::sample(0, Dim::D2, level, Lod::Zero) };
    let found = l.texture(op, Scalar::I32);
    let bits = l.swizzle(found, order, 4);
    write(l, bits);
}

/// How sampling would choose among texels: no public source says more about TXA than its name.
pub(in crate::forms) fn choice(l: &mut MaxwellLift<'_, '_>) {
    l.refuse(Diagnostic::error(UNSTATED, "no public source describes what TXA gives"));
}

/// Determines the level that sampling would read: in component 0 as it is computed, with sign, and in component 1 clamped to
/// the levels, both with 8 bits after the point (NAK and nouveau convert 16 bits of each, and exchange them for GLSL).
pub(in crate::forms) fn level(l: &mut MaxwellLift<'_, '_>, coordinates: fn(&u128) -> u8) {
    if chosen(l.insn.field(TABLE)).any(|i| i > 1) {
        return refuse(l, "components 2 and 3 of the level are not public");
    }
    let word = l.insn.word;
    let handle = u8::from(is_bindless(l));
    let from = Vectors::new(l, [(A, coordinates(&word)), (B, handle)]);
    let number = l.insn.field(SHAPE);
    let op = read(l, TexKind::Detail, number, from);
    check(l, &op);
    let levels = l.texture(op, Scalar::F32);
    let [clamped, computed] = [0, 1].map(|i| l.component(levels, i));
    let (computed, clamped) = (fixed(l, computed, i16::MIN.into()), fixed(l, clamped, 0));
    let bits = l.join(&[computed, clamped, clamped, clamped]);
    write(l, bits);
}

/// A number with 8 bits after the point, rounded to the nearest, from `least` to the largest of 16 bits with sign.
fn fixed(l: &mut MaxwellLift<'_, '_>, level: Value, least: i32) -> Value {
    let unit = l.f32(256.0, 1);
    let units = l.fmul(level, unit);
    let units = l.fround(units);
    let number = l.convert(Convert::FloatToSigned, units, Scalar::I32);
    let (least, most) = (l.i32(least), l.i32(i16::MAX.into()));
    let number = l.smax(number, least);
    l.smin(number, most)
}
