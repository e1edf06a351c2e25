//! The pixel in the tile: what was drawn before, and the colours that a program outputs.

use super::blocks::Block;
use super::first;
use super::textures;
use crate::facts::{Pixel, Role, role};
use crate::forms::elements;
use crate::operand::{COMPONENTS, FORMATS, NUMBER, SHAPE};
use crate::registers::{COLOUR_WORDS, COLOURS, OWN_SAMPLE, THREAD_IN_GRID};
use crate::{TILE, instructions};
use alloc::{collections::BTreeMap, vec::Vec};
use core::ops::Range;
use shisa_diag::Diagnostic;
use shisa_ir::{
    Builder, Convert, Dim, End, Func, Lod, Mask, Reg, Scalar, Shape, Swizzle, TexKind, TexOp, Type, Value,
};

/// The colours in the tile that a program uses, by ascending offset.
pub(super) struct Tile {
    read: Vec<Colour>,
    stored: Vec<Colour>,
}

/// A colour in the tile.
struct Colour {
    /// Byte offset in the pixel.
    offset: u64,
    format: u64,
    /// Elements.
    count: u8,
}

/// A colour that a program stores to the tile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TileColor {
    /// Byte offset in the pixel.
    pub offset: usize,
    /// The format of its elements, such as `f16`.
    pub format: &'static str,
    /// Elements, 1 to 4.
    pub count: u8,
}

/// The colours that a program stores to the tile, by ascending offset.
///
/// # Errors
/// `translate-tile` if a colour is stored in two formats, and for more than eight colours.
pub fn tile_colors(code: &[u8]) -> Result<Vec<TileColor>, Vec<Diagnostic>> {
    let color = |stored: Colour| TileColor {
        offset: stored.offset as usize,
        format: usize::try_from(stored.format).ok().and_then(|n| FORMATS.get(n).copied()).unwrap_or(""),
        count: stored.count.max(1),
    };
    Ok(of(code, &[])?.stored.into_iter().map(color).collect())
}

/// A program's use of the tile, given the blocks of it that are written to images.
///
/// # Errors
/// `translate-tile` for uses that other languages cannot express.
pub(super) fn of(code: &[u8], blocks: &[Block]) -> Result<Tile, Vec<Diagnostic>> {
    let mut tile = Tile { read: Vec::new(), stored: Vec::new() };
    let mut faults = Vec::new();
    let mut add = |stored: bool, colour: Colour, insn: Range<usize>| {
        let (all, twice) = match stored {
            false => (&mut tile.read, "a pixel's colour is read in two formats"),
            true => (&mut tile.stored, "a pixel's colour is stored in two formats"),
        };
        match all.iter_mut().find(|c| c.offset == colour.offset) {
            Some(c) if c.format == colour.format => c.count = c.count.max(colour.count),
            Some(_) => faults.push(Diagnostic::error("translate-tile", twice).at_bytes(insn, "")),
            None => all.push(colour),
        }
    };
    for (at, insn) in instructions(code) {
        let stored = match role(&insn) {
            Role::Pixel(Pixel::Load) => false,
            Role::Pixel(Pixel::Store) => true,
            _ => continue,
        };
        let [offset, format, mask] = [NUMBER, SHAPE, COMPONENTS].map(|slot| insn.field(slot));
        let count = Mask(mask as u8 & 15).0.checked_ilog2().map_or(0, |n| n as u8 + 1);
        add(stored, Colour { offset, format, count }, at..at + crate::length(&insn));
    }
    for block in blocks {
        add(false, Colour { offset: block.offset, format: block.format, count: 4 }, block.insn.clone());
    }
    tile.read.sort_by_key(|c| c.offset);
    tile.stored.sort_by_key(|c| c.offset);
    if tile.read.len().max(tile.stored.len()) > 8 {
        faults.push(Diagnostic::error("translate-tile", "a pixel has more than eight colours"));
    }
    if faults.is_empty() { Ok(tile) } else { Err(faults) }
}

/// Loads what was drawn before into the tile, as far as the program reads it or stores only to some pixels: a texture
/// for each colour, whose texel is that of the pixel, or of the lane's own sample. The texture has the number of the
/// colour that the program stores there.
pub(super) fn bring(func: &mut Func, tile: &Tile, samples: u16) {
    first(func, |b| fill(b, tile, samples));
}

