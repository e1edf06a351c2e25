//! Textures and samplers as JSON.

use crate::run::wrong;
use crate::{Result, Settings};
use serde::Deserialize;
use serde_json::Value;
use shisa_eval::{Compare, Format, Size, Texture, TextureSet};
use shisa_ir::{Dim, Filter, Sampler, Shape, Wrap};
use shisa_run::{from_base64, to_base64};
use std::collections::BTreeMap;

/// The textures or samplers of an input, by name.
#[derive(Deserialize)]
pub(super) struct Textures {
    #[serde(default)]
    textures: BTreeMap<String, Image>,
    #[serde(default)]
    samplers: BTreeMap<String, Sampling>,
}

#[derive(Deserialize)]
struct Image {
    #[serde(default = "flat")]
    shape: String,
    width: usize,
    #[serde(default = "one")]
    height: usize,
    #[serde(default = "one")]
    depth: usize,
    #[serde(default = "one")]
    layers: usize,
    #[serde(default = "one")]
    samples: usize,
    #[serde(default = "one")]
    levels: usize,
    format: String,
    data: String,
    #[serde(flatten)]
    sampling: Sampling,
}

fn flat() -> String {
    "2d".into()
}

fn one() -> usize {
    1
}

#[derive(Deserialize)]
struct Sampling {
    #[serde(default)]
    linear: bool,
    /// The filter between levels: `nearest` or `linear`.
    mip: Option<String>,
    #[serde(default)]
    repeat: bool,
    compare: Option<String>,
}

/// Where the program finds a texture or a sampler.
enum Place {
    /// A state register.
    State(u16),
    /// An index in the sampler heap.
    InHeap(u32),
    /// An address.
    At(u64),
}

/// The number after a prefix.
pub(super) fn number<T: std::str::FromStr>(prefix: &str, name: &str) -> Result<T> {
    let digits = name.strip_prefix(prefix).and_then(|digits| digits.parse().ok());
    digits.ok_or_else(|| wrong(format!("there is no register `{name}`; names are like `{prefix}0`")))
}

/// The bytes of something.
pub(super) fn bytes(text: &str, of: &str) -> Result<Vec<u8>> {
    from_base64(text).ok_or_else(|| wrong(format!("the data of {of} is not base64")))
}

fn place(prefix: &str, name: &str) -> Result<Place> {
    if let Some(digits) = name.strip_prefix("0x") {
        let address = u64::from_str_radix(digits, 16);
        return Ok(Place::At(address.map_err(|_| wrong(format!("`{name}` is not an address")))?));
    }
    match name.parse() {
        Ok(n) if prefix == "ss" => Ok(Place::InHeap(n)),
        _ => Ok(Place::State(u8::into(number(prefix, name)?))),
    }
}

impl Sampling {
    fn state(&self) -> Result<Sampler> {
        let mip = match self.mip.as_deref() {
            None => None,
            Some("nearest") => Some(Filter::Nearest),
            Some("linear") => Some(Filter::Linear),
            Some(other) => return Err(wrong(format!("`{other}` is not a filter between levels"))),
        };
        Ok(Sampler {
            filter: if self.linear { Filter::Linear } else { Filter::Nearest },
            mip,
            wrap: [if self.repeat { Wrap::Repeat } else { Wrap::Clamp }; 3],
            anisotropy: 1,
            ..Sampler::default()
        })
    }

    fn compare(&self) -> Result<Compare> {
        use Compare::*;
        let names = [
            ("never", Never),
            ("less", Less),
            ("equal", Equal),
            ("less_equal", LessEqual),
            ("greater", Greater),
            ("not_equal", NotEqual),
            ("greater_equal", GreaterEqual),
            ("always", Always),
        ];
        let Some(name) = self.compare.as_deref() else { return Ok(Compare::default()) };
        let found = names.into_iter().find(|(n, _)| *n == name);
        found.map(|(_, compare)| compare).ok_or_else(|| wrong(format!("`{name}` is not a comparison")))
    }
}

impl Image {
    /// The texture; its data are level by level and slice by slice.
    fn read(&self, name: &str, settings: &Settings) -> Result<Texture> {
        let format = Format::from_name(&self.format)
            .ok_or_else(|| wrong(format!("`{}` is not a texel format", self.format)))?;
        let shape = Shape::ALL.into_iter().find(|s| s.name() == self.shape);
        let shape = shape.ok_or_else(|| wrong(format!("`{}` is not a texture shape", self.shape)))?;
        let Image { width, height, depth, layers, samples, .. } = *self;
        let size = Size { width, height, depth, layers, samples };
        let data = bytes(&self.data, name)?;
        let mut rest = &data[..];
        let mut levels = Vec::new();
        for level in 0..self.levels {
            let half = |n: usize| n.checked_shr(level as u32).unwrap_or(0).max(1);
            let faces = if shape.dim == Dim::Cube { 6 } else { 1 };
            let slices = [half(depth), layers, samples, faces].into_iter().fold(1, usize::saturating_mul);
            let each = format.bytes(half(width), half(height));
            let all = rest.split_at_checked(each.saturating_mul(slices));
            let (own, behind) = all.ok_or_else(|| wrong(format!("{name} has too few bytes of texels")))?;
            levels.push(own.chunks(each.max(1)).collect::<Vec<_>>());
            rest = behind;
        }
        if !rest.is_empty() {
            return Err(wrong(format!("{name} has {} bytes after its texels", rest.len())));
        }
        Ok(Texture::shaped(format, shape, size, &levels, &settings.limits)?)
    }
}

impl Textures {
    /// All of them.
    ///
    /// # Errors
    /// `run-input` for undefined names, formats and data; what the texture unit reports about sizes.
    pub(super) fn bound(&self, settings: &Settings) -> Result<TextureSet> {
        let mut set = TextureSet::new();
        for (name, image) in &self.textures {
            let texture = image.read(name, settings)?;
            match place("ts", name)? {
                Place::State(n) => set.bind(n, texture, image.sampling.state()?, &settings.limits)?,
                Place::At(address) => set.bind_at(address, texture, &settings.limits)?,
                Place::InHeap(_) => {}
            }
        }
        for (name, sampling) in &self.samplers {
            let (state, compare) = (sampling.state()?, sampling.compare()?);
            match place("ss", name)? {
                Place::State(n) => set.bind_sampler(n, state, compare),
                Place::InHeap(n) => set.bind_sampler_in_heap(n, state, compare),
                Place::At(address) => set.bind_sampler_at(address, state, compare),
            }
        }
        Ok(set)
    }

    /// Writes the contents of textures that changed into an input as `expect`.
    ///
    /// # Errors
    /// The errors of [`Textures::bound`].
    pub(super) fn fill(&self, input: &mut Value, before: &TextureSet, after: &TextureSet) -> Result<()> {
        for name in self.textures.keys() {
            let (old, new) = match place("ts", name)? {
                Place::State(n) => (before.get(n), after.get(n)),
                Place::At(address) => (before.at(address), after.at(address)),
                Place::InHeap(_) => continue,
            };
            let image = input.get_mut("textures").and_then(|all| all.get_mut(name));
            if let (Some(image), Some(bytes)) =
                (image.and_then(Value::as_object_mut), new.filter(|_| old != new).and_then(Texture::encoded))
            {
                image.insert("expect".into(), to_base64(&bytes).into());
            }
        }
        Ok(())
    }
}
