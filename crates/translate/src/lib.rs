//! Translation of shisa IR to WGSL, GLSL, HLSL, MSL and SPIR-V.
//!
//! # Concepts
//!
//! A [`Program`] is a structured program ([`shisa_ir::Tree`] over [`shisa_ir::Func`]) with its [`Interface`].
//! Register traffic inside it is already values: the program reads inputs and uniforms, and writes outputs directly
//! before it ends.
//!
//! [`translate`] returns code, a [`Reflection`] that states how to bind it, and a source map back to the
//! instructions. The code has one plain function (named [`Options::name`]) from input values to a structure of
//! outputs, which other shaders can call, and a thin entry point (`<name>_main`; `main` in GLSL) around it:
//!
//! * [`Form::Stage`]: a vertex or fragment entry point (a compute entry point for compute programs).
//! * [`Form::Compute`]: a compute kernel that runs a vertex or fragment program over lanes, from one storage buffer
//!   to another ([`Bindings::lanes`] describes them).
//!
//! # What the languages leave open
//!
//! Shading languages may contract `a * b + c`, flush denormals, and assume that numbers are finite. The code does
//! what the program states: rules (flush, zero products, NaN in minimum and maximum) are written out where an
//! operation has them, and non-finite constants come from data so that compilers cannot fold them. [`Options::exact`]
//! also writes out the order of sums in dot products and the treatment of NaN where languages leave it open.
//!
//! Sums, products and conversions that round other than to nearest are computed in integers ([`shisa_ir::emulate`]), bit
//! for bit and slowly; other functions that round so are refused (`translate-rounding`). A rule whose rounding and range
//! are those of a model chosen at run time ([`shisa_ir::FloatRule::model`]) is translated as binary32. GLSL 330 and ES 300
//! round twice in [`shisa_ir::Ternary::Fma`].
//!
//! SPIR-V has doubles. GLSL 450 and HLSL have sums, products, comparisons and conversions from and to 32-bit integers of
//! doubles ([`shisa_ir::is_double_arithmetic`]), each a function on two words; the host needs a device with doubles. Their
//! other operations on doubles, and all of them in WGSL, MSL, GLSL 330 and GLSL ES, are computed in integers.
//!
//! SPIR-V, GLSL 450, HLSL 6.0 and MSL have the operations on 64-bit integers that the program has
//! ([`shisa_ir::is_int64_arithmetic`]), in the texts each a function on two words. SPIR-V has operations on 16-bit floats. What
//! of these a program has, lowering decides by [`Options::natives`].
//!
//! # Quads
//!
//! A killed lane continues as a helper for derivatives: where a program both kills and takes derivatives, the text
//! languages store the kill in a variable and discard at the end. A sample whose level of detail is implicit, in
//! control flow where lanes may have diverged, gets derivatives taken at the start of the function when its
//! coordinates can be computed there. Otherwise it is translated unchanged: the output carries a warning
//! (`translate-divergent-derivative`), and WGSL the directive that makes compilers accept it. A sampler without mip
//! filter always samples level 0 and takes no derivatives.
//!
//! # Clip space
//!
//! Positions have 0 ≤ z ≤ w. In GLSL the entry point converts that to -w ≤ z ≤ w; y is never flipped.
#![doc = include_str!("../doc/design.md")]

#[cfg(any(feature = "wgsl", feature = "naga"))]
mod build;
mod codes;
#[cfg(feature = "execute")]
pub mod execute;
mod geometry;
mod hoist;
mod interface;
mod lanes;
mod locations;
mod memory;
mod options;
mod patch;
mod product;
mod reflection;
mod shape;
#[cfg(feature = "spirv")]
mod spirv;
#[cfg(feature = "glsl")]
mod split;
mod streams;
#[cfg(any(feature = "wgsl", feature = "naga"))]
mod syntax;
pub mod testing;
mod texture;
#[cfg(feature = "naga")]
mod through_naga;
mod translator;
mod uniforms;
#[cfg(feature = "wgsl")]
mod wgsl;