fn fill(b: &mut Builder<'_>, tile: &Tile, samples: u16) {
    let mut halves: BTreeMap<u16, Value> = BTreeMap::new();
    let colour = |place: &Colour| tile.stored.iter().position(|c| c.offset == place.offset);
    let mut others = tile.stored.len()..;
    let kept = tile.stored.iter().filter(|s| tile.read.iter().all(|r| r.offset != s.offset));
    for place in tile.read.iter().chain(kept) {
        let number = colour(place).or_else(|| others.next()).unwrap_or_default() as u16;
        let pixel = b.read(THREAD_IN_GRID, Swizzle::IDENTITY, Scalar::I32.by(2));
        let multisampled = samples > 1;
        let sample = multisampled.then(|| b.read(OWN_SAMPLE, Swizzle::IDENTITY, Type::I32));
        let shape = Shape { multisampled, ..Dim::D2.into() };
        let texel = TexOp::sample(textures::TILE + number, shape, pixel, Lod::Zero);
        let texel = b.texture(TexOp { kind: TexKind::Fetch, sample, ..texel }, elements::kind(place.format));
        let texel = b.swizzle(texel, Swizzle::IDENTITY, place.count.max(1));
        // The lift refuses formats that do not exist.
        for (behind, v) in elements::packed(b, place.format, texel).unwrap_or_default() {
            let byte = place.offset + behind;
            let half = (byte / 2) as u16;
            if b.ty(v).scalar != Scalar::I8 {
                b.write(Reg::new(TILE, half), Mask::first(1), v);
                continue;
            }
            let v = b.convert(Convert::ZeroExtend, v, Scalar::I16);
            let by = b.constant(Scalar::I16.by(1), 8 * (byte & 1));
            let v = b.shl(v, by);
            let both = halves.get(&half).map_or(v, |known| b.or(*known, v));
            halves.insert(half, both);
        }
    }
    for (half, v) in halves {
        b.write(Reg::new(TILE, half), Mask::first(1), v);
    }
}

/// Outputs the contents of the tile where the program ends.
pub(super) fn end(func: &mut Func, tile: &Tile) {
    for i in 0..func.blocks.len() {
        if func.blocks[i].end != End::Exit {
            continue;
        }
        let start = func.nodes.list.len() as u32;
        let mut b = Builder::new(&mut func.nodes, 0);
        for (place, colour) in (0..).zip(&tile.stored) {
            give(&mut b, 4 * place, colour);
        }
        func.blocks[i].body.extend((start..func.nodes.list.len() as u32).map(Value));
    }
}

fn give(b: &mut Builder<'_>, unit: u16, colour: &Colour) {
    let parts = elements::numbers(b, colour.format, colour.count, |b, scalar, behind| {
        let byte = colour.offset + behind;
        let reg = Reg::new(TILE, (byte / 2) as u16);
        if scalar == Scalar::I32 {
            return b.read(reg, Swizzle::IDENTITY, Type::I32);
        }
        let half = b.read(reg, Swizzle::IDENTITY, Scalar::I16.by(1));
        if scalar == Scalar::I16 {
            return half;
        }
        let by = b.constant(Scalar::I16.by(1), 8 * (byte & 1));
        let byte = b.lshr(half, by);
        b.convert(Convert::Truncate, byte, Scalar::I8)
    });
    let Some(mut parts) = parts.filter(|p| !p.is_empty()) else { return };
    let file = if b.ty(parts[0]).scalar == Scalar::F32 { COLOURS } else { COLOUR_WORDS };
    for part in &mut parts {
        if !matches!(b.ty(*part).scalar, Scalar::F32 | Scalar::I32) {
            *part = b.convert(Convert::ZeroExtend, *part, Scalar::I32);
        }
    }
    if parts.len() == 3 {
        // No target format has three components; the missing component of a colour is 1.
        let ty = b.ty(parts[0]);
        let one = if file == COLOURS { 1f32.to_bits().into() } else { 1 };
        parts.push(b.constant(ty, one));
    }
    let v = b.join(&parts);
    b.write(Reg::new(file, unit), Mask::first(parts.len() as u8), v);
}
