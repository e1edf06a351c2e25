//! What a program exchanges with the outside: the contract between a family's crate, the evaluator's
//! caller and the translators.

use crate::{FileId, Mask, Reg, Sampler, Scalar, Shape};
use alloc::{borrow::Cow, string::String, vec::Vec};

/// A name, which most instruction sets know beforehand.
pub type Name = Cow<'static, str>;

/// Which stage of the pipeline a program is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stage {
    /// Once for each vertex.
    Vertex,
    /// Once for each primitive; emits vertices.
    Geometry,
    /// Once for each pixel, in quads.
    Fragment,
    /// Once for each item of a grid.
    Compute,
}

impl Stage {
    /// `vertex`, `geometry`, `fragment` or `compute`.
    pub const fn name(self) -> &'static str {
        match self {
            Stage::Vertex => "vertex",
            Stage::Geometry => "geometry",
            Stage::Fragment => "fragment",
            Stage::Compute => "compute",
        }
    }
}

/// How a number between vertices becomes that of a pixel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Interpolation {
    /// Linear in space.
    Perspective,
    /// Linear on the screen.
    Linear,
    /// That of one vertex.
    Flat,
}

/// Where in a pixel a number between vertices is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sampling {
    /// At its centre.
    Centre,
    /// Where the triangle covers it.
    Centroid,
    /// At the sample that the program runs for.
    Sample,
}

/// Where a stage input comes from or a stage output goes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Binding {
    /// A user-defined location: attribute, varying or colour target number.
    Location(u32),
    /// A location of a fragment input whose interpolation is not the usual one, in space at the centre of the pixel.
    Varying {
        /// The location.
        location: u32,
        /// Between vertices.
        interpolation: Interpolation,
        /// In the pixel.
        sampling: Sampling,
    },
    /// Clip-space position with 0 ≤ z ≤ w (vertex output).
    Position,
    /// Depth, 0 … 1 (fragment output).
    Depth,
    /// Stencil value, the low eight bits of an integer (fragment output).
    Stencil,
    /// Depth of the primitive at the pixel, 0 … 1 (fragment input).
    PixelDepth,
    /// Number of the instance; the register holds it as the file's scalar kind (a float for AGAL).
    InstanceIndex,
    /// Number of the vertex.
    VertexIndex,
    /// Numbers of the pixel in its row and of its row, as integers (fragment input). The language tells where rows
    /// begin: in GLSL with the lowest.
    Pixel,
    /// 1 where the front of the triangle is seen, else 0 (fragment input).
    FrontFacing,
    /// Number of the sample: the program runs for each sample of a pixel by itself (fragment input).
    SampleIndex,
    /// The samples of the pixel that the program runs for, a bit for each from the lowest on (fragment input).
    SampleMask,
    /// Number of the item in each dimension of a compute grid.
    GlobalId,
    /// Number of the item in each dimension of its workgroup.
    LocalId,
    /// Number of the item in its workgroup; x counts fastest, z slowest.
    LocalIndex,
    /// Number of the workgroup in each dimension of the grid.
    GroupId,
}

/// One stage input or output: a run of units of an input or output file.
#[derive(Clone, Debug, PartialEq)]
pub struct Io {
    /// Name of the register, such as `va0`.
    pub name: Name,
    /// Its first unit.
    pub reg: Reg,
    /// Kind of each component.
    pub scalar: Scalar,
    /// Number of components, 1 to 4.
    pub count: u8,
    /// The components that the program reads or writes.
    pub used: Mask,
    /// Where it comes from or goes to.
    pub binding: Binding,
}

/// A uniform file that the program reads: an array of vectors bound as one buffer. Of a file of single
/// bits, bit n of the buffer is unit n, counted through its 32-bit words.
#[derive(Clone, Debug, PartialEq)]
pub struct UniformArray {
    /// Name of the file, such as `vc`.
    pub name: Name,
    /// The file.
    pub file: FileId,
    /// Registers that the buffer must hold: one more than the highest that can be read.
    pub registers: u16,
    /// The registers named directly, in rising order; indirect reads can reach all.
    pub used: Vec<u16>,
    /// Whether any read is indirect.
    pub indirect: bool,
    /// Binding in the group of the stage's resources, the same for all programs of the family.
    pub binding: u32,
    /// Whether each lane has an array of its own, which comes with its inputs.
    pub per_lane: bool,
    /// Values that the program's container states: register and components as bits. Where a register is
    /// named directly they may be in the code already.
    pub given: Vec<(u16, [u32; 4])>,
}

