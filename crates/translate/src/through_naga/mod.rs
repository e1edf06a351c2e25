//! GLSL, HLSL and MSL, which naga prints: our syntax tree becomes a naga module, which naga validates and prints. A
//! last pass over the text corrects names, and adds comments and the source map.
//!
//! Files import one another in this order only: `guard`, `convert`, `glsl`, `hlsl`, `msl` (one file a language),
//! `natives`, `annotate`, `stencil`, `own_names`, `stage_inputs`, `geometry`, `tessellation`.

#[cfg(any(feature = "glsl", feature = "hlsl", feature = "msl"))]
mod annotate;
mod convert;
#[cfg(feature = "glsl")]
mod geometry;
#[cfg(feature = "glsl")]
mod glsl;
#[cfg(any(feature = "glsl", feature = "hlsl", feature = "msl"))]
mod guard;
#[cfg(feature = "hlsl")]
mod hlsl;
#[cfg(feature = "msl")]
mod msl;
#[cfg(any(feature = "glsl", feature = "hlsl", feature = "msl"))]
mod natives;
#[cfg(any(feature = "glsl", feature = "hlsl", feature = "msl"))]
mod own_names;
#[cfg(any(feature = "glsl", feature = "hlsl", feature = "msl"))]
mod printed;
#[cfg(feature = "glsl")]
mod stage_inputs;
#[cfg(any(feature = "glsl", feature = "hlsl", feature = "msl"))]
mod stencil;
#[cfg(feature = "glsl")]
mod tessellation;

use crate::{Options, Program, Target, build};
use shisa_diag::{Diagnostic, Limits};

/// The naga module of a program for a language.
///
/// # Errors
/// The errors of [`build::build`].
pub(crate) fn module(
    program: &Program,
    target: Target,
    options: &Options,
    limits: &Limits,
) -> Result<naga::Module, Vec<Diagnostic>> {
    let built = build::build(program, target, options, false, &mut build::Spare::default(), limits)?;
    convert::module(&built.module).map_err(|d| vec![d])
}

#[cfg(any(feature = "glsl", feature = "hlsl", feature = "msl"))]
pub(crate) use text::translate;

#[cfg(any(feature = "glsl", feature = "hlsl", feature = "msl"))]
mod text {
    use super::{annotate, convert, guard, natives, own_names, printed::Printed, stencil};
    use crate::build::{self, Built, Native, WideOp, stencil_location};
    use crate::syntax::is_register;
    use crate::{Code, Form, Options, Output, Program, Reflection, Target};
    use shisa_diag::{Diagnostic, Limit, Limits};
    use shisa_ir::{Binding, Stage};
    use std::borrow::Cow;

    /// Translates to a language that naga prints.
    pub(crate) fn translate(
        program: &Program,
        target: Target,
        options: &Options,
        limits: &Limits,
    ) -> Result<Output, Vec<Diagnostic>> {
        let built = build::build(program, target, options, false, &mut build::Spare::default(), limits)?;
        let mut reflection = Reflection::new(program, target, options, &built.memory);
        let written = convert::module(&built.module)
            .and_then(|module| print(&module, program, target, &built, &mut reflection))
            .and_then(|printed| annotated(printed, &built, program, target, options));
        let (text, source_map) = written.map_err(|d| vec![d])?;
        limits.check(Limit::TextOut, "bytes of text", text.len()).map_err(|d| vec![d])?;
        Ok(Output { code: Code::Text(text), reflection, source_map, warnings: built.warnings })
    }

    /// The text that naga prints. Sets the names and slots in the reflection.
    fn print(
        module: &naga::Module,
        program: &Program,
        target: Target,
        built: &Built,
        reflection: &mut Reflection,
    ) -> Result<Printed, Diagnostic> {
        let info = guard::validate(module)?;
        match target {
            #[cfg(feature = "glsl")]
            Target::Glsl(version) => super::glsl::print(module, &info, program, version, reflection),
            #[cfg(feature = "hlsl")]
            Target::Hlsl(model) => super::hlsl::print(module, &info, model, reflection),
            #[cfg(feature = "msl")]
            Target::Msl => {
                let is_int64 = |native: &Native| matches!(native, Native::Wide(WideOp::Int64(_)));
                let has_int64 = built.made.natives.iter().any(|(native, _)| is_int64(native));
                super::msl::print(module, &info, reflection, has_int64)
            }
            _ => Err(crate::internal("a language reached naga that naga does not print")),
        }
    }

    /// The text with our names and comments, and its source map.
    fn annotated(
        mut printed: Printed,
        built: &Built,
        program: &Program,
        target: Target,
        options: &Options,
    ) -> Result<(String, Vec<crate::Mapping>), Diagnostic> {
        if !built.made.natives.is_empty() {
            let own = [Some(options.name.as_str()), options.entry.as_deref()];
            printed.text = natives::written(&printed.text, &built.made.natives, &own, target)?;
        }
        for io in program.interface.outputs.iter().chain(&program.interface.inputs) {
            if !is_register(io.name.as_bytes())
                && let Cow::Owned(other) = annotate::printed(&io.name)
            {
                printed.rename(other, io.name.to_string())?;
            }
        }
        let outputs = &program.interface.outputs;
        let gives_stencil = outputs.iter().any(|io| io.binding == Binding::Stencil);
        let changed;
        if options.form == Form::Stage {
            printed.text = own_names::named(printed.text, program.interface, &built.module, target);
        }
        let text = match (target, options.form, program.interface.geometry, program.interface.tessellation) {
            #[cfg(feature = "glsl")]
            (Target::Glsl(version), Form::Stage, Some(geometry), _) => {
                changed = super::geometry::shell(&printed.text, program, geometry, version, options);
                &changed
            }
            #[cfg(feature = "glsl")]
            (Target::Glsl(_), Form::Stage, None, Some(tessellation)) => {
                changed = super::tessellation::shell(&printed.text, program, tessellation, options);
                &changed
            }
            (_, Form::Stage, ..) if gives_stencil => {
                changed = stencil::named(&printed.text, stencil_location(outputs), target);
                &changed
            }
            _ => &printed.text,
        };
        let made = &built.made;
        // A control program in GLSL is the entry point itself.
        let function = match (target, program.interface.stage) {
            (Target::Glsl(_), Stage::TessellationControl) => "main",
            _ => options.name.as_str(),
        };
        let results: Vec<_> = made.marks.iter().filter_map(|m| Some((m.call?, m.name))).collect();
        let pass = annotate::Pass {
            function,
            marks: &made.marks,
            results: &results,
            comments: if options.comments { program.source } else { &[] },
            renames: printed.renames(),
            samplers: &printed.samplers,
        };
        Ok(pass.run(text))
    }
}
