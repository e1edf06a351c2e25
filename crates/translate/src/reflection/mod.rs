//! How to bind a translation: inputs, outputs, uniforms, textures. Serialises to the JSON of
//! `docs/schema/reflection.schema.json`.

mod made;
mod words;

pub(crate) use made::{ENTRY, input_stride, max_vertices, vectors, vertex_stride};

use crate::{Form, Target};
use serde::Serialize;
use shisa_ir::{Filter, Interpolation, Mask, Name, Scalar, Shape, Stage, TextureAccess, Topology, Wrap};

/// Everything that a host must know to run a translation.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Reflection {
    /// Version of this format: 1.
    pub version: u32,
    /// Language; in JSON its name.
    #[serde(serialize_with = "words::target")]
    pub target: Target,
    /// Stage of the program.
    #[serde(serialize_with = "words::stage")]
    pub stage: Stage,
    /// How the entry point runs it.
    #[serde(serialize_with = "words::form")]
    pub form: Form,
    /// Name of the function that holds the translated program.
    pub function: String,
    /// Name of the entry point.
    pub entry: String,
    /// Size of a workgroup in each dimension; `[1, 1, 1]` for other stages.
    pub workgroup: [u32; 3],
    /// Lanes of a subgroup, if lanes of a subgroup exchange values. The host must run each of these many threads with
    /// consecutive numbers in the workgroup as one full subgroup, in this order: the first has a number that is a multiple.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subgroup: Option<u32>,
    /// Kinds of 16 and 64 bits that the code has, which not every device has: the host must choose one that does.
    #[serde(skip_serializing_if = "Vec::is_empty", serialize_with = "words::scalars")]
    pub kinds: Vec<Scalar>,
    /// Inputs, in the order of the function's arguments.
    pub inputs: Vec<Variable>,
    /// Outputs, in the order of the structure that the function returns.
    pub outputs: Vec<Variable>,
    /// Uniform arrays.
    pub uniforms: Vec<Uniform>,
    /// Textures.
    pub textures: Vec<Texture>,
    /// Samplers that are separate from textures.
    pub samplers: Vec<SamplerSlot>,
    /// The storage buffers that hold memory.
    pub memory: Vec<Memory>,
    /// The storage buffers of the compute form.
    pub lanes: Option<Lanes>,
    /// For a geometry program: its primitives.
    pub geometry: Option<Geometry>,
    /// For a tessellation program: its patches.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tessellation: Option<Tessellation>,
}

/// The patches of a tessellation program.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Tessellation {
    /// Vertices of the input patch that the program reads.
    pub vertices: u8,
    /// What each vertex of the input patch has, in order. In the compute form, attribute a of vertex v is vector
    /// `v * attributes + a` of the array that each lane has.
    pub vertex_inputs: Vec<Variable>,
    /// Vertices of the output patch, for a control program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_vertices: Option<u8>,
    /// Outputs that belong to the patch.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub patch_outputs: Vec<Variable>,
    /// How patches are divided, for an evaluation program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub division: Option<Division>,
}

/// How patches are divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Division {
    /// The domain.
    #[serde(serialize_with = "words::domain")]
    pub domain: shisa_ir::Domain,
    /// How edges are divided.
    #[serde(serialize_with = "words::spacing")]
    pub spacing: shisa_ir::Spacing,
    /// What the new vertices form.
    #[serde(serialize_with = "words::division_output")]
    pub output: shisa_ir::DivisionOutput,
}

/// The vertices that a geometry program reads and outputs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Geometry {
    /// Vertices of an input primitive; 0 if their number varies.
    pub vertices: u8,
    /// Attributes of each vertex, at locations from 0 unless `vertex_inputs` states them.
    pub attributes: u8,
    /// Attribute a of vertex v is register `start + v * attributes + a` of the per-lane array; null if it is the
    /// input with that number, counted from 0.
    pub start: Option<u16>,
    /// The largest number of output vertices.
    pub max_vertices: u32,
    /// What the attributes of a vertex are, in order; empty if attribute n has location n.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub vertex_inputs: Vec<Variable>,
    /// The strips that vertices form; `None` if every three are a triangle.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strips: Option<Strips>,
    /// The outputs of streams other than the first, for a stage whose vertices go to several; those of the first are
    /// [`Reflection::outputs`].
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stream_outputs: Vec<StreamOutput>,
}

/// An output of a stream other than the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct StreamOutput {
    /// The stream, from 1 to 3.
    pub stream: u8,
    /// Its number in [`Reflection::outputs`].
    pub output: usize,
    /// Its location.
    pub location: u32,
}

