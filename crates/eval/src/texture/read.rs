//! Reads textures: filters texels, or fetches single texels.

use super::color::Color;
use super::cube;
use super::filter::{self, Compare, Taps};
use super::footprint::{self, Footprint};
use super::image::Texture;
use crate::environment::Sample;
use crate::wave::Plane;
use shisa_diag::Diagnostic;
use shisa_ir::{Dim, Filter, Lod, Sampler, Shape, TexKind, TexOp, Wrap};

/// The operation of a wave.
pub(super) type Op<'a> = TexOp<[&'a Plane; 4]>;

/// A sampler with its comparison.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sampling {
    /// How texels are filtered.
    pub state: Sampler,
    /// How reference values are compared with texels.
    pub compare: Compare,
}

/// Compares with [`Compare::LessEqual`].
impl From<Sampler> for Sampling {
    fn from(state: Sampler) -> Self {
        Sampling { state, compare: Compare::default() }
    }
}

impl Texture {
    /// The level and the index of the texel that a fetch or store addresses.
    pub(super) fn find(&self, op: &Op<'_>, lane: usize) -> Option<(usize, usize)> {
        let number = |p: &Plane| p.0[lane] as usize;
        let l = match op.lod {
            Lod::Level([v, ..]) => number(v),
            _ => 0,
        };
        let level = self.levels.get(l)?;
        let [x, y, z] = [0, 1, 2].map(|i| match i < usize::from(self.shape.dim.coordinates()) {
            true => number(op.coord[i]),
            false => 0,
        });
        let sample = op.sample.map_or(0, |s| number(s[0]));
        let layer = op.layer.map_or(0, |s| number(s[0]));
        let there =
            x < level.width && y < level.height && sample < self.size.samples && layer < self.size.layers;
        let slice = layer * self.size.samples + sample + z;
        (there && slice < level.slices).then(|| (l, level.index(slice, x, y)))
    }

    /// The texel that a fetch or store addresses, as [`Texture::find`].
    ///
    /// # Errors
    /// `texture-outside` if there is none and the operation traps.
    pub(super) fn located(&self, op: &Op<'_>, lane: usize) -> Result<Option<(usize, usize)>, Diagnostic> {
        let found = self.find(op, lane);
        if found.is_none() && op.traps {
            let at: Vec<i32> =
                op.coord.iter().take(op.coordinates().into()).map(|p| p.0[lane] as i32).collect();
            let text = format!("the coordinate {at:?} of lane {lane} is outside of the texture");
            return Err(Diagnostic::error("texture-outside", text));
        }
        Ok(found)
    }

    /// The result of a query.
    fn property(&self, op: &Op<'_>, lane: usize) -> [usize; 4] {
        if op.kind == TexKind::Samples {
            return [self.size.samples, 0, 0, 0];
        }
        let (l, levels) = (op.coord[0].0[lane] as usize, self.levels.len());
        let Some(level) = self.levels.get(l) else { return [0, 0, 0, levels] };
        let Shape { dim, arrayed, .. } = self.shape;
        let layers = if arrayed { self.size.layers } else { 0 };
        match dim {
            Dim::D1 => [level.width, layers, 0, levels],
            Dim::D2 | Dim::Cube => [level.width, level.height, layers, levels],
            Dim::D3 => [level.width, level.height, (self.size.depth >> l).max(1), levels],
        }
    }

    /// The result of an operation for one lane: the bits of integers, if the operation is a query.
    ///
    /// # Errors
    /// `texture-gather` for a component that colors do not have.
    pub(super) fn read(
        &self,
        sample: &Sample<'_>,
        sampling: &Sampling,
        lane: usize,
    ) -> Result<Color, Diagnostic> {
        if sample.op.is_query() {
            let size = self.property(&sample.op, lane);
            return Ok(size.map(|n| f32::from_bits(n as u32)));
        }
        if sample.op.is_exact() {
            let Some((level, index)) = self.located(&sample.op, lane)? else {
                // A fetch outside of the texture is defined to return zero.
                return Ok(Color::default());
            };
            return self.levels.get(level).and_then(|l| l.texels.get(index)).copied().ok_or_else(missing);
        }
        if let TexKind::Gather(component @ 4..) = sample.op.kind {
            let text = format!("a gather of component {component}; colors have components 0 to 3");
            return Err(Diagnostic::error("texture-gather", text));
        }
        self.filtered(sample, sampling, lane).ok_or_else(missing)
    }

