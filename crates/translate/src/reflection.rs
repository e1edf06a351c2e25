//! How to bind a translation: inputs, outputs, uniforms, textures. Serialises to the JSON of
//! `docs/schema/reflection.schema.json`.

use crate::{Form, Options, Place, Program, Resource, Target, texture};
use serde::Serialize;
use shisa_ir::{Binding, Filter, Interpolation, Io, Name, Space, TextureAccess, Wrap};

/// Everything that a host must know to run a translation.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Reflection {
    /// Version of this format: 1.
    pub version: u32,
    /// Language, as [`Target::name`].
    pub target: &'static str,
    /// Stage of the program, as [`shisa_ir::Stage::name`].
    pub stage: &'static str,
    /// `stage` or `compute`: how the entry point runs it.
    pub form: &'static str,
    /// Name of the function that holds the translated program.
    pub function: String,
    /// Name of the entry point.
    pub entry: String,
    /// Size of a workgroup in each dimension; `[1, 1, 1]` for other stages.
    pub workgroup: [u32; 3],
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
}

/// The vertices that a geometry program reads and outputs. Every three output vertices are a triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Geometry {
    /// Vertices of an input primitive; 0 if their number varies.
    pub vertices: u8,
    /// Attributes of each vertex, at locations from 0.
    pub attributes: u8,
    /// Attribute a of vertex v is register `start + v * attributes + a` of the per-lane array; null if it is the
    /// input with that number, counted from 0.
    pub start: Option<u16>,
    /// The largest number of output vertices.
    pub max_vertices: u32,
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
    /// Kind of a component: `f32`, `i32`.
    pub scalar: &'static str,
    /// Number of components, 1 to 4.
    pub components: u8,
    /// The components that the program uses, such as `xy`.
    pub used: &'static str,
    /// Interpolation, if it is not perspective-correct: `linear` in screen space, or `flat`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interpolation: Option<&'static str>,
    /// The interpolation point, if it is not the pixel's centre: `centroid`, a point that the triangle covers, or
    /// `sample`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sampling: Option<&'static str>,
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
    /// Kind of a component: `f32`, `i32`; `i1` where bit n of the buffer, counted through its 32-bit words, is
    /// register n.
    pub scalar: &'static str,
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
    /// `1d`, `2d`, `cube` or `3d`, with the suffix `_ms` for multisampled textures and `_array` for arrays.
    pub dim: &'static str,
    /// `sampled` through the sampler bound with it, `read` through separate samplers or none, `compared` through
    /// separate comparison samplers, or `written`.
    pub access: &'static str,
    /// Kind of a texel's components: `f32`, or `i32` for signed and unsigned integers.
    pub texels: &'static str,
    /// The texel format that instructions declare, or in which texels are written; empty if none.
    pub format: &'static str,
    /// Where the program finds the handle of the texture; empty for a texture that has a number.
    pub handle: String,
    /// Sampler state that instructions carry; the bias is already in the code.
    pub sampling: Option<Sampling>,
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
    /// `storage`, a storage buffer of 32-bit words, or `uniform`, a uniform buffer of vectors of four 32-bit words.
    pub kind: &'static str,
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

/// A 64-bit address in constant memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Pointer {
    /// The bank of constants.
    pub bank: u8,
    /// Byte offset in the bank.
    pub offset: u32,
}

