//! The interface of a program with its host: the contract between a family's crate, the evaluator's caller and the
//! translators.

use crate::{FileId, Mask, Reg, Sampler, Scalar, Shape, TexKind, Type};
use alloc::{borrow::Cow, string::String, vec::Vec};

/// A name; most instruction sets have static ones.
pub type Name = Cow<'static, str>;

/// The pipeline stage of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stage {
    /// Runs once for each vertex.
    Vertex,
    /// Runs once for each vertex of an output patch.
    TessellationControl,
    /// Runs once for each vertex that the subdivision of a patch makes.
    TessellationEvaluation,
    /// Runs once for each primitive; emits vertices.
    Geometry,
    /// Runs once for each pixel, in quads.
    Fragment,
    /// Runs once for each item of a grid.
    Compute,
}

impl Stage {
    /// All stages, in the order of a draw call; compute programs come last.
    pub const ALL: [Stage; 6] = [
        Stage::Vertex,
        Stage::TessellationControl,
        Stage::TessellationEvaluation,
        Stage::Geometry,
        Stage::Fragment,
        Stage::Compute,
    ];

    /// Whether programs read the vertices of a primitive or patch.
    pub const fn reads_vertices(self) -> bool {
        matches!(self, Stage::Geometry | Stage::TessellationControl | Stage::TessellationEvaluation)
    }

    /// The name, such as `vertex` or `tessellation-control`.
    pub const fn name(self) -> &'static str {
        match self {
            Stage::Vertex => "vertex",
            Stage::TessellationControl => "tessellation-control",
            Stage::TessellationEvaluation => "tessellation-evaluation",
            Stage::Geometry => "geometry",
            Stage::Fragment => "fragment",
            Stage::Compute => "compute",
        }
    }
}

/// How a varying is interpolated between vertices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Interpolation {
    /// Perspective-correct: linear in space.
    Perspective,
    /// Linear on the screen.
    Linear,
    /// The value of one vertex.
    Flat,
}

/// The position within a pixel at which a varying is evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sampling {
    /// At the centre of the pixel.
    Centre,
    /// Within the part of the pixel that the primitive covers.
    Centroid,
    /// At the position of the sample that the program runs for.
    Sample,
}

/// The source of a stage input or the destination of a stage output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Binding {
    /// A user-defined location: attribute, varying or colour target number.
    Location(u32),
    /// The location of a fragment input whose interpolation or sampling is not the default (perspective, at the centre
    /// of the pixel).
    Varying {
        /// The location.
        location: u32,
        /// Interpolation between vertices.
        interpolation: Interpolation,
        /// Position within the pixel.
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
    /// Index of the instance, in the scalar kind of the register file (a float for AGAL).
    InstanceIndex,
    /// Index of the vertex.
    VertexIndex,
    /// Column and row of the pixel, as integers (fragment input). The target language defines where rows begin: in
    /// GLSL, at the bottom.
    Pixel,
    /// Column and row of the point at which the program evaluates the pixel (its centre has halves), depth, and 1 / w,
    /// as four floats (fragment input).
    PixelPosition,
    /// Size of a point in pixels (output before the fragment stage).
    PointSize,
    /// Position within a point, 0 … 1 (fragment input).
    PointCoordinate,
    /// Distances to clipping planes, from this number on: vertices with a negative one are outside.
    ClipDistance(u8),
    /// Index of the primitive.
    PrimitiveIndex,
    /// Index of the run among several for one primitive, or of the vertex of an output patch.
    InvocationIndex,
    /// A location of the patch: an output of tessellation control, an input of tessellation evaluation.
    PatchLocation(u32),
    /// How finely the outer edges of a patch are divided, as `PatchLocation`.
    OuterLevel,
    /// How finely the inside of a patch is divided, as `PatchLocation`.
    InnerLevel,
    /// Number of vertices of the input patch.
    PatchVertices,
    /// Position in the domain of a patch: the first two coordinates (tessellation evaluation input).
    DomainPosition,
    /// Layer of the render target.
    Layer,
    /// Index of the viewport.
    ViewportIndex,
    /// Mask of the viewports, one bit each (output before the fragment stage).
    ViewportMask,
    /// 1 if the front of the triangle is visible, else 0 (fragment input).
    FrontFacing,
    /// Index of the sample: the program runs separately for each sample of a pixel (fragment input).
    SampleIndex,
    /// Samples of the pixel, one bit each, lowest bit first: those that the program runs for (fragment input), or those
    /// that its outputs are written to (fragment output).
    SampleMask,
    /// Index of the item in each dimension of a compute grid.
    GlobalId,
    /// Index of the item in each dimension of its workgroup.
    LocalId,
    /// Linear index of the item in its workgroup; x varies fastest, z slowest.
    LocalIndex,
    /// Index of the workgroup in each dimension of the grid.
    GroupId,
}

/// One stage input or output: consecutive units of an input or output file.
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
    /// The source of an input or the destination of an output.
    pub binding: Binding,
}

