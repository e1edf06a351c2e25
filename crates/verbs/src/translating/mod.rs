//! Options of translations.

mod values;

pub use values::{PatchDivision, Samples, TextureShape, Tile, Workgroup};

use serde::Deserialize;
use serde_json::{Value, json};
use shisa::Settings;
use shisa::pica200::Outputs;
use shisa::translation::{
    Banks, Form, GlslVersion, Mapping, Options, Output, Products, ShaderModel, SpirvVersion, Target,
};

/// How a program is translated.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct Translating {
    /// The language's version: 330, 450, 300es, 310es (GLSL), 5.1, 6.0 (HLSL), 1.3 to 1.6 (SPIR-V)
    #[cfg_attr(feature = "clap", arg(long = "target-version", value_name = "VERSION"))]
    pub target_version: Option<String>,
    /// Name of the program's function
    #[cfg_attr(feature = "clap", arg(long, default_value_t = Translating::default().name))]
    pub name: String,
    /// Write each instruction above the code it was translated to
    #[cfg_attr(feature = "clap", arg(long))]
    pub comments: bool,
    /// Write out what languages leave open, for the same results everywhere
    #[cfg_attr(feature = "clap", arg(long))]
    pub exact: bool,
    /// The outputs of a PICA200 program: by the meanings in its output table, or the output registers, as raw words
    /// always have
    #[cfg_attr(feature = "clap", arg(long, value_enum, default_value_t, value_name = "WHICH"))]
    pub outputs: OutputsName,
    /// The result of 0 * infinity where the program's rule makes it 0: 0, or what the language computes
    #[cfg_attr(feature = "clap", arg(long, value_enum, default_value_t, value_name = "HOW"))]
    pub products: ProductsName,
    /// The largest number of vertices that a geometry program outputs
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = Translating::default().vertices))]
    pub vertices: u32,
    /// Threads of a workgroup of a compute program of AGX or Maxwell, X,Y,Z; by default what the file states, else 32,1,1
    #[cfg_attr(feature = "clap", arg(long, value_name = "X,Y,Z"))]
    pub workgroup: Option<Workgroup>,
    /// Bytes of shared memory of a workgroup of a Maxwell compute program; by default what the file states, else none
    #[cfg_attr(feature = "clap", arg(long, value_name = "BYTES"))]
    pub shared: Option<u32>,
    /// Bytes of a thread's local memory of a Maxwell compute program; by default what the file states, else none
    #[cfg_attr(feature = "clap", arg(long, value_name = "BYTES"))]
    pub local: Option<u32>,
    /// The input primitive of a geometry program of Maxwell, which no file states; by default the smallest one with the
    /// vertices that the program reads
    #[cfg_attr(feature = "clap", arg(long, value_enum, value_name = "WHICH"))]
    pub primitive: Option<Primitive>,
    /// How patches are divided, for a tessellation evaluation program of Maxwell: the domain, the spacing and the output,
    /// such as quads,fractional_odd,clockwise; by default what the file states, else triangles,equal,counterclockwise
    #[cfg_attr(feature = "clap", arg(long, value_name = "DOMAIN,SPACING,OUTPUT"))]
    pub division: Option<PatchDivision>,
    /// The shape of a texture of Maxwell by the number of its handle, such as 0x28=3d, and whether its texels are
    /// integers, as in 0x28=2d,int; by default what the program does with it
    #[serde(rename = "texture")]
    #[cfg_attr(feature = "clap", arg(long = "texture", value_name = "HANDLE=SHAPE"))]
    pub textures: Vec<TextureShape>,
    /// Constant banks as read-only storage buffers of words, instead of uniform buffers
    #[cfg_attr(feature = "clap", arg(long))]
    pub storage_banks: bool,
    /// The tile of a workgroup of an AGX compute program: WIDTH,HEIGHT,SAMPLES,BYTES of a sample; by default what the
    /// file states, else 32,32,1,16
    #[cfg_attr(feature = "clap", arg(long, value_name = "W,H,SAMPLES,BYTES"))]
    pub imageblock: Option<Tile>,
    /// Samples of a pixel of an AGX fragment program, 1, 2 or 4: it runs for each; by default the count of the
    /// program's loop over samples, else 1
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub samples: Option<Samples>,
    /// Exchange values between the lanes of a wave of AGX or Maxwell by operations of subgroups, which the host must run
    /// with 32 threads each, in the order of their numbers; in languages that have them, else through shared memory
    #[cfg_attr(feature = "clap", arg(long))]
    pub subgroups: bool,
    /// Compute 64-bit integers as pairs of 32-bit words, for hosts without them; by default they are those of SPIR-V, MSL,
    /// HLSL 6.0 and GLSL 450 with GL_ARB_gpu_shader_int64, and words elsewhere
    #[cfg_attr(feature = "clap", arg(long))]
    pub emulate_int64: bool,
    /// Compute 16-bit floats with those of SPIR-V, for hosts that round them to nearest and preserve their denormals,
    /// infinities, NaN and signs of zeros; by default, and in other languages, with 32-bit floats that are rounded
    #[cfg_attr(feature = "clap", arg(long))]
    pub float16: bool,
    /// A compute kernel that runs the program over lanes in buffers
    #[cfg_attr(feature = "clap", arg(long))]
    pub compute: bool,
}