impl UniformArray {
    /// An array that no read names yet, at binding 0.
    pub fn new(name: impl Into<Name>, file: FileId, registers: u16) -> UniformArray {
        UniformArray {
            name: name.into(),
            file,
            registers,
            used: Vec::new(),
            indirect: false,
            binding: 0,
            per_lane: false,
            given: Vec::new(),
        }
    }
}

/// What goes into a geometry program and comes out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Geometry {
    /// Vertices of the primitive that goes in; 0 if their number varies.
    pub vertices: u8,
    /// Attributes of each.
    pub attributes: u8,
    /// Attribute a of vertex v is register `start + v * attributes + a` of the array that each lane has of
    /// its own; `None` if it is input register `v * attributes + a`.
    pub start: Option<u16>,
}

/// A texture that the program uses, with the sampler state its instructions carry.
#[derive(Clone, Debug, PartialEq)]
pub struct Texture {
    /// Name of the register, such as `fs0`.
    pub name: Name,
    /// Number, as in [`crate::TextureRef::Unit`].
    pub unit: u16,
    /// Shape.
    pub shape: Shape,
    /// What is done with it.
    pub access: TextureAccess,
    /// What components of texels are: floats, or, where it is only read by number, `i32`.
    pub texels: Scalar,
    /// Sampler state from the instruction; `None` takes what is bound.
    pub sampler: Option<Sampler>,
    /// The texel format that the instruction declares, such as `rgba` or `dxt1`; empty if none.
    pub format: &'static str,
    /// Where a handle is found that stands for the texture; empty for one with a number of its own.
    pub handle: String,
}

impl Texture {
    /// A texture that is filtered by the sampler that belongs to it.
    pub fn new(name: impl Into<Name>, unit: u16, shape: impl Into<Shape>) -> Texture {
        Texture {
            name: name.into(),
            unit,
            shape: shape.into(),
            access: TextureAccess::Sampled,
            texels: Scalar::F32,
            sampler: None,
            format: "",
            handle: String::new(),
        }
    }
}

/// What a program does with a texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TextureAccess {
    /// It is read through the sampler that belongs to it.
    Sampled,
    /// It is read through samplers that have numbers of their own, or without any.
    Read,
    /// As [`TextureAccess::Read`], and every sample compares.
    Compared,
    /// Texels are written.
    Written,
}

/// A sampler that has a number of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SamplerSlot {
    /// Name of the register, such as `ss0`.
    pub name: Name,
    /// Number, as in [`crate::SamplerRef::Unit`].
    pub unit: u16,
    /// Whether it compares.
    pub comparison: bool,
    /// Where a handle is found that stands for the sampler; empty for one with a number of its own.
    pub handle: String,
}

/// Everything a program exchanges with the outside.
#[derive(Clone, Debug, PartialEq)]
pub struct Interface {
    /// The stage.
    pub stage: Stage,
    /// Inputs in order of location.
    pub inputs: Vec<Io>,
    /// Outputs in order of location.
    pub outputs: Vec<Io>,
    /// Uniform arrays.
    pub uniforms: Vec<UniformArray>,
    /// Textures in order of unit.
    pub textures: Vec<Texture>,
    /// Samplers with numbers of their own, in order of unit.
    pub samplers: Vec<SamplerSlot>,
    /// Of a geometry program.
    pub geometry: Option<Geometry>,
    /// Items of a workgroup in each dimension; `[1, 1, 1]` outside compute.
    pub workgroup: [u32; 3],
    /// Bytes of [`crate::Space::Shared`].
    pub shared: u32,
    /// Bytes of [`crate::Space::Local`].
    pub local: u32,
}
