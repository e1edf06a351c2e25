//! Texture operations and the sampler state that instructions carry.

use crate::Value;

/// Shape of a texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Dim {
    /// Width and height; coordinates s, t.
    D2,
    /// Six square faces; coordinates are a direction.
    Cube,
    /// Width, height and depth; coordinates s, t, r.
    D3,
}

impl Dim {
    /// How many components a coordinate has.
    pub const fn coordinates(self) -> u8 {
        match self {
            Dim::D2 => 2,
            Dim::Cube | Dim::D3 => 3,
        }
    }
}

/// Between texels of one level, and between levels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Filter {
    /// The nearest.
    #[default]
    Nearest,
    /// Weighted by distance.
    Linear,
}

/// What lies outside 0 … 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Wrap {
    /// The edge texel.
    #[default]
    Clamp,
    /// The texture again.
    Repeat,
    /// The texture again, every other copy mirrored.
    Mirror,
}

/// How a texture is sampled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sampler {
    /// Filter within a level, for minification and magnification alike.
    pub filter: Filter,
    /// Filter between levels; `None` samples level 0 only.
    pub mip: Option<Filter>,
    /// Along s, t, r.
    pub wrap: [Wrap; 3],
    /// Largest anisotropy ratio, 1 for none.
    pub anisotropy: u8,
    /// Added to the computed level of detail, in eighths of a level.
    pub bias_eighths: i8,
}

/// Where the level of detail comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lod {
    /// From the change of the coordinates across the quad. Convergent.
    Implicit,
    /// As [`Lod::Implicit`], plus this number.
    Bias(Value),
    /// This number.
    Level(Value),
    /// From these changes of the coordinates along x and y.
    Gradient(Value, Value),
}

/// A texture operation. Its result has four components.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TexOp {
    /// Number of the texture, as the environment and the reflection count them.
    pub unit: u16,
    /// Shape.
    pub dim: Dim,
    /// Coordinate, [`Dim::coordinates`] components.
    pub coord: Value,
    /// Level of detail.
    pub lod: Lod,
    /// Sampler state from the instruction; `None` takes the state bound in the environment.
    pub sampler: Option<Sampler>,
}
