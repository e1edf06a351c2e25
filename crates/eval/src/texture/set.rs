//! The textures that a program sees.

use super::{
    Color, Texture, cube, filter,
    footprint::{Footprint, Place},
};
use crate::{Environment, Plane, Sample, SampleLod, wave::each};
use shisa_diag::{Diagnostic, Limit, Limits};
use shisa_ir::{Dim, Filter, Sampler, Wrap};
use std::collections::BTreeMap;

/// Textures by number, each with the sampler state used where the instruction brings none. It is an
/// environment by itself, without memory.
#[derive(Clone, Debug, Default)]
pub struct TextureSet {
    units: BTreeMap<u16, (Texture, Sampler)>,
}

impl TextureSet {
    /// No textures.
    pub fn new() -> Self {
        Self::default()
    }

    /// Binds a texture to a number, in place of the one bound before.
    ///
    /// # Errors
    /// `limit-exceeded` when all textures together would take more memory than the limit.
    pub fn bind(
        &mut self,
        unit: u16,
        texture: Texture,
        sampler: Sampler,
        limits: &Limits,
    ) -> Result<(), Diagnostic> {
        let others = self.units.iter().filter(|(u, _)| **u != unit);
        let bytes: usize = others.map(|(_, (t, _))| t.bytes()).sum();
        limits.check(Limit::Memory, "bytes of texels", bytes + texture.bytes())?;
        self.units.insert(unit, (texture, sampler));
        Ok(())
    }

    /// The texture of a number.
    pub fn get(&self, unit: u16) -> Option<&Texture> {
        self.units.get(&unit).map(|(t, _)| t)
    }
}

impl Environment for TextureSet {
    /// # Errors
    /// `texture-missing` when nothing is bound, `texture-shape` when the texture is of another shape than
    /// the instruction expects.
    fn sample(&mut self, sample: &Sample<'_>, texel: &mut [Plane; 4]) -> Result<(), Diagnostic> {
        let Some((texture, bound)) = self.units.get(&sample.unit) else {
            let text = format!("no texture is bound to unit {}", sample.unit);
            return Err(Diagnostic::error("texture-missing", text));
        };
        if texture.dim != sample.dim {
            let text = format!(
                "unit {} holds a texture of shape {:?}, the program samples {:?}",
                sample.unit, texture.dim, sample.dim
            );
            return Err(Diagnostic::error("texture-shape", text));
        }
        let sampler = sample.sampler.unwrap_or(*bound);
        for lane in each(sample.lanes) {
            let color = texture.sample(sample, &sampler, lane);
            for (plane, value) in texel.iter_mut().zip(color) {
                plane.0[lane] = value.to_bits();
            }
        }
        Ok(())
    }
}

impl Texture {
    fn sample(&self, sample: &Sample<'_>, sampler: &Sampler, lane: usize) -> Color {
        let vector = |planes: &[&Plane; 3], lane| planes.map(|p| f32::from_bits(p.get(lane)));
        let number = |p: &Plane| f32::from_bits(p.get(lane));
        let at = vector(&sample.coord, lane);
        let change = |bit: usize| {
            let (from, to) = (vector(&sample.coord, lane & !bit), vector(&sample.coord, lane | bit));
            if sample.quads { std::array::from_fn(|i| to[i] - from[i]) } else { [0.0; 3] }
        };
        let (dx, dy) = match &sample.lod {
            SampleLod::Implicit | SampleLod::Bias(_) => (change(1), change(2)),
            SampleLod::Gradient(x, y) => (vector(x, lane), vector(y, lane)),
            SampleLod::Level(_) => ([0.0; 3], [0.0; 3]),
        };
        let (place, wraps) = match self.dim {
            Dim::Cube => (cube::project(at, dx, dy), [Wrap::Clamp; 2]),
            _ => {
                let flat = |[s, t, _]: [f32; 3]| [s, t];
                let place = Place { face: 0, at: flat(at), dx: flat(dx), dy: flat(dy) };
                (place, [sampler.wrap[0], sampler.wrap[1]])
            }
        };
        let footprint = match sample.lod {
            SampleLod::Level(level) => Footprint::explicit(number(level)),
            SampleLod::Bias(bias) => Footprint::computed(&place, self.size(), number(bias), sampler),
            _ => Footprint::computed(&place, self.size(), 0.0, sampler),
        };
        let one = |at: [f32; 2]| self.mipmapped(place.face, at, footprint.lambda, sampler, wraps);
        if footprint.samples == 1 {
            return one(place.at);
        }
        let mut sum = [0.0; 4];
        for color in footprint.places(place.at).map(one) {
            sum.iter_mut().zip(color).for_each(|(s, c)| *s += c);
        }
        sum.map(|s| s / f32::from(footprint.samples))
    }

    fn mipmapped(
        &self,
        face: usize,
        at: [f32; 2],
        lambda: f32,
        sampler: &Sampler,
        wraps: [Wrap; 2],
    ) -> Color {
        let last = self.levels.len().saturating_sub(1);
        // `max` drops NaN.
        let lambda = lambda.max(0.0).min(last as f32);
        let level = |i: usize| match self.levels.get(i.min(last)) {
            Some(level) => filter::sample(level, face, at, sampler.filter, wraps),
            None => Color::default(),
        };
        match sampler.mip {
            None => level(0),
            Some(Filter::Nearest) => level((lambda + 0.5).floor() as usize),
            Some(Filter::Linear) => {
                let whole = lambda.floor();
                let (i, weight) = (whole as usize, lambda - whole);
                if weight == 0.0 { level(i) } else { filter::blend(level(i), level(i + 1), weight) }
            }
        }
    }
}