impl Default for Translating {
    fn default() -> Translating {
        Translating {
            target_version: None,
            name: "program".into(),
            comments: false,
            exact: false,
            outputs: OutputsName::default(),
            products: ProductsName::default(),
            vertices: Options::default().vertices,
            workgroup: None,
            shared: None,
            local: None,
            primitive: None,
            division: None,
            textures: Vec::new(),
            storage_banks: false,
            imageblock: None,
            samples: None,
            subgroups: false,
            emulate_int64: false,
            float16: false,
            compute: false,
        }
    }
}

/// A language of translations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum LanguageName {
    /// WebGPU
    Wgsl,
    /// OpenGL and OpenGL ES
    Glsl,
    /// Direct3D
    Hlsl,
    /// Metal
    Msl,
    /// Vulkan
    Spirv,
}

/// The outputs of a PICA200 program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum OutputsName {
    /// By meaning
    #[default]
    Meaning,
    /// Registers
    Registers,
}

/// The input primitive of a geometry program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Primitive {
    /// 1 vertex
    Points,
    /// 2 vertices
    Lines,
    /// 3 vertices
    Triangles,
    /// 4 vertices
    LinesAdjacency,
    /// 6 vertices
    TrianglesAdjacency,
}

impl Primitive {
    const fn vertices(self) -> u8 {
        match self {
            Primitive::Points => 1,
            Primitive::Lines => 2,
            Primitive::Triangles => 3,
            Primitive::LinesAdjacency => 4,
            Primitive::TrianglesAdjacency => 6,
        }
    }
}

/// The result of 0 * infinity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum ProductsName {
    /// 0
    #[default]
    Exact,
    /// Usually NaN
    Fast,
}

impl Translating {
    /// Changes settings to those with these options.
    pub fn adjust(&self, settings: &mut Settings) {
        settings.pica200.outputs = match self.outputs {
            OutputsName::Meaning => Outputs::Meaning,
            OutputsName::Registers => Outputs::Registers,
        };
        settings.agx.workgroup = self.workgroup.map(|workgroup| workgroup.0);
        settings.maxwell.workgroup = settings.agx.workgroup;
        settings.maxwell.shared = self.shared;
        settings.maxwell.local = self.local;
        settings.maxwell.primitive = self.primitive.map(Primitive::vertices);
        settings.maxwell.division = self.division.map(|division| division.0);
        settings.maxwell.textures = self.textures.iter().map(|texture| texture.0).collect();
        settings.agx.imageblock = self.imageblock.map(|tile| tile.0);
        settings.agx.samples = self.samples.map(|samples| samples.0);
        settings.subgroups = self.subgroups;
    }

    /// The options of the translator.
    pub fn options(&self) -> Options {
        Options {
            form: if self.compute { Form::Compute } else { Form::Stage },
            name: self.name.clone(),
            comments: self.comments,
            exact: self.exact,
            banks: if self.storage_banks { Banks::Storage } else { Banks::Uniform },
            products: match self.products {
                ProductsName::Exact => Products::Exact,
                ProductsName::Fast => Products::Fast,
            },
            vertices: self.vertices,
            int64: !self.emulate_int64,
            float16: self.float16,
            ..Options::default()
        }
    }

    /// The target of a translation to a language.
    ///
    /// # Errors
    /// The language has no such version here.
    pub fn target(&self, to: LanguageName) -> Result<Target, String> {
        let version = self.target_version.as_deref();
        let target = match (to, version) {
            (LanguageName::Wgsl, None) => Some(Target::Wgsl),
            (LanguageName::Msl, None | Some("2.1")) => Some(Target::Msl),
            (LanguageName::Glsl, None | Some("450")) => Some(Target::Glsl(GlslVersion::Core450)),
            (LanguageName::Glsl, Some("330")) => Some(Target::Glsl(GlslVersion::Core330)),
            (LanguageName::Glsl, Some("300es")) => Some(Target::Glsl(GlslVersion::Es300)),
            (LanguageName::Glsl, Some("310es")) => Some(Target::Glsl(GlslVersion::Es310)),
            (LanguageName::Hlsl, None | Some("5.1")) => Some(Target::Hlsl(ShaderModel::V5_1)),
            (LanguageName::Hlsl, Some("6.0")) => Some(Target::Hlsl(ShaderModel::V6_0)),
            (LanguageName::Spirv, None | Some("1.3")) => Some(Target::Spirv(SpirvVersion::V1_3)),
            (LanguageName::Spirv, Some("1.4")) => Some(Target::Spirv(SpirvVersion::V1_4)),
            (LanguageName::Spirv, Some("1.5")) => Some(Target::Spirv(SpirvVersion::V1_5)),
            (LanguageName::Spirv, Some("1.6")) => Some(Target::Spirv(SpirvVersion::V1_6)),
            _ => None,
        };
        target.ok_or_else(|| {
            let version = version.unwrap_or_default();
            format!("{version}: this language has no such version here")
        })
    }
}

/// The source map of a translation, in the form of `docs/schema/source-map.schema.json`.
pub fn source_map(output: &Output) -> Value {
    let entry = |m: &Mapping| json!({ "start": m.start, "end": m.end, "instruction": m.instruction });
    let map: Vec<Value> = output.source_map.iter().map(entry).collect();
    json!({ "version": 1, "map": map })
}
