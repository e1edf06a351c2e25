//! Coefficients and varyings, and samples of pixels in the tile.
//!
//! Interpolated values are inputs, one for each position at which they can be read. The tile is registers of the
//! pixel, which the host fills before and reads after a program. A killed sample accepts no more stores; if all
//! samples of the pixel are killed, the lane continues as a helper.

use super::samples::{chosen, has_own, known, own_sample, read_word};
use super::{LONG4, SHORT8, elements, ignoring, imageblock, long_row, row};
use crate::Agx;
use crate::applegpu;
use crate::facts::{Coefficients, Facts, Pixel, Varying};
use crate::operand::{
    A, AgxLift, C, COEFFICIENT, COEFFICIENTS, COND, D, DEPTH_STENCIL, ELIDE, FORWARD, INTERPOLATION,
    ITER_KILL, ITER_SAMPLE, ITERATED, LAST, LDCF_SAMPLE, LIVE_SAMPLES, LOCAL_FORMAT, LOCAL_LOADED,
    LOCAL_MASK, LOCAL_STORED, NUMBER, PERSPECTIVE, PIXELS, Size, TARGET, TARGET_SAMPLES, TILE_COORD,
    TILE_EXPLICIT, TILE_OFFSET, TILE_SAMPLES, UVS, VARYING, depth_stencil, iterated, word,
};
use crate::registers::{
    Coefficient, DEPTHS, INPUT_SAMPLES, KILLED, MOST_SAMPLES, OTHER_SAMPLE, STENCILS, TESTED, TILE,
    TILE_HALVES, VARYINGS,
};
use shisa_diag::Diagnostic;
use shisa_ir::{Convert, FileId, Mask, Op, Reg, Scalar, Space, Swizzle, Type, Value};
use shisa_rows::Form;

#[rustfmt::skip]
pub(super) const ROWS: &[Form<Agx>] = &[
    row("pixwait", Facts::pixel(Pixel::Wait), 4, (0xff, 0x48), &PIXELS, |_| ()).says("Waits until earlier fragments of these pixels are done.").spelled(applegpu::WAIT_PIX)
        .examples(&[("pixwait  12, 0", 0xc48), ("pixwait  512, 3", 0xc2_0048)]),
    row("pixrel", Facts::pixel(Pixel::Release), 4, (0xff, 0x58), &PIXELS, |_| ()).says("Lets later fragments of these pixels continue.").spelled(applegpu::SIGNAL_PIX)
        .examples(&[("pixrel   12, 0", 0xc58)]),
    row("no_var", Facts::varying(Varying::Absent), 4, (0x8040_03ff, 0x8000_0051), &[], |_| ()).says("States that the vertex has no outputs.").spelled(applegpu::NO_VAR)
        .examples(&[("no_var", 0x8000_0051)]),
    row("st_var", Facts::varying(Varying::Store), 4, (0x8040_037f, 0x8000_0011), &[VARYING, UVS, LAST], give).says("Stores an output of the vertex.").spelled(applegpu::ST_VAR)
        .examples(&[("st_var   r1, r3l", 0x8006_0411), ("st_var   r0, 20, last", 0x8094_0091)]),
    long_row("ld_tile", Facts::pixel(Pixel::Load), (8, 10, 15), (0x8_0000_007f, 0x8_0000_0049), &[LOCAL_LOADED, TILE_COORD, TILE_SAMPLES, TILE_OFFSET, LOCAL_FORMAT, LOCAL_MASK, SHORT8], load).says("Loads from the pixel in the tile.").spelled(applegpu::LD_TILE)
        .examples(&[("ld_tile  r2l_r2h_r3l_r3h, 0, 1, 48, i16, xyzw", 0x4fb_0100_0849), ("ld_tile  r36_r37_r38_r39, 0, r1l, 0, u8norm, xyzw", 0x1000_08f8_0440_1149)]),
    long_row("st_tile", Facts::pixel(Pixel::Store), (8, 10, 15), (0x7f, 0x9), &[LOCAL_STORED, TILE_COORD, TILE_SAMPLES, TILE_OFFSET, TILE_EXPLICIT, LOCAL_FORMAT, LOCAL_MASK, SHORT8], store).says("Stores to the pixel in the tile.").spelled(applegpu::ST_TILE)
        .examples(&[("st_tile  r0, 0, 255, 16, i32, x", 0x300_fc11_0200_0109), ("st_tile  r4_r5_r6_r7, r9l_r9h, 1, 0, explicit_coords, u8norm, xyzw", 0x80_04f8_0412_1109)]),
    // Mesa 25.0 writes the upper two bits of a constant mask there, 25.2 where they are read.
    ignoring(0x3000_0000, row("sample_mask", Facts::pixel(Pixel::Test), 4, (0x80ff, 0xc1), &[TARGET_SAMPLES, LIVE_SAMPLES], test).says("Tests the live samples of a mask, and kills the others.").spelled(applegpu::SAMPLE_MASK)
        .examples(&[("sample_mask 254, 1", 0x381_7dc1), ("sample_mask r0h, r1h", 0x3_02c1)])),
    row("zs_emit", Facts::pixel(Pixel::Emit), 4, (0xc0_80ff, 0x41), &[TARGET_SAMPLES, DEPTH_STENCIL], emit).says("Outputs depth and stencil of samples, and tests them.").spelled(applegpu::ZS_EMIT)
        .examples(&[("zs_emit  2, r10l_r10h_r11l", 0x6014_0541), ("zs_emit  255, r2", 0x2304_7f41)]),
    long_row("iter", Facts::coefficients(Coefficients::Values), (4, 8, 15), (0xff, 0x21), &[ITERATED, COEFFICIENT, ITER_SAMPLE, FORWARD, ELIDE, INTERPOLATION, ITER_KILL, LONG4], |l| iterate(l, false)).says("Interpolates linearly on the screen.").spelled(applegpu::ITER)
        .examples(&[("iter     r4_r5_r6_r7, cf9", 0x9_9121)]),
    long_row("iter", Facts::coefficients(Coefficients::Values), (4, 8, 15), (0xff, 0x61), &[ITERATED, COEFFICIENT, PERSPECTIVE, ITER_SAMPLE, FORWARD, ELIDE, INTERPOLATION, ITER_KILL, LONG4], |l| iterate(l, true)).says("Interpolates with perspective.").spelled(applegpu::ITERPROJ)
        .examples(&[("iter     r0_r1_r2, cf1, cf0, elide, kill", 0x10_4000_c001_8161), ("iter     r4_r5_r6, cf1, cf0, r1l, sample", 0x3_0002_c001_9161), ("iter     r0_r1_r2, cf1, cf0, centroid", 0x2_0000_c001_8161)]),
    long_row("ldcf", Facts::coefficients(Coefficients::Plane), (4, 8, 15), (0xff, 0xa1), &[COEFFICIENTS, COEFFICIENT, LDCF_SAMPLE, LONG4], coefficients).says("Reads the plane equation of a coefficient: its changes along x and y, and its value at the corner of the tile.").spelled(applegpu::LDCF)
        .examples(&[("ldcf     r0_r1_r2, cf12", 0x400c_81a1)]),
];

