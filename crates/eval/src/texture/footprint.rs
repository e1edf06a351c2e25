//! The size of a pixel on a texture, which determines the levels that are sampled.

use shisa_ir::Sampler;

/// A position on a face, and its change from pixel to pixel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Location {
    pub(crate) face: usize,
    pub(crate) at: [f32; 3],
    pub(crate) dx: [f32; 3],
    pub(crate) dy: [f32; 3],
}

/// The samples for a pixel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Footprint {
    /// Level of detail before it is clamped.
    pub(crate) lambda: f32,
    /// Number of samples.
    pub(crate) samples: u8,
    /// The line along which the samples are placed.
    pub(crate) along: [f32; 3],
}

impl Footprint {
    /// One sample of level `lambda`.
    pub(crate) fn explicit(lambda: f32) -> Footprint {
        Footprint { lambda, samples: 1, along: [0.0; 3] }
    }

    /// From the change of the position in level 0, which has this many texels.
    pub(crate) fn computed(
        location: &Location,
        [width, height, depth]: [usize; 3],
        bias: f32,
        sampler: &Sampler,
    ) -> Self {
        let length = |[s, t, r]: [f32; 3]| {
            let (s, t, r) = (s * width as f32, t * height as f32, r * depth as f32);
            (s * s + t * t + r * r).sqrt()
        };
        let (x, y) = (length(location.dx), length(location.dy));
        let (longer, shorter, along) = if x >= y { (x, y, location.dx) } else { (y, x, location.dy) };
        // The cast converts NaN (no change at all) to 0 and infinity to the maximum.
        let samples = ((longer / shorter).ceil() as u8).clamp(1, sampler.anisotropy.max(1));
        let bias = bias + f32::from(sampler.bias_eighths) / 8.0;
        Footprint { lambda: (longer / f32::from(samples)).log2() + bias, samples, along }
    }

    /// The sampled positions.
    pub(crate) fn positions(&self, at: [f32; 3]) -> impl Iterator<Item = [f32; 3]> {
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
