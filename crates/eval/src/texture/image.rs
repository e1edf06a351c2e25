//! Images with their smaller versions.

use super::color::Color;
use super::format::Format;
use shisa_diag::{Diagnostic, Limit, Limits};
use shisa_ir::{Dim, Shape};

/// One size of a texture.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Level {
    pub(super) width: usize,
    pub(super) height: usize,
    /// Faces, layers, samples or slices in depth.
    pub(super) slices: usize,
    /// Slice by slice, row by row.
    pub(super) texels: Vec<Color>,
}

impl Level {
    pub(super) fn index(&self, slice: usize, x: usize, y: usize) -> usize {
        (slice * self.height + y) * self.width + x
    }

    /// The texel of a slice; `None` outside of the level.
    pub(super) fn texel(&self, slice: usize, x: usize, y: usize) -> Option<Color> {
        let inside = x < self.width && y < self.height && slice < self.slices;
        if inside { self.texels.get(self.index(slice, x, y)).copied() } else { None }
    }
}

/// How many texels a texture has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// In a row.
    pub width: usize,
    /// Rows; 1 where the shape has one coordinate.
    pub height: usize,
    /// In depth; 1 without.
    pub depth: usize,
    /// Layers; 1 without.
    pub layers: usize,
    /// Samples of each texel; 1 without.
    pub samples: usize,
}

impl Size {
    /// A flat image.
    pub const fn flat(width: usize, height: usize) -> Size {
        Size { width, height, depth: 1, layers: 1, samples: 1 }
    }

    /// How many images a level has.
    fn slices(&self, shape: Shape, level: usize) -> usize {
        let faces = if shape.dim == Dim::Cube { 6 } else { 1 };
        let all = (self.depth >> level).max(1).saturating_mul(self.layers);
        all.saturating_mul(self.samples).saturating_mul(faces)
    }

    /// Whether a texture of this shape can have the size.
    fn fits(&self, shape: Shape) -> bool {
        let Size { width, height, depth, layers, samples } = *self;
        let only = |yes: bool, count: usize| count > 0 && (yes || count == 1);
        shape.exists()
            && width > 0
            && only(shape.dim != Dim::D1, height)
            && only(shape.dim == Dim::D3, depth)
            && only(shape.arrayed, layers)
            && only(shape.multisampled, samples)
            && (shape.dim != Dim::Cube || width == height)
    }
}

/// An image with its smaller versions, decoded to binary32.
#[derive(Clone, Debug, PartialEq)]
pub struct Texture {
    pub(super) shape: Shape,
    pub(super) format: Format,
    pub(super) size: Size,
    /// The largest first; never empty.
    pub(super) levels: Vec<Level>,
}

impl Texture {
    /// A flat texture or a cube without layers, or one with as many slices in depth as level 0 has.
    ///
    /// # Errors
    /// Those of [`Texture::shaped`].
    pub fn new<L: AsRef<[F]>, F: AsRef<[u8]>>(
        format: Format,
        dim: Dim,
        width: usize,
        height: usize,
        levels: &[L],
        limits: &Limits,
    ) -> Result<Texture, Diagnostic> {
        let depth = match dim {
            Dim::D3 => levels.first().map_or(0, |level| level.as_ref().len()),
            Dim::D1 | Dim::D2 | Dim::Cube => 1,
        };
        Texture::shaped(format, dim, Size { depth, ..Size::flat(width, height) }, levels, limits)
    }

    /// Decodes `levels[level][slice]`, rows from t = 0 down. The slices are those in depth, front to back; or layer after
    /// layer the faces in the order +x −x +y −y +z −z, or the samples. Level 0 has the size, each further one half of
    /// that, rounded down, but at least 1; layers stay as many. Block formats have ⌈w / 4⌉ blocks a row.
    ///
    /// # Errors
    /// `texture-shape` when sizes, counts of levels and slices or lengths of data do not fit, `limit-exceeded` when the
    /// texels would take more memory than the limit.
    pub fn shaped<L: AsRef<[F]>, F: AsRef<[u8]>>(
        format: Format,
        of: impl Into<Shape>,
        size: Size,
        levels: &[L],
        limits: &Limits,
    ) -> Result<Texture, Diagnostic> {
        let texture_shape = of.into();
        let Size { width, height, .. } = size;
        if !size.fits(texture_shape) {
            let name = texture_shape.name();
            return Err(shape(format!("a texture of shape {name} and {width} by {height} texels: {size:?}")));
        }
        let most = match texture_shape.multisampled {
            true => 1,
            false => width.max(height).max(size.depth).ilog2() as usize + 1,
        };
        if levels.is_empty() || levels.len() > most {
            return Err(shape(format!("{} levels where 1 to {most} are possible", levels.len())));
        }
        let extent = |level: usize| ((width >> level).max(1), (height >> level).max(1));
        let count =
            |l: usize| extent(l).0.saturating_mul(extent(l).1).saturating_mul(size.slices(texture_shape, l));
        let texels = (0..levels.len()).map(count).fold(0, usize::saturating_add);
        let bytes = texels.saturating_mul(size_of::<Color>());
        limits.check(Limit::Memory, "bytes of texels", bytes)?;
        let mut out = Vec::with_capacity(levels.len());
        for (l, level) in levels.iter().enumerate() {
            let ((width, height), level) = (extent(l), level.as_ref());
            let slices = size.slices(texture_shape, l);
            if level.len() != slices {
                return Err(shape(format!("level {l} has {} faces or slices, not {slices}", level.len())));
            }
            let mut texels = Vec::with_capacity(count(l));
            for (slice, data) in level.iter().enumerate() {
                let (data, expected) = (data.as_ref(), format.bytes(width, height));
                if data.len() != expected {
                    let have = data.len();
                    return Err(shape(format!("level {l} face {slice} has {have} bytes, not {expected}")));
                }
                format.decode(data, width, height, &mut texels);
            }
            out.push(Level { width, height, slices, texels });
        }
        Ok(Texture { shape: texture_shape, format, size, levels: out })
    }

    /// Its shape.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// A texel of a level and a slice; `None` where there is no such texel.
    pub fn texel(&self, level: usize, slice: usize, [x, y]: [usize; 2]) -> Option<Color> {
        self.levels.get(level)?.texel(slice, x, y)
    }

    /// The bytes of all texels, level by level and slice by slice; `None` for formats that are not written.
    pub fn encoded(&self) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        let mut texels = self.levels.iter().flat_map(|l| &l.texels);
        texels.try_for_each(|texel| self.format.encode(*texel, &mut bytes))?;
        Some(bytes)
    }

    /// Width and height of level 0 in texels.
    pub fn size(&self) -> (usize, usize) {
        (self.size.width, self.size.height)
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