/// `count` consecutive numbers of one kind of a coefficient register.
fn interpolated(l: &mut AgxLift<'_, '_>, first: u16, count: u8) -> Value {
    let register = l.src(A);
    numbered(l, first, register, count)
}

/// As many numbers from the unit `first` plus a computed number.
fn numbered(l: &mut AgxLift<'_, '_>, first: u16, number: Value, count: u8) -> Value {
    let (file, ty) = (crate::COEFFICIENTS, Scalar::F32.by(count));
    match known(l, number) {
        Some(n) => {
            let reg = l.reg(file, u32::from(first) + n as u32, count.into());
            l.read(reg, Swizzle::IDENTITY, ty)
        }
        _ => {
            l.push(Op::ReadAt { file, base: first, stride: 1, index: number, swizzle: Swizzle::IDENTITY }, ty)
        }
    }
}

fn iterate(l: &mut AgxLift<'_, '_>, perspective: bool) {
    let count = iterated(&l.insn);
    let v = match l.insn.field(COND) {
        0 => interpolated(l, Coefficient::Centre { perspective }.unit(), count),
        2 => interpolated(l, Coefficient::Centroid { perspective }.unit(), count),
        // The only sample of a pixel is at its centre.
        _ if l.ctx.own_sample == Some(1) => {
            interpolated(l, Coefficient::Centre { perspective }.unit(), count)
        }
        _ if l.ctx.own_sample.is_some() => {
            let (number, own) = (l.src(C), own_sample(l));
            let v = interpolated(l, Coefficient::Sample { sample: 0, perspective }.unit(), count);
            if_own(l, v, |l| l.ieq(number, own))
        }
        _ => {
            let (register, sample) = (l.src(A), l.src(C));
            let [first, second] = [0, 1].map(|sample| Coefficient::Sample { sample, perspective }.unit());
            match known(l, sample) {
                Some(n) if n < u64::from(MOST_SAMPLES) => {
                    numbered(l, first + n as u16 * (second - first), register, count)
                }
                _ => {
                    let (last, step) = (l.i32(MOST_SAMPLES as i32 - 1), l.i32(i32::from(second - first)));
                    let sample = l.and(sample, last);
                    let offset = l.imul(sample, step);
                    match known(l, register) {
                        Some(n) => numbered(l, first + n as u16, offset, count),
                        None => {
                            let number = l.iadd(register, offset);
                            numbered(l, first, number, count)
                        }
                    }
                }
            }
        }
    };
    l.set(D, v);
}

