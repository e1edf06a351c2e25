//! The textures that a program sees.

use super::{
    Color, Compare, Texture, cube,
    filter::{self, Taps},
    footprint::{self, Footprint},
};
use crate::{Environment, Plane, Sample, environment::absent, execute::word, wave::each};
use shisa_diag::{Diagnostic, Limit, Limits};
use shisa_ir::{Dim, Filter, Lod, Sampler, SamplerRef, Space, TexKind, TextureRef, Wrap};
use std::collections::BTreeMap;

/// Textures by number, each with the sampler state used where the instruction brings none; textures by the address of
/// what describes them; and samplers by number, by number in a heap, and by address. It is an environment by itself,
/// without memory. A program can put what lies at an address in place of a number.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TextureSet {
    units: BTreeMap<u16, (Texture, Sampler)>,
    handles: BTreeMap<u64, Texture>,
    samplers: BTreeMap<Named, Sampling>,
    /// The addresses that stand for textures of a number.
    loaded: BTreeMap<u16, u64>,
    /// The same of samplers.
    loaded_samplers: BTreeMap<u16, u64>,
}

/// How a sampler is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Named {
    Unit(u16),
    InHeap(u32),
    At(u64),
}

/// Where a texture is bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Unit(u16),
    At(u64),
}

/// A sampler with its comparison.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Sampling {
    state: Sampler,
    compare: Compare,
}

/// The operation of a wave.
type Op<'a> = shisa_ir::TexOp<[&'a Plane; 4]>;

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
        let before = self.units.get(&unit).map_or(0, |(t, _)| t.bytes());
        self.check(&texture, before, limits)?;
        self.units.insert(unit, (texture, sampler));
        Ok(())
    }

    /// Binds a texture to an address, in place of the one bound before.
    ///
    /// # Errors
    /// Those of [`TextureSet::bind`].
    pub fn bind_at(&mut self, address: u64, texture: Texture, limits: &Limits) -> Result<(), Diagnostic> {
        let before = self.handles.get(&address).map_or(0, Texture::bytes);
        self.check(&texture, before, limits)?;
        self.handles.insert(address, texture);
        Ok(())
    }

    /// Binds a sampler to a number. An operation whose sampler is not bound takes that of its texture, which compares
    /// with [`Compare::LessEqual`].
    pub fn bind_sampler(&mut self, unit: u16, state: Sampler, compare: Compare) {
        self.samplers.insert(Named::Unit(unit), Sampling { state, compare });
    }

    /// Binds a sampler to a number in the heap of samplers, which programs compute.
    pub fn bind_sampler_in_heap(&mut self, number: u32, state: Sampler, compare: Compare) {
        self.samplers.insert(Named::InHeap(number), Sampling { state, compare });
    }

    /// Binds a sampler to an address, for programs that load it from there.
    pub fn bind_sampler_at(&mut self, address: u64, state: Sampler, compare: Compare) {
        self.samplers.insert(Named::At(address), Sampling { state, compare });
    }

    fn check(&self, texture: &Texture, before: usize, limits: &Limits) -> Result<(), Diagnostic> {
        let all = self.units.values().map(|(t, _)| t).chain(self.handles.values());
        let bytes: usize = all.map(Texture::bytes).sum();
        limits.check(Limit::Memory, "bytes of texels", bytes - before + texture.bytes())
    }

    /// The texture of a number.
    pub fn get(&self, unit: u16) -> Option<&Texture> {
        self.units.get(&unit).map(|(t, _)| t)
    }

    /// The texture at an address.
    pub fn at(&self, address: u64) -> Option<&Texture> {
        self.handles.get(&address)
    }

    /// Where the texture is bound that a lane means.
    fn place(&self, op: &Op<'_>, lane: usize) -> Place {
        let number = match op.texture {
            TextureRef::Unit(n) => n,
            // There is none behind.
            TextureRef::Numbered([n, ..]) => u16::try_from(n.get(lane)).unwrap_or(u16::MAX),
            TextureRef::Handle([low, high, ..]) => {
                return Place::At(u64::from(low.get(lane)) | u64::from(high.get(lane)) << 32);
            }
        };
        self.loaded.get(&number).map_or(Place::Unit(number), |address| Place::At(*address))
    }

    /// The texture that a lane means, with the sampler that belongs to it.
    fn texture(&self, op: &Op<'_>, lane: usize) -> Result<(&Texture, Sampler), Diagnostic> {
        let (found, name) = match self.place(op, lane) {
            Place::Unit(n) => (self.units.get(&n).map(|(t, s)| (t, *s)), format!("unit {n}")),
            Place::At(address) => {
                let found = self.handles.get(&address).map(|t| (t, Sampler::default()));
                (found, format!("address {address:#x}"))
            }
        };
        let Some((texture, sampler)) = found else {
            return Err(Diagnostic::error("texture-missing", format!("no texture is bound to {name}")));
        };
        if texture.shape != op.shape {
            let (have, want) = (texture.shape.name(), op.shape.name());
            let text = format!("{name} holds a texture of shape {have}, the program uses {want}");
            return Err(Diagnostic::error("texture-shape", text));
        }
        Ok((texture, sampler))
    }

    /// The sampler that a lane means.
    fn sampling(&self, op: &Op<'_>, own: Sampler, lane: usize) -> Sampling {
        let own = Sampling { state: own, compare: Compare::default() };
        match op.sampler {
            SamplerRef::Texture => own,
            SamplerRef::State(state) => Sampling { state, ..own },
            SamplerRef::Unit(n) => {
                let named =
                    self.loaded_samplers.get(&n).map_or(Named::Unit(n), |address| Named::At(*address));
                self.samplers.get(&named).copied().unwrap_or(own)
            }
            SamplerRef::Handle([n, ..]) => {
                self.samplers.get(&Named::InHeap(n.get(lane))).copied().unwrap_or(own)
            }
        }
    }
}

