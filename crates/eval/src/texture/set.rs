//! The textures that are bound for a program.

use super::filter::Compare;
use super::image::Texture;
use super::read::{Op, Sampling};
use crate::environment::{Environment, Sample, absent, word};
use crate::wave::{Plane, each, joined};
use shisa_diag::{Diagnostic, Limit, Limits};
use shisa_ir::{Sampler, SamplerRef, Shape, Space, TexKind, TextureRef};
use std::collections::BTreeMap;

/// Textures by number, each with the sampler for instructions that have none; textures by descriptor address or by handle;
/// and samplers by number, by number in a heap, and by address. It is also an environment without memory. A program can
/// replace a numbered texture or sampler by one at an address.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TextureSet {
    pub(super) units: BTreeMap<u16, (Texture, Sampling)>,
    handles: BTreeMap<u64, Texture>,
    /// Numbered textures by their handles.
    aliases: BTreeMap<u64, u16>,
    samplers: BTreeMap<Named, Sampling>,
    /// Addresses of the textures that replace numbered ones.
    loaded: BTreeMap<u16, u64>,
    /// The same for samplers.
    loaded_samplers: BTreeMap<u16, u64>,
}

/// The name of a sampler.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Named {
    Unit(u16),
    InHeap(u32),
    At(u64),
}

/// The slot that a texture is bound to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slot {
    Unit(u16),
    At(u64),
    /// A number larger than any texture can have.
    Beyond(u32),
}

impl TextureSet {
    /// An empty set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Binds a texture with its sampler to a number and replaces the previous one.
    ///
    /// # Errors
    /// `limit-exceeded` if all textures together would take more memory than the limit.
    pub fn bind(
        &mut self,
        unit: u16,
        texture: Texture,
        sampler: impl Into<Sampling>,
        limits: &Limits,
    ) -> Result<(), Diagnostic> {
        let before = self.units.get(&unit).map_or(0, |(t, _)| t.bytes());
        self.check(&texture, before, limits)?;
        self.units.insert(unit, (texture, sampler.into()));
        Ok(())
    }

    /// Gives the texture of a number, with its sampler, a handle as well. A texel that is stored through one of both is
    /// read through the other.
    pub fn alias(&mut self, handle: u64, unit: u16) {
        self.aliases.insert(handle, unit);
    }

    /// Binds a texture to an address and replaces the previous one.
    ///
    /// # Errors
    /// Those of [`TextureSet::bind`].
    pub fn bind_at(&mut self, address: u64, texture: Texture, limits: &Limits) -> Result<(), Diagnostic> {
        let before = self.handles.get(&address).map_or(0, Texture::bytes);
        self.check(&texture, before, limits)?;
        self.handles.insert(address, texture);
        Ok(())
    }

    /// Binds a sampler to a number. An operation whose sampler is not bound uses that of its texture.
    pub fn bind_sampler(&mut self, unit: u16, state: Sampler, compare: Compare) {
        self.samplers.insert(Named::Unit(unit), Sampling { state, compare });
    }

    /// Binds a sampler to a number in the sampler heap, which programs index with computed numbers.
    pub fn bind_sampler_in_heap(&mut self, number: u32, state: Sampler, compare: Compare) {
        self.samplers.insert(Named::InHeap(number), Sampling { state, compare });
    }

    /// Binds a sampler to an address, for programs that load it from there.
    pub fn bind_sampler_at(&mut self, address: u64, state: Sampler, compare: Compare) {
        self.samplers.insert(Named::At(address), Sampling { state, compare });
    }

    fn check(&self, texture: &Texture, before: usize, limits: &Limits) -> Result<(), Diagnostic> {
        limits.check(Limit::Memory, "bytes of texels", self.bytes() - before + texture.bytes())
    }

    /// All textures.
    fn all(&self) -> impl Iterator<Item = &Texture> {
        self.units.values().map(|(texture, _)| texture).chain(self.handles.values())
    }

    /// The texture bound to a number.
    pub fn get(&self, unit: u16) -> Option<&Texture> {
        self.units.get(&unit).map(|(t, _)| t)
    }

    /// The texture bound to an address.
    pub fn at(&self, address: u64) -> Option<&Texture> {
        self.handles.get(&address)
    }

    /// The slot of the texture that a lane uses.
    pub(super) fn slot(&self, op: &Op<'_>, lane: usize) -> Slot {
        let number = match op.texture {
            TextureRef::Unit(n) => n,
            TextureRef::Numbered([n, ..]) => match u16::try_from(n.0[lane]) {
                Ok(n) => n,
                Err(_) => return Slot::Beyond(n.0[lane]),
            },
            TextureRef::Handle([low, high, ..]) => {
                let address = joined([low, high], lane);
                return self.aliases.get(&address).map_or(Slot::At(address), |unit| Slot::Unit(*unit));
            }
        };
        self.loaded.get(&number).map_or(Slot::Unit(number), |address| Slot::At(*address))
    }