/// The strips that a geometry program outputs. A strip also ends where a vertex goes to another stream than the one
/// before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Strips {
    /// What the vertices of a strip are.
    #[serde(serialize_with = "words::topology")]
    pub topology: Topology,
    /// How often the program runs for a primitive. In the compute form each run is a lane.
    pub invocations: u8,
    /// The streams that are enabled, one bit each. The compute form also outputs vertices of the others.
    pub streams: u8,
}

/// A stage input or output.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Variable {
    /// Name of the register.
    pub name: Name,
    /// What it is bound to.
    pub kind: Kind,
    /// The location, for [`Kind::Location`].
    pub location: Option<u32>,
    /// Kind of a component.
    #[serde(serialize_with = "words::scalar")]
    pub scalar: Scalar,
    /// Number of components, 1 to 4.
    pub components: u8,
    /// The components that the program uses; in JSON such as `xy`.
    #[serde(serialize_with = "words::mask")]
    pub used: Mask,
    /// How the varying is interpolated. JSON states it if it is not perspective-correct.
    #[serde(serialize_with = "words::interpolation", skip_serializing_if = "words::is_perspective")]
    pub interpolation: Interpolation,
    /// The point at which the varying is interpolated. JSON states it if it is not the pixel's centre.
    #[serde(serialize_with = "words::sampling", skip_serializing_if = "words::is_centre")]
    pub sampling: shisa_ir::Sampling,
}

/// What a stage input or output is bound to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A location.
    Location,
    /// Clip-space position.
    Position,
    /// Depth.
    Depth,
    /// Stencil value.
    Stencil,
    /// Depth of the primitive at the pixel.
    PixelDepth,
    /// Number of the instance.
    InstanceIndex,
    /// Number of the vertex.
    VertexIndex,
    /// Column and row of the pixel.
    Pixel,
    /// Column and row of the point at which the pixel is evaluated, depth, and 1 / w.
    PixelPosition,
    /// Size of a point in pixels.
    PointSize,
    /// Position within a point.
    PointCoordinate,
    /// Distances to clipping planes.
    ClipDistance,
    /// Number of the primitive.
    PrimitiveIndex,
    /// Number of the run among those for one primitive, or of the vertex of an output patch.
    InvocationIndex,
    /// A location of the patch.
    PatchLocation,
    /// How finely the outer edges of a patch are divided.
    OuterLevel,
    /// How finely the inside of a patch is divided.
    InnerLevel,
    /// Number of vertices of the input patch.
    PatchVertices,
    /// The first two coordinates in the domain of a patch.
    DomainPosition,
    /// Layer of the render target.
    Layer,
    /// Number of the viewport.
    ViewportIndex,
    /// Mask of the viewports.
    ViewportMask,
    /// 1 if the triangle is front-facing, else 0.
    FrontFacing,
    /// Number of the sample, if the program runs once for each sample.
    SampleIndex,
    /// The samples of the pixel that the program runs for.
    SampleMask,
    /// Global invocation index in the compute grid.
    GlobalId,
    /// Invocation index within the workgroup, in three dimensions.
    LocalId,
    /// Linear invocation index within the workgroup.
    LocalIndex,
    /// Number of the workgroup.
    GroupId,
}

/// Where a resource is bound.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Slot {
    /// Group (WGSL), descriptor set (SPIR-V), register space (HLSL).
    pub group: u32,
    /// Binding within the group; the register number in HLSL.
    pub binding: u32,
    /// Name in GLSL: of the uniform block, or of the combined sampler.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub glsl: Option<String>,
    /// Binding point (of a block) or texture unit in GLSL where the version can state it, and index in
    /// Metal's argument table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index: Option<u32>,
}

/// A uniform array: one uniform buffer of four-component vectors.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Uniform {
    /// Name of the register file.
    pub name: Name,
    /// Vectors that the buffer must hold.
    pub registers: u32,
    /// Its bytes: 16 a vector.
    pub size: u32,
    /// Registers that instructions name directly.
    pub used: Vec<u16>,
    /// Whether the program indexes the array, so that it can reach any register.
    pub indirect: bool,
    /// Kind of a component; for [`Scalar::I1`], bit n of the buffer, counted through its 32-bit words, is register n.
    #[serde(serialize_with = "words::scalar")]
    pub scalar: Scalar,
    /// Whether each lane has an array of its own. In the compute form the array follows the lane's inputs, and no
    /// buffer is bound.
    pub per_lane: bool,
    /// Values that the program's container states and that the buffer must hold.
    pub given: Vec<Given>,
    /// Where it is bound.
    #[serde(flatten)]
    pub slot: Slot,
}

