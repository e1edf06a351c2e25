//! Writes of tile blocks to images: each pixel's own samples, or the whole tile of a workgroup.

use super::samples::own_sample;
use super::{elements, imageblock};
use crate::operand::{
    AgxLift, C, COMPONENTS, D, EXPLICIT, IMAGE_RTZ, Place, Size, exactly, image_level, place, read_units,
    shape, texture,
};
use crate::registers::{BLOCK_PIXEL, MOST_SAMPLES, THREAD_IN_GRID, THREADGROUP, TILE, TILE_HALVES};
use crate::sequencer::REPEAT;
use crate::{Agx, Imageblock};
use shisa_diag::Diagnostic;
use shisa_ir::{
    Builder, Convert, Dim, Lod, Mask, Nodes, Op, Scalar, Shape, Space, Swizzle, TexKind, TexOp, TextureRef,
    Type, Value,
};
use shisa_rows::{Insn, unstated};

/// Formats by number.
const I16: u64 = 1;
const F16: u64 = 3;

/// The image of a block, and the tile data that become its texels.
struct Block {
    texture: TextureRef,
    shape: Shape,
    lod: Lod,
    layer: Option<Value>,
    towards_zero: bool,
    format: u64,
    /// Byte offset in a sample.
    offset: Value,
    /// The position of the block in the image, if the row states it.
    corner: Option<Value>,
}

pub(super) fn write(l: &mut AgxLift<'_, '_>) {
    let given = l.insn.field(EXPLICIT) != 0;
    if given && l.ctx.imageblock.is_none() {
        let d =
            Diagnostic::error("lift-tile", "a position is given for a block, but a pixel has only its own");
        return l.refuse(d.help("in programs that compute it is the position of the workgroup's tile"));
    }
    let Some(block) = Block::of(l, given) else { return };
    match l.ctx.imageblock {
        Some(tile) => block.whole(l, tile),
        None => block.own(l),
    }
}

impl Block {
    fn of(l: &mut AgxLift<'_, '_>, given: bool) -> Option<Block> {
        let Some(shape) = shape(l).filter(|s| s.dim == Dim::D2) else {
            l.refuse(Diagnostic::error("lift-texture", "blocks are of flat images"));
            return None;
        };
        let texture = texture(l);
        let lod = image_level(l);
        if shape.multisampled && lod != Lod::Zero {
            unstated(l);
            return None;
        }
        let (corner, layer) = match given {
            true => {
                let Place { coord, layer, .. } = place(l, shape, true);
                (Some(coord), layer)
            }
            false => (None, shape.arrayed.then(|| layer(l, shape))),
        };
        let offset = l.src(D);
        let offset = l.convert(Convert::ZeroExtend, offset, Scalar::I32);
        let towards_zero = IMAGE_RTZ.field.get(&l.insn.word) != 0;
        let format = format(&l.insn);
        Some(Block { texture, shape, lod, layer, towards_zero, format, offset, corner })
    }

    /// Every lane writes the samples of its own pixel. Samples that an image does not have are outside of it.
    fn own(&self, l: &mut AgxLift<'_, '_>) {
        let pixel = l.read(THREAD_IN_GRID, Swizzle::IDENTITY, Scalar::I32.by(2));
        let offset = self.offset;
        if let Some(samples) = l.ctx.own_sample {
            if samples > 1 && !self.shape.multisampled {
                let text = "an image of one sample is to have one of several that pixels have";
                return l.refuse(Diagnostic::error("lift-tile", text));
            }
            let own = own_sample(l);
            return self.texel(l, pixel, own, |l, scalar, behind| in_pixel(l, 0, offset, scalar, behind));
        }
        for sample in 0..if self.shape.multisampled { MOST_SAMPLES } else { 1 } {
            let number = l.i32(sample.into());
            self.texel(l, pixel, number, |l, scalar, behind| in_pixel(l, sample, offset, scalar, behind));
        }
    }