    /// The texture that a lane uses, with the sampler that belongs to it.
    fn texture(&self, op: &Op<'_>, lane: usize) -> Result<(&Texture, Sampling), Diagnostic> {
        let (found, name) = match self.slot(op, lane) {
            Slot::Unit(n) => (self.units.get(&n).map(|(t, s)| (t, *s)), format!("unit {n}")),
            Slot::At(address) => {
                let found = self.handles.get(&address).map(|t| (t, Sampling::default()));
                (found, format!("address {address:#x}"))
            }
            Slot::Beyond(n) => (None, format!("unit {n}")),
        };
        let Some((texture, sampler)) = found else {
            return Err(Diagnostic::error("texture-missing", format!("no texture is bound to {name}")));
        };
        let kind = |shape: Shape| (shape.dim, shape.multisampled);
        if kind(texture.shape) != kind(op.shape) && !op.is_query() {
            let (have, want) = (texture.shape.name(), op.shape.name());
            let text = format!("{name} holds a texture of shape {have}, the program uses {want}");
            return Err(Diagnostic::error("texture-shape", text));
        }
        Ok((texture, sampler))
    }

    /// The sampler that a lane uses.
    fn sampling(&self, op: &Op<'_>, own: Sampling, lane: usize) -> Sampling {
        match op.sampler {
            SamplerRef::Texture => own,
            SamplerRef::State(state) => Sampling { state, ..own },
            SamplerRef::Unit(n) => {
                let named =
                    self.loaded_samplers.get(&n).map_or(Named::Unit(n), |address| Named::At(*address));
                self.samplers.get(&named).copied().unwrap_or(own)
            }
            SamplerRef::Handle([n, ..]) => {
                self.samplers.get(&Named::InHeap(n.0[lane])).copied().unwrap_or(own)
            }
        }
    }
}

impl Environment for TextureSet {
    fn textures(&self) -> Vec<(String, &Texture)> {
        let numbered = self.units.iter().map(|(unit, (texture, _))| (format!("unit {unit}"), texture));
        let at = self.handles.iter().map(|(address, texture)| (format!("address {address:#x}"), texture));
        numbered.chain(at).collect()
    }

    fn bytes(&self) -> usize {
        self.all().map(Texture::bytes).sum()
    }

    /// # Errors
    /// `texture-missing` if no texture is bound; `texture-shape` if the texture's shape is not the one that the
    /// instruction expects. Layers make no difference: an operation without a layer reads layer 0.
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
            let color = match op.kind {
                TexKind::Location => self.location(op, texture, lane)?.map(f32::from_bits),
                _ => texture.read(sample, &sampling, lane)?,
            };
            for (plane, value) in texel.iter_mut().zip(color) {
                plane.0[lane] = value.to_bits();
            }
        }
        Ok(())
    }

    /// # Errors
    /// As [`TextureSet::sample`](Environment::sample), and `texture-store` for a format that cannot be written or an
    /// operation that does not write.
    fn store_texel(&mut self, store: &Sample<'_>) -> Result<(), Diagnostic> {
        let op = &store.op;
        let TexKind::Store(value) = op.kind else {
            let text = format!("{:?} is not an operation that writes texels", op.kind);
            return Err(Diagnostic::error("texture-store", text));
        };
        for lane in each(store.lanes) {
            let (texture, _) = self.texture(op, lane)?;
            let color = value.map(|p| f32::from_bits(p.0[lane]));
            let Some(color) = texture.format.stored(color, op.towards_zero) else {
                let text = format!("texels of format {} cannot be written", texture.format.name());
                return Err(Diagnostic::error("texture-store", text));
            };
            let Some((level, index)) = texture.located(op, lane)? else { continue };
            let texture = match self.slot(op, lane) {
                Slot::Unit(n) => self.units.get_mut(&n).map(|(t, _)| t),
                Slot::At(address) => self.handles.get_mut(&address),
                Slot::Beyond(_) => None,
            };
            let level = texture.and_then(|t| t.levels.get_mut(level));
            if let Some(texel) = level.and_then(|l| l.texels.get_mut(index)) {
                *texel = color;
            }
        }
        Ok(())
    }

    /// Reads the bits of texels.
    ///
    /// # Errors
    /// `eval-no-environment` for any memory except [`Space::Texels`]; `texture-store` for a format without bits.
    fn load(&mut self, space: Space, _: usize, address: u64, bytes: &mut [u8]) -> Result<(), Diagnostic> {
        if space != Space::Texels {
            return Err(absent(&format!("{space:?} memory")));
        }
        self.texel_bits(address, bytes)
    }

    /// Writes the bits of texels, or replaces a numbered texture or sampler by the one at an address.
    ///
    /// # Errors
    /// `eval-no-environment` for any memory except [`Space::Texels`] and [`Space::States`]; `texture-store` for a format
    /// without bits; `eval-memory-outside` for an address after the last sampler.
    fn store(&mut self, space: Space, _: usize, address: u64, bytes: &[u8]) -> Result<(), Diagnostic> {
        if space == Space::Texels {
            return self.set_texel_bits(address, bytes);
        }
        if space != Space::States {
            return Err(absent(&format!("{space:?} memory")));
        }
        // 256 textures come first, then 256 samplers, of 8 bytes each.
        let (states, number) =
            match (u8::try_from(address / 8), u8::try_from((address / 8).wrapping_sub(256))) {
                (Ok(number), _) => (&mut self.loaded, number),
                (_, Ok(number)) => (&mut self.loaded_samplers, number),
                _ => {
                    let text = format!(
                        "a store at {address:#x} is outside of the {} bytes of {space:?} memory",
                        2 * 256 * 8
                    );
                    return Err(Diagnostic::error("eval-memory-outside", text));
                }
            };
        states.insert(number.into(), word(bytes));
        Ok(())
    }
}