/// A uniform file that the program reads: an array of vectors bound as one buffer. For a file of 1-bit units, bit n of
/// the buffer is unit n, counted through its 32-bit words.
#[derive(Clone, Debug, PartialEq)]
pub struct UniformArray {
    /// Name of the file, such as `vc`.
    pub name: Name,
    /// The file.
    pub file: FileId,
    /// Number of registers that the buffer must hold: the highest readable register plus one.
    pub registers: u16,
    /// The registers that are named directly, in ascending order; indirect reads can reach all registers.
    pub used: Vec<u16>,
    /// Whether any read is indirect.
    pub indirect: bool,
    /// Binding number in the group of the stage's resources, the same for all programs of the family.
    pub binding: u32,
    /// Whether each lane has its own array, passed with the lane's inputs.
    pub per_lane: bool,
    /// Values that the program's container states: the register, and the bits of its components. Where a register is
    /// named directly, its value may already be in the code.
    pub given: Vec<(u16, [u32; 4])>,
}

impl UniformArray {
    /// An array at binding 0 with no recorded reads.
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

/// The inputs of a geometry program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Geometry {
    /// Number of vertices of the input primitive; 0 if the number varies.
    pub vertices: u8,
    /// Number of attributes of each vertex.
    pub attributes: u8,
    /// Attribute a of vertex v is register `start + v * attributes + a` of the per-lane array; if `None`, it is input
    /// register `v * attributes + a`.
    pub start: Option<u16>,
    /// The strips that the program outputs with [`crate::Op::EmitVertex`] and [`crate::Op::EndStrip`]; `None` if every three
    /// vertices of [`crate::Op::Emit`] are a triangle.
    pub strips: Option<Strips>,
}

/// The strips that a geometry program outputs. A strip also ends where a vertex goes to another stream than the one
/// before it. A strip that is too short for a primitive is dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strips {
    /// What the vertices of a strip are.
    pub topology: Topology,
    /// The largest number of output vertices; further vertices are dropped.
    pub most: u16,
    /// How often the program runs for a primitive.
    pub invocations: u8,
    /// The streams that are enabled, one bit each. Vertices of the others are counted and dropped.
    pub streams: u8,
}

/// The inputs and outputs of a tessellation program.
///
/// Outputs of a control program are in [`crate::Space::Shared`], which all runs for a patch share: attributes of the patch
/// from address 0, then [`PATCH_BYTES`] for each vertex. Each component has four bytes, at four times its unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tessellation {
    /// Number of vertices of the input patch that the program reads.
    pub vertices: u8,
    /// Number of attributes of each vertex: attribute a of vertex v is register `v * attributes + a` of the per-lane array.
    pub attributes: u8,
    /// Number of vertices of the output patch (control).
    pub outputs: u8,
    /// How patches are divided (evaluation).
    pub division: Division,
}

/// Bytes of [`crate::Space::Shared`] that the attributes of a patch, or of one of its vertices, have in a tessellation
/// control program.
pub const PATCH_BYTES: u32 = 0x400;

/// How patches are divided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Division {
    /// The domain.
    pub domain: Domain,
    /// How edges are divided.
    pub spacing: Spacing,
    /// What the new vertices form.
    pub output: DivisionOutput,
}

/// The domain of a patch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Domain {
    /// Lines.
    Isolines,
    /// A triangle.
    #[default]
    Triangles,
    /// A square.
    Quads,
}

/// How edges of a patch are divided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Spacing {
    /// Into equal parts.
    #[default]
    Equal,
    /// Into an odd number of parts, of which two may be shorter.
    FractionalOdd,
    /// Into an even number of parts, of which two may be shorter.
    FractionalEven,
}

/// What the vertices of a divided patch form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DivisionOutput {
    /// Points.
    Points,
    /// Lines.
    Lines,
    /// Triangles whose vertices are in clockwise order.
    Clockwise,
    /// Triangles whose vertices are in counterclockwise order.
    #[default]
    Counterclockwise,
}

impl Domain {
    /// All of them.
    pub const ALL: [Domain; 3] = [Domain::Isolines, Domain::Triangles, Domain::Quads];

    /// `isolines`, `triangles` or `quads`.
    pub const fn name(self) -> &'static str {
        match self {
            Domain::Isolines => "isolines",
            Domain::Triangles => "triangles",
            Domain::Quads => "quads",
        }
    }
}

impl Spacing {
    /// All of them.
    pub const ALL: [Spacing; 3] = [Spacing::Equal, Spacing::FractionalOdd, Spacing::FractionalEven];

    /// `equal`, `fractional_odd` or `fractional_even`.
    pub const fn name(self) -> &'static str {
        match self {
            Spacing::Equal => "equal",
            Spacing::FractionalOdd => "fractional_odd",
            Spacing::FractionalEven => "fractional_even",
        }
    }
}

impl DivisionOutput {
    /// All of them.
    pub const ALL: [DivisionOutput; 4] = [
        DivisionOutput::Points,
        DivisionOutput::Lines,
        DivisionOutput::Clockwise,
        DivisionOutput::Counterclockwise,
    ];

