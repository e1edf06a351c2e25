//! How large a pixel is on a texture, and so which levels it is sampled from.

use shisa_ir::Sampler;

/// A place on a face, with its change from pixel to pixel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Place {
    pub(crate) face: usize,
    pub(crate) at: [f32; 3],
    pub(crate) dx: [f32; 3],
    pub(crate) dy: [f32; 3],
}

/// What is sampled for a pixel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Footprint {
    /// Level of detail, not clamped yet.
    pub(crate) lambda: f32,
    /// How many samples.
    pub(crate) samples: u8,
    /// What they lie along.
    pub(crate) along: [f32; 3],
}

impl Footprint {
    /// One sample of level `lambda`.
    pub(crate) fn explicit(lambda: f32) -> Footprint {
        Footprint { lambda, samples: 1, along: [0.0; 3] }
    }

    /// From the change of the place in level 0, of so many texels.
    pub(crate) fn computed(
        place: &Place,
        [width, height, depth]: [usize; 3],
        bias: f32,
        sampler: &Sampler,
    ) -> Self {
        let length = |[s, t, r]: [f32; 3]| {
            let (s, t, r) = (s * width as f32, t * height as f32, r * depth as f32);
            (s * s + t * t + r * r).sqrt()
        };
        let (x, y) = (length(place.dx), length(place.dy));
        let (longer, shorter, along) = if x >= y { (x, y, place.dx) } else { (y, x, place.dy) };
        // The cast turns NaN (no change at all) into 0 and infinity into the most.
        let samples = ((longer / shorter).ceil() as u8).clamp(1, sampler.anisotropy.max(1));
        let bias = bias + f32::from(sampler.bias_eighths) / 8.0;
        Footprint { lambda: (longer / f32::from(samples)).log2() + bias, samples, along }
    }

    /// The places sampled.
    pub(crate) fn places(&self, at: [f32; 3]) -> impl Iterator<Item = [f32; 3]> {
        let Footprint { samples, along, .. } = *self;
        (1..=samples).map(move |i| {
            if samples == 1 {
                return at;
            }
            let offset = f32::from(i) / (f32::from(samples) + 1.0) - 0.5;
            std::array::from_fn(|i| at[i] + along[i] * offset)
        })
    }
}
