//! One result of all active lanes of a quad or SIMD-group, or of those before each lane.

use super::row;
use crate::Agx;
use crate::applegpu;
use crate::operand::{ALU_A, DEST_44, PREFIX, REDUCTION};
use shisa_rows::{Form, unstated};

/// Mesa 25.2 does not know the cache hint of the destination, bit 7.
const MASK: u128 = 0x23f_ac00_807f;

#[rustfmt::skip]
pub(super) const ROWS: &[Form<Agx>] = &[
    row("quad", 6, (MASK, 0x806f), &[DEST_44, ALU_A, PREFIX, REDUCTION], unstated).says("Combines the sources of all active lanes of the quad, or of those before.").spelled(applegpu::QUAD)
        .examples(&[("quad     r2, r2, fadd", 0x1244_896f)]),
    row("simd", 6, (MASK, 0x2000_806f), &[DEST_44, ALU_A, PREFIX, REDUCTION], unstated).says("Combines the sources of all active lanes of the SIMD-group, or of those before.").spelled(applegpu::SIMD)
        .examples(&[("simd     r1, r3, smin", 0x8080_2246_856f), ("simd     r1l, r2l, prefix, or", 0x40_6044_846f)]),
];