impl Environment for TextureSet {
    /// # Errors
    /// `texture-missing` when nothing is bound, `texture-shape` when the texture is of another shape than
    /// the instruction expects.
    fn sample(&mut self, sample: &Sample<'_>, texel: &mut [Plane; 4]) -> Result<(), Diagnostic> {
        let op = &sample.op;
        let find = |lane| self.texture(op, lane).map(|(t, own)| (t, self.sampling(op, own, lane)));
        let varies =
            !matches!(op.texture, TextureRef::Unit(_)) || matches!(op.sampler, SamplerRef::Handle(_));
        let same = if varies { None } else { Some(find(0)?) };
        for lane in each(sample.lanes) {
            let (texture, sampling) = match same {
                Some(found) => found,
                None => find(lane)?,
            };
            let color = texture.read(sample, &sampling, lane);
            for (plane, value) in texel.iter_mut().zip(color) {
                plane.0[lane] = value.to_bits();
            }
        }
        Ok(())
    }

    /// # Errors
    /// As [`TextureSet::sample`](Environment::sample), and `texture-store` for a format that is not written.
    fn store_texel(&mut self, store: &Sample<'_>) -> Result<(), Diagnostic> {
        let op = &store.op;
        let TexKind::Store(value) = op.kind else { return Ok(()) };
        for lane in each(store.lanes) {
            let (texture, _) = self.texture(op, lane)?;
            let color = value.map(|p| f32::from_bits(p.get(lane)));
            let Some(color) = texture.format.kept(color, op.towards_zero) else {
                let text = format!("texels of format {} are not written", texture.format.name());
                return Err(Diagnostic::error("texture-store", text));
            };
            let Some((level, index)) = texture.find(op, lane) else { continue };
            let texture = match self.place(op, lane) {
                Place::Unit(n) => self.units.get_mut(&n).map(|(t, _)| t),
                Place::At(address) => self.handles.get_mut(&address),
            };
            let level = texture.and_then(|t| t.levels.get_mut(level));
            if let Some(texel) = level.and_then(|l| l.texels.get_mut(index)) {
                *texel = color;
            }
        }
        Ok(())
    }

    /// Puts what lies at an address in place of a texture or a sampler.
    ///
    /// # Errors
    /// `eval-no-environment` for any other memory.
    fn store(&mut self, space: Space, _: usize, address: u64, bytes: &[u8]) -> Result<(), Diagnostic> {
        let number = address / 8;
        let (states, number) = match u8::try_from(number) {
            Ok(number) => (&mut self.loaded, number),
            Err(_) => (&mut self.loaded_samplers, (number - 256).min(255) as u8),
        };
        if space != Space::States {
            return Err(absent(&format!("{space:?} memory")));
        }
        states.insert(number.into(), word(bytes));
        Ok(())
    }
}

