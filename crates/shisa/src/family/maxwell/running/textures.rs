//! Textures as JSON.

use super::choices::{COMPARISONS, named};
use crate::run::wrong;
use crate::{Result, Settings};
use serde::Deserialize;
use shisa_eval::{Format, Sampling, Size, Texture};
use shisa_ir::{Dim, Filter, Sampler, Shape, Wrap};

/// A texture with its sampler.
#[derive(Deserialize)]
pub(super) struct Image {
    dim: String,
    format: String,
    width: usize,
    #[serde(default = "one")]
    height: usize,
    #[serde(default = "one")]
    depth: usize,
    #[serde(default = "one")]
    layers: usize,
    #[serde(default = "one")]
    levels: usize,
    filter: Option<String>,
    wrap: Option<String>,
    compare: Option<String>,
}

fn one() -> usize {
    1
}

/// The shapes by name; a buffer is read like a texture of one dimension.
const SHAPES: [(&str, Shape); 8] = {
    const fn shape(dim: Dim, arrayed: bool) -> Shape {
        Shape { dim, arrayed, multisampled: false }
    }
    [
        ("1d", shape(Dim::D1, false)),
        ("1da", shape(Dim::D1, true)),
        ("2d", shape(Dim::D2, false)),
        ("2da", shape(Dim::D2, true)),
        ("3d", shape(Dim::D3, false)),
        ("cube", shape(Dim::Cube, false)),
        ("cubea", shape(Dim::Cube, true)),
        ("buf", shape(Dim::D1, false)),
    ]
};

const FILTERS: [(&str, Filter); 2] = [("nearest", Filter::Nearest), ("linear", Filter::Linear)];
const WRAPS: [(&str, Wrap); 3] = [("clamp", Wrap::Clamp), ("repeat", Wrap::Repeat), ("mirror", Wrap::Mirror)];
/// The value of a name in a list; the default without a name.
fn given<T: Copy + Default>(list: &[(&str, T)], name: Option<&str>, what: &str) -> Result<T> {
    name.map_or_else(|| Ok(T::default()), |name| named(list, name, what))
}

impl Image {
    /// The texture with its sampler. Its data are level by level and slice by slice.
    ///
    /// # Errors
    /// `run-input` for names that are not known, and for too few or too many bytes; what the texture unit reports about
    /// sizes.
    pub(super) fn read(&self, of: &str, data: &[u8], settings: &Settings) -> Result<(Texture, Sampling)> {
        let format = Format::from_name(&self.format).ok_or_else(|| {
            let names: Vec<&str> = Format::ALL.iter().map(|f| f.name()).collect();
            let found = shisa_diag::escape(&self.format);
            wrong(format!("{of}: \"{found}\" is not a texel format; known are {}", names.join(", ")))
        })?;
        let shape = named(&SHAPES, &self.dim, "texture shape")?;
        let Image { width, height, depth, layers, .. } = *self;
        let mut rest = data;
        let mut levels = Vec::new();
        for level in 0..self.levels {
            let half = |n: usize| n.checked_shr(level as u32).unwrap_or(0).max(1);
            let faces = if shape.dim == Dim::Cube { 6 } else { 1 };
            let slices = half(depth).saturating_mul(layers).saturating_mul(faces);
            let each = format.bytes(half(width), half(height));
            let all = rest.split_at_checked(each.saturating_mul(slices));
            let (own, after) = all.ok_or_else(|| wrong(format!("{of} has too few bytes of texels")))?;
            levels.push(own.chunks(each.max(1)).collect::<Vec<_>>());
            rest = after;
        }
        if !rest.is_empty() {
            return Err(wrong(format!("{of} has {} bytes after its texels", rest.len())));
        }
        let size = Size { width, height, depth, layers, samples: 1 };
        let texture = Texture::shaped(format, shape, size, &levels, &settings.limits)?;
        let filter = given(&FILTERS, self.filter.as_deref(), "filter")?;
        let wrap = given(&WRAPS, self.wrap.as_deref(), "wrap mode")?;
        let mip = (self.levels > 1).then_some(filter);
        let state = Sampler { filter, mip, wrap: [wrap; 3], anisotropy: 1, bias_eighths: 0 };
        let compare = given(&COMPARISONS, self.compare.as_deref(), "comparison")?;
        Ok((texture, Sampling { state, compare }))
    }
}
