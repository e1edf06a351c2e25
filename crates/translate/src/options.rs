//! The target and the options of a translation.

use shisa_ir::{Name, Natives, Stage};

/// The language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Target {
    /// WebGPU Shading Language.
    Wgsl,
    /// OpenGL Shading Language.
    Glsl(GlslVersion),
    /// High-Level Shader Language.
    Hlsl(ShaderModel),
    /// Metal Shading Language 2.1, or the first later version that has what the program needs: 2.3 for the number of the
    /// primitive and for 64-bit integers, 3.1 for atomic operations on texels.
    Msl,
    /// SPIR-V.
    Spirv(SpirvVersion),
}

impl Target {
    /// The name of the language: `wgsl`, `glsl`, `hlsl`, `msl` or `spirv`.
    pub const fn name(self) -> &'static str {
        match self {
            Target::Wgsl => "wgsl",
            Target::Glsl(_) => "glsl",
            Target::Hlsl(_) => "hlsl",
            Target::Msl => "msl",
            Target::Spirv(_) => "spirv",
        }
    }

    /// Whether the language has arithmetic of doubles ([`shisa_ir::is_double_arithmetic`]). GLSL 330 has it with an extension
    /// only.
    pub(crate) const fn has_doubles(self) -> bool {
        matches!(self, Target::Spirv(_) | Target::Glsl(GlslVersion::Core450) | Target::Hlsl(_))
    }

    /// Whether the language has 64-bit integers: MSL, SPIR-V, HLSL from shader model 6.0, and GLSL 450 with the extension
    /// `GL_ARB_gpu_shader_int64`.
    pub const fn has_int64(self) -> bool {
        use Target::{Glsl, Hlsl, Msl, Spirv};
        matches!(self, Spirv(_) | Msl | Hlsl(ShaderModel::V6_0) | Glsl(GlslVersion::Core450))
    }

    /// Whether programs can exchange values between the lanes of a subgroup: in MSL and WGSL, HLSL from shader model 6.0,
    /// SPIR-V, and versions of GLSL that have the extensions `GL_KHR_shader_subgroup`.
    pub const fn has_subgroups(self) -> bool {
        match self {
            Target::Wgsl | Target::Msl | Target::Spirv(_) | Target::Hlsl(ShaderModel::V6_0) => true,
            Target::Glsl(version) => matches!(version, GlslVersion::Core450 | GlslVersion::Es310),
            Target::Hlsl(ShaderModel::V5_1) => false,
        }
    }
}

/// A version of GLSL.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GlslVersion {
    /// `#version 330 core`; no compute form.
    Core330,
    /// `#version 450 core`.
    #[default]
    Core450,
    /// `#version 300 es`; no compute form.
    Es300,
    /// `#version 310 es`.
    Es310,
}

/// A shader model of HLSL.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ShaderModel {
    /// 5.1.
    #[default]
    V5_1,
    /// 6.0.
    V6_0,
}

/// A version of SPIR-V.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SpirvVersion {
    /// 1.3, Vulkan 1.1.
    #[default]
    V1_3,
    /// 1.4.
    V1_4,
    /// 1.5, Vulkan 1.2.
    V1_5,
    /// 1.6, Vulkan 1.3.
    V1_6,
}

/// How the program runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Form {
    /// As the stage it was written for. WGSL, HLSL and MSL have no geometry stage here: a geometry program becomes a
    /// compute kernel. In GLSL and SPIR-V it also becomes one, with a warning, if no geometry stage accepts the
    /// number of vertices of its primitives.
    #[default]
    Stage,
    /// As a compute kernel over lanes: 64 lanes a workgroup, one lane an invocation along x. Derivatives are refused
    /// (`translate-compute-derivative`). Samples with an implicit level of detail are refused too, unless their
    /// sampler state has no mip filter; those take level 0.
    Compute,
}

/// The result of `0 * infinity` where the program's rule makes it 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Products {
    /// 0.
    #[default]
    Exact,
    /// Whatever the language computes, usually NaN: shorter and faster code.
    Fast,
}

