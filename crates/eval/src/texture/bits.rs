//! The bits of texels as memory.

use super::format::Format;
use super::image::{Level, Texture};
use super::read::Op;
use super::set::{Slot, TextureSet};
use shisa_diag::Diagnostic;

/// The texels of the texture with number n begin at the address (n + 1) << this.
const UNIT_BITS: u32 = 40;

/// Bytes of a texel; the formats without a size for one texel cannot be written.
fn bytes_each(format: Format) -> Result<usize, Diagnostic> {
    let bytes = format.bytes(1, 1);
    let mut texel = Vec::new();
    match format.encode([0.0; 4], &mut texel) {
        Some(()) => Ok(bytes),
        None => Err(unwritable(format)),
    }
}

fn unwritable(format: Format) -> Diagnostic {
    Diagnostic::error("texture-store", format!("texels of format {} have no bits", format.name()))
}

impl Texture {
    /// The texel with a number that counts through all levels.
    fn numbered(&mut self, mut number: usize) -> Option<&mut [f32; 4]> {
        let mut levels = self.levels.iter_mut();
        let level: &mut Level = levels.find(|level| {
            let inside = number < level.texels.len();
            number -= if inside { 0 } else { level.texels.len() };
            inside
        })?;
        level.texels.get_mut(number)
    }
}

impl TextureSet {
    /// The location of the texel that a lane addresses.
    ///
    /// # Errors
    /// `texture-outside` if there is none and the operation traps; `texture-store` for a format without bits, and for a
    /// texture without a number.
    pub(super) fn location(
        &self,
        op: &Op<'_>,
        texture: &Texture,
        lane: usize,
    ) -> Result<[u32; 4], Diagnostic> {
        let bytes = bytes_each(texture.format)?;
        let Slot::Unit(unit) = self.slot(op, lane) else {
            let text = "only a texture that is bound to a number has addresses of texels";
            return Err(Diagnostic::error("texture-store", text));
        };
        let address = texture.located(op, lane)?.map_or(0, |(level, index)| {
            let before: usize = texture.levels.iter().take(level).map(|l| l.texels.len()).sum();
            (u64::from(unit) + 1) << UNIT_BITS | ((before + index) * bytes) as u64
        });
        Ok([address as u32, (address >> 32) as u32, bytes.ilog2(), 0])
    }

    /// Reads bytes of texels; 0 where there are none.
    pub(super) fn texel_bits(&mut self, address: u64, bytes: &mut [u8]) -> Result<(), Diagnostic> {
        bytes.fill(0);
        self.each_texel(address, bytes.len(), |format, texel, within, range| {
            let mut encoded = Vec::new();
            format.encode(*texel, &mut encoded).ok_or_else(|| unwritable(format))?;
            let there = encoded.get(within..).unwrap_or_default();
            bytes.iter_mut().skip(range).zip(there).for_each(|(to, byte)| *to = *byte);
            Ok(())
        })
    }

    /// Writes bytes of texels; has no effect where there are none.
    pub(super) fn set_texel_bits(&mut self, address: u64, bytes: &[u8]) -> Result<(), Diagnostic> {
        self.each_texel(address, bytes.len(), |format, texel, within, range| {
            let mut encoded = Vec::new();
            format.encode(*texel, &mut encoded).ok_or_else(|| unwritable(format))?;
            let new = bytes.iter().skip(range);
            encoded.iter_mut().skip(within).zip(new).for_each(|(to, byte)| *to = *byte);
            let mut decoded = Vec::new();
            format.decode(&encoded, 1, 1, &mut decoded);
            decoded.first().inspect(|color| *texel = **color);
            Ok(())
        })
    }

    /// Calls `f` for each texel of some bytes, with the first byte in the texel and its position among all bytes.
    fn each_texel(
        &mut self,
        address: u64,
        count: usize,
        mut f: impl FnMut(Format, &mut [f32; 4], usize, usize) -> Result<(), Diagnostic>,
    ) -> Result<(), Diagnostic> {
        let unit = (address >> UNIT_BITS).checked_sub(1).and_then(|unit| u16::try_from(unit).ok());
        let Some((texture, _)) = unit.and_then(|unit| self.units.get_mut(&unit)) else { return Ok(()) };
        let (format, each) = (texture.format, bytes_each(texture.format)?);
        let first = (address & ((1 << UNIT_BITS) - 1)) as usize;
        let mut done = 0;
        while done < count {
            let (number, within) = ((first + done) / each, (first + done) % each);
            let Some(texel) = texture.numbered(number) else { return Ok(()) };
            f(format, texel, within, done)?;
            done += each - within;
        }
        Ok(())
    }
}
