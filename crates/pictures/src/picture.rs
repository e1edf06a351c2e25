//! Pictures of floats.

use crate::counts::Counts;
use crate::image::Image;

/// What programs drew.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Picture {
    /// Pixels of a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Red, green, blue and alpha of each pixel, row by row from the top, without a range.
    pub pixels: Vec<[f32; 4]>,
    /// Whether something was drawn to each pixel.
    pub drawn: Vec<bool>,
    /// The part of each pixel to which something was drawn, if pixels have several samples; empty otherwise. The colour is
    /// the mean of these samples.
    pub parts: Vec<f32>,
    /// The depths after a depth test: those of the samples of each pixel, one after the other. Empty without a depth test.
    pub depths: Vec<f32>,
    /// What each pixel cost, if that was counted.
    pub counts: Option<Counts>,
    /// Instructions that all lanes executed together.
    pub executed: u64,
}

/// A component as a byte: clamped from 0 to 1, and rounded to the nearest. A NaN is 0.
fn byte(value: f32) -> u8 {
    // A conversion of a NaN yields 0.
    (value.clamp(0.0, 1.0) * 255.0 + 0.5) as u8
}

impl Picture {
    /// The picture as bytes. Pixels to which nothing was drawn are transparent; the others are opaque, unless `alpha` keeps
    /// what the program output.
    pub fn image(&self, alpha: bool) -> Image {
        let parts = self.parts.iter().copied().chain(std::iter::repeat(1.0));
        let pixel = |((color, drawn), part): ((&[f32; 4], &bool), f32)| {
            let [red, green, blue, own] = *color;
            match drawn {
                false => [0; 4],
                true => [red, green, blue, part * if alpha { own } else { 1.0 }].map(byte),
            }
        };
        Image::of_pixels(self.width, self.pixels.iter().zip(&self.drawn).zip(parts).map(pixel))
    }

    /// Whether there are several pixels, and all of them have the same colour.
    pub fn is_uniform(&self) -> bool {
        let mut pixels =
            self.pixels.iter().zip(&self.drawn).map(|(color, drawn)| drawn.then(|| color.map(byte)));
        let first = pixels.next();
        self.pixels.len() > 1 && pixels.all(|pixel| Some(pixel) == first)
    }

    /// How many pixels have a component that is a NaN or infinite.
    pub fn not_finite(&self) -> usize {
        let pixels = self.pixels.iter().zip(&self.drawn);
        pixels.filter(|(color, drawn)| **drawn && !color.iter().all(|value| value.is_finite())).count()
    }
}

#[cfg(test)]
mod tests {
    use super::Picture;

    #[test]
    fn components_become_bytes() {
        let pixels =
            vec![[-1.0, 0.5, 2.0, 0.25], [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1.0], [1.0; 4]];
        let picture =
            Picture { width: 3, height: 1, pixels, drawn: vec![true, true, false], ..Picture::default() };
        assert_eq!(picture.image(false).bytes(), [0, 128, 255, 255, 0, 255, 0, 255, 0, 0, 0, 0]);
        assert_eq!(picture.image(true).bytes()[3], 64);
        assert_eq!(picture.not_finite(), 1);
        assert!(!picture.is_uniform());
        assert!(Picture { pixels: vec![[0.5; 4]; 2], drawn: vec![true; 2], ..picture }.is_uniform());
    }
}