    fn filtered(&self, sample: &Sample<'_>, sampling: &Sampling, lane: usize) -> Option<Color> {
        let op = &sample.op;
        let coordinates = usize::from(self.shape.dim.coordinates());
        let vector = |planes: &[&Plane; 4], lane| -> [f32; 3] {
            std::array::from_fn(|i| if i < coordinates { f32::from_bits(planes[i].0[lane]) } else { 0.0 })
        };
        let number = |p: [&Plane; 4]| f32::from_bits(p[0].0[lane]);
        let at = vector(&op.coord, lane);
        let change = |bit: usize| {
            let (from, to) = (vector(&op.coord, lane & !bit), vector(&op.coord, lane | bit));
            if sample.quads { std::array::from_fn(|i| to[i] - from[i]) } else { [0.0; 3] }
        };
        let (dx, dy) = match &op.lod {
            Lod::Implicit | Lod::Bias(_) => (change(1), change(2)),
            Lod::Gradient(x, y) => (vector(x, lane), vector(y, lane)),
            Lod::Level(_) | Lod::Zero => ([0.0; 3], [0.0; 3]),
        };
        let sampler = &sampling.state;
        let volume = self.shape.dim == Dim::D3;
        let (location, wraps) = match self.shape.dim {
            Dim::Cube => (cube::project(at, dx, dy), [Wrap::Clamp; 3]),
            _ => (footprint::Location { face: 0, at, dx, dy }, sampler.wrap),
        };
        let size = [self.size.width, self.size.height, if volume { self.size.depth } else { 0 }];
        let mut footprint = match op.lod {
            Lod::Zero => Footprint::explicit(0.0),
            Lod::Level(level) => Footprint::explicit(number(level)),
            Lod::Bias(bias) => Footprint::computed(&location, size, number(bias), sampler),
            _ => Footprint::computed(&location, size, 0.0, sampler),
        };
        if let Some(least) = op.least {
            footprint.lambda = footprint.lambda.max(number(least));
        }
        if op.kind == TexKind::Detail {
            return Some([self.detail(footprint.lambda, sampler), footprint.lambda, 0.0, 0.0]);
        }
        let layer = op.layer.map_or(0, |l| (l[0].0[lane] as usize).min(self.size.layers - 1));
        let faces = if self.shape.dim == Dim::Cube { 6 } else { 1 };
        let taps = Taps {
            filter: sampler.filter,
            wraps,
            offset: op.offset.map_or([0; 3], |o| [0, 1, 2].map(|i| i64::from(o[i].0[lane] as i32))),
            slice: layer * faces + location.face,
            volume,
            compare: op.compare.map(|v| (sampling.compare, number(v))),
        };
        if let (TexKind::Gather(component), Some(level)) = (op.kind, self.levels.first()) {
            return taps.gather(level, location.at, component.into());
        }
        let one = |at| self.mipmapped(&taps, at, footprint.lambda, sampler);
        if footprint.samples == 1 {
            return one(location.at);
        }
        let mut sum = [0.0; 4];
        for color in footprint.positions(location.at).map(one) {
            sum.iter_mut().zip(color?).for_each(|(s, c)| *s += c);
        }
        Some(sum.map(|s| s / f32::from(footprint.samples)))
    }

    /// A level of detail clamped to the existing levels.
    fn clamped(&self, lambda: f32) -> f32 {
        // `max` drops NaN.
        lambda.max(0.0).min(self.levels.len().saturating_sub(1) as f32)
    }

    /// The level of detail after the mip filter's selection.
    fn detail(&self, lambda: f32, sampler: &Sampler) -> f32 {
        match sampler.mip {
            None => 0.0,
            Some(Filter::Nearest) => (self.clamped(lambda) + 0.5).floor(),
            Some(Filter::Linear) => self.clamped(lambda),
        }
    }

    fn mipmapped(&self, taps: &Taps, at: [f32; 3], lambda: f32, sampler: &Sampler) -> Option<Color> {
        let last = self.levels.len().saturating_sub(1);
        let level = |i: usize| taps.sample(self.levels.get(i.min(last))?, at);
        let lambda = self.detail(lambda, sampler);
        let whole = lambda.floor();
        let (i, weight) = (whole as usize, lambda - whole);
        if weight == 0.0 { level(i) } else { Some(filter::blend(level(i)?, level(i + 1)?, weight)) }
    }
}

/// The error for a filter that reads a texel outside of its level.
#[cold]
fn missing() -> Diagnostic {
    Diagnostic::internal("internal-texture", "the texture unit reads a texel that the texture does not have")
}