    /// Every lane writes the tile of its workgroup, one pixel each time that the instruction runs: to a given
    /// position, or to that of the workgroup in the grid.
    fn whole(&self, l: &mut AgxLift<'_, '_>, tile: Imageblock) {
        let pixel_number = l.read(BLOCK_PIXEL, Swizzle::IDENTITY, Type::I32);
        let (last, by) = (l.i32(i32::from(tile.width()) - 1), l.i32(tile.width().ilog2() as i32));
        let (x, y) = (l.and(pixel_number, last), l.lshr(pixel_number, by));
        let inside = l.join(&[x, y]);
        let corner = self.corner.unwrap_or_else(|| {
            let group = l.read(THREADGROUP, Swizzle::IDENTITY, Scalar::I32.by(2));
            let size = [tile.width(), tile.height()].map(|n| l.i32(n.into()));
            let size = l.join(&size);
            l.imul(group, size)
        });
        let pixel = l.iadd(corner, inside);
        let first = imageblock::start(l, tile, pixel_number);
        let first = l.iadd(first, self.offset);
        for sample in 0..if self.shape.multisampled { tile.samples() } else { 1 } {
            let start = imageblock::behind(l, first, u64::from(sample) * u64::from(tile.stride()));
            let number = l.i32(sample.into());
            self.texel(l, pixel, number, |l, scalar, behind| {
                let mut address = imageblock::behind(l, start, behind);
                if behind > 0 {
                    // The last sample may have fewer elements if the image has fewer, too.
                    let last = l.i32((tile.samples_end() - u32::from(scalar.bits() / 8)) as i32);
                    address = l.umin(address, last);
                }
                l.load(Space::Shared, address, scalar.by(1))
            });
        }
        let (one, all, done) = (l.i32(1), l.i32(tile.pixels() as i32), l.i32(0));
        let next = l.iadd(pixel_number, one);
        let more = l.ult(next, all);
        let next = l.select(more, next, done);
        l.write(BLOCK_PIXEL, Mask::first(1), next);
        l.control(REPEAT, Some(more), l.pc, 0);
    }

    /// Writes a sample of a texel, given by its number. `get` reads at a distance in bytes after the
    /// texel's offset in the tile.
    fn texel(
        &self,
        l: &mut AgxLift<'_, '_>,
        pixel: Value,
        sample: Value,
        get: impl FnMut(&mut Builder<'_>, Scalar, u64) -> Value,
    ) {
        let Some(parts) = exactly(l, |l| elements::numbers(l, self.format, 4, get)) else {
            return l.refuse(Diagnostic::error("lift-format", "no format has this number"));
        };
        // Integers are the bits of a texel.
        let parts: alloc::vec::Vec<Value> = parts
            .into_iter()
            .map(|v| {
                if l.ty(v).scalar == Scalar::I8 { l.convert(Convert::ZeroExtend, v, Scalar::I32) } else { v }
            })
            .collect();
        let value = l.join(&parts);
        let value = l.convert(Convert::Bits, value, Scalar::F32);
        let sample = self.shape.multisampled.then_some(sample);
        let Block { texture, layer, towards_zero, .. } = *self;
        let op = TexOp::sample(0, self.shape, pixel, self.lod);
        l.texture_store(TexOp { kind: TexKind::Store(value), texture, layer, sample, towards_zero, ..op });
    }
}

/// The format of the tile's data. Halves are stored unchanged.
pub(crate) fn format(insn: &Insn<Agx>) -> u64 {
    Some(insn.field(COMPONENTS)).filter(|f| *f != I16).unwrap_or(F16)
}

/// The layer, which follows a sample, if the row states no position.
fn layer(l: &mut AgxLift<'_, '_>, shape: Shape) -> Value {
    let unit = (l.insn.field(C) as u16 & 0xff) + u16::from(shape.multisampled);
    let layer = read_units(l, false, unit, Size::Half, 1);
    l.convert(Convert::ZeroExtend, layer, Scalar::I32)
}

/// The pixel's data the given number of bytes after an offset.
fn in_pixel(l: &mut Builder<'_>, sample: u16, offset: Value, scalar: Scalar, behind: u64) -> Value {
    let (behind, one) = (l.i32(behind as i32), l.i32(1));
    let byte = l.iadd(offset, behind);
    let index = l.lshr(byte, one);
    let base = sample * TILE_HALVES;
    let swizzle = Swizzle::IDENTITY;
    let ty = if scalar == Scalar::I32 { Type::I32 } else { Scalar::I16.by(1) };
    let v = l.push(Op::ReadAt { file: TILE, base, stride: 1, index, swizzle }, ty);
    if scalar != Scalar::I8 {
        return v;
    }
    let (three, upper) = (l.i32(3), l.and(byte, one));
    let by = l.shl(upper, three);
    let by = l.convert(Convert::Truncate, by, Scalar::I16);
    let v = l.lshr(v, by);
    l.convert(Convert::Truncate, v, Scalar::I8)
}

/// Decomposes an index by which a program reads [`in_pixel`]: the offset, and the bytes after it.
pub(crate) fn offset(nodes: &Nodes, index: Value) -> Option<(Value, u64)> {
    let Op::Binary { a: byte, .. } = nodes.op(index) else { return None };
    let Op::Binary { a: offset, b: behind, .. } = nodes.op(byte) else { return None };
    match nodes.op(behind) {
        Op::Const(behind) => Some((offset, behind)),
        _ => None,
    }
}
