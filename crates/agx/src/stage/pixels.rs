//! Inputs of fragment programs: coefficients, the pixel and its depth.

use super::first;
use super::io::{components, io};
use crate::registers::{BACKFACING, INPUT_SAMPLES, OWN_SAMPLE, PIXEL_DEPTH, THREAD_IN_GRID};
use crate::{COEFFICIENTS, Coefficient, DEPTHS};
use alloc::{
    collections::{BTreeMap, BTreeSet},
    format,
    vec::Vec,
};
use core::ops::Range;
use shisa_ir::{
    Axis, Binding, Builder, Convert, Func, Interpolation, Io, Mask, Op, Reg, Sampling, Scalar, Swizzle, Type,
    Value,
};

/// Initialises the depth to that of the primitive. No language provides the stencil value that the host has set:
/// stencil values begin as zero, like all registers.
pub(super) fn keep_depth(func: &mut Func) {
    let depth = |v: &Value| matches!(func.nodes.op(*v), Op::Write { reg, .. } if reg.file == DEPTHS);
    if func.blocks.iter().flat_map(|b| &b.body).any(depth) {
        first(func, |b| {
            let v = b.read(PIXEL_DEPTH, Swizzle::IDENTITY, Type::F32);
            b.write(Reg::new(DEPTHS, 0), Mask::first(1), v);
        });
    }
}

/// A coefficient whose x-derivative is never read is a flat varying: its numbers of the first and of the last vertex
/// are stored in the slots that other coefficients use for the value at the corner and the change along y. Languages
/// provide the number of the vertex that the host has chosen.
///
/// The plane equations of other coefficients follow from their value at the pixel, its derivatives, and the pixel's
/// position. Returns whether there are such coefficients.
pub(super) fn planes(func: &mut Func) -> bool {
    let [x, y, corner] = [Coefficient::Dx, Coefficient::Dy, Coefficient::Corner].map(Coefficient::unit);
    let read = |n: &Value| match func.nodes.op(*n) {
        Op::Read { reg, .. } if reg.file == COEFFICIENTS && reg.unit & !255 == x => Some(reg.unit & 255),
        _ => None,
    };
    let changing: BTreeSet<u16> = func.blocks.iter().flat_map(|b| &b.body).filter_map(read).collect();
    let mut planes = BTreeMap::new();
    first(func, |b| {
        for &register in &changing {
            let plane = plane(b, register);
            planes.extend([x, y, corner].map(|kind| kind + register).into_iter().zip(plane));
        }
    });
    func.rewrite(|b, v| {
        let Op::Read { reg, .. } = &mut b.nodes.list[v.index()].op else { return None };
        if reg.file != COEFFICIENTS {
            return None;
        }
        if reg.unit & !255 == y && !changing.contains(&(reg.unit & 255)) {
            reg.unit = corner + (reg.unit & 255);
        }
        planes.get(&reg.unit).copied()
    });
    !planes.is_empty()
}

/// The changes of a register along x and y, and its value at the upper left corner of the tile of 32 by 32 pixels.
fn plane(b: &mut Builder<'_>, register: u16) -> [Value; 3] {
    let centre = Coefficient::Centre { perspective: false }.unit() + register;
    let v = b.read(Reg::new(COEFFICIENTS, centre), Swizzle::IDENTITY, Type::F32);
    let changes = [Axis::X, Axis::Y].map(|axis| b.derivative(axis, v));
    let mut corner = v;
    for (i, change) in (0..).zip(changes) {
        let place =
            b.read(Reg::new(THREAD_IN_GRID.file, THREAD_IN_GRID.unit + i), Swizzle::IDENTITY, Type::I32);
        let (last, half) = (b.i32(31), b.f32(0.5, 1));
        let place = b.and(place, last);
        let place = b.convert(Convert::UnsignedToFloat, place, Scalar::F32);
        let place = b.fadd(place, half);
        let way = b.fmul(change, place);
        corner = b.fsub(corner, way);
    }
    [changes[0], changes[1], corner]
}

/// The inputs of a fragment program that reads these special registers: the pixel, and whether the triangle is
/// front-facing; and the depth if the program reads that.
pub(super) fn inputs(
    read: impl Iterator<Item = Range<u16>>,
    reads_sample: bool,
    reads_depth: bool,
) -> Vec<Io> {
    let read: BTreeSet<u16> = read.flatten().collect();
    let mut all = Vec::new();
    let used = components(|c| c < 2 && read.contains(&(THREAD_IN_GRID.unit + c)));
    if used != Mask(0) {
        let pixel = io("pixel".into(), THREAD_IN_GRID, Scalar::I32, 2, Binding::Pixel);
        all.push(Io { used, ..pixel });
    }
    if read.contains(&BACKFACING.unit) {
        all.push(io("front".into(), BACKFACING, Scalar::I32, 1, Binding::FrontFacing));
    }
    if read.contains(&INPUT_SAMPLES.unit) {
        all.push(io("sample_mask".into(), INPUT_SAMPLES, Scalar::I32, 1, Binding::SampleMask));
    }
    if reads_sample {
        all.push(io("sample_index".into(), OWN_SAMPLE, Scalar::I32, 1, Binding::SampleIndex));
    }
    if reads_depth {
        all.push(io("pixel_depth".into(), PIXEL_DEPTH, Scalar::F32, 1, Binding::PixelDepth));
    }
    all
}

/// The inputs of a fragment program that reads these units of [`crate::COEFFICIENTS`]: runs of up to four are one input.
pub fn coefficients(read: impl Iterator<Item = Range<u16>>) -> Vec<Io> {
    let read: BTreeSet<u16> = read.flatten().collect();
    let mut all: Vec<Io> = Vec::new();
    for unit in read {
        let first = unit & !255;
        let Some(kind) = Coefficient::all().find(|kind| kind.unit() == first) else { continue };
        let between = |perspective| match perspective {
            true => (Interpolation::Perspective, ""),
            false => (Interpolation::Linear, "_linear"),
        };
        let ((interpolation, how), (sampling, place)) = match kind {
            Coefficient::Centre { perspective } => (between(perspective), (Sampling::Centre, "")),
            Coefficient::Centroid { perspective } => {
                (between(perspective), (Sampling::Centroid, "_centroid"))
            }
            Coefficient::Sample { perspective, .. } => (between(perspective), (Sampling::Sample, "_sample")),
            // If the derivatives are never read, the varying is flat: all of the triangle has one value.
            Coefficient::Corner => ((Interpolation::Flat, "_flat"), (Sampling::Centre, "")),
            // They follow from the others.
            Coefficient::Dx | Coefficient::Dy => continue,
        };
        let fits = |io: &&mut Io| io.count < 4 && io.reg.unit + u16::from(io.count) == unit && unit > first;
        if let Some(io) = all.last_mut().filter(fits) {
            io.count += 1;
            io.used = Mask::first(io.count);
            continue;
        }
        let location = all.len() as u32;
        let binding = Binding::Varying { location, interpolation, sampling };
        let name = format!("cf{}{how}{place}", unit - first);
        all.push(io(name, Reg::new(COEFFICIENTS, unit), Scalar::F32, 1, binding));
    }
    all
}
