//! Texture operations and the sampler state that instructions carry.

use crate::op::{Atomic, Value};
use crate::words::worded;
use core::convert::Infallible;

/// The dimensions of a texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Dim {
    /// Width; coordinate s.
    D1,
    /// Width and height; coordinates s, t.
    D2,
    /// Six square faces; the coordinates are a direction.
    Cube,
    /// Width, height and depth; coordinates s, t, r.
    D3,
}

impl Dim {
    /// Number of components of a coordinate.
    pub const fn coordinates(self) -> u8 {
        match self {
            Dim::D1 => 1,
            Dim::D2 => 2,
            Dim::Cube | Dim::D3 => 3,
        }
    }
}

/// Shape of a texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Shape {
    /// Dimensions of one layer.
    pub dim: Dim,
    /// Whether it has layers. A three-dimensional texture has none.
    pub arrayed: bool,
    /// Whether texels have several samples. Only two-dimensional textures may have them.
    pub multisampled: bool,
}

impl From<Dim> for Shape {
    fn from(dim: Dim) -> Shape {
        Shape { dim, arrayed: false, multisampled: false }
    }
}

impl Shape {
    /// All shapes.
    pub const ALL: [Shape; 9] = {
        const fn shape(dim: Dim, arrayed: bool, multisampled: bool) -> Shape {
            Shape { dim, arrayed, multisampled }
        }
        [
            shape(Dim::D1, false, false),
            shape(Dim::D1, true, false),
            shape(Dim::D2, false, false),
            shape(Dim::D2, true, false),
            shape(Dim::D2, false, true),
            shape(Dim::D2, true, true),
            shape(Dim::Cube, false, false),
            shape(Dim::Cube, true, false),
            shape(Dim::D3, false, false),
        ]
    };

    /// The same shape with layers.
    pub const fn layered(self) -> Shape {
        Shape { arrayed: true, ..self }
    }

    /// Whether the shape is one of [`Shape::ALL`].
    pub const fn exists(self) -> bool {
        match self.dim {
            Dim::D1 | Dim::Cube => !self.multisampled,
            Dim::D2 => true,
            Dim::D3 => !self.arrayed && !self.multisampled,
        }
    }

    /// `1d`, `2d`, `cube` or `3d`, with `_ms` for multisampled and `_array` for layered textures.
    pub const fn name(self) -> &'static str {
        match (self.dim, self.arrayed, self.multisampled) {
            (Dim::D1, false, _) => "1d",
            (Dim::D1, true, _) => "1d_array",
            (Dim::D2, false, false) => "2d",
            (Dim::D2, true, false) => "2d_array",
            (Dim::D2, false, true) => "2d_ms",
            (Dim::D2, true, true) => "2d_ms_array",
            (Dim::Cube, false, _) => "cube",
            (Dim::Cube, true, _) => "cube_array",
            (Dim::D3, ..) => "3d",
        }
    }
}

worded! {
    /// A filter, between texels of one level or between levels.
    #[derive(Default)]
    pub enum Filter {
        /// The nearest texel or level.
        #[default]
        Nearest = "nearest",
        /// Weighted by distance.
        Linear = "linear",
    }
}

worded! {
    /// What a coordinate outside 0 … 1 reads.
    #[derive(Default)]
    pub enum Wrap {
        /// The edge texel.
        #[default]
        Clamp = "clamp",
        /// The texture again.
        Repeat = "repeat",
        /// The texture again, every other copy mirrored.
        Mirror = "mirror",
    }
}

/// How a texture is sampled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sampler {
    /// Filter within a level, for minification and magnification alike.
    pub filter: Filter,
    /// Filter between levels; `None` always uses level 0.
    pub mip: Option<Filter>,
    /// Wrap modes along s, t, r.
    pub wrap: [Wrap; 3],
    /// Largest anisotropy ratio, 1 for none.
    pub anisotropy: u8,
    /// Bias added to the computed level of detail, in eighths of a level.
    pub bias_eighths: i8,
}

/// The source of the level of detail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lod<V = Value> {
    /// Level 0.
    Zero,
    /// Computed from the change of the coordinates across the quad. Convergent.
    Implicit,
    /// As [`Lod::Implicit`], plus this bias.
    Bias(V),
    /// This level: a float for filtered reads, an `i32` for texel fetches and stores.
    Level(V),
    /// Computed from these derivatives of the coordinates along x and y.
    Gradient(V, V),
}

