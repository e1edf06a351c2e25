//! What to translate to, and how.

use shisa_ir::Stage;

/// The language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Target {
    /// WebGPU Shading Language.
    Wgsl,
    /// OpenGL Shading Language.
    Glsl(GlslVersion),
    /// High-Level Shader Language.
    Hlsl(ShaderModel),
    /// Metal Shading Language 2.1.
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

/// How the program is to run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Form {
    /// As the stage it was written for. WGSL, HLSL and MSL have no geometry stage here: a geometry program
    /// becomes a compute kernel, also in GLSL and SPIR-V, with a warning, where its primitives have a number
    /// of vertices that no geometry stage takes.
    #[default]
    Stage,
    /// As a compute kernel over lanes, 64 lanes a workgroup, one lane an invocation along x. Derivatives
    /// are refused (`translate-compute-derivative`), and so are samples with an implicit level of detail
    /// unless their sampler state has no mip filter, when level 0 is taken.
    Compute,
}

/// What becomes of `0 * infinity` where the program means 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Products {
    /// 0.
    #[default]
    Exact,
    /// What the language makes of it, NaN as a rule: shorter and faster code.
    Fast,
}

/// Where resources are bound: groups (descriptor sets, register spaces) and numbers within.
///
/// Within a stage's group, uniform arrays have the bindings that the interface states; texture unit `u` is binding
/// `first_texture + 2 * u` and its sampler, or a sampler u with a number of its own, `first_texture + 2 * u + 1`. Numbers do not depend on what a
/// program uses, so that one layout fits all programs of a family.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bindings {
    /// Group of a vertex or geometry program's resources.
    pub vertex: u32,
    /// Group of a fragment program's resources.
    pub fragment: u32,
    /// Group of a compute program's resources.
    pub compute: u32,
    /// Group of the two storage buffers of [`Form::Compute`], both `array<vec4<u32>>`.
    ///
    /// Binding 0 is read: element 0 holds the number of lanes in x; then, lane after lane, one element
    /// for each input of the interface, and behind them the registers of each array that lanes have of
    /// their own. Binding 1 is written: lane after lane, one element for each output and one whose x is 1
    /// when the lane was killed, else 0. Components are bit patterns; missing ones are zero.
    ///
    /// A lane of a geometry program writes first an element whose x counts its vertices, also those beyond
    /// [`Options::vertices`], then for each vertex an element for each output. Three vertices are a
    /// triangle.
    pub lanes: u32,
    /// Group of memory: binding 0 is global memory, binding 1 + n constant bank n, `array<u32>` each.
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
            Stage::Vertex | Stage::Geometry => self.vertex,
            Stage::Fragment => self.fragment,
            Stage::Compute => self.compute,
        }
    }

    /// The binding of the texture with this unit number; its sampler is the next.
    pub const fn texture(&self, unit: u16) -> u32 {
        self.first_texture.saturating_add(2 * unit as u32)
    }

    /// The binding of the sampler with this number, of its own or of the texture that it belongs to.
    pub const fn sampler(&self, unit: u16) -> u32 {
        self.texture(unit).saturating_add(1)
    }
}

/// How to translate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// How the program is to run.
    pub form: Form,
    /// Name of the program's function; the entry point is `<name>_main` (`main` in GLSL), the structure
    /// of outputs `<name>_out`. ASCII letters, digits and `_`, a letter first.
    pub name: String,
    /// Writes each instruction's text above what was made of it.
    pub comments: bool,
    /// Spells out the order of sums in dot products and NaN in saturation and in conversions to
    /// integers, which languages leave open: longer code, the same results everywhere.
    pub exact: bool,
    /// What becomes of `0 * infinity` where the program means 0.
    pub products: Products,
    /// Vertices that a geometry program hands on at most; what comes behind them is lost.
    pub vertices: u32,
    /// Where resources are bound.
    pub bindings: Bindings,
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
            bindings: Bindings::default(),
        }
    }
}
