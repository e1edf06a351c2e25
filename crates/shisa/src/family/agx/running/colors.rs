//! The colours that a fragment program stores to the tile, as floats.

use crate::Result;
use shisa_agx::{KILLED, TILE, TileColor};
use shisa_diag::{Diagnostic, Limits};
use shisa_eval::{Format, Size, Texture};
use shisa_ir::{Binding, Dim, Io, Mask, Reg, Scalar};
use shisa_pictures::Ran;

/// Components of a colour.
const COMPONENTS: usize = 4;

/// The colours in the tile, in the order of their offsets.
#[derive(Debug, Default)]
pub(super) struct Colors(Vec<Color>);

/// A colour, and how its elements become floats.
#[derive(Debug)]
struct Color {
    stored: TileColor,
    format: Format,
    /// Bytes of an element.
    bytes: usize,
}

/// The format of four elements with a name, and the bytes of one. 32-bit integers are the bits of floats.
fn format(name: &str) -> Option<(Format, usize)> {
    Some(match name {
        "f16" => (Format::Rgba16F, 2),
        "u8norm" | "srgba8" => (Format::Rgba8, 1),
        "s8norm" => (Format::Rgba8Snorm, 1),
        "u16norm" => (Format::Rgba16, 2),
        "s16norm" => (Format::Rgba16Snorm, 2),
        "i32" => (Format::Rgba32F, 4),
        _ => return None,
    })
}

impl Colors {
    /// The colours of a program.
    ///
    /// # Errors
    /// `translate-tile` for colours in two formats; `picture-output` for formats that a picture does not show.
    pub(super) fn of(code: &[u8]) -> Result<Colors> {
        let color = |stored: TileColor| {
            let found = format(stored.format);
            let (format, bytes) = found.ok_or_else(|| {
                let text = format!(
                    "the program stores its colour as {}, which a picture does not show",
                    stored.format
                );
                Diagnostic::error("picture-output", text)
            })?;
            Ok(Color { stored, format, bytes })
        };
        let all = shisa_agx::tile_colors(code)?;
        Ok(Colors(all.into_iter().map(color).collect::<std::result::Result<_, Diagnostic>>()?))
    }

    /// The registers that hold them: halves of the tile, and the samples that were killed.
    pub(super) fn registers(&self) -> Vec<Io> {
        let io = |name: &'static str, reg: Reg, count: usize| Io {
            name: name.into(),
            reg,
            scalar: Scalar::I32,
            count: count as u8,
            used: Mask(0),
            binding: Binding::SampleMask,
        };
        let tile = self.0.iter().map(|color| {
            let halves = color.within() + COMPONENTS * color.bytes;
            io("tile", Reg::new(TILE, (color.stored.offset / 2) as u16), halves.div_ceil(2))
        });
        tile.chain([io("killed", KILLED, 1)]).collect()
    }

    /// The colours as outputs.
    pub(super) fn outputs(&self) -> Vec<Io> {
        let output = |(number, color): (u32, &Color)| Io {
            name: format!("colour{number}").into(),
            reg: Reg::new(TILE, (color.stored.offset / 2) as u16),
            scalar: Scalar::F32,
            count: COMPONENTS as u8,
            used: Mask::first(color.stored.count),
            binding: Binding::Location(number),
        };
        (0..).zip(&self.0).map(output).collect()
    }

    /// The result of a run of [`Colors::registers`] as one of [`Colors::outputs`].
    ///
    /// # Errors
    /// `limit-exceeded`.
    pub(super) fn resolved(&self, ran: Ran, limits: &Limits) -> std::result::Result<Ran, Diagnostic> {
        let mut outputs = Vec::with_capacity(self.0.len());
        for (color, bits) in self.0.iter().zip(&ran.outputs) {
            outputs.push(color.floats(bits, limits)?);
        }
        let mut killed = ran.killed;
        // The mask of the only sample.
        let masks = ran.outputs.last().into_iter().flatten();
        killed.iter_mut().zip(masks).for_each(|(killed, mask)| *killed |= mask & 1 != 0);
        Ok(Ran { outputs, killed, executed: ran.executed })
    }
}

impl Color {
    /// Bytes from the start of the first half to the colour.
    fn within(&self) -> usize {
        self.stored.offset % 2
    }

    /// The elements of all pixels as the bits of floats, given the halves of all pixels.
    fn floats(&self, halves: &[u32], limits: &Limits) -> std::result::Result<Vec<u32>, Diagnostic> {
        let each = (self.within() + COMPONENTS * self.bytes).div_ceil(2);
        let pixels = halves.chunks_exact(each.max(1));
        let count = pixels.len();
        let (first, size) = (self.within(), COMPONENTS * self.bytes);
        let bytes = |pixel: &[u32]| {
            let all = pixel.iter().flat_map(|half| [*half as u8, (half >> 8) as u8]);
            all.skip(first).take(size).collect::<Vec<u8>>()
        };
        let texels: Vec<u8> = pixels.flat_map(bytes).collect();
        if count == 0 {
            return Ok(Vec::new());
        }
        let texture = Texture::shaped(self.format, Dim::D2, Size::flat(count, 1), &[[texels]], limits)?;
        let texel = |n: usize| texture.texel(0, 0, [n, 0]).into_iter().flatten().map(f32::to_bits);
        Ok((0..count).flat_map(texel).collect())
    }
}
