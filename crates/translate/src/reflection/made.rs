//! Makes the reflection of a program.

use super::{
    BufferKind, Division, Geometry, Given, Kind, Lanes, Memory, Pointer, Read, Reflection, SamplerSlot,
    Sampling, Slot, Strips, Tessellation, Texture, Uniform, Variable,
};
use crate::streams::Streams;
use crate::{Form, Options, Place, Program, Resource, Target, texture};
use shisa_ir::{
    Binding, Func, Interpolation, Io, Scalar, Space, Stage, TexOp, TextureAccess, TextureRef, Type,
};
use std::collections::BTreeSet;

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
        // A stage reads the inputs of vertices themselves, and no buffer holds them.
        let bound =
            |u: &&shisa_ir::UniformArray| compute || !u.per_lane || interface.vertex_inputs.is_empty();
        let uniforms = interface.uniforms.iter().filter(bound).map(|u| {
            let registers = vectors(program, options, u);
            let file = program.func.files.get(usize::from(u.file.0));
            Uniform {
                name: u.name.clone(),
                registers,
                size: 16 * registers,
                used: u.used.clone(),
                indirect: u.indirect,
                scalar: file.map_or(Scalar::F32, |f| f.scalar),
                per_lane: u.per_lane,
                given: u.given.iter().map(|&(register, bits)| Given { register, bits }).collect(),
                slot: slot(Resource::Uniforms(u.binding)),
            }
        });
        let textures = interface.textures.iter().map(|t| Texture {
            name: t.name.clone(),
            unit: t.unit,
            shape: t.shape,
            access: t.access,
            texels: t.texels,
            format: texture::TexelFormat::of(t.access).map_or(t.format, texture::TexelFormat::name),
            handle: t.handle.clone(),
            indexed: t.indexed,
            sampling: t.sampler.map(Sampling::from),
            reads: reads(program, t),
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
            vertex_inputs: interface.vertex_inputs.iter().map(Variable::from).collect(),
            strips: g.strips.map(|strips| Strips {
                topology: strips.topology,
                invocations: strips.invocations,
                streams: strips.streams,
            }),
            stream_outputs: match (compute, Streams::of(program)) {
                (false, Some(streams)) => streams.outputs,
                _ => Vec::new(),
            },
        });
        Reflection {
            version: 1,
            target,
            stage: interface.stage,
            form: options.form,
            function: options.name.clone(),
            entry,
            subgroup: crate::lanes::of(program),
            kinds: kinds(program.func),
            workgroup: if compute { [crate::LANES_A_WORKGROUP, 1, 1] } else { interface.workgroup },
            inputs: interface.inputs.iter().map(Variable::from).collect(),
            outputs: interface.outputs.iter().chain(&interface.vertex_outputs).map(Variable::from).collect(),
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
                    Some(g) => 1 + g.max_vertices * vertex_stride(program),
                    None => outputs + 1,
                },
            }),
            geometry,
            tessellation: interface.tessellation.map(|t| Tessellation {
                vertices: t.vertices,
                vertex_inputs: interface.vertex_inputs.iter().map(Variable::from).collect(),
                output_vertices: (interface.stage == Stage::TessellationControl).then_some(t.outputs),
                patch_outputs: interface.patch_outputs.iter().map(Variable::from).collect(),
                division: (interface.stage == Stage::TessellationEvaluation).then_some(Division {
                    domain: t.division.domain,
                    spacing: t.division.spacing,
                    output: t.division.output,
                }),
            }),
        }
    }
}

/// The kinds of 16 and 64 bits among the values of a function.
fn kinds(func: &Func) -> Vec<Scalar> {
    let values = func.blocks.iter().flat_map(|b| b.params.iter().chain(&b.body));
    let kinds: BTreeSet<Scalar> = values
        .filter_map(|v| func.nodes.list.get(v.index()))
        .filter(|node| node.ty != Type::NONE && matches!(node.ty.scalar.bits(), 16 | 64))
        .map(|node| node.ty.scalar)
        .collect();
    kinds.into_iter().collect()
}