pub use codes::CODES;
pub use options::{
    Banks, Bindings, Form, GlslVersion, Options, Place, Products, Resource, SamplerState, ShaderModel,
    SpirvVersion, Target,
};
pub use reflection::{
    BufferKind, Division, Geometry, Given, Kind, Lanes, Memory, Pointer, Read, Reflection, SamplerSlot,
    Sampling, Slot, StreamOutput, Strips, Tessellation, Texture, Uniform, Variable,
};
pub use translator::Translator;

use shisa_diag::{Diagnostic, Limits};
use shisa_ir::{Binding, Func, Interface, Interpolation, Io, Stage, Tree};
use std::borrow::Cow;

/// The program to translate.
#[derive(Clone, Copy, Debug)]
pub struct Program<'a> {
    /// The operations; reads only inputs and uniforms, writes only outputs, right before it ends.
    pub func: &'a Func,
    /// The control flow over the blocks.
    pub tree: &'a Tree,
    /// Its inputs, outputs and resources.
    pub interface: &'a Interface,
    /// Source information for each instruction, by instruction number ([`shisa_ir::Node::origin`]); may be shorter.
    pub source: &'a [Source<'a>],
}

/// Source information about an instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Source<'a> {
    /// The instruction's text, for comments.
    pub text: &'a str,
    /// Name for the value that the instruction computes, usually its destination register such as `vt0`; empty for
    /// none.
    pub result: &'a str,
}

/// Translated code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Code {
    /// A source text.
    Text(String),
    /// A SPIR-V module, as 32-bit words.
    Words(Vec<u32>),
}

impl Code {
    /// The text, if the language is a text language.
    pub fn text(&self) -> Option<&str> {
        match self {
            Code::Text(text) => Some(text),
            Code::Words(_) => None,
        }
    }
}

/// A range of the code and the instruction that it came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mapping {
    /// First line, counted from 1, or first word, counted from 0.
    pub start: u32,
    /// One past the last line or word.
    pub end: u32,
    /// Number of the instruction.
    pub instruction: u32,
}

/// A translation.
#[derive(Clone, Debug, PartialEq)]
pub struct Output {
    /// The code.
    pub code: Code,
    /// How to bind it.
    pub reflection: Reflection,
    /// The instruction that each range came from, in the order of the code. A line of text belongs to the instruction
    /// whose statement is on it; braces and other lines between belong to none.
    pub source_map: Vec<Mapping>,
    /// Warnings, such as a derivative that diverges.
    pub warnings: Vec<Diagnostic>,
}

/// Lanes in a workgroup of [`Form::Compute`].
pub const LANES_A_WORKGROUP: u32 = 64;

/// Translates a program.
///
/// # Errors
/// `translate-unsupported` and other codes that begin with `translate-` for what the target cannot express;
/// `limit-exceeded` past [`Limits::fuel`], [`Limits::printed_nesting`] or [`Limits::text_out`].
pub fn translate(
    program: &Program,
    target: Target,
    options: &Options,
    limits: &Limits,
) -> Result<Output, Vec<Diagnostic>> {
    Translator::new().translate(program, target, options, limits)
}

/// A warning about points in a language whose points are one pixel.
fn one_pixel_points(interface: &Interface, target: Target) -> Option<Diagnostic> {
    let points = |io: &Io| matches!(io.binding, Binding::PointSize | Binding::PointCoordinate);
    let any = interface.inputs.iter().chain(&interface.outputs).any(points);
    (any && !interface::has_points(target)).then(|| {
        let text = format!(
            "{} draws points as one pixel: the program's size of points has no effect",
            target.name()
        );
        Diagnostic::warning("translate-points", text)
    })
}