/// The kind of a texture operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TexKind<V = Value> {
    /// Filters texels. Coordinates are floats.
    Sample,
    /// One component of the four texels that a linear filter uses at level 0: lower left, lower right, upper right,
    /// upper left. Coordinates are floats.
    Gather(u8),
    /// Reads the texel at integer coordinates; 0 outside the texture. Coordinates are `i32`.
    Fetch,
    /// The level of detail that a sample would use: component 0 clamped to the existing levels, component 1 before the
    /// clamp. The other components are 0.
    Detail,
    /// The size of a level, whose number is the coordinate (one `i32`): the extent along each dimension, then the number
    /// of layers of a layered texture, of cubes for an array of cubes; the other components are 0. Component 3 is the
    /// number of levels. All but that are 0 for a level that does not exist. The result is `i32`; the texture can have
    /// any shape.
    Size,
    /// The location of the texel at integer coordinates. Components 0 and 1 are the low and the high half of its address in
    /// [`crate::Space::Texels`], 0 outside the texture; component 2 is the logarithm to base 2 of the number of bytes of
    /// a texel; component 3 is 0. Texels of a row follow each other. The result is `i32`.
    Location,
    /// Component 0 is the number of samples of a texel; the other components are 0. Coordinate, result and shape are those
    /// of [`TexKind::Size`].
    Samples,
    /// Writes the texel at integer coordinates; no effect outside the texture. Coordinates are `i32`, the value has
    /// four components.
    Store(V),
    /// Writes the bits of the texel at integer coordinates; no effect outside the texture. Coordinates are `i32`. The value
    /// is an `i32` of which the lowest bytes are written, or two or four of them; `bytes` is 1, 2, 4, 8 or 16. This
    /// kind and [`TexKind::Store`] have no result, and are those that an [`crate::Op::TextureStore`] has.
    Bits {
        /// The new bits.
        value: V,
        /// Size of a texel.
        bytes: u8,
    },
    /// Changes the bits of the texel at integer coordinates atomically, as [`crate::Op::Atomic`] changes memory; no effect
    /// outside the texture, where the previous bits are 0. Coordinates are `i32`, value and result `i32` or `i64`, which
    /// is the size of a texel. This is the only kind that an [`crate::Op::TextureAtomic`] has.
    Atomic {
        /// What is done.
        op: Atomic,
        /// Its operand.
        value: V,
        /// Used by [`Atomic::CompareExchange`] only; equals `value` otherwise.
        expected: V,
    },
}

impl<V> TexKind<V> {
    /// Whether texels are selected by integer coordinates, without filtering.
    pub(crate) fn is_exact(&self) -> bool {
        self.changes() || matches!(self, TexKind::Fetch | TexKind::Location)
    }

    /// Whether an operation of this kind writes or changes a texel.
    fn changes(&self) -> bool {
        matches!(self, TexKind::Store(_) | TexKind::Bits { .. } | TexKind::Atomic { .. })
    }
}

/// The texture of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextureRef<V = Value> {
    /// A unit number, as the environment and the reflection count textures.
    Unit(u16),
    /// A unit number computed at run time, an `i32`.
    Numbered(V),
    /// The address of the texture's descriptor, an `i64`.
    Handle(V),
}

/// The sampler of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SamplerRef<V = Value> {
    /// The sampler that belongs to the texture; also used by operations without a sampler.
    Texture,
    /// State from the instruction.
    State(Sampler),
    /// A separately numbered sampler.
    Unit(u16),
    /// A sampler whose number is computed at run time, an `i32`.
    Handle(V),
}

impl<V> SamplerRef<V> {
    /// The state from the instruction if there is any, else the sampler that belongs to the texture.
    pub fn given(state: Option<Sampler>) -> Self {
        state.map_or(SamplerRef::Texture, SamplerRef::State)
    }

    /// The state from the instruction, if there is any.
    pub fn state(&self) -> Option<Sampler> {
        match self {
            SamplerRef::State(s) => Some(*s),
            _ => None,
        }
    }
}

/// A texture operation. Its result has four components.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TexOp<V = Value> {
    /// The kind of the operation.
    pub kind: TexKind<V>,
    /// The texture.
    pub texture: TextureRef<V>,
    /// Shape.
    pub shape: Shape,
    /// Coordinate, [`TexOp::coordinates`] components.
    pub coord: V,
    /// Layer of a layered texture, an `i32`; clamped to the last layer.
    pub layer: Option<V>,
    /// Sample index in a multisampled texel, an `i32`.
    pub sample: Option<V>,
    /// Level of detail.
    pub lod: Lod<V>,
    /// Lower bound of the level of detail, where one is computed.
    pub least: Option<V>,
    /// Reference value that texels are compared with before they are filtered: a comparison that holds counts as 1. All
    /// components of a sample are the result.
    pub compare: Option<V>,
    /// Offset in texels added to the coordinate, `i32` each.
    pub offset: Option<V>,
    /// The sampler.
    pub sampler: SamplerRef<V>,
    /// Whether a store rounds towards zero, instead of to the nearest, if texels are less precise than the value.
    pub towards_zero: bool,
    /// Whether an access outside the texture at integer coordinates is an error, where it would have no effect otherwise.
    /// Translations leave it without effect.
    pub traps: bool,
}