/// The reads of a texture whose sampler state differs from the interface's, in the order of the instructions.
fn reads(program: &Program, texture: &shisa_ir::Texture) -> Vec<Read> {
    let nodes = &program.func.nodes;
    let differs = |op: &TexOp| {
        let same = op.texture == TextureRef::Unit(texture.unit) && op.shape == texture.shape;
        same && !op.is_query() && !op.is_exact() && op.sampler.state() != texture.sampler
    };
    if !nodes.textures.iter().any(differs) {
        return Vec::new();
    }
    let list = program.func.blocks.iter().flat_map(|b| &b.body).filter_map(|v| nodes.list.get(v.index()));
    let mut all: Vec<Read> = list
        .filter_map(|node| {
            let op = nodes.textures.get(usize::try_from(node.op.texture()?).ok()?)?;
            let sampling = op.sampler.state().map(Sampling::from);
            differs(op).then_some(Read { instruction: node.origin, sampling })
        })
        .collect();
    // Recovery can copy an instruction.
    all.sort_by_key(|read| read.instruction);
    all.dedup_by_key(|read| read.instruction);
    all
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
        let kind = if uniform { BufferKind::Uniform } else { BufferKind::Storage };
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

/// Elements of a vertex that a lane of the compute form writes: the outputs and, where vertices form strips, how the
/// vertex goes on.
pub(crate) fn vertex_stride(program: &Program) -> u32 {
    let strips = program.interface.geometry.and_then(|g| g.strips);
    program.interface.outputs.len() as u32 + u32::from(strips.is_some())
}

/// The largest number of vertices that a geometry program outputs: that of the program, or that of the options where it
/// has none. Without a loop, no more than its emit instructions.
pub(crate) fn max_vertices(program: &Program, options: &Options) -> u32 {
    fn loops(list: &[shisa_ir::Stmt]) -> bool {
        list.iter().any(|s| match s {
            shisa_ir::Stmt::Loop(_) => true,
            shisa_ir::Stmt::If { yes, no, .. } => loops(yes) || loops(no),
            _ => false,
        })
    }
    let emits = |n: &&shisa_ir::Node| matches!(n.op, shisa_ir::Op::Emit | shisa_ir::Op::EmitVertex { .. });
    let emits = program.func.nodes.list.iter().filter(emits).count() as u32;
    let strips = program.interface.geometry.and_then(|g| g.strips);
    let most = strips.map_or(options.vertices, |strips| strips.most.into());
    if loops(&program.tree.body) { most } else { emits.min(most) }
}

/// The suffix that makes the name of the entry point from that of the program's function.
pub(crate) const ENTRY: &str = "_main";

impl From<Place> for Slot {
    fn from(place: Place) -> Slot {
        Slot { group: place.group, binding: place.binding, ..Slot::default() }
    }
}

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
            Binding::InvocationIndex => (Kind::InvocationIndex, None),
            Binding::PatchLocation(n) => (Kind::PatchLocation, Some(n)),
            Binding::OuterLevel => (Kind::OuterLevel, None),
            Binding::InnerLevel => (Kind::InnerLevel, None),
            Binding::PatchVertices => (Kind::PatchVertices, None),
            Binding::DomainPosition => (Kind::DomainPosition, None),
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
            scalar: io.scalar,
            components: io.count,
            used: io.used,
            interpolation,
            sampling,
        }
    }
}

impl From<shisa_ir::Sampler> for Sampling {
    fn from(s: shisa_ir::Sampler) -> Sampling {
        Sampling {
            filter: s.filter,
            mip: s.mip,
            wrap: s.wrap,
            anisotropy: s.anisotropy,
            bias: f32::from(s.bias_eighths) / 8.0,
        }
    }
}
