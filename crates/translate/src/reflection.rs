//! How to bind a translation: inputs, outputs, uniforms, textures. Serialises to the JSON of
//! `docs/schema/reflection.schema.json`.

use crate::{Form, Options, Program, Target};
use serde::Serialize;
use shisa_ir::{Binding, Dim, Filter, Io, Name, Wrap};

/// Everything a host must know to run a translation.
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
    /// Name of the function that the program became.
    pub function: String,
    /// Name of the entry point.
    pub entry: String,
    /// Items of a workgroup in each dimension; `[1, 1, 1]` for other stages.
    pub workgroup: [u32; 3],
    /// Inputs, in the order of the function's arguments.
    pub inputs: Vec<Variable>,
    /// Outputs, in the order of the structure that the function returns.
    pub outputs: Vec<Variable>,
    /// Uniform arrays.
    pub uniforms: Vec<Uniform>,
    /// Textures.
    pub textures: Vec<Texture>,
    /// The storage buffers of the compute form.
    pub lanes: Option<Lanes>,
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
    /// Number of the instance.
    InstanceIndex,
    /// Number of the vertex.
    VertexIndex,
    /// Number of the item of a compute grid.
    GlobalId,
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
    /// Registers named directly.
    pub used: Vec<u16>,
    /// Whether any register can be reached.
    pub indirect: bool,
    /// Where it is bound.
    #[serde(flatten)]
    pub slot: Slot,
}

/// A texture with its sampler.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Texture {
    /// Name of the register.
    pub name: Name,
    /// Its unit.
    pub unit: u16,
    /// `2d`, `cube` or `3d`.
    pub dim: &'static str,
    /// The texel format that instructions declare; empty if none.
    pub format: &'static str,
    /// Sampler state that instructions carry; the bias is already in the code.
    pub sampling: Option<Sampling>,
    /// Where the texture is bound.
    #[serde(flatten)]
    pub slot: Slot,
    /// Binding of the sampler, in the same group.
    pub sampler_binding: u32,
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
    /// Group of both.
    pub group: u32,
    /// Binding of the buffer that is read.
    pub input_binding: u32,
    /// Binding of the buffer that is written.
    pub output_binding: u32,
    /// `vec4<u32>` elements of each lane in the buffer that is read.
    pub input_stride: u32,
    /// `vec4<u32>` elements of each lane in the buffer that is written.
    pub output_stride: u32,
}

impl Reflection {
    /// The reflection of a program before its code is written; GLSL names are filled in later.
    pub(crate) fn new(program: &Program, target: Target, options: &Options) -> Reflection {
        let interface = program.interface;
        let group = options.bindings.group(interface.stage);
        let compute = options.form == Form::Compute;
        let slot = |binding| Slot { group, binding, ..Slot::default() };
        let uniforms = interface.uniforms.iter().zip(0..).map(|(u, i)| {
            let registers = vectors(program, u);
            Uniform {
                name: u.name.clone(),
                registers,
                size: 16 * registers,
                used: u.used.clone(),
                indirect: u.indirect,
                slot: slot(i),
            }
        });
        let textures = interface.textures.iter().map(|t| Texture {
            name: t.name.clone(),
            unit: t.unit,
            dim: match t.dim {
                Dim::D2 => "2d",
                Dim::Cube => "cube",
                Dim::D3 => "3d",
            },
            format: t.format,
            sampling: t.sampler.map(Sampling::from),
            slot: slot(options.bindings.texture(t.unit)),
            sampler_binding: options.bindings.texture(t.unit).saturating_add(1),
        });
        let entry = match target {
            Target::Glsl(_) => "main".into(),
            _ => format!("{}_main", options.name),
        };
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
            lanes: compute.then(|| Lanes {
                group: options.bindings.lanes,
                input_binding: 0,
                output_binding: 1,
                input_stride: interface.inputs.len() as u32,
                output_stride: interface.outputs.len() as u32 + 1,
            }),
        }
    }
}

/// Four-component vectors that the buffer of a uniform array holds, at least one.
pub(crate) fn vectors(program: &Program, u: &shisa_ir::UniformArray) -> u32 {
    let units = program.func.files.get(usize::from(u.file.0)).map_or(4, |f| f.units_per_register);
    (u32::from(u.registers) * u32::from(units)).div_ceil(4).max(1)
}

/// The names of the components in each mask.
const COMPONENTS: [&str; 16] =
    ["", "x", "y", "xy", "z", "xz", "yz", "xyz", "w", "xw", "yw", "xyw", "zw", "xzw", "yzw", "xyzw"];

impl From<&Io> for Variable {
    fn from(io: &Io) -> Variable {
        let (kind, location) = match io.binding {
            Binding::Location(n) => (Kind::Location, Some(n)),
            Binding::Position => (Kind::Position, None),
            Binding::Depth => (Kind::Depth, None),
            Binding::InstanceIndex => (Kind::InstanceIndex, None),
            Binding::VertexIndex => (Kind::VertexIndex, None),
            Binding::GlobalId => (Kind::GlobalId, None),
        };
        Variable {
            name: io.name.clone(),
            kind,
            location,
            scalar: io.scalar.name(),
            components: io.count,
            used: COMPONENTS[usize::from(io.used.0 & 15)],
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