fn coefficients(l: &mut AgxLift<'_, '_>) {
    let parts =
        [Coefficient::Dx, Coefficient::Dy, Coefficient::Corner].map(|part| interpolated(l, part.unit(), 1));
    let v = l.join(&parts);
    l.set(D, v);
}

/// An output with a known number is a register; others are stored by number.
fn give(l: &mut AgxLift<'_, '_>) {
    let (v, number) = (l.src(A), word(l, crate::operand::B));
    match known(l, number) {
        Some(n) => {
            let v = l.convert(Convert::Bits, v, Scalar::F32);
            l.write(Reg::new(VARYINGS, n as u16 & 0xff), Mask::first(1), v);
        }
        None => {
            let two = l.i32(2);
            let address = l.shl(number, two);
            l.store(Space::Outputs, address, v);
        }
    }
}

/// Data of the lane's own sample, if the program selects that sample.
fn if_own<'a, 'c>(
    l: &mut AgxLift<'a, 'c>,
    v: Value,
    same: impl FnOnce(&mut AgxLift<'a, 'c>) -> Value,
) -> Value {
    if l.ctx.own_sample.is_none_or(|samples| samples == 1) {
        return v;
    }
    let Type { scalar, count } = l.ty(v);
    let other = l.read(OTHER_SAMPLE, Swizzle::IDENTITY, Scalar::I32.by(count));
    let other = match scalar {
        Scalar::I16 => l.convert(Convert::Truncate, other, Scalar::I16),
        Scalar::F32 => l.convert(Convert::Bits, other, Scalar::F32),
        _ => other,
    };
    let same = same(l);
    l.select(same, v, other)
}

/// The samples of a mask without those of another.
fn without(l: &mut AgxLift<'_, '_>, mask: Value, other: Value) -> Value {
    let other = l.not(other);
    l.and(mask, other)
}

fn test(l: &mut AgxLift<'_, '_>) {
    let (target, live) = (word(l, TARGET), word(l, A));
    if l.ctx.own_sample.is_some() {
        let [asked, lives] = [target, live].map(|mask| has_own(l, mask));
        let dead = l.not(lives);
        let dead = l.and(asked, dead);
        l.kill(dead);
        return;
    }
    let dead = without(l, target, live);
    let killed = read_word(l, KILLED);
    let killed = l.or(killed, dead);
    l.write(KILLED, Mask::first(1), killed);
    let (tested, passing) = (read_word(l, TESTED), l.and(target, live));
    let tested = l.or(tested, passing);
    l.write(TESTED, Mask::first(1), tested);
    let covered = read_word(l, INPUT_SAMPLES);
    let (left, none) = (without(l, covered, killed), l.i32(0));
    let none = l.ieq(left, none);
    l.kill(none);
}

fn emit(l: &mut AgxLift<'_, '_>) {
    let target = word(l, TARGET);
    let (depth, stencil) = depth_stencil(l);
    let depth = depth.map(|v| l.convert(Convert::Bits, v, Scalar::F32));
    let stencil = stencil.map(|v| l.convert(Convert::ZeroExtend, v, Scalar::I32));
    let emitted: [(FileId, Option<Value>); 2] = [(DEPTHS, depth), (STENCILS, stencil)];
    for (sample, there) in chosen(l, target) {
        for (file, v) in emitted {
            let Some(v) = v else { continue };
            let (reg, ty) = (Reg::new(file, sample), l.ty(v));
            let old = l.read(reg, Swizzle::IDENTITY, ty);
            let v = l.select(there, v, old);
            l.write(reg, Mask::first(1), v);
        }
    }
    if l.ctx.own_sample.is_some() {
        return;
    }
    let (tested, killed) = (read_word(l, TESTED), read_word(l, KILLED));
    let passing = without(l, target, killed);
    let tested = l.or(tested, passing);
    l.write(TESTED, Mask::first(1), tested);
}