/// The source of the sampler state that instructions carry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SamplerState {
    /// The code has as much of it as it can express: a sampler without mip filter samples level 0.
    #[default]
    Baked,
    /// The host's samplers have all of it, and the host may change it: the level of detail is implicit, also where
    /// the instruction states that there is no mip filter. Only the bias of the level of detail remains in the code,
    /// since samplers of many hosts have none.
    Host,
}

/// How constant banks are bound.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Banks {
    /// As uniform buffers: arrays of `vec4<u32>` in the layout std140, as long as the program needs.
    #[default]
    Uniform,
    /// As read-only storage buffers: arrays of `u32`.
    Storage,
}

/// Where resources are bound: groups (descriptor sets, register spaces) and numbers within.
///
/// Within a stage's group, uniform arrays have the bindings that the interface states. Texture unit `u` is binding
/// `first_texture + 2 * u`; its sampler, or a separate sampler with number `u`, is `first_texture + 2 * u + 1`. The
/// numbers do not depend on what a program uses, so that one layout fits all programs of a family.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bindings {
    /// Group of the resources of a program before the fragment stage.
    pub vertex: u32,
    /// Group of a fragment program's resources.
    pub fragment: u32,
    /// Group of a compute program's resources.
    pub compute: u32,
    /// Group of the two storage buffers of [`Form::Compute`], both `array<vec4<u32>>`.
    ///
    /// Binding 0 is read. Element 0 holds the number of lanes in x. The lanes follow, each with one element for each
    /// input of the interface and then the registers of each per-lane array. Binding 1 is written: for each lane one
    /// element for each output, then one whose x is 1 if the lane was killed, else 0. Components are bit patterns;
    /// missing ones are zero.
    ///
    /// A lane of a geometry program first writes an element whose x counts its vertices, including those beyond
    /// [`Options::vertices`], then for each vertex an element for each output. Three vertices are a triangle. Where
    /// vertices form strips ([`shisa_ir::Strips`]), the count has only those that the program may output, and each vertex
    /// has one more element: x is its stream, y is 1 if a strip ended before it, else 0.
    pub lanes: u32,
    /// Group of memory: binding 0 is global memory (`array<u32>`), binding 1 + n constant bank n ([`Options::banks`]),
    /// binding 257 + n the buffer with number n of the interface (`array<u32>`).
    pub memory: u32,
    /// Binding of the first texture.
    pub first_texture: u32,
}

impl Default for Bindings {
    fn default() -> Self {
        Bindings { vertex: 0, fragment: 1, compute: 0, lanes: 2, memory: 3, first_texture: 16 }
    }
}

impl Bindings {
    /// The group of a stage's resources.
    pub const fn group(&self, stage: Stage) -> u32 {
        match stage {
            Stage::Vertex | Stage::TessellationControl | Stage::TessellationEvaluation | Stage::Geometry => {
                self.vertex
            }
            Stage::Fragment => self.fragment,
            Stage::Compute => self.compute,
        }
    }

    /// The binding of the texture with this unit number; its sampler has the next binding.
    pub const fn texture(&self, unit: u16) -> u32 {
        self.first_texture.saturating_add(2 * unit as u32)
    }

    /// The binding of the sampler with this number, whether separate or part of a texture.
    pub const fn sampler(&self, unit: u16) -> u32 {
        self.texture(unit).saturating_add(1)
    }
}

/// A resource that a host binds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Resource {
    /// The uniform array for which the interface states this binding.
    Uniforms(u32),
    /// The texture of a unit.
    Texture(u16),
    /// The sampler of a texture's unit, or the separate sampler with this number.
    Sampler(u16),
    /// Global memory.
    Memory,
    /// A bank of constants.
    Bank(u8),
    /// A buffer that the program accesses through a pointer in constant memory, by its number.
    Buffer(u8),
    /// The storage buffer that [`Form::Compute`] reads.
    LaneInputs,
    /// The storage buffer that [`Form::Compute`] writes.
    LaneOutputs,
}

/// Where a resource is bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// Group (WGSL), descriptor set (SPIR-V), register space (HLSL).
    pub group: u32,
    /// Binding within the group.
    pub binding: u32,
}

