//! Source text by way of naga: a plan, a module, validation, printing, a last pass over the text.

mod annotate;
mod body;
mod draft;
mod emission;
mod entry;
mod float;
mod geometry;
mod helpers;
mod module;
mod ops;
mod plan;
mod print;
mod sample;
mod types;

use crate::{Code, Form, Options, Output, Program, Reflection, Target};
use shisa_diag::{Diagnostic, Limit, Limits};
use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Translates to a source text.
pub(crate) fn translate(
    program: &Program,
    target: Target,
    options: &Options,
    limits: &Limits,
) -> Result<Output, Vec<Diagnostic>> {
    guarded(|| {
        let (module, marks, warnings) = plan_and_build(program, target, options, limits)?;
        let info = print::validate(&module).map_err(|d| vec![d])?;
        let mut reflection = Reflection::new(program, target, options);
        let mut printed =
            print::print(&module, &info, program, target, options, &mut reflection).map_err(|d| vec![d])?;
        for io in program.interface.outputs.iter().chain(&program.interface.inputs) {
            if let Cow::Owned(other) = annotate::printed(&io.name)
                && !annotate::is_register(io.name.as_bytes())
            {
                printed.renames.push((other, io.name.to_string()));
            }
        }
        let shelled;
        let text = match (target, options.form, program.interface.geometry) {
            (Target::Glsl(version), Form::Stage, Some(geometry)) => {
                shelled = geometry::shell(&printed.text, program, geometry, version, options);
                &shelled
            }
            _ => &printed.text,
        };
        let pass = annotate::Pass {
            function: &options.name,
            marks: &marks.statements,
            results: &marks.results,
            comments: if options.comments { program.source } else { &[] },
            renames: &printed.renames,
            samplers: &printed.samplers,
        };
        let (mut text, mut source_map) = pass.run(text);
        if target == Target::Wgsl && module.diagnostic_filters.iter().len() > 0 {
            text.insert_str(0, "diagnostic(off, derivative_uniformity);\n");
            source_map.iter_mut().for_each(|m| (m.start, m.end) = (m.start + 1, m.end + 1));
        }
        limits.check(Limit::TextOut, "bytes of text", text.len()).map_err(|d| vec![d])?;
        Ok(Output { code: Code::Text(text), reflection, source_map, warnings })
    })
}

/// The naga module of a program for a target.
#[cfg(feature = "naga")]
pub(crate) fn module(
    program: &Program,
    target: Target,
    options: &Options,
    limits: &Limits,
) -> Result<naga::Module, Vec<Diagnostic>> {
    guarded(|| plan_and_build(program, target, options, limits).map(|(module, ..)| module))
}

type Built<'a> = (naga::Module, body::Marks<'a>, Vec<Diagnostic>);

fn plan_and_build<'a>(
    program: &'a Program<'a>,
    target: Target,
    options: &'a Options,
    limits: &Limits,
) -> Result<Built<'a>, Vec<Diagnostic>> {
    let plan = plan::Plan::new(program, target, options, limits)?;
    let (module, marks) = module::build(program, target, options, &plan).map_err(|d| vec![d])?;
    Ok((module, marks, plan.warnings))
}

/// Why a geometry stage does not take the program's primitives, if it does not.
pub(crate) fn stage_refuses(geometry: shisa_ir::Geometry) -> Option<String> {
    match geometry.vertices {
        n if geometry::primitive(n).is_some() => None,
        0 => Some("a geometry stage takes no primitive whose number of vertices varies".to_owned()),
        n => Some(format!("a geometry stage takes no primitive of {n} vertices")),
    }
}

/// Turns a panic, of naga or over a program of the wrong shape, into a diagnostic.
fn guarded<T>(f: impl FnOnce() -> Result<T, Vec<Diagnostic>>) -> Result<T, Vec<Diagnostic>> {
    catch_unwind(AssertUnwindSafe(f)).unwrap_or_else(|_| {
        let d = Diagnostic::error("translate-refused", "the translator gave up on the program");
        Err(vec![d.note("the program may not be well formed: verify it first")])
    })
}
