//! Samples of a compute workgroup's tile, which is in the memory that its threads share.

use super::elements;
use super::samples::{chosen, known};
use crate::Imageblock;
use crate::operand::{A, AgxLift, EXPLICIT, NUMBER, Size, TARGET, word};
use crate::registers::THREAD_IN_THREADGROUP;
use alloc::vec::Vec;
use shisa_diag::Diagnostic;
use shisa_ir::{Convert, Scalar, Space, Swizzle, Value};

/// An address that is not in or near any shared memory: that of pixels outside of the tile.
const NOWHERE: i32 = i32::MIN;

/// Whether a row names the pixel: for stores a bit states it; loads do if the position is in registers.
pub(super) fn named(l: &AgxLift<'_, '_>) -> bool {
    match l.insn.form().operand(EXPLICIT) {
        Some(_) => l.insn.field(EXPLICIT) != 0,
        None => in_registers(l),
    }
}

fn in_registers(l: &AgxLift<'_, '_>) -> bool {
    l.insn.field(A) >> 8 != 0
}

/// The byte where the first sample of the row's pixel begins: one that is named, or that of the thread's own position
/// in its workgroup.
fn pixel(l: &mut AgxLift<'_, '_>, block: Imageblock) -> Value {
    let place = match (named(l), in_registers(l)) {
        (true, true) => {
            let halves = l.src(A);
            l.convert(Convert::ZeroExtend, halves, Scalar::I32)
        }
        (true, false) => {
            let text = "the position of a pixel must be two halves of registers, but this is a number";
            l.refuse(Diagnostic::error("lift-tile", text));
            return l.i32(NOWHERE);
        }
        (false, _) => l.read(THREAD_IN_THREADGROUP, Swizzle::IDENTITY, Scalar::I32.by(2)),
    };
    let [x, y] = [0, 1].map(|i| l.component(place, i));
    let [width, height] = [block.width(), block.height()].map(|n| l.i32(n.into()));
    let (in_row, in_column) = (l.ult(x, width), l.ult(y, height));
    let inside = l.and(in_row, in_column);
    let before = l.imul(y, width);
    let number = l.iadd(before, x);
    let (start, nowhere) = (start(l, block, number), l.i32(NOWHERE));
    l.select(inside, start, nowhere)
}

/// The byte where the first sample of a pixel begins, by the number of the pixel.
pub(super) fn start(l: &mut AgxLift<'_, '_>, block: Imageblock, number: Value) -> Value {
    let each = l.i32(i32::from(block.samples()) * i32::from(block.stride()));
    l.imul(number, each)
}

/// So many bytes after an address.
pub(super) fn behind(l: &mut shisa_ir::Builder<'_>, address: Value, bytes: u64) -> Value {
    let bytes = l.i32(bytes as i32);
    l.iadd(address, bytes)
}

/// The distance of elements of the given number of bytes from the start of a sample.
fn within(l: &mut AgxLift<'_, '_>, block: Imageblock, scalar: Scalar, offset: u64) -> u64 {
    let at = l.insn.field(NUMBER) + offset;
    if at + u64::from(scalar.bits() / 8) > block.stride().into() {
        l.refuse(Diagnostic::error("lift-tile", "this is past the bytes of a sample in the tile"));
    }
    at
}

/// The samples that the row's mask may select in the tile, each with whether it is selected.
fn samples(l: &mut AgxLift<'_, '_>, mask: Value, block: Imageblock) -> Vec<(u16, Value)> {
    let mut list = chosen(l, mask);
    list.retain(|(sample, _)| *sample < block.samples());
    list
}

/// If several samples are selected, the first one is loaded.
pub(super) fn load(l: &mut AgxLift<'_, '_>, block: Imageblock, size: Size) {
    let mask = word(l, TARGET);
    let samples = samples(l, mask, block);
    let first = pixel(l, block);
    let of = |l: &mut AgxLift<'_, '_>, sample: u16| {
        behind(l, first, u64::from(sample) * u64::from(block.stride()))
    };
    let mut start = of(l, samples.last().map_or(0, |last| last.0));
    for &(sample, there) in samples.iter().rev().skip(1) {
        let own = of(l, sample);
        start = l.select(there, own, start);
    }
    elements::read(l, size, |l, scalar, offset| {
        let bytes = within(l, block, scalar, offset);
        let address = behind(l, start, bytes);
        l.load(Space::Shared, address, scalar.by(1))
    });
}

/// Data for unselected samples is stored after all others.
pub(super) fn store(l: &mut AgxLift<'_, '_>, block: Imageblock) {
    let mask = word(l, TARGET);
    let all = known(l, mask).is_some();
    let samples = samples(l, mask, block);
    let first = pixel(l, block);
    let mut starts = Vec::new();
    for (sample, there) in samples {
        let start = behind(l, first, u64::from(sample) * u64::from(block.stride()));
        let left_out = l.i32(block.samples_end() as i32);
        starts.push(if all { start } else { l.select(there, start, left_out) });
    }
    elements::write(l, |l, offset, v| {
        let scalar = l.ty(v).scalar;
        let bytes = within(l, block, scalar, offset);
        for start in &starts {
            let address = behind(l, *start, bytes);
            l.store(Space::Shared, address, v);
        }
    });
}
