//! A texture unit in software.
//!
//! # What is computed
//!
//! Texel (i, j) of a level of w by h texels covers s from i / w to (i + 1) / w, and t likewise downward:
//! its centre lies at ((i + ½) / w, (j + ½) / h). The nearest filter takes texel (⌊s·w⌋, ⌊t·h⌋); the
//! linear filter weighs the four around (s·w − ½, t·h − ½). All arithmetic is binary32, weights included;
//! hardware rounds weights to some 8 bits.
//!
//! A level of detail λ is explicit, or log2 ρ plus bias, where ρ is the larger of the lengths by which the
//! place in level 0, counted in texels, changes along x and along y. λ is then clamped to the levels
//! there are (fewer than a full pyramid are allowed). The nearest mip filter takes level ⌊λ + ½⌋, the
//! linear one blends ⌊λ⌋ and the next. The sampler's bias is added to computed levels only, not to
//! explicit ones.
//!
//! Anisotropy is approximated: N = min(⌈longer / shorter⌉, ratio allowed) samples lie evenly along the
//! longer axis, each of level log2(longer / N), and are averaged.
//!
//! A cube's face is the one of the largest coordinate of the direction, z before y before x where they
//! are equal; faces and their axes are oriented as in Direct3D and OpenGL. Filters stay within the face:
//! its edge texels are repeated, whatever the sampler says.
//!
//! A coordinate that is NaN counts as 0, one far outside as the farthest texel that still has a number.
//! A level of detail that is NaN counts as 0.

mod block;
mod cube;
mod filter;
mod footprint;
mod format;
mod set;

pub use format::Format;
pub use set::TextureSet;

use shisa_diag::{Diagnostic, Limit, Limits};
use shisa_ir::Dim;

/// A color: red, green, blue, alpha.
pub type Color = [f32; 4];

/// One size of a texture.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Level {
    width: usize,
    height: usize,
    /// Face by face, row by row.
    texels: Vec<Color>,
}

impl Level {
    /// The texel of a face; the indices are within the level.
    fn texel(&self, face: usize, x: usize, y: usize) -> Color {
        self.texels.get((face * self.height + y) * self.width + x).copied().unwrap_or_default()
    }
}

/// An image with its smaller versions, decoded to binary32.
#[derive(Clone, Debug, PartialEq)]
pub struct Texture {
    dim: Dim,
    /// The largest first; never empty.
    levels: Vec<Level>,
}

impl Texture {
    /// Decodes `levels[level][face]`, rows from t = 0 down, faces in the order +x −x +y −y +z −z (a flat
    /// texture has one). Level 0 has `width` by `height` texels, each further one half of that, rounded
    /// down, but at least 1. Block formats have ⌈w / 4⌉ blocks a row.
    ///
    /// # Errors
    /// `texture-shape` when sizes, counts of levels and faces or lengths of data do not fit,
    /// `eval-unsupported` for textures with depth, `limit-exceeded` when the texels would take more memory
    /// than the limit.
    pub fn new<L: AsRef<[F]>, F: AsRef<[u8]>>(
        format: Format,
        dim: Dim,
        width: usize,
        height: usize,
        levels: &[L],
        limits: &Limits,
    ) -> Result<Texture, Diagnostic> {
        let faces = match dim {
            Dim::D2 => 1,
            Dim::Cube => 6,
            Dim::D3 => {
                let text = "the texture unit does not support textures with depth";
                return Err(Diagnostic::error("eval-unsupported", text));
            }
        };
        if width == 0 || height == 0 || (dim == Dim::Cube && width != height) {
            return Err(shape(format!("a texture of {width} by {height} texels")));
        }
        let most = width.max(height).ilog2() as usize + 1;
        if levels.is_empty() || levels.len() > most {
            return Err(shape(format!("{} levels where 1 to {most} are possible", levels.len())));
        }
        let size = |level: usize| ((width >> level).max(1), (height >> level).max(1));
        let texels =
            (0..levels.len()).map(|l| size(l).0.saturating_mul(size(l).1)).fold(0, usize::saturating_add);
        let bytes = texels.saturating_mul(faces * size_of::<Color>());
        limits.check(Limit::Memory, "bytes of texels", bytes)?;
        let mut out = Vec::with_capacity(levels.len());
        for (l, level) in levels.iter().enumerate() {
            let ((width, height), level) = (size(l), level.as_ref());
            if level.len() != faces {
                return Err(shape(format!("level {l} has {} faces, not {faces}", level.len())));
            }
            let mut texels = Vec::with_capacity(width * height * faces);
            for (face, data) in level.iter().enumerate() {
                let (data, expected) = (data.as_ref(), format.bytes(width, height));
                if data.len() != expected {
                    let have = data.len();
                    return Err(shape(format!("level {l} face {face} has {have} bytes, not {expected}")));
                }
                format.decode(data, width, height, &mut texels);
            }
            out.push(Level { width, height, texels });
        }
        Ok(Texture { dim, levels: out })
    }

    /// Its shape.
    pub fn dim(&self) -> Dim {
        self.dim
    }

    /// Width and height of level 0 in texels.
    pub fn size(&self) -> (usize, usize) {
        self.levels.first().map_or((0, 0), |l| (l.width, l.height))
    }

    /// How many levels it has.
    pub fn levels(&self) -> usize {
        self.levels.len()
    }

    /// Bytes of memory that its texels take.
    pub fn bytes(&self) -> usize {
        self.levels.iter().map(|l| l.texels.len() * size_of::<Color>()).sum()
    }
}

fn shape(text: String) -> Diagnostic {
    Diagnostic::error("texture-shape", text)
}

#[cfg(test)]
mod tests;
