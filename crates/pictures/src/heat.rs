//! Maps of what each pixel cost.

use crate::counts::Counts;
use crate::image::Image;
use crate::picture::Picture;

/// What a map shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heat {
    /// Instructions that each pixel executed.
    Cost,
    /// Instructions that other lanes of the wave executed while the pixel was masked off.
    Divergence,
    /// Instructions that made a NaN of values that are none.
    Nan,
}

/// Colours from the smallest to the largest number, evenly spaced.
const SCALE: [[u8; 3]; 5] = [[0, 0, 0], [64, 16, 128], [208, 48, 80], [255, 160, 32], [255, 255, 208]];

impl Heat {
    /// The numbers of all pixels.
    pub fn numbers(self, counts: &Counts) -> &[u32] {
        match self {
            Heat::Cost => &counts.steps,
            Heat::Divergence => &counts.waits,
            Heat::Nan => &counts.nans,
        }
    }

    /// The map: from black for 0, over violet, red and orange, to almost white for the largest number. Pixels to which
    /// nothing was drawn have a colour, too. `None` if nothing was counted.
    pub fn map(self, picture: &Picture) -> Option<Image> {
        let numbers = self.numbers(picture.counts.as_ref()?);
        let most = numbers.iter().copied().max().unwrap_or(0);
        let pixel = |number: &u32| {
            let [red, green, blue] = color(*number, most);
            [red, green, blue, u8::MAX]
        };
        Some(Image::of_pixels(picture.width, numbers.iter().map(pixel)))
    }
}

/// The colour of a number from 0 to the largest one.
fn color(number: u32, most: u32) -> [u8; 3] {
    let steps = SCALE.len() as u64 - 1;
    // In 256ths of a step.
    let along = (u64::from(number) * steps * 256).checked_div(most.into()).unwrap_or(0);
    let (from, within) = ((along / 256).min(steps - 1) as usize, along.min(steps * 256) as i64);
    let within = within - 256 * from as i64;
    let between = |n: usize| {
        let [a, b] = [SCALE[from][n], SCALE[from + 1][n]].map(i64::from);
        (a + (b - a) * within / 256) as u8
    };
    [0, 1, 2].map(between)
}

#[cfg(test)]
mod tests {
    use super::{Heat, SCALE, color};
    use crate::{Counts, Picture};

    #[test]
    fn the_scale_reaches_both_ends() {
        for (n, expected) in (0..).zip(SCALE) {
            assert_eq!(color(n, 4), expected);
        }
        assert_eq!(color(0, 0), SCALE[0]);
        assert_eq!(color(u32::MAX, u32::MAX), SCALE[4]);
        assert_eq!(color(1, 8), [32, 8, 64]);
    }

    #[test]
    fn maps_show_their_numbers() {
        let counts = Counts { steps: vec![0, 4], waits: vec![1, 0], nans: vec![0, 0] };
        let mut picture = Picture { width: 2, height: 1, ..Picture::default() };
        assert_eq!(Heat::Cost.map(&picture), None);
        picture.counts = Some(counts);
        let bytes = |heat: Heat| heat.map(&picture).unwrap().bytes().to_vec();
        assert_eq!(bytes(Heat::Cost), [0, 0, 0, 255, 255, 255, 208, 255]);
        assert_eq!(bytes(Heat::Divergence), [255, 255, 208, 255, 0, 0, 0, 255]);
        assert_eq!(bytes(Heat::Nan), [0, 0, 0, 255, 0, 0, 0, 255]);
    }
}