    /// `points`, `lines`, `clockwise` or `counterclockwise`.
    pub const fn name(self) -> &'static str {
        match self {
            DivisionOutput::Points => "points",
            DivisionOutput::Lines => "lines",
            DivisionOutput::Clockwise => "clockwise",
            DivisionOutput::Counterclockwise => "counterclockwise",
        }
    }
}

/// What the vertices of a strip are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Topology {
    /// Points.
    Points,
    /// Connected lines.
    Lines,
    /// Triangles, each with the last two vertices of the one before it.
    Triangles,
}

impl Topology {
    /// `points`, `lines` or `triangles`.
    pub const fn name(self) -> &'static str {
        match self {
            Topology::Points => "points",
            Topology::Lines => "lines",
            Topology::Triangles => "triangles",
        }
    }
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
    /// How the program accesses the texture.
    pub access: TextureAccess,
    /// Kind of the components of texels: a float kind, or `i32` if texels are only fetched by their integer
    /// coordinates.
    pub texels: Scalar,
    /// Sampler state from the instruction; `None` if the bound sampler applies.
    pub sampler: Option<Sampler>,
    /// The texel format that the instruction declares, such as `rgba` or `dxt1`; empty if it declares none.
    pub format: &'static str,
    /// Where the handle of the texture is stored; empty for a texture with a unit number.
    pub handle: String,
    /// Whether it is an array of textures, of which each operation chooses one by a number that it computes
    /// ([`crate::TextureRef::Numbered`]). Its own sampler, or the separate one of the same number, is then an array,
    /// too, in which [`crate::SamplerRef::Handle`] is a number.
    pub indexed: bool,
}

impl Texture {
    /// A texture that is filtered by its own sampler.
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
            indexed: false,
        }
    }
}

/// How a program accesses a texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TextureAccess {
    /// Read through the sampler that belongs to the texture.
    Sampled,
    /// Read through separately numbered samplers, or without a sampler.
    Read,
    /// As [`TextureAccess::Read`], and every sample is a comparison.
    Compared,
    /// Texels are written, as four floats.
    Written,
    /// The bits of texels of so many bytes are written: 1, 2, 4, 8 or 16.
    Bits(u8),
    /// Texels of so many bytes are changed by atomic operations: 4 or 8.
    Changed(u8),
}

impl TextureAccess {
    /// Whether the program writes or changes texels.
    pub fn is_stored(self) -> bool {
        matches!(self, TextureAccess::Written | TextureAccess::Bits(_) | TextureAccess::Changed(_))
    }

    /// The access of an operation that writes or changes a texel; `ty` is the type of its result.
    pub fn of_change(kind: TexKind, ty: Type) -> Option<TextureAccess> {
        match kind {
            TexKind::Store(_) => Some(TextureAccess::Written),
            TexKind::Bits { bytes, .. } => Some(TextureAccess::Bits(bytes)),
            TexKind::Atomic { .. } => Some(TextureAccess::Changed(ty.scalar.bits() / 8)),
            _ => None,
        }
    }
}

/// A separately numbered sampler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SamplerSlot {
    /// Name of the register, such as `ss0`.
    pub name: Name,
    /// Number, as in [`crate::SamplerRef::Unit`].
    pub unit: u16,
    /// Whether it is a comparison sampler.
    pub comparison: bool,
    /// Where the handle of the sampler is stored; empty for a sampler with a unit number.
    pub handle: String,
}

/// A pointer in constant memory to a buffer in global memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pointer {
    /// The constant bank.
    pub bank: u8,
    /// Byte offset of the pointer in the bank; it has 64 bits, the low half first.
    pub offset: u32,
}

/// A buffer that the program accesses through a pointer in constant memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Buffer {
    /// Name, such as `buffer0`.
    pub name: Name,
    /// Number, as in [`crate::Space::Buffer`].
    pub number: u8,
    /// The pointer.
    pub pointer: Pointer,
}

/// The complete interface of a program with its host.
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
    /// Separately numbered samplers, in order of unit.
    pub samplers: Vec<SamplerSlot>,
    /// Buffers that are accessed through pointers in constant memory, in order of number.
    pub buffers: Vec<Buffer>,
    /// The inputs of a geometry program; `None` in other stages.
    pub geometry: Option<Geometry>,
    /// The inputs and outputs of a tessellation program; `None` in other stages.
    pub tessellation: Option<Tessellation>,
    /// Outputs of a tessellation control program that belong to vertices of the patch, and those that belong to the patch
    /// itself. `reg` is the unit of the first component ([`Tessellation`]).
    pub vertex_outputs: Vec<Io>,
    /// See `vertex_outputs`.
    pub patch_outputs: Vec<Io>,
    /// What the attributes of a vertex of the input primitive or patch are, in order. The per-lane array then consists of
    /// attributes only. Empty if attribute n has location n.
    pub vertex_inputs: Vec<Io>,
    /// Number of items of a workgroup in each dimension; `[1, 1, 1]` in stages other than compute.
    pub workgroup: [u32; 3],
    /// Size of [`crate::Space::Shared`] in bytes.
    pub shared: u32,
    /// Size of [`crate::Space::Local`] in bytes.
    pub local: u32,
}