impl Texture {
    /// The level of a texel that is named by number, and its place there.
    fn find(&self, op: &Op<'_>, lane: usize) -> Option<(usize, usize)> {
        let number = |p: &Plane| p.get(lane) as usize;
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

    fn read(&self, sample: &Sample<'_>, sampling: &Sampling, lane: usize) -> Color {
        let op = &sample.op;
        if op.is_exact() {
            let found = self.find(op, lane);
            return found.and_then(|(l, i)| self.levels.get(l)?.texels.get(i).copied()).unwrap_or_default();
        }
        let coordinates = usize::from(self.shape.dim.coordinates());
        let vector = |planes: &[&Plane; 4], lane| -> [f32; 3] {
            std::array::from_fn(|i| if i < coordinates { f32::from_bits(planes[i].get(lane)) } else { 0.0 })
        };
        let number = |p: [&Plane; 4]| f32::from_bits(p[0].get(lane));
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
        let (place, wraps) = match self.shape.dim {
            Dim::Cube => (cube::project(at, dx, dy), [Wrap::Clamp; 3]),
            _ => (footprint::Place { face: 0, at, dx, dy }, sampler.wrap),
        };
        let size = [self.size.width, self.size.height, if volume { self.size.depth } else { 0 }];
        let mut footprint = match op.lod {
            Lod::Zero => Footprint::explicit(0.0),
            Lod::Level(level) => Footprint::explicit(number(level)),
            Lod::Bias(bias) => Footprint::computed(&place, size, number(bias), sampler),
            _ => Footprint::computed(&place, size, 0.0, sampler),
        };
        if let Some(least) = op.least {
            footprint.lambda = footprint.lambda.max(number(least));
        }
        if op.kind == TexKind::Detail {
            return [self.detail(footprint.lambda, sampler), footprint.lambda, 0.0, 0.0];
        }
        let layer = op.layer.map_or(0, |l| (l[0].get(lane) as usize).min(self.size.layers - 1));
        let faces = if self.shape.dim == Dim::Cube { 6 } else { 1 };
        let taps = Taps {
            filter: sampler.filter,
            wraps,
            offset: op.offset.map_or([0; 3], |o| [0, 1, 2].map(|i| i64::from(o[i].get(lane) as i32))),
            slice: layer * faces + place.face,
            volume,
            compare: op.compare.map(|v| (sampling.compare, number(v))),
        };
        if let (TexKind::Gather(component), Some(level)) = (op.kind, self.levels.first()) {
            return taps.gather(level, place.at, component.into());
        }
        let one = |at| self.mipmapped(&taps, at, footprint.lambda, sampler);
        if footprint.samples == 1 {
            return one(place.at);
        }
        let mut sum = [0.0; 4];
        for color in footprint.places(place.at).map(one) {
            sum.iter_mut().zip(color).for_each(|(s, c)| *s += c);
        }
        sum.map(|s| s / f32::from(footprint.samples))
    }

    /// A level of detail that exists.
    fn clamped(&self, lambda: f32) -> f32 {
        // `max` drops NaN.
        lambda.max(0.0).min(self.levels.len().saturating_sub(1) as f32)
    }

    /// The level of detail as the filter takes it.
    fn detail(&self, lambda: f32, sampler: &Sampler) -> f32 {
        match sampler.mip {
            None => 0.0,
            Some(Filter::Nearest) => (self.clamped(lambda) + 0.5).floor(),
            Some(Filter::Linear) => self.clamped(lambda),
        }
    }

    fn mipmapped(&self, taps: &Taps, at: [f32; 3], lambda: f32, sampler: &Sampler) -> Color {
        let last = self.levels.len().saturating_sub(1);
        let level = |i: usize| match self.levels.get(i.min(last)) {
            Some(level) => taps.sample(level, at),
            None => Color::default(),
        };
        let lambda = self.detail(lambda, sampler);
        let whole = lambda.floor();
        let (i, weight) = (whole as usize, lambda - whole);
        if weight == 0.0 { level(i) } else { filter::blend(level(i), level(i + 1), weight) }
    }
}