/// The reason why the stages of a language cannot carry an input or output of the interface.
fn stage_lacks(interface: &Interface, target: Target) -> Option<Diagnostic> {
    let embedded = matches!(target, Target::Glsl(GlslVersion::Es300 | GlslVersion::Es310));
    let linear =
        |io: &Io| matches!(io.binding, Binding::Varying { interpolation: Interpolation::Linear, .. });
    if embedded && interface.inputs.iter().any(linear) {
        let d = unsupported("interpolation that is linear on the screen, in GLSL ES,");
        return Some(d.help("use GLSL 330 or 450"));
    }
    let old = target == Target::Glsl(GlslVersion::Core330);
    let geometry = interface.stage == Stage::Geometry;
    let layered = |io: &&Io| match io.binding {
        // Geometry stages have had layers from the beginning.
        Binding::Layer => !geometry,
        Binding::ViewportIndex => true,
        _ => false,
    };
    if (embedded || old || target == Target::Wgsl)
        && let Some(io) = interface.inputs.iter().chain(&interface.outputs).find(layered)
    {
        let d = unsupported(format_args!("{}, in WGSL, GLSL 330 and GLSL ES,", io.name));
        return Some(d.help("GLSL 450, HLSL, MSL and SPIR-V have layers and viewports"));
    }
    if old && interface.geometry.and_then(|g| g.strips).is_some_and(|strips| strips.invocations > 1) {
        let d = unsupported("a geometry program that runs several times for a primitive, in GLSL 330,");
        return Some(d.help("use GLSL 450, ES 310 or SPIR-V"));
    }
    let distances = |all: &[Io]| all.iter().any(|io| matches!(io.binding, Binding::ClipDistance(_)));
    if embedded && (distances(&interface.outputs) || distances(&interface.vertex_inputs)) {
        let d = unsupported("distances to clipping planes, in GLSL ES,");
        return Some(d.help("use GLSL 330 or 450"));
    }
    if (embedded || matches!(target, Target::Wgsl | Target::Msl)) && distances(&interface.inputs) {
        let d = unsupported("distances to clipping planes as inputs, in WGSL, MSL and GLSL ES,");
        return Some(d.help("GLSL, HLSL and SPIR-V have them"));
    }
    let numbered = |io: &Io| io.binding == Binding::PrimitiveIndex;
    if embedded && !geometry && interface.inputs.iter().any(numbered) {
        return Some(unsupported("the number of the primitive, in GLSL ES,").help("use GLSL 330 or 450"));
    }
    let sampled = |io: &Io| {
        matches!(
            io.binding,
            Binding::SampleIndex
                | Binding::SampleMask
                | Binding::Varying { sampling: shisa_ir::Sampling::Sample, .. }
        )
    };
    let samples = embedded || target == Target::Glsl(GlslVersion::Core330);
    if samples && interface.inputs.iter().chain(&interface.outputs).any(sampled) {
        return Some(
            unsupported("what belongs to samples of a pixel, in this version of GLSL,").help("use GLSL 450"),
        );
    }
    let gives_stencil = interface.outputs.iter().any(|io| io.binding == Binding::Stencil);
    if gives_stencil && (embedded || target == Target::Wgsl) {
        let d = unsupported("a stencil value, for which WGSL and GLSL ES have no output,");
        let help = "GLSL 330 and 450, HLSL, MSL and SPIR-V have one; else let the host set the value";
        return Some(d.help(help));
    }
    None
}

/// The options with the form that the program takes in a language, and a warning if that form is not the requested
/// one. A geometry program becomes a kernel where the language has no geometry stage, or none that accepts its
/// primitives or streams.
fn shaped<'a>(
    program: &Program,
    target: Target,
    options: &'a Options,
) -> Result<(Cow<'a, Options>, Option<Diagnostic>), Diagnostic> {
    check_name(&options.name)?;
    if let Some(entry) = &options.entry {
        check_name(entry)?;
        if *entry == options.name {
            let text = "the entry point has the name of the program's function";
            return Err(Diagnostic::error("translate-name", text));
        }
    }
    interface::check(program.interface)?;
    let (options, warning) = formed(program, target, options)?;
    match stage_lacks(program.interface, target).filter(|_| options.form == Form::Stage) {
        Some(d) => Err(d),
        None => Ok((options, warning)),
    }
}

