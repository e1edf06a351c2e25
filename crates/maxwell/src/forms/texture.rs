//! Texture reads in their short form, with results of binary32.

use super::{always, fixed, flag};
use crate::Maxwell;
use crate::operand::{
    A, AT, B, BARE_A, BARE_B, COMPONENTS, COMPONENTS2, D, DEST, DEST2, E, HANDLE, MaxwellLift, SHAPE_2D,
    SHAPE_3D, SHAPE_CUBE, TABLE, components, registers, set_registers,
};
use shisa_diag::Diagnostic;
use shisa_ir::{Convert, Dim, Lod, Scalar, Swizzle, TexOp, Value};
use shisa_rows::{Form, Modifier, Operand};

const PLAIN: &[Modifier] = &[NO_DEPENDENCE];
const LEVEL_ZERO: &[Modifier] = &[always(&[".LZ"]), NO_DEPENDENCE];
const LEVEL: &[Modifier] = &[always(&[".LL"]), NO_DEPENDENCE];
const NO_DEPENDENCE: Modifier = flag(49, &["", ".NODEP"]);

/// A read with two destinations.
const fn two(
    kind: u64,
    operands: &'static [Operand<Maxwell>],
    lift: fn(&mut MaxwellLift<'_, '_>),
) -> Form<Maxwell> {
    fixed("TEXS", (0xd800_0000_0000_0000 | kind << 53, 0xffe0_0000_0000_0000), operands, lift)
        .yields_to("TEXS")
}

/// A read with one destination; the second is `RZ`.
const fn one(
    kind: u64,
    operands: &'static [Operand<Maxwell>],
    lift: fn(&mut MaxwellLift<'_, '_>),
) -> Form<Maxwell> {
    fixed("TEXS", (0xd800_000f_f000_0000 | kind << 53, 0xffe0_000f_f000_0000), operands, lift)
}

const ONE_2D: &[Operand<Maxwell>] = &[NOWHERE, DEST, BARE_A, BARE_B, HANDLE, SHAPE_2D, COMPONENTS];
const ONE_3D: &[Operand<Maxwell>] = &[NOWHERE, DEST, BARE_A, BARE_B, HANDLE, SHAPE_3D, COMPONENTS];
const ONE_CUBE: &[Operand<Maxwell>] = &[NOWHERE, DEST, BARE_A, BARE_B, HANDLE, SHAPE_CUBE, COMPONENTS];
const TWO_2D: &[Operand<Maxwell>] = &[DEST2, DEST, BARE_A, BARE_B, HANDLE, SHAPE_2D, COMPONENTS2];
const TWO_3D: &[Operand<Maxwell>] = &[DEST2, DEST, BARE_A, BARE_B, HANDLE, SHAPE_3D, COMPONENTS2];
const TWO_CUBE: &[Operand<Maxwell>] = &[DEST2, DEST, BARE_A, BARE_B, HANDLE, SHAPE_CUBE, COMPONENTS2];
/// The place of the second destination.
const NOWHERE: Operand<Maxwell> = crate::operand::FIXED_RZ;

