//! Coefficients and varyings, and samples of pixels in the tile.

use super::{LONG4, SHORT8, long_row, row};
use crate::Agx;
use crate::applegpu;
use crate::operand::{
    COEFFICIENT, COEFFICIENTS, DEPTH_STENCIL, ELIDE, FORWARD, INTERPOLATION, ITER_KILL, ITER_SAMPLE,
    ITERATED, LAST, LDCF_SAMPLE, LIVE_SAMPLES, LOCAL_FORMAT, LOCAL_LOADED, LOCAL_MASK, LOCAL_STORED,
    PERSPECTIVE, PIXELS, TARGET_SAMPLES, TILE_COORD, TILE_EXPLICIT, TILE_OFFSET, TILE_SAMPLES, UVS, VARYING,
};
use shisa_rows::{Form, unstated};

#[rustfmt::skip]
pub(super) const ROWS: &[Form<Agx>] = &[
    row("pixwait", 4, (0xff, 0x48), &PIXELS, unstated).says("Waits until earlier fragments of these pixels are done.").spelled(applegpu::WAIT_PIX)
        .examples(&[("pixwait  12, 0", 0xc48), ("pixwait  512, 3", 0xc2_0048)]),
    row("pixrel", 4, (0xff, 0x58), &PIXELS, unstated).says("Lets later fragments of these pixels go on.").spelled(applegpu::SIGNAL_PIX)
        .examples(&[("pixrel   12, 0", 0xc58)]),
    row("no_var", 4, (0x8040_03ff, 0x8000_0051), &[], unstated).says("Says that the vertex has no outputs.").spelled(applegpu::NO_VAR)
        .examples(&[("no_var", 0x8000_0051)]),
    row("st_var", 4, (0x8040_037f, 0x8000_0011), &[VARYING, UVS, LAST], unstated).says("Stores an output of the vertex.").spelled(applegpu::ST_VAR)
        .examples(&[("st_var   r1, r3l", 0x8006_0411), ("st_var   r0, 20, last", 0x8094_0091)]),
    long_row("ld_tile", (8, 10, 15), (0x8_0000_007f, 0x8_0000_0049), &[LOCAL_LOADED, TILE_COORD, TILE_SAMPLES, TILE_OFFSET, LOCAL_FORMAT, LOCAL_MASK, SHORT8], unstated).says("Loads from the pixel in the tile.").spelled(applegpu::LD_TILE)
        .examples(&[("ld_tile  r2l_r2h_r3l_r3h, 0, 1, 48, i16, xyzw", 0x4fb_0100_0849), ("ld_tile  r36_r37_r38_r39, 0, r1l, 0, u8norm, xyzw", 0x1000_08f8_0440_1149)]),
    long_row("st_tile", (8, 10, 15), (0x7f, 0x9), &[LOCAL_STORED, TILE_COORD, TILE_SAMPLES, TILE_OFFSET, TILE_EXPLICIT, LOCAL_FORMAT, LOCAL_MASK, SHORT8], unstated).says("Stores to the pixel in the tile.").spelled(applegpu::ST_TILE)
        .examples(&[("st_tile  r0, 0, 255, 16, i32, x", 0x300_fc11_0200_0109), ("st_tile  r4_r5_r6_r7, r9l_r9h, 1, 0, explicit_coords, u8norm, xyzw", 0x80_04f8_0412_1109)]),
    row("sample_mask", 4, (0x80ff, 0xc1), &[TARGET_SAMPLES, LIVE_SAMPLES], unstated).says("Tests the samples of a mask that live, and kills the others.").spelled(applegpu::SAMPLE_MASK)
        .examples(&[("sample_mask 254, 1", 0x381_7dc1), ("sample_mask r0h, r1h", 0x3_02c1)]),
    row("zs_emit", 4, (0xc0_80ff, 0x41), &[TARGET_SAMPLES, DEPTH_STENCIL], unstated).says("Gives depth and stencil of samples, and tests them.").spelled(applegpu::ZS_EMIT)
        .examples(&[("zs_emit  2, r10l_r10h_r11l", 0x6014_0541), ("zs_emit  255, r2", 0x2304_7f41)]),
    long_row("iter", (4, 8, 15), (0xff, 0x21), &[ITERATED, COEFFICIENT, ITER_SAMPLE, FORWARD, ELIDE, INTERPOLATION, ITER_KILL, LONG4], unstated).says("Interpolates linearly on the screen.").spelled(applegpu::ITER)
        .examples(&[("iter     r4_r5_r6_r7, cf9", 0x9_9121)]),
    long_row("iter", (4, 8, 15), (0xff, 0x61), &[ITERATED, COEFFICIENT, PERSPECTIVE, ITER_SAMPLE, FORWARD, ELIDE, INTERPOLATION, ITER_KILL, LONG4], unstated).says("Interpolates with perspective.").spelled(applegpu::ITERPROJ)
        .examples(&[("iter     r0_r1_r2, cf1, cf0, elide, kill", 0x10_4000_c001_8161), ("iter     r4_r5_r6, cf1, cf0, r1l, sample", 0x3_0002_c001_9161), ("iter     r0_r1_r2, cf1, cf0, centroid", 0x2_0000_c001_8161)]),
    long_row("ldcf", (4, 8, 15), (0xff, 0xa1), &[COEFFICIENTS, COEFFICIENT, LDCF_SAMPLE, LONG4], unstated).says("Gives the coefficients of an interpolation: its changes along x and y, and the value at the corner of the tile.").spelled(applegpu::LDCF)
        .examples(&[("ldcf     r0_r1_r2, cf12", 0x400c_81a1)]),
];
