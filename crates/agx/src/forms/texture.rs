//! Texture reads: the short form, with state registers and coordinates of 32 bits.

use super::row;
use crate::Agx;
use crate::operand::{
    A, AgxLift, C, COMPONENTS, COORD, D, DIM, LOD, LOD_TYPE, SAMPLED, SAMPLER, SMP_GROUP, SMP_MASK, TEXTURE,
    dimension, lod,
};
use shisa_diag::Diagnostic;
use shisa_ir::{Mask, Scalar, Swizzle, TexOp};
use shisa_rows::Form;

/// Fixed bits: the opcode; no long form, offsets, comparison, query, heap or gather.
const FIXED: (u128, u128) = (0x40c0_f8c0_80c0_80ff, 0x6000_0000_0031);

#[rustfmt::skip]
pub(super) const ROWS: &[Form<Agx>] = &[
    row("smpf", 8, FIXED, &[SAMPLED, TEXTURE, SAMPLER, COORD, LOD, DIM, SMP_MASK, LOD_TYPE, SMP_GROUP], sample).says("Samples a texture.")
        .examples(&[("smpf     r0_r1_r2_r3, ts0, ss1, r0, u8l, 2d, xyzw, auto_lod_bias, a", 0x011f_6200_1000_0131), ("smpf     r10l_r10h_r11l_r11h, ts0, ss1, r10, 0, 2d, xyzw, auto_lod, a", 0x010f_6200_0014_2831)]),
];

fn sample(l: &mut AgxLift<'_, '_>) {
    let Some(dim) = dimension(l) else {
        return l.refuse(Diagnostic::error("lift-texture", "textures of this shape are not known"));
    };
    let mask = Mask(l.insn.field(COMPONENTS) as u8);
    if mask.0 == 0 {
        return l.refuse(Diagnostic::error("lift-mask", "no component is chosen"));
    }
    let coord = l.src(C);
    let lod = lod(l);
    let unit = l.insn.field(A) as u16;
    let texel = l.texture(TexOp { unit, dim, coord, lod, sampler: None }, Scalar::F32);
    let kept = l.swizzle(texel, Swizzle::IDENTITY.under(mask), mask.count());
    l.set(D, kept);
}