#[rustfmt::skip]
pub(super) const ROWS: &[Form<Maxwell>] = &[
    one(1, ONE_2D, |l| split(l, Dim::D2, false)).modifiers(PLAIN).says("Samples a texture; one or two components go to registers in a row.")
        .examples(&[("@P1 TEXS RZ, R25, R211, R120, 0x11e2, 2D, BA;", 0x07e0_d83d_1e2f_f781_d319)]),
    one(2, ONE_2D, |l| split(l, Dim::D2, true)).modifiers(LEVEL_ZERO).says("Samples level 0 of a texture.")
        .examples(&[("TEXS.LZ RZ, R5, R2, R3, 0x28, 2D, R;", 0x07e0_d840_028f_f037_0205)]),
    one(3, ONE_2D, level).modifiers(LEVEL).says("Samples a given level of a texture.")
        .examples(&[("TEXS.LL RZ, R0, R2, R4, 0x8, 2D, RG;", 0x07e0_d870_008f_f047_0200)]),
    one(10, ONE_3D, |l| pair(l, Dim::D3, false)).modifiers(PLAIN).says("Samples a texture with depth.")
        .examples(&[("TEXS RZ, R0, R2, R4, 0x8, 3D, R;", 0x07e0_d940_008f_f047_0200)]),
    one(11, ONE_3D, |l| pair(l, Dim::D3, true)).modifiers(LEVEL_ZERO).says("Samples level 0 of a texture with depth.")
        .examples(&[("TEXS.LZ RZ, R2, R2, R4, 0x28, 3D, RA;", 0x07e0_d974_028f_f047_0202)]),
    one(12, ONE_CUBE, |l| pair(l, Dim::Cube, false)).modifiers(PLAIN).says("Samples a cube texture.")
        .examples(&[("TEXS.NODEP RZ, R8, R190, R170, 0x1f23, CUBE, GA;", 0x07e0_d99b_f23f_faa7_be08)]),
    two(1, TWO_2D, |l| split(l, Dim::D2, false)).modifiers(PLAIN).says("Samples a texture; the first two components go to one pair of registers, the rest to the other.")
        .examples(&[("TEXS R4, R6, R4, R5, 0x1a4, 2D, RGBA;", 0x07e0_d830_1a40_4057_0406)]),
    two(2, TWO_2D, |l| split(l, Dim::D2, true)).modifiers(LEVEL_ZERO).says("Samples level 0 of a texture.")
        .examples(&[("TEXS.LZ R2, R0, R2, R3, 0x8, 2D, RGB;", 0x07e0_d840_0080_2037_0200)]),
    two(3, TWO_2D, level).modifiers(LEVEL).says("Samples a given level of a texture.")
        .examples(&[("TEXS.LL R2, R0, R2, R4, 0x8, 2D, RGBA;", 0x07e0_d870_0080_2047_0200)]),
    two(10, TWO_3D, |l| pair(l, Dim::D3, false)).modifiers(PLAIN).says("Samples a texture with depth.")
        .examples(&[("TEXS R2, R0, R2, R4, 0x8, 3D, RGBA;", 0x07e0_d950_0080_2047_0200)]),
    two(11, TWO_3D, |l| pair(l, Dim::D3, true)).modifiers(LEVEL_ZERO).says("Samples level 0 of a texture with depth.")
        .examples(&[("TEXS.LZ R2, R0, R2, R4, 0x8, 3D, RGBA;", 0x07e0_d970_0080_2047_0200)]),
    two(12, TWO_CUBE, |l| pair(l, Dim::Cube, false)).modifiers(PLAIN).says("Samples a cube texture.")
        .examples(&[("TEXS R2, R0, R2, R4, 0x8, CUBE, RGBA;", 0x07e0_d990_0080_2047_0200)]),
];

/// Coordinates of registers, as floats.
fn floats(l: &mut MaxwellLift<'_, '_>, bits: Value) -> Value {
    l.convert(Convert::Bits, bits, Scalar::F32)
}

/// One coordinate in each of both sources.
fn split(l: &mut MaxwellLift<'_, '_>, dim: Dim, zero: bool) {
    let (x, y) = (l.src(A), l.src(B));
    let bits = l.join(&[x, y]);
    let coord = floats(l, bits);
    sample(l, dim, coord, zero);
}

/// Two coordinates in registers in a row, the third in the second source.
fn pair(l: &mut MaxwellLift<'_, '_>, dim: Dim, zero: bool) {
    let n = l.insn.field(A);
    let (xy, z) = (registers(l, n, 2), l.src(B));
    let (x, y) = (l.component(xy, 0), l.component(xy, 1));
    let bits = l.join(&[x, y, z]);
    let coord = floats(l, bits);
    sample(l, dim, coord, zero);
}

fn sample(l: &mut MaxwellLift<'_, '_>, dim: Dim, coord: Value, zero: bool) {
    let lod = if zero { Lod::Level(l.f32(0.0, 1)) } else { Lod::Implicit };
    read(l, dim, coord, lod);
}

/// Two coordinates in registers in a row, the level in the second source.
fn level(l: &mut MaxwellLift<'_, '_>) {
    let n = l.insn.field(A);
    let (xy, level) = (registers(l, n, 2), l.src(B));
    let (coord, level) = (floats(l, xy), floats(l, level));
    read(l, Dim::D2, coord, Lod::Level(level));
}

fn read(l: &mut MaxwellLift<'_, '_>, dim: Dim, coord: Value, lod: Lod) {
    let two = l.insn.form().operand(E).is_some_and(|o| o.field.width() != 0);
    let Some(kept) = components(two, l.insn.field(TABLE)) else {
        return l.refuse(Diagnostic::error("lift-components", "this choice of components does not exist"));
    };
    let unit = l.insn.field(AT) as u16;
    let texel = l.texture(TexOp { unit, dim, coord, lod, sampler: None }, Scalar::F32);
    let bits = l.convert(Convert::Bits, texel, Scalar::I32);
    for (slot, part) in [D, E].into_iter().zip(kept.chunks(2)) {
        let v = l.swizzle(bits, Swizzle::from_slice(part), part.len() as u8);
        let n = l.insn.field(slot);
        set_registers(l, n, v);
    }
}
