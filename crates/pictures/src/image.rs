//! Images of bytes, such as textures.

use crate::faults::{Result, wrong};
use shisa_diag::{Limit, Limits};
use shisa_eval::{Format, Size, Texture};
use shisa_ir::{Dim, Filter, Sampler, Shape, Wrap};

/// Bytes of a pixel.
const BYTES: usize = 4;
/// Pixels of a row, and rows, of [`Image::coordinates`].
const PATTERN: usize = 64;
/// Squares of a row of [`Image::coordinates`].
const SQUARES: usize = 8;

/// An image of four bytes a pixel: red, green, blue, alpha.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    width: usize,
    height: usize,
    bytes: Vec<u8>,
}

impl Image {
    /// How images are read as textures, by instructions that do not state it.
    pub const SAMPLER: Sampler = Sampler {
        filter: Filter::Linear,
        mip: Some(Filter::Linear),
        wrap: [Wrap::Repeat; 3],
        anisotropy: 1,
        bias_eighths: 0,
    };

    /// An image of bytes, row by row from the top.
    ///
    /// # Errors
    /// `picture-input` without pixels, and for a number of bytes that does not match; `limit-exceeded`.
    pub fn new(width: usize, height: usize, bytes: Vec<u8>, limits: &Limits) -> Result<Image> {
        let needed = width.saturating_mul(height).saturating_mul(BYTES);
        limits.check(Limit::Memory, "bytes of an image", needed).map_err(|d| vec![d])?;
        if needed == 0 || needed != bytes.len() {
            let given = bytes.len();
            return Err(wrong(format!(
                "an image of {width} by {height} pixels has {given} bytes, not {needed}"
            )));
        }
        Ok(Image { width, height, bytes })
    }

    /// A pattern that shows its own coordinates: red grows to the right, green downwards, and blue alternates in squares.
    pub fn coordinates() -> Image {
        let byte = |at: usize| (at * 255 / (PATTERN - 1)) as u8;
        let size = PATTERN / SQUARES;
        let pixel = |x: usize, y: usize| {
            let blue = if (x / size + y / size).is_multiple_of(2) { 192 } else { 64 };
            [byte(x), byte(y), blue, 255]
        };
        let pixels = (0..PATTERN * PATTERN).map(|n| pixel(n % PATTERN, n / PATTERN));
        Image::of_pixels(PATTERN, pixels)
    }

    /// An image of pixels, row by row from the top.
    pub(crate) fn of_pixels(width: usize, pixels: impl Iterator<Item = [u8; BYTES]>) -> Image {
        let bytes: Vec<u8> = pixels.flatten().collect();
        let height = (bytes.len() / BYTES).checked_div(width).unwrap_or(0);
        Image { width, height, bytes }
    }

    /// Pixels of a row.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Rows.
    pub fn height(&self) -> usize {
        self.height
    }

    /// The bytes, row by row from the top.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// A pixel; those past an edge are the pixel at the edge.
    fn pixel(&self, x: usize, y: usize) -> [u8; BYTES] {
        let at = y.min(self.height - 1) * self.width + x.min(self.width - 1);
        [0, 1, 2, 3].map(|n| self.bytes[at * BYTES + n])
    }

    /// The image of half the size, rounded down: each pixel is the mean of four.
    fn halved(&self) -> Image {
        let [width, height] = [self.width, self.height].map(|size| (size / 2).max(1));
        let mean = |x: usize, y: usize| {
            let four =
                [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(right, down)| self.pixel(2 * x + right, 2 * y + down));
            [0, 1, 2, 3].map(|n| ((four.iter().map(|pixel| u32::from(pixel[n])).sum::<u32>() + 2) / 4) as u8)
        };
        Image::of_pixels(width, (0..width * height).map(|n| mean(n % width, n / width)))
    }

    /// A texture of a shape, with all of its levels. Each face, layer, slice and sample has the image; a texture with one
    /// coordinate has the first row.
    ///
    /// # Errors
    /// `texture-shape` if the shape cannot have the image's size; `limit-exceeded`.
    pub fn texture(&self, shape: Shape, limits: &Limits) -> Result<Texture> {
        let row = || Image {
            height: 1,
            bytes: self.bytes.chunks(self.width * BYTES).take(1).flatten().copied().collect(),
            ..*self
        };
        let mut levels = vec![if shape.dim == Dim::D1 { row() } else { self.clone() }];
        while let Some(last) =
            levels.last().filter(|last| !shape.multisampled && last.width.max(last.height) > 1)
        {
            levels.push(last.halved());
        }
        let faces = if shape.dim == Dim::Cube { 6 } else { 1 };
        let slices: Vec<Vec<&[u8]>> = levels.iter().map(|level| vec![&level.bytes[..]; faces]).collect();
        let height = levels.iter().map(|level| level.height).max();
        let size = Size::flat(self.width, height.unwrap_or(1));
        Texture::shaped(Format::Rgba8, shape, size, &slices, limits).map_err(|d| vec![d])
    }
}

#[cfg(test)]
mod tests {
    use super::Image;
    use shisa_diag::Limits;
    use shisa_ir::{Dim, Shape};

    fn image(width: usize, height: usize, red: &[u8]) -> Image {
        let bytes = red.iter().flat_map(|red| [*red, 0, 0, 255]).collect();
        Image::new(width, height, bytes, &Limits::default()).unwrap()
    }

    #[test]
    fn levels_are_means() {
        let limits = Limits::default();
        let texture = image(3, 2, &[10, 20, 99, 30, 41, 99]).texture(Dim::D2.into(), &limits).unwrap();
        assert_eq!((texture.size(), texture.levels()), ((3, 2), 2));
        let texel = texture.texel(1, 0, [0, 0]).unwrap();
        // The mean of 10, 20, 30 and 41, rounded.
        assert_eq!(texel.map(|c| c * 255.0), [25.0, 0.0, 0.0, 255.0]);
    }

    #[test]
    fn a_row_and_a_column_have_levels_to_one_pixel() {
        for (width, height) in [(2, 1), (1, 2)] {
            let texture =
                image(width, height, &[10, 30]).texture(Dim::D2.into(), &Limits::default()).unwrap();
            assert_eq!(texture.levels(), 2);
            assert_eq!(texture.texel(1, 0, [0, 0]).unwrap()[0] * 255.0, 20.0, "{width}x{height}");
        }
    }

    #[test]
    fn shapes_have_the_image_in_all_parts() {
        let limits = Limits::default();
        let square = image(2, 2, &[1, 2, 3, 4]);
        for shape in [Dim::D1, Dim::D2, Dim::D3, Dim::Cube].map(Shape::from) {
            let texture = square.texture(shape, &limits).unwrap();
            assert_eq!(texture.texel(0, 0, [1, 0]).unwrap()[0] * 255.0, 2.0, "{}", shape.name());
        }
        let wide = image(2, 1, &[1, 2]);
        assert_eq!(wide.texture(Dim::Cube.into(), &limits).unwrap_err()[0].code, "texture-shape");
    }

    #[test]
    fn sizes_must_match() {
        for (width, height) in [(0, 1), (2, 2), (usize::MAX, usize::MAX)] {
            let error = Image::new(width, height, vec![0; 4], &Limits::default()).unwrap_err();
            assert!(["picture-input", "limit-exceeded"].contains(&error[0].code), "{error:?}");
        }
    }
}