/// A register with its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Given {
    /// The register.
    pub register: u16,
    /// Its components as bits.
    pub bits: [u32; 4],
}

/// A texture, with its sampler if it has one.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Texture {
    /// Name of the register.
    pub name: Name,
    /// Its unit.
    pub unit: u16,
    /// Its shape; in JSON, `dim`.
    #[serde(rename = "dim", serialize_with = "words::shape")]
    pub shape: Shape,
    /// How the program accesses it.
    #[serde(serialize_with = "words::access")]
    pub access: TextureAccess,
    /// Kind of a texel's components: [`Scalar::F32`], or [`Scalar::I32`] for signed and unsigned integers.
    #[serde(serialize_with = "words::scalar")]
    pub texels: Scalar,
    /// The texel format that instructions declare, or in which texels are written; empty if none.
    pub format: &'static str,
    /// Where the program finds the handle of the texture; empty for a texture that has a number.
    pub handle: String,
    /// Whether it is an array of textures and, if there is a sampler, one of samplers, without an end, of which the
    /// program computes the indices.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub indexed: bool,
    /// Sampler state that the first instruction with this texture carries; the bias is already in the code.
    pub sampling: Option<Sampling>,
    /// The reads whose instructions carry other sampler state than `sampling`. JSON states them if there are any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reads: Vec<Read>,
    /// Where the texture is bound.
    #[serde(flatten)]
    pub slot: Slot,
    /// Group of the texture's own sampler, if it differs from the texture's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sampler_group: Option<u32>,
    /// Binding of the texture's own sampler.
    pub sampler_binding: Option<u32>,
}

/// A sampler that is separate from textures.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SamplerSlot {
    /// Name of the register.
    pub name: Name,
    /// Its number.
    pub unit: u16,
    /// Whether it is a comparison sampler.
    pub comparison: bool,
    /// Where the program finds the handle of the sampler; empty for a sampler that has a number.
    pub handle: String,
    /// Where it is bound.
    #[serde(flatten)]
    pub slot: Slot,
}

/// Memory that the program reads by address: a buffer that begins at address 0 of the window or bank, or at a pointer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Memory {
    /// `global`, a bank of constants such as `c3`, or the name of a buffer.
    pub name: Name,
    /// The kind of its buffer.
    pub kind: BufferKind,
    /// Bytes of a uniform buffer; null for a storage buffer, whose size is that of the memory.
    pub size: Option<u32>,
    /// Whether the program writes it.
    pub written: bool,
    /// Where the program finds the address of the buffer; null for other memory.
    pub pointer: Option<Pointer>,
    /// Where it is bound.
    #[serde(flatten)]
    pub slot: Slot,
}

/// The kind of a buffer that holds memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum BufferKind {
    /// A storage buffer of 32-bit words.
    Storage,
    /// A uniform buffer of vectors of four 32-bit words.
    Uniform,
}

/// A read of a texture.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Read {
    /// Number of the instruction, as in [`crate::Mapping`].
    pub instruction: u32,
    /// Sampler state that the instruction carries; `None` if the bound sampler applies.
    pub sampling: Option<Sampling>,
}

/// A 64-bit address in constant memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Pointer {
    /// The bank of constants.
    pub bank: u8,
    /// Byte offset in the bank.
    pub offset: u32,
}

/// Sampler state.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Sampling {
    /// Filter within a level, for minification and magnification.
    #[serde(serialize_with = "words::filter")]
    pub filter: Filter,
    /// Filter between levels; `None`, in JSON `none`, always reads level 0.
    #[serde(serialize_with = "words::mip")]
    pub mip: Option<Filter>,
    /// What coordinates outside 0 … 1 read, along s, t, r.
    #[serde(serialize_with = "words::wrap")]
    pub wrap: [Wrap; 3],
    /// Largest anisotropy ratio.
    pub anisotropy: u8,
    /// Added to the level of detail.
    pub bias: f32,
}

/// The storage buffers of the compute form; [`crate::Bindings::lanes`] describes their contents.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Lanes {
    /// Group of the buffer that is read, and of the written one unless [`Lanes::output_group`] states another.
    pub group: u32,
    /// Binding of the buffer that is read.
    pub input_binding: u32,
    /// Group of the buffer that is written, if it differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_group: Option<u32>,
    /// Binding of the buffer that is written.
    pub output_binding: u32,
    /// `vec4<u32>` elements of each lane in the buffer that is read.
    pub input_stride: u32,
    /// `vec4<u32>` elements of each lane in the buffer that is written.
    pub output_stride: u32,
}