impl<V> TexOp<V> {
    /// Samples texture `unit` with the sampler that belongs to the texture.
    pub fn sample(unit: u16, shape: impl Into<Shape>, coord: V, lod: Lod<V>) -> Self {
        TexOp {
            kind: TexKind::Sample,
            texture: TextureRef::Unit(unit),
            shape: shape.into(),
            coord,
            layer: None,
            sample: None,
            lod,
            least: None,
            compare: None,
            offset: None,
            sampler: SamplerRef::Texture,
            towards_zero: false,
            traps: false,
        }
    }

    /// The unit number of the texture, unless it is computed at run time.
    pub fn unit(&self) -> Option<u16> {
        match self.texture {
            TextureRef::Unit(n) => Some(n),
            TextureRef::Numbered(_) | TextureRef::Handle(_) => None,
        }
    }

    /// Whether the operation uses coordinate differences between lanes of the quad.
    pub fn is_convergent(&self) -> bool {
        matches!(self.lod, Lod::Implicit | Lod::Bias(_))
    }

    /// Whether texels are selected by integer coordinates, without filtering.
    pub fn is_exact(&self) -> bool {
        self.kind.is_exact()
    }

    /// Whether the operation writes or changes a texel.
    pub fn changes(&self) -> bool {
        self.kind.changes()
    }

    /// Whether the operation reads a property of the texture instead of texels.
    pub fn is_query(&self) -> bool {
        matches!(self.kind, TexKind::Size | TexKind::Samples)
    }

    /// Whether the components of the result are integers.
    pub fn yields_integers(&self) -> bool {
        self.is_query() || matches!(self.kind, TexKind::Location)
    }

    /// Number of components of [`TexOp::coord`].
    pub fn coordinates(&self) -> u8 {
        if self.is_query() { 1 } else { self.shape.dim.coordinates() }
    }

    /// Whether the coordinates are integers.
    pub fn is_whole(&self) -> bool {
        self.is_exact() || self.is_query()
    }

    /// The same operation with every operand replaced by what `f` returns for it, in order.
    pub fn map<W>(&self, mut f: impl FnMut(&V) -> W) -> TexOp<W> {
        match self.try_map(|v| Ok::<W, Infallible>(f(v))) {
            Ok(op) => op,
            Err(never) => match never {},
        }
    }

    /// The same operation with every operand replaced by what `f` returns for it, in order.
    ///
    /// # Errors
    /// The first error of `f`.
    pub fn try_map<W, E>(&self, mut f: impl FnMut(&V) -> Result<W, E>) -> Result<TexOp<W>, E> {
        self.replaced(&mut f)
    }

    /// [`TexOp::try_map`], compiled once for all functions on the same types.
    fn replaced<W, E>(&self, f: &mut dyn FnMut(&V) -> Result<W, E>) -> Result<TexOp<W>, E> {
        Ok(TexOp {
            coord: f(&self.coord)?,
            layer: self.layer.as_ref().map(&mut *f).transpose()?,
            sample: self.sample.as_ref().map(&mut *f).transpose()?,
            lod: match &self.lod {
                Lod::Zero => Lod::Zero,
                Lod::Implicit => Lod::Implicit,
                Lod::Bias(v) => Lod::Bias(f(v)?),
                Lod::Level(v) => Lod::Level(f(v)?),
                Lod::Gradient(x, y) => Lod::Gradient(f(x)?, f(y)?),
            },
            least: self.least.as_ref().map(&mut *f).transpose()?,
            compare: self.compare.as_ref().map(&mut *f).transpose()?,
            offset: self.offset.as_ref().map(&mut *f).transpose()?,
            texture: match &self.texture {
                TextureRef::Unit(n) => TextureRef::Unit(*n),
                TextureRef::Numbered(v) => TextureRef::Numbered(f(v)?),
                TextureRef::Handle(v) => TextureRef::Handle(f(v)?),
            },
            sampler: match &self.sampler {
                SamplerRef::Texture => SamplerRef::Texture,
                SamplerRef::State(s) => SamplerRef::State(*s),
                SamplerRef::Unit(n) => SamplerRef::Unit(*n),
                SamplerRef::Handle(v) => SamplerRef::Handle(f(v)?),
            },
            kind: match &self.kind {
                TexKind::Sample => TexKind::Sample,
                TexKind::Gather(component) => TexKind::Gather(*component),
                TexKind::Fetch => TexKind::Fetch,
                TexKind::Detail => TexKind::Detail,
                TexKind::Size => TexKind::Size,
                TexKind::Samples => TexKind::Samples,
                TexKind::Location => TexKind::Location,
                TexKind::Store(v) => TexKind::Store(f(v)?),
                TexKind::Bits { value, bytes } => TexKind::Bits { value: f(value)?, bytes: *bytes },
                TexKind::Atomic { op, value, expected } => {
                    TexKind::Atomic { op: *op, value: f(value)?, expected: f(expected)? }
                }
            },
            shape: self.shape,
            towards_zero: self.towards_zero,
            traps: self.traps,
        })
    }
}