/// Sampler state.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Sampling {
    /// `nearest` or `linear`, for minification and magnification.
    pub filter: &'static str,
    /// `none`, `nearest` or `linear`.
    pub mip: &'static str,
    /// `clamp`, `repeat` or `mirror`, along s, t, r.
    pub wrap: [&'static str; 3],
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

impl Reflection {
    /// The reflection of a program that uses these memory spaces, before its code is written; GLSL names are filled in
    /// later.
    pub(crate) fn new(
        program: &Program,
        target: Target,
        options: &Options,
        uses: &[crate::memory::Use],
    ) -> Reflection {
        let interface = program.interface;
        let compute = options.form == Form::Compute;
        let slot = |resource| Slot::from(options.place(interface.stage, resource));
        let uniforms = interface.uniforms.iter().map(|u| {
            let registers = vectors(program, options, u);
            let file = program.func.files.get(usize::from(u.file.0));
            Uniform {
                name: u.name.clone(),
                registers,
                size: 16 * registers,
                used: u.used.clone(),
                indirect: u.indirect,
                scalar: file.map_or("f32", |f| f.scalar.name()),
                per_lane: u.per_lane,
                given: u.given.iter().map(|&(register, bits)| Given { register, bits }).collect(),
                slot: slot(Resource::Uniforms(u.binding)),
            }
        });
        let textures = interface.textures.iter().map(|t| Texture {
            name: t.name.clone(),
            unit: t.unit,
            dim: t.shape.name(),
            access: match t.access {
                TextureAccess::Sampled => "sampled",
                TextureAccess::Read => "read",
                TextureAccess::Compared => "compared",
                TextureAccess::Written => "written",
            },
            texels: t.texels.name(),
            format: if t.access == TextureAccess::Written { texture::WRITTEN_FORMAT } else { t.format },
            handle: t.handle.clone(),
            sampling: t.sampler.map(Sampling::from),
            slot: slot(Resource::Texture(t.unit)),
            sampler_group: (t.access == TextureAccess::Sampled)
                .then(|| slot(Resource::Sampler(t.unit)).group)
                .filter(|group| *group != slot(Resource::Texture(t.unit)).group),
            sampler_binding: (t.access == TextureAccess::Sampled)
                .then(|| slot(Resource::Sampler(t.unit)).binding),
        });
        let samplers = interface.samplers.iter().map(|s| SamplerSlot {
            name: s.name.clone(),
            unit: s.unit,
            comparison: s.comparison,
            handle: s.handle.clone(),
            slot: slot(Resource::Sampler(s.unit)),
        });
        let entry = match target {
            Target::Glsl(_) => "main".into(),
            _ => options.entry.clone().unwrap_or_else(|| [&options.name, ENTRY].concat()),
        };
        let outputs = interface.outputs.len() as u32;
        let geometry = interface.geometry.map(|g| Geometry {
            vertices: g.vertices,
            attributes: g.attributes,
            start: g.start,
            max_vertices: max_vertices(program, options),
        });
        Reflection {
            version: 1,
            target: target.name(),
            stage: interface.stage.name(),
            form: if compute { "compute" } else { "stage" },
            function: options.name.clone(),
            entry,
            workgroup: if compute { [crate::LANES_A_WORKGROUP, 1, 1] } else { interface.workgroup },
            inputs: interface.inputs.iter().map(Variable::from).collect(),
            outputs: interface.outputs.iter().map(Variable::from).collect(),
            uniforms: uniforms.collect(),
            textures: textures.collect(),
            samplers: samplers.collect(),
            memory: memory(program, options, uses),
            lanes: compute.then(|| Lanes {
                group: slot(Resource::LaneInputs).group,
                input_binding: slot(Resource::LaneInputs).binding,
                output_group: Some(slot(Resource::LaneOutputs).group)
                    .filter(|group| *group != slot(Resource::LaneInputs).group),
                output_binding: slot(Resource::LaneOutputs).binding,
                input_stride: input_stride(program, options),
                output_stride: match &geometry {
                    Some(g) => 1 + g.max_vertices * outputs,
                    None => outputs + 1,
                },
            }),
            geometry,
        }
    }
}

/// The memory that has buffers.
fn memory(program: &Program, options: &Options, uses: &[crate::memory::Use]) -> Vec<Memory> {
    let one = |u: &crate::memory::Use| {
        let buffer = match u.space {
            Space::Buffer(n) => program.interface.buffers.iter().find(|b| b.number == n),
            _ => None,
        };
        let name = match u.space {
            Space::Constant(n) => format!("c{n}").into(),
            _ => buffer.map_or("global".into(), |b| b.name.clone()),
        };
        let pointer = buffer.map(|b| Pointer { bank: b.pointer.bank, offset: b.pointer.offset });
        let slot = Slot::from(options.place(program.interface.stage, crate::memory::buffer(u.space)?));
        let uniform = u.is_uniform(options);
        let kind = if uniform { "uniform" } else { "storage" };
        let size = uniform.then(|| 16 * u.vectors());
        Some(Memory { name, kind, size, written: u.written, pointer, slot })
    };
    let mut all: Vec<Memory> = uses.iter().filter_map(one).collect();
    all.sort_by_key(|m| (m.slot.group, m.slot.binding));
    all
}

/// Four-component vectors that the buffer of a uniform array holds, at least one.
pub(crate) fn vectors(program: &Program, options: &Options, u: &shisa_ir::UniformArray) -> u32 {
    let file = program.func.files.get(usize::from(u.file.0));
    let units = u32::from(options.registers(u)) * u32::from(file.map_or(4, |f| f.units_per_register));
    units.div_ceil(if file.is_some_and(|f| f.unit_bits == 1) { 128 } else { 4 }).max(1)
}

/// Elements that a lane of the compute form reads.
pub(crate) fn input_stride(program: &Program, options: &Options) -> u32 {
    let own = program.interface.uniforms.iter().filter(|u| u.per_lane);
    program.interface.inputs.len() as u32 + own.map(|u| vectors(program, options, u)).sum::<u32>()
}

/// The largest number of vertices that a geometry program outputs: without a loop, no more than its emit
/// instructions.
pub(crate) fn max_vertices(program: &Program, options: &Options) -> u32 {
    fn loops(list: &[shisa_ir::Stmt]) -> bool {
        list.iter().any(|s| match s {
            shisa_ir::Stmt::Loop(_) => true,
            shisa_ir::Stmt::If { yes, no, .. } => loops(yes) || loops(no),
            _ => false,
        })
    }
    let emits = program.func.nodes.list.iter().filter(|n| n.op == shisa_ir::Op::Emit).count() as u32;
    if loops(&program.tree.body) { options.vertices } else { emits.min(options.vertices) }
}

/// The suffix that makes the name of the entry point from that of the program's function.
pub(crate) const ENTRY: &str = "_main";

impl From<Place> for Slot {
    fn from(place: Place) -> Slot {
        Slot { group: place.group, binding: place.binding, ..Slot::default() }
    }
}

/// The names of the components in each mask.
const COMPONENTS: [&str; 16] =
    ["", "x", "y", "xy", "z", "xz", "yz", "xyz", "w", "xw", "yw", "xyw", "zw", "xzw", "yzw", "xyzw"];

impl From<&Io> for Variable {
    fn from(io: &Io) -> Variable {
        let (kind, location) = match io.binding {
            Binding::Location(n) | Binding::Varying { location: n, .. } => (Kind::Location, Some(n)),
            Binding::Position => (Kind::Position, None),
            Binding::Depth => (Kind::Depth, None),
            Binding::Stencil => (Kind::Stencil, None),
            Binding::PixelDepth => (Kind::PixelDepth, None),
            Binding::InstanceIndex => (Kind::InstanceIndex, None),
            Binding::VertexIndex => (Kind::VertexIndex, None),
            Binding::Pixel => (Kind::Pixel, None),
            Binding::PixelPosition => (Kind::PixelPosition, None),
            Binding::PointSize => (Kind::PointSize, None),
            Binding::PointCoordinate => (Kind::PointCoordinate, None),
            Binding::PrimitiveIndex => (Kind::PrimitiveIndex, None),
            Binding::Layer => (Kind::Layer, None),
            Binding::ViewportIndex => (Kind::ViewportIndex, None),
            Binding::ViewportMask => (Kind::ViewportMask, None),
            Binding::ClipDistance(_) => (Kind::ClipDistance, None),
            Binding::FrontFacing => (Kind::FrontFacing, None),
            Binding::SampleIndex => (Kind::SampleIndex, None),
            Binding::SampleMask => (Kind::SampleMask, None),
            Binding::GlobalId => (Kind::GlobalId, None),
            Binding::LocalId => (Kind::LocalId, None),
            Binding::LocalIndex => (Kind::LocalIndex, None),
            Binding::GroupId => (Kind::GroupId, None),
        };
        let (interpolation, sampling) = match io.binding {
            Binding::Varying { interpolation, sampling, .. } => (interpolation, sampling),
            _ => (Interpolation::Perspective, shisa_ir::Sampling::Centre),
        };
        Variable {
            name: io.name.clone(),
            kind,
            location,
            scalar: io.scalar.name(),
            components: io.count,
            used: COMPONENTS[usize::from(io.used.0 & 15)],
            interpolation: match interpolation {
                Interpolation::Perspective => None,
                Interpolation::Linear => Some("linear"),
                Interpolation::Flat => Some("flat"),
            },
            sampling: match sampling {
                shisa_ir::Sampling::Centre => None,
                shisa_ir::Sampling::Centroid => Some("centroid"),
                shisa_ir::Sampling::Sample => Some("sample"),
            },
        }
    }
}

impl From<shisa_ir::Sampler> for Sampling {
    fn from(s: shisa_ir::Sampler) -> Sampling {
        let filter = |f| match f {
            Filter::Nearest => "nearest",
            Filter::Linear => "linear",
        };
        Sampling {
            filter: filter(s.filter),
            mip: s.mip.map_or("none", filter),
            wrap: s.wrap.map(|w| match w {
                Wrap::Clamp => "clamp",
                Wrap::Repeat => "repeat",
                Wrap::Mirror => "mirror",
            }),
            anisotropy: s.anisotropy,
            bias: f32::from(s.bias_eighths) / 8.0,
        }
    }
}
