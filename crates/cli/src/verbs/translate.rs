//! `shisa translate`

use super::pair;
use crate::input::Input;
use crate::options::Global;
use crate::output::{Force, OutputFiles};
use crate::raw::RawOptions;
use crate::reading::Reading;
use crate::report::Report;
use crate::stop::{Status, Stop};
use clap::ValueEnum;
use serde_json::{Value, json};
use shisa::Program;
use shisa::agal::translate_pair;
use shisa::agx::Imageblock;
use shisa::diag::Severity;
use shisa::ir::{Dim, Division, DivisionOutput, Domain, Shape, Spacing};
use shisa::maxwell::TextureKind;
use shisa::pica200::Outputs;
use shisa::translation::{
    Banks, Code, Form, GlslVersion, Options, Output, Products, ShaderModel, SpirvVersion, Target,
};
use std::ffi::{OsStr, OsString};
use std::path::Path;

/// Translate a program to a shading language
#[derive(Debug, clap::Args)]
pub(crate) struct Translate {
    /// The program (with --pair the vertex program); - is standard input. FILE#N and FILE#NAME are one of a file's
    #[arg(default_value = "-")]
    file: OsString,
    /// Which program, from 1, of a file that contains several; by default the first
    #[arg(long, value_name = "N")]
    program: Option<usize>,
    /// The fragment program that belongs to FILE: both are checked together and translated
    #[arg(long, value_name = "FRAGMENT")]
    pair: Option<OsString>,
    /// The same as --program, for FRAGMENT
    #[arg(long, value_name = "N", requires = "pair")]
    pair_program: Option<usize>,
    /// The language
    #[arg(long, value_enum, value_name = "LANGUAGE")]
    to: Language,
    /// The language's version: 330, 450, 300es, 310es (GLSL), 5.1, 6.0 (HLSL), 1.3 to 1.6 (SPIR-V)
    #[arg(long = "target-version", value_name = "VERSION")]
    target_version: Option<String>,
    /// The output file for the code; - is standard output. For a pair, `.vert` and `.frag` are inserted before the
    /// extension
    #[arg(short, long, default_value = "-", value_name = "OUT")]
    output: OsString,
    /// The output file for the reflection (how to bind the code), as JSON; - is standard output
    #[arg(long, value_name = "R.json")]
    reflect: Option<OsString>,
    /// The output file for the source map (which instruction each line came from), as JSON; - is standard output
    #[arg(long, value_name = "MAP.json")]
    source_map: Option<OsString>,
    /// Name of the program's function
    #[arg(long, default_value = "program")]
    name: String,
    /// Write each instruction above the code it was translated to
    #[arg(long)]
    comments: bool,
    /// Write out what languages leave open, for the same results everywhere
    #[arg(long)]
    exact: bool,
    /// The outputs of a PICA200 program: by the meanings in its output table, or the output registers, as raw words
    /// always have
    #[arg(long, value_enum, default_value_t, value_name = "WHICH")]
    outputs: OutputsName,
    /// The result of 0 * infinity where the program's rule makes it 0: 0, or what the language computes
    #[arg(long, value_enum, default_value_t, value_name = "HOW")]
    products: ProductsName,
    /// The largest number of vertices that a geometry program outputs
    #[arg(long, value_name = "N", default_value_t = Options::default().vertices)]
    vertices: u32,
    /// Threads of a workgroup of a compute program of AGX or Maxwell, X,Y,Z; by default what the file states, else 32,1,1
    #[arg(long, value_name = "X,Y,Z", value_parser = workgroup)]
    workgroup: Option<[u32; 3]>,
    /// Bytes of shared memory of a workgroup of a Maxwell compute program; by default what the file states, else none
    #[arg(long, value_name = "BYTES")]
    shared: Option<u32>,
    /// Bytes of a thread's local memory of a Maxwell compute program; by default what the file states, else none
    #[arg(long, value_name = "BYTES")]
    local: Option<u32>,
    /// The input primitive of a geometry program of Maxwell, which no file states; by default the smallest one with the
    /// vertices that the program reads
    #[arg(long, value_enum, value_name = "WHICH")]
    primitive: Option<Primitive>,
    /// How patches are divided, for a tessellation evaluation program of Maxwell: the domain, the spacing and the output,
    /// such as quads,fractional_odd,clockwise; by default what the file states, else triangles,equal,counterclockwise
    #[arg(long, value_name = "DOMAIN,SPACING,OUTPUT", value_parser = division)]
    division: Option<Division>,
    /// The shape of a texture of Maxwell by the number of its handle, such as 0x28=3d, and whether its texels are
    /// integers, as in 0x28=2d,int; by default what the program does with it
    #[arg(long = "texture", value_name = "HANDLE=SHAPE", value_parser = texture)]
    textures: Vec<(u16, TextureKind)>,
    /// Constant banks as read-only storage buffers of words, instead of uniform buffers
    #[arg(long)]
    storage_banks: bool,
    /// The tile of a workgroup of an AGX compute program: WIDTH,HEIGHT,SAMPLES,BYTES of a sample; by default what the
    /// file states, else 32,32,1,16
    #[arg(long, value_name = "W,H,SAMPLES,BYTES", value_parser = imageblock)]
    imageblock: Option<Imageblock>,
    /// Samples of a pixel of an AGX fragment program, 1, 2 or 4: it runs for each; by default the count of the
    /// program's loop over samples, else 1
    #[arg(long, value_name = "N", value_parser = samples)]
    samples: Option<u16>,
    /// Exchange values between the lanes of a wave of AGX or Maxwell by operations of subgroups, which the host must run
    /// with 32 threads each, in the order of their numbers; in languages that have them, else through shared memory
    #[arg(long)]
    subgroups: bool,
    /// Compute 64-bit integers as pairs of 32-bit words, for hosts without them; by default they are those of SPIR-V, MSL,
    /// HLSL 6.0 and GLSL 450 with GL_ARB_gpu_shader_int64, and words elsewhere
    #[arg(long)]
    emulate_int64: bool,
    /// Compute 16-bit floats with those of SPIR-V, for hosts that round them to nearest and preserve their denormals,
    /// infinities, NaN and signs of zeros; by default, and in other languages, with 32-bit floats that are rounded
    #[arg(long)]
    float16: bool,
    /// Refuse a program that breaks a rule of its instruction set, as `check` reports it
    #[arg(long)]
    checked: bool,
    /// A compute kernel that runs the program over lanes in buffers
    #[arg(long)]
    compute: bool,
    #[command(flatten)]
    reading: Reading,
    #[command(flatten)]
    raw: RawOptions,
    #[command(flatten)]
    force: Force,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Language {
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

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum OutputsName {
    /// By meaning
    #[default]
    Meaning,
    /// Registers
    Registers,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Primitive {
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

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum ProductsName {
    /// 0
    #[default]
    Exact,
    /// Usually NaN
    Fast,
}

/// Parses three numbers from 1 to 1024, for no more than 1024 threads.
fn workgroup(text: &str) -> Result<[u32; 3], String> {
    let numbers: Option<Vec<u32>> = text.split(',').map(|n| n.trim().parse().ok()).collect();
    match numbers.as_deref() {
        Some(&[x, y, z]) if (1..=1024).contains(&[x, y, z].into_iter().fold(1, u32::saturating_mul)) => {
            Ok([x, y, z])
        }
        _ => Err("three numbers such as 32,1,1, of at most 1024 threads in all".into()),
    }
}

fn imageblock(text: &str) -> Result<Imageblock, String> {
    let numbers: Option<Vec<u16>> = text.split(',').map(|n| n.trim().parse().ok()).collect();
    match numbers.as_deref() {
        Some(&[width, height, samples, bytes]) => {
            Imageblock::new([width, height], samples, bytes).map_err(|d| d.message)
        }
        _ => Err("four numbers such as 32,32,1,16".into()),
    }
}

/// Parses how patches are divided.
fn division(text: &str) -> Result<Division, String> {
    let mut words = text.split(',').map(str::trim);
    let mut next = || words.next().unwrap_or_default();
    let (domain, spacing, output) = (Domain::ALL, Spacing::ALL, DivisionOutput::ALL);
    let (first, second, third) = (next(), next(), next());
    let found = || {
        Some(Division {
            domain: domain.into_iter().find(|d| d.name() == first)?,
            spacing: spacing.into_iter().find(|s| s.name() == second)?,
            output: output.into_iter().find(|o| o.name() == third)?,
        })
    };
    found().filter(|_| words.next().is_none()).ok_or_else(|| {
        let [domain, spacing, output] = [
            domain.map(Domain::name).join(", "),
            spacing.map(Spacing::name).join(", "),
            output.map(DivisionOutput::name).join(", "),
        ];
        format!("one word of each: {domain}; {spacing}; {output}")
    })
}

/// Parses a handle with a shape.
fn texture(text: &str) -> Result<(u16, TextureKind), String> {
    let (number, rest) = text.split_once('=').ok_or("HANDLE=SHAPE, such as 0x28=3d")?;
    let number = match number.trim().strip_prefix("0x") {
        Some(digits) => u16::from_str_radix(digits, 16),
        None => number.trim().parse(),
    };
    let (name, integers) = rest.strip_suffix(",int").map_or((rest, false), |name| (name, true));
    let all = [Dim::D1, Dim::D2, Dim::D3, Dim::Cube].into_iter().flat_map(|dim| {
        let each = [(false, false), (true, false), (false, true), (true, true)];
        each.map(|(arrayed, multisampled)| Shape { dim, arrayed, multisampled })
    });
    let names: Vec<Shape> = all.filter(|shape| shape.exists()).collect();
    let known = names.iter().find(|shape| shape.name() == name.trim()).copied();
    let shape = known.ok_or_else(|| {
        let names: Vec<&str> = names.iter().map(|shape| shape.name()).collect();
        format!("a shape: {}", names.join(", "))
    })?;
    Ok((number.map_err(|_| "the number of a handle, such as 0x28")?, TextureKind { shape, integers }))
}

fn samples(text: &str) -> Result<u16, String> {
    let number = text.trim().parse().ok().filter(|n| matches!(n, 1 | 2 | 4));
    number.ok_or_else(|| "1, 2 or 4".into())
}

impl Translate {
    /// Runs the verb.
    pub(crate) fn run(&self, global: &Global) -> Result<Status, Stop> {
        let mut settings = self.reading.settings(global.settings()?);
        settings.pica200.outputs = match self.outputs {
            OutputsName::Meaning => Outputs::Meaning,
            OutputsName::Registers => Outputs::Registers,
        };
        settings.agx.workgroup = self.workgroup;
        settings.maxwell.workgroup = self.workgroup;
        settings.maxwell.shared = self.shared;
        settings.maxwell.local = self.local;
        settings.maxwell.primitive = self.primitive.map(Primitive::vertices);
        settings.maxwell.division = self.division;
        settings.maxwell.textures = self.textures.iter().copied().collect();
        settings.agx.imageblock = self.imageblock;
        settings.agx.samples = self.samples;
        settings.subgroups = self.subgroups;
        let target = self.target()?;
        let options = Options {
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
        };
        let mut report = Report::new(global);
        let input = Input::programs(&self.file, &settings.limits)?;
        let Some(selected) = self.raw.open(&input, false, self.program, &settings, &mut report)? else {
            return Ok(report.status());
        };
        let program = match selected.first() {
            Ok(program) => program,
            Err(e) => {
                report.all(&e.diagnostics, &input);
                return Ok(report.status());
            }
        };
        if self.checked && self.refused(&program, &input, &mut report) {
            return Ok(report.status());
        }
        let Some(second) = &self.pair else {
            match program.translate(target, &options) {
                Ok(done) => {
                    report.all(&done.warnings, &input);
                    self.write(&[(&self.output, &done)])?;
                }
                Err(e) => report.all(&e.diagnostics, &input),
            }
            return Ok(report.status());
        };
        let fragment = Input::read(second, settings.limits.file)?;
        let Some(other) = fragment.open(self.pair_program, &settings, &mut report)? else {
            return Ok(report.status());
        };
        let other = match other.first() {
            Ok(other) => other,
            Err(e) => {
                report.all(&e.diagnostics, &fragment);
                return Ok(report.status());
            }
        };
        if self.checked && self.refused(&other, &fragment, &mut report) {
            return Ok(report.status());
        }
        if pair::check((&input, &program), (&fragment, &other), &mut report) == Status::Faults {
            return Ok(Status::Faults);
        }
        match translate_pair(&program, &other, target, &options) {
            Ok([v, f]) => {
                report.all(&v.warnings, &input);
                report.all(&f.warnings, &fragment);
                self.write(&[(&staged(&self.output, "vert"), &v), (&staged(&self.output, "frag"), &f)])?;
            }
            Err(e) => report.all(&e.diagnostics, &input),
        }
        Ok(report.status())
    }

    /// Reports the findings about a program; whether one is an error.
    fn refused(&self, program: &Program<'_>, input: &Input, report: &mut Report) -> bool {
        let found = program.check().unwrap_or_else(|e| e.diagnostics);
        report.program(&found, program, input);
        found.iter().any(|d| d.severity == Severity::Error)
    }

    fn target(&self) -> Result<Target, Stop> {
        let version = self.target_version.as_deref();
        let target = match (self.to, version) {
            (Language::Wgsl, None) => Some(Target::Wgsl),
            (Language::Msl, None | Some("2.1")) => Some(Target::Msl),
            (Language::Glsl, None | Some("450")) => Some(Target::Glsl(GlslVersion::Core450)),
            (Language::Glsl, Some("330")) => Some(Target::Glsl(GlslVersion::Core330)),
            (Language::Glsl, Some("300es")) => Some(Target::Glsl(GlslVersion::Es300)),
            (Language::Glsl, Some("310es")) => Some(Target::Glsl(GlslVersion::Es310)),
            (Language::Hlsl, None | Some("5.1")) => Some(Target::Hlsl(ShaderModel::V5_1)),
            (Language::Hlsl, Some("6.0")) => Some(Target::Hlsl(ShaderModel::V6_0)),
            (Language::Spirv, None | Some("1.3")) => Some(Target::Spirv(SpirvVersion::V1_3)),
            (Language::Spirv, Some("1.4")) => Some(Target::Spirv(SpirvVersion::V1_4)),
            (Language::Spirv, Some("1.5")) => Some(Target::Spirv(SpirvVersion::V1_5)),
            (Language::Spirv, Some("1.6")) => Some(Target::Spirv(SpirvVersion::V1_6)),
            _ => None,
        };
        target.ok_or_else(|| {
            let version = version.unwrap_or_default();
            Stop::Failed(format!("--target-version {version}: this language has no such version here"))
        })
    }

    fn write(&self, parts: &[(&OsString, &Output)]) -> Result<(), Stop> {
        let mut outputs = OutputFiles::default();
        for (name, part) in parts {
            match &part.code {
                Code::Text(text) => outputs.add(name, text.as_bytes())?,
                Code::Words(words) => {
                    let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
                    outputs.binary(name, &bytes, &self.force)?;
                }
            }
        }
        // One object for a single program, a list for a pair.
        let document = |each: &dyn Fn(&Output) -> Result<Value, Stop>| {
            let list: Vec<Value> = parts.iter().map(|(_, part)| each(part)).collect::<Result<_, _>>()?;
            Ok::<Value, Stop>(match <[Value; 1]>::try_from(list) {
                Ok([one]) => one,
                Err(list) => list.into(),
            })
        };
        if let Some(name) = &self.reflect {
            outputs.json(name, &document(&|part| Ok(serde_json::to_value(&part.reflection)?))?)?;
        }
        if let Some(name) = &self.source_map {
            let entry = |m: &shisa::translation::Mapping| json!({ "start": m.start, "end": m.end, "instruction": m.instruction });
            outputs.json(
                name,
                &document(&|part| {
                    let map: Vec<Value> = part.source_map.iter().map(entry).collect();
                    Ok(json!({ "version": 1, "map": map }))
                })?,
            )?;
        }
        outputs.write()
    }
}

/// Inserts the stage before the extension, `name.stage.extension`; standard output is unchanged.
fn staged(name: &OsStr, stage: &str) -> OsString {
    if name == "-" {
        return name.to_owned();
    }
    let path = Path::new(name);
    let parts = [path.file_stem(), Some(stage.as_ref()), path.extension()];
    let parts: Vec<&OsStr> = parts.into_iter().flatten().collect();
    path.with_file_name(parts.join(".".as_ref())).into()
}
