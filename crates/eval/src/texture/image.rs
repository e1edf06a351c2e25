//! Textures: mip levels of images.

use super::color::Color;
use super::format::Format;
use shisa_diag::{Diagnostic, Limit, Limits};
use shisa_ir::{Dim, Shape};

/// One mip level of a texture.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Level {
    pub(super) width: usize,
    pub(super) height: usize,
    /// Number of faces, layers, samples or depth slices.
    pub(super) slices: usize,
    /// The texels of each slice, row by row.
    pub(super) texels: Vec<Color>,
}

impl Level {
    pub(super) fn index(&self, slice: usize, x: usize, y: usize) -> usize {
        (slice * self.height + y) * self.width + x
    }

    /// A texel of a slice; `None` outside of the level.
    pub(super) fn texel(&self, slice: usize, x: usize, y: usize) -> Option<Color> {
        let inside = x < self.width && y < self.height && slice < self.slices;
        if inside { self.texels.get(self.index(slice, x, y)).copied() } else { None }
    }
}

/// Size of a texture in texels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Number of texels in a row.
    pub width: usize,
    /// Number of rows; 1 if the shape has one coordinate.
    pub height: usize,
    /// Depth; 1 if the shape has none.
    pub depth: usize,
    /// Number of layers; 1 if the shape has none.
    pub layers: usize,
    /// Number of samples of each texel; 1 if the shape has none.
    pub samples: usize,
}

impl Size {
    /// A two-dimensional image.
    pub const fn flat(width: usize, height: usize) -> Size {
        Size { width, height, depth: 1, layers: 1, samples: 1 }
    }

    /// Number of images in a level.
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

/// A texture with its mip levels, decoded to binary32.
#[derive(Clone, Debug, PartialEq)]
pub struct Texture {
    pub(super) shape: Shape,
    pub(super) format: Format,
    pub(super) size: Size,
    /// The levels, the largest first; never empty.
    pub(super) levels: Vec<Level>,
}

impl Texture {
    /// A flat texture, a cube without layers, or a volume with as many depth slices as level 0 has.
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

    /// Decodes `levels[level][slice]`, with rows from t = 0 down. The slices are depth slices, front to back; or, layer
    /// after layer, the faces in the order +x −x +y −y +z −z, or the samples. Level 0 has the size, and each further
    /// level half of that, rounded down, but at least 1; the number of layers stays the same. Block formats have ⌈w /
    /// 4⌉ blocks in a row.
    ///
    /// # Errors
    /// `texture-shape` if sizes, numbers of levels and slices, or lengths of data do not match; `limit-exceeded` if the
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
            return Err(shape(format!(
                "a texture of shape {name} cannot have {width} by {height} texels in {size:?}"
            )));
        }
        let most = match texture_shape.multisampled {
            true => 1,
            false => width.max(height).max(size.depth).ilog2() as usize + 1,
        };
        if levels.is_empty() || levels.len() > most {
            return Err(shape(format!("{} levels, but 1 to {most} are possible", levels.len())));
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

    /// The shape of the texture.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The format of the bytes that it was decoded from.
    pub fn format(&self) -> Format {
        self.format
    }

    /// A texel of a level and a slice; `None` if it does not exist.
    pub fn texel(&self, level: usize, slice: usize, [x, y]: [usize; 2]) -> Option<Color> {
        self.levels.get(level)?.texel(slice, x, y)
    }

    /// The bytes of all texels, level by level and slice by slice; `None` for formats that cannot be written.
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

    /// Number of levels.
    pub fn levels(&self) -> usize {
        self.levels.len()
    }

    /// Size of its texels in memory, in bytes.
    pub fn bytes(&self) -> usize {
        self.levels.iter().map(|l| l.texels.len() * size_of::<Color>()).sum()
    }
}

fn shape(text: String) -> Diagnostic {
    Diagnostic::error("texture-shape", text)
}