/// The options with the form that a program takes in a language, and a warning if that form is not the requested one.
fn formed<'a>(
    program: &Program,
    target: Target,
    options: &'a Options,
) -> Result<(Cow<'a, Options>, Option<Diagnostic>), Diagnostic> {
    let kernels = !matches!(target, Target::Glsl(GlslVersion::Core330 | GlslVersion::Es300));
    let kernel = || Cow::Owned(Options { form: Form::Compute, ..options.clone() });
    let divides = matches!(target, Target::Spirv(_) | Target::Glsl(GlslVersion::Core450));
    match program.interface.stage {
        Stage::TessellationControl if !divides || options.form == Form::Compute => {
            let text = format!("a tessellation control program cannot be translated to {}", target.name());
            let d = Diagnostic::error("translate-stage", text);
            return Err(d.help("GLSL 450 and SPIR-V have the stage; it has no compute form"));
        }
        Stage::TessellationControl if patch::has_nested_barrier(program) => {
            let text = "outputs of other runs are loaded in control flow, where tessellation control stages cannot wait";
            return Err(Diagnostic::error("translate-lanes", text));
        }
        Stage::TessellationEvaluation if !divides && options.form == Form::Stage => {
            if let Target::Glsl(_) = target {
                let text = "this version of GLSL has no tessellation";
                return Err(Diagnostic::error("translate-stage", text).help("use GLSL 450 or SPIR-V"));
            }
            return Ok((kernel(), None));
        }
        _ => {}
    }
    match (options.form, program.interface.geometry) {
        (form, _) if !kernels && (form == Form::Compute || program.interface.stage == Stage::Compute) => {
            Err(unsupported("a compute program in this version of GLSL").help("use GLSL 450 or ES 310"))
        }
        (Form::Compute, _) | (_, None) => Ok((Cow::Borrowed(options), None)),
        (Form::Stage, Some(geometry)) => match target {
            Target::Wgsl | Target::Hlsl(_) | Target::Msl => Ok((kernel(), None)),
            Target::Glsl(GlslVersion::Es300) => {
                let d = unsupported("the geometry stage in this version of GLSL");
                Err(d.help("use GLSL 330, 450 or ES 310"))
            }
            Target::Glsl(_) | Target::Spirv(_) => match geometry::stage_refuses(program, geometry, target) {
                None => Ok((Cow::Borrowed(options), None)),
                Some((code, why)) if kernels => {
                    let text = format!("{why}: the program became a compute kernel");
                    Ok((kernel(), Some(Diagnostic::warning(code, text))))
                }
                Some((code, why)) => {
                    let d = Diagnostic::error(code, why);
                    Err(d.help("use GLSL 450, ES 310 or SPIR-V, where it becomes a kernel"))
                }
            },
        },
    }
}

/// Names are written into the code unchanged, so they must be plain identifiers.
fn check_name(name: &str) -> Result<(), Diagnostic> {
    let plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if plain && name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.len() <= 64 {
        return Ok(());
    }
    let text = "the name of the function or entry point is not an identifier of at most 64 ASCII characters";
    Err(Diagnostic::error("translate-name", text))
}

/// The naga module of a program, outside the stable interface: it changes with naga.
#[cfg(feature = "naga")]
pub mod naga_module {
    pub use naga;

    use crate::{Options, Program, Target};
    use shisa_diag::{Diagnostic, Limits};

    /// Builds the module that [`crate::translate`] prints for a language.
    ///
    /// # Errors
    /// The errors of [`crate::translate`].
    pub fn build(
        program: &Program,
        target: Target,
        options: &Options,
        limits: &Limits,
    ) -> Result<naga::Module, Vec<Diagnostic>> {
        let interface = crate::locations::stated(program.interface, options).map_err(|d| vec![d])?;
        let program = &Program { interface: &interface, ..*program };
        let (options, _) = crate::shaped(program, target, options).map_err(|d| vec![d])?;
        crate::uniforms::check(program, &options)?;
        crate::through_naga::module(program, target, &options, limits)
    }
}

/// The error for something that this crate cannot translate.
pub(crate) fn unsupported(what: impl core::fmt::Display) -> Diagnostic {
    Diagnostic::error("translate-unsupported", format!("{what} cannot be translated"))
}

/// A contradiction within this crate.
pub(crate) fn internal(what: &str) -> Diagnostic {
    Diagnostic::error("internal-translate", format!("the translator contradicts itself: {what}"))
        .help("this is a fault of shisa: please report it with the program and the target")
}