/// The half of the first sample at which a scalar begins in the tile, and whether the scalar is in the upper byte.
fn place(l: &mut AgxLift<'_, '_>, scalar: Scalar, offset: u64) -> (u16, bool) {
    let at = l.insn.field(NUMBER) + offset;
    let (half, upper) = (at / 2, at & 1 != 0);
    let units = u64::from(scalar.bits().div_ceil(16));
    if imageblock::named(l) {
        let d = Diagnostic::error("lift-tile", "a pixel given by coordinates is not the lane's own");
        l.refuse(d.help("in compute programs it is in the workgroup's tile"));
    } else if half + units > TILE_HALVES.into() {
        l.refuse(Diagnostic::error("lift-tile", "this is past the bytes of a pixel in the tile"));
    } else if upper && scalar != Scalar::I8 {
        l.refuse(Diagnostic::error(
            "lift-tile",
            "numbers of more than a byte begin at even bytes of the tile",
        ));
    }
    ((half as u16).min(TILE_HALVES - 2), upper)
}

/// The half of a tile that contains a byte, or a whole number.
fn in_tile(l: &mut AgxLift<'_, '_>, sample: u16, half: u16, scalar: Scalar) -> Value {
    let ty = if scalar == Scalar::I32 { Type::I32 } else { Scalar::I16.by(1) };
    l.read(Reg::new(TILE, sample * TILE_HALVES + half), Swizzle::IDENTITY, ty)
}

/// Whether a mask has the lane's own sample and no other sample of the pixel.
fn only_own(l: &mut AgxLift<'_, '_>, mask: Value) -> Value {
    let all = (1 << l.ctx.own_sample.unwrap_or(1)) - 1;
    let (own, one, all) = (own_sample(l), l.i32(1), l.i32(all));
    let (bit, mask) = (l.shl(one, own), l.and(mask, all));
    l.ieq(mask, bit)
}

/// If several samples are selected, the first one is loaded.
fn load(l: &mut AgxLift<'_, '_>) {
    let size = if l.insn.word >> 8 & 1 != 0 { Size::Word } else { Size::Half };
    if let Some(block) = l.ctx.imageblock {
        return imageblock::load(l, block, size);
    }
    let mask = word(l, TARGET);
    let chosen = chosen(l, mask);
    elements::read(l, size, |l, scalar, offset| {
        let (half, upper) = place(l, scalar, offset);
        let mut v = in_tile(l, chosen.last().map_or(0, |last| last.0), half, scalar);
        for &(sample, there) in chosen.iter().rev().skip(1) {
            let own = in_tile(l, sample, half, scalar);
            v = l.select(there, own, v);
        }
        let v = if_own(l, v, |l| only_own(l, mask));
        if scalar != Scalar::I8 {
            return v;
        }
        let by = l.constant(Scalar::I16.by(1), if upper { 8 } else { 0 });
        let v = l.lshr(v, by);
        l.convert(Convert::Truncate, v, Scalar::I8)
    });
}

fn store(l: &mut AgxLift<'_, '_>) {
    if let Some(block) = l.ctx.imageblock {
        return imageblock::store(l, block);
    }
    let mask = word(l, TARGET);
    let mut left = chosen(l, mask);
    // A lane whose own sample is killed has ended.
    if l.ctx.own_sample.is_none() {
        let killed = read_word(l, KILLED);
        let alive = l.not(killed);
        for (sample, there) in &mut left {
            let bit = l.i32(1 << *sample);
            let (bit, zero) = (l.and(alive, bit), l.i32(0));
            let alive = l.ine(bit, zero);
            *there = l.and(*there, alive);
        }
    }
    elements::write(l, |l, offset, v| {
        let scalar = l.ty(v).scalar;
        let (half, upper) = place(l, scalar, offset);
        for &(sample, there) in &left {
            let old = in_tile(l, sample, half, scalar);
            let v = if scalar == Scalar::I8 { in_half(l, old, v, upper) } else { v };
            let v = l.select(there, v, old);
            l.write(Reg::new(TILE, sample * TILE_HALVES + half), Mask::first(1), v);
        }
    });
}

/// A half with its lower or upper byte replaced.
fn in_half(l: &mut AgxLift<'_, '_>, half: Value, byte: Value, upper: bool) -> Value {
    let ty = Scalar::I16.by(1);
    let (kept, by) = if upper { (0xff, 8) } else { (0xff00, 0) };
    let (kept, by) = (l.constant(ty, kept), l.constant(ty, by));
    let byte = l.convert(Convert::ZeroExtend, byte, Scalar::I16);
    let (half, byte) = (l.and(half, kept), l.shl(byte, by));
    l.or(half, byte)
}
