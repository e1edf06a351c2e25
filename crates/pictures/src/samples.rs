//! The samples of pixels.
//!
//! A triangle covers a sample if the triangle that is moved by the sample's distance from the centre covers the centre. So the
//! rules for edges hold for samples as they do for centres.

use shisa_eval::draw::{Fragments, Viewport};

/// The largest number of samples.
pub(crate) const MOST: usize = 4;
/// Their distances from the centre in pixels to the right and downwards, as in Direct3D and Vulkan.
const FOUR: [[f32; 2]; MOST] = [[-0.125, -0.375], [0.375, -0.125], [-0.375, 0.125], [0.125, 0.375]];

/// The samples of a pixel that a triangle covers.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Coverage {
    /// A bit for each sample.
    pub(crate) mask: u8,
    /// The depth at each sample.
    pub(crate) depths: [f32; MOST],
}

/// The pixels of a triangle, and which of their samples it covers.
pub(crate) struct Sampled {
    /// The pixels with the values at their centres.
    pub(crate) centres: Fragments,
    /// The pixels of the triangle moved for each sample, if there are any; none if the centre is the only sample.
    moved: Vec<Option<Fragments>>,
}

impl Sampled {
    /// The pixels of a triangle with one sample or four; `None` if there are none around it.
    pub(crate) fn of(viewport: &Viewport, corners: [[f32; 4]; 3], samples: usize) -> Option<Sampled> {
        let centres = viewport.triangle(corners)?;
        let moved = |[right, down]: [f32; 2]| {
            let [right, down] = [(right, viewport.width), (down, viewport.height)]
                .map(|(distance, size)| 2.0 * distance / size as f32);
            corners.map(|[x, y, z, w]| [x - right * w, y + down * w, z, w])
        };
        let moved = match samples {
            MOST => FOUR.iter().map(|by| viewport.triangle(moved(*by))).collect(),
            _ => Vec::new(),
        };
        Some(Sampled { centres, moved })
    }

    /// The samples that are covered of the pixel with a number among the centres.
    pub(crate) fn coverage(&self, number: usize) -> Coverage {
        let all = &self.centres;
        let mut coverage = Coverage::default();
        let mut add = |sample: usize, fragments: &Fragments, number: usize| {
            let Some(pixel) = fragments.pixels.get(number) else { return };
            coverage.mask |= u8::from(pixel.covered) << sample;
            if let Some(depth) = coverage.depths.get_mut(sample) {
                *depth = pixel.position[2];
            }
        };
        if self.moved.is_empty() {
            add(0, all, number);
            return coverage;
        }
        let width = all.width.max(1);
        let (x, y) = (all.x + number % width, all.y + number / width);
        let moved = self.moved.iter().enumerate();
        for (sample, fragments) in moved.filter_map(|(sample, all)| Some((sample, all.as_ref()?))) {
            let (column, row) = (x.checked_sub(fragments.x), y.checked_sub(fragments.y));
            if let (Some(column), Some(row)) = (column.filter(|column| *column < fragments.width), row) {
                add(sample, fragments, row * fragments.width + column);
            }
        }
        coverage
    }
}
