//! Source text by way of a naga module: a plan, the module, printing. WGSL we print ourselves ([`wgsl`]); the
//! other languages naga validates and prints, and a last pass over the text puts names and comments right.

mod annotate;
mod body;
mod components;
mod draft;
mod emission;
mod entry;
mod float;
mod geometry;
mod globals;
mod helpers;
mod integer;
mod memory;
mod module;
mod names;
mod ops;
mod plan;
mod print;
mod read;
mod sample;
mod stencil;
mod types;
mod wgsl;

use crate::{Code, Form, Mapping, Options, Output, Program, Reflection, Source, Target};
use helpers::Helpers;
use shisa_diag::{Diagnostic, Limit, Limits};
use shisa_ir::Binding;
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
        let helpers = Helpers::new(target == Target::Wgsl);
        let (mut module, made, warnings) = plan_and_build(program, target, options, helpers, limits)?;
        let mut reflection = Reflection::new(program, target, options);
        let comments = if options.comments { program.source } else { &[] };
        let (text, source_map) = match target {
            Target::Wgsl => wgsl::print(&module, &made, comments),
            _ => {
                name(&mut module, &made);
                by_naga(&module, &made, program, target, options, comments, &mut reflection)
            }
        }
        .map_err(|d| vec![d])?;
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
    guarded(|| {
        let (mut module, made, _) = plan_and_build(program, target, options, Helpers::default(), limits)?;
        name(&mut module, &made);
        Ok(module)
    })
}

type Built<'a> = (naga::Module, body::Made<'a>, Vec<Diagnostic>);

fn plan_and_build<'a>(
    program: &'a Program<'a>,
    target: Target,
    options: &'a Options,
    helpers: Helpers,
    limits: &Limits,
) -> Result<Built<'a>, Vec<Diagnostic>> {
    let plan = plan::Plan::new(program, target, options, limits)?;
    let (module, made) = module::build(program, target, options, &plan, helpers).map_err(|d| vec![d])?;
    Ok((module, made, plan.warnings))
}

/// Gives the expressions of the program's function their names. Printers name results of calls by their numbers.
fn name(module: &mut naga::Module, made: &body::Made) {
    let Some((_, function)) = module.functions.iter_mut().next_back() else { return };
    function.named_expressions.reserve(made.names.iter().flatten().count());
    for ((h, e), name) in function.expressions.iter().zip(&made.names) {
        if let Some(name) = name.filter(|_| !is_result(e)) {
            function.named_expressions.insert(h, name.into());
        }
    }
}

/// Whether an expression is what a statement yields.
const fn is_result(e: &naga::Expression) -> bool {
    matches!(e, naga::Expression::CallResult(_) | naga::Expression::AtomicResult { .. })
}

/// Text and source map of a module that naga validates and prints. The reflection learns names and slots.
fn by_naga(
    module: &naga::Module,
    made: &body::Made,
    program: &Program,
    target: Target,
    options: &Options,
    comments: &[Source],
    reflection: &mut Reflection,
) -> Result<(String, Vec<Mapping>), Diagnostic> {
    let info = print::validate(module)?;
    let mut printed = print::print(module, &info, program, target, options, reflection)?;
    for io in program.interface.outputs.iter().chain(&program.interface.inputs) {
        if let Cow::Owned(other) = annotate::printed(&io.name)
            && !annotate::is_register(io.name.as_bytes())
        {
            printed.renames.push((other, io.name.to_string()));
        }
    }
    let outputs = &program.interface.outputs;
    let gives_stencil = outputs.iter().any(|io| io.binding == Binding::Stencil);
    let changed;
    let text = match (target, options.form, program.interface.geometry) {
        (Target::Glsl(version), Form::Stage, Some(geometry)) => {
            changed = geometry::shell(&printed.text, program, geometry, version, options);
            &changed
        }
        (_, Form::Stage, _) if gives_stencil => {
            changed = stencil::named(&printed.text, stencil::location(outputs), target);
            &changed
        }
        _ => &printed.text,
    };
    let results: Vec<_> = made.marks.iter().filter_map(|m| Some((m.call?, m.name))).collect();
    let pass = annotate::Pass {
        function: &options.name,
        marks: &made.marks,
        results: &results,
        comments,
        renames: &printed.renames,
        samplers: &printed.samplers,
    };
    Ok(pass.run(text))
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