/// How to translate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// How the program runs.
    pub form: Form,
    /// Name of the program's function; the structure of outputs is `<name>_out`. ASCII letters, digits and `_`, a letter first.
    pub name: String,
    /// Writes each instruction's text above the code that it was translated to.
    pub comments: bool,
    /// Writes out the order of sums in dot products, and the treatment of NaN in saturation and in conversions to
    /// integers, which languages leave open: longer code, the same results everywhere.
    pub exact: bool,
    /// The result of `0 * infinity` where the program's rule makes it 0.
    pub products: Products,
    /// The largest number of vertices that a geometry program outputs; further vertices are dropped. A program that
    /// states this number itself obeys its own.
    pub vertices: u32,
    /// How constant banks are bound.
    pub banks: Banks,
    /// Where resources are bound.
    pub bindings: Bindings,
    /// Bindings of single resources, which override `bindings`. The reflection reports the result.
    pub places: Vec<(Resource, Place)>,
    /// Locations of inputs and outputs, by the name of the register; others have those of the interface. For a pair of
    /// programs both sides of a varying move, if both have that name.
    pub locations: Vec<(Name, u32)>,
    /// Name of the entry point, with the same characters as [`Options::name`], which must differ; `None` for
    /// `<name>_main`. In GLSL it is always `main`.
    pub entry: Option<String>,
    /// Registers that the host's buffers of uniform arrays hold, by the name of the array. Arrays not listed have the
    /// length that the interface states. A program that names a register past the end is refused
    /// (`translate-uniform-range`).
    pub uniform_lengths: Vec<(Name, u16)>,
    /// The source of the sampler state that instructions carry.
    pub sampler_state: SamplerState,
    /// Whether the code may have 64-bit integers of the language, so that the host needs a device with them
    /// ([`Options::natives`]). Without it, and in languages that lack them, they are pairs of 32-bit words.
    pub int64: bool,
    /// Whether the code may compute with 16-bit floats of the language ([`Options::natives`]). Only SPIR-V has them with all
    /// results of the program: the host needs a device that rounds them to nearest, and preserves their denormals,
    /// infinities, NaN and signs of zeros (`shaderFloat16`, `shaderInt16`, `shaderRoundingModeRTEFloat16`,
    /// `shaderDenormPreserveFloat16` and `shaderSignedZeroInfNanPreserveFloat16` of Vulkan). Without it, and in other
    /// languages, which may flush denormals and round as they like, they are computed as 32-bit floats and rounded.
    pub float16: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            form: Form::Stage,
            name: "program".into(),
            comments: false,
            exact: false,
            products: Products::Exact,
            vertices: 96,
            banks: Banks::Uniform,
            bindings: Bindings::default(),
            places: Vec::new(),
            locations: Vec::new(),
            entry: None,
            uniform_lengths: Vec::new(),
            sampler_state: SamplerState::Baked,
            int64: true,
            float16: false,
        }
    }
}

impl Options {
    /// The kinds whose operations [`shisa_ir::narrow`] may preserve in a program for a language. A translator takes the
    /// operations that its program has.
    pub const fn natives(&self, target: Target) -> Natives {
        Natives {
            int64: self.int64 && target.has_int64(),
            float16: self.float16 && matches!(target, Target::Spirv(_)),
        }
    }

    /// Where a resource of a stage is bound.
    pub fn place(&self, stage: Stage, resource: Resource) -> Place {
        if let Some((_, place)) = self.places.iter().find(|(r, _)| *r == resource) {
            return *place;
        }
        let b = &self.bindings;
        let (group, binding) = match resource {
            Resource::Uniforms(binding) => (b.group(stage), binding),
            Resource::Texture(unit) => (b.group(stage), b.texture(unit)),
            Resource::Sampler(unit) => (b.group(stage), b.sampler(unit)),
            Resource::Memory => (b.memory, 0),
            Resource::Bank(n) => (b.memory, 1 + u32::from(n)),
            Resource::Buffer(n) => (b.memory, 257 + u32::from(n)),
            Resource::LaneInputs => (b.lanes, 0),
            Resource::LaneOutputs => (b.lanes, 1),
        };
        Place { group, binding }
    }

    /// The registers that the host's buffer of a uniform array holds.
    pub(crate) fn registers(&self, array: &shisa_ir::UniformArray) -> u16 {
        let stated = self.uniform_lengths.iter().find(|(name, _)| *name == array.name);
        stated.map_or(array.registers, |&(_, registers)| registers)
    }
}
