//! Our own SPIR-V writer.
//!
//! It walks the structured program once and appends words to the sections of a module; there is no representation
//! between the IR and the words. A module has two functions: the program itself, from its inputs to a structure of
//! its outputs, and the entry point that calls it ([`crate::Form`]).
//!
//! * Statements become structured control flow ([`body`]), without recursion. Variables of the tree, and values that
//!   outlive the statements that made them ([`survey`]), are variables of the function; all other values are results.
//! * Every rounded operation carries NoContraction, and rules are written out ([`float`]). Execution modes for
//!   denormals and rounding are not used, because devices differ in which they support, but for 16-bit floats
//!   ([`Options::float16`]).
//! * Derivatives need the whole quad ([`convergence`]): where lanes may have diverged, they are taken at the start of
//!   the function, or a warning reports that they cannot be.
//! * A killed lane continues as a helper. From version 1.6 it is demoted; before, a flag records it and the entry
//!   point ends with OpKill.
//! * Clip space is the program's: y is not flipped, hosts flip the viewport.

mod body;
mod control;
mod convergence;
mod convert;
mod emission;
mod float;
mod geometry;
mod integer;
mod interface;
mod intern;
mod lanes;
mod memory;
mod module;
mod operations;
mod patch;
mod query;
mod registers;
mod slots;
mod streams;
mod survey;
mod texture;
mod vertices;
mod walk;
mod writer;

use crate::{Code, Form, Mapping, Options, Output, Program, Reflection, SpirvVersion, Target};
use interface::Function;
use shisa_diag::{Diagnostic, Limit, Limits};
use shisa_ir::{Scalar, Stage, Type};
use spirv::Op;
use writer::{Killing, Refusal, Writer};

impl SpirvVersion {
    const fn word(self) -> u32 {
        match self {
            SpirvVersion::V1_3 => 0x0001_0300,
            SpirvVersion::V1_4 => 0x0001_0400,
            SpirvVersion::V1_5 => 0x0001_0500,
            SpirvVersion::V1_6 => 0x0001_0600,
        }
    }
}

/// Translates a program to a module.
pub(crate) fn translate(
    program: &Program,
    version: SpirvVersion,
    options: &Options,
    limits: &Limits,
) -> Result<Output, Vec<Diagnostic>> {
    write(program, version, options, limits).map_err(|d| vec![d])
}

fn write(
    program: &Program,
    version: SpirvVersion,
    options: &Options,
    limits: &Limits,
) -> Result<Output, Diagnostic> {
    let kernel = options.form == Form::Compute;
    let mut w = Writer::new(program, version, options);
    let survey = survey::survey(program, options, w.quads, limits)?;
    let stage = program.interface.stage;
    if survey.kills && stage != Stage::Fragment {
        return Err(Refusal::Unsupported("a kill outside a fragment program").at(program, 0));
    }
    interface::capabilities(&mut w.module);
    w.resources(options);
    w.geometry_variables().map_err(|refused| refused.at(program, 0))?;
    w.tessellation_variables();
    let memory = crate::memory::uses(program);
    w.memory_variables(&memory, options)?;
    let lines = if options.comments { listing(&mut w, options) } else { 0 };
    let function = begin(&mut w, options, survey.kills && (kernel || version < SpirvVersion::V1_6));
    if survey.kills && w.killing == Killing::Never {
        w.killing = Killing::Demote;
    }
    w.body(&survey, function.result, lines)?;
    let params: Vec<_> = parameters(&mut w).into_iter().zip(w.inputs.iter().copied()).collect();
    let result = if function.result == 0 { w.module.void() } else { function.result };
    let mut signature = vec![result];
    signature.extend(params.iter().map(|p| p.0));
    let signature = w.module.function(&signature);
    let body = w.close_function(result, function.id, signature, &params);
    w.entry(options, &function).map_err(|r| r.at(program, 0))?;
    if let Some(fault) = w.fault.take() {
        return Err(fault.at(program, 0));
    }
    let map = core::mem::take(&mut w.map);
    let (words, functions) = w.module.finish(version.word());
    limits.check(Limit::TextOut, "bytes of translated code", 4 * words.len())?;
    let shift = (functions + body) as u32;
    let source_map =
        map.into_iter().map(|m| Mapping { start: m.start + shift, end: m.end + shift, ..m }).collect();
    Ok(Output {
        code: Code::Words(words),
        reflection: Reflection::new(program, Target::Spirv(version), options, &memory),
        source_map,
        warnings: survey.convergence.warnings,
    })
}

/// Types of the function's parameters.
fn parameters(w: &mut Writer) -> Vec<u32> {
    w.interface.inputs.iter().map(|io| w.module.ty(slots::value_type(io))).collect()
}

/// Declares what the program's function receives, returns and stores.
fn begin(w: &mut Writer, options: &Options, flag: bool) -> Function {
    let id = w.module.id();
    w.module.name(id, &options.name);
    for io in &w.interface.inputs {
        let id = w.module.id();
        w.module.name(id, &io.name);
        w.inputs.push(id);
    }
    let mut members = Vec::with_capacity(w.interface.outputs.len() + 1);
    for io in &w.interface.outputs {
        let ty = w.module.ty(slots::value_type(io));
        let zero = w.module.null(ty);
        let variable = w.local(ty, zero);
        w.module.name(variable, &io.name);
        w.outputs.push(variable);
        if w.emission.is_none() {
            members.push(ty);
        }
    }
    if flag {
        let ty = w.module.ty(Type::BOOL);
        let no = w.module.constant(Scalar::I1.by(1), 0);
        let variable = w.local(ty, no);
        w.module.name(variable, "killed");
        w.killing = Killing::Flag(variable);
        members.push(ty);
    }
    if members.is_empty() {
        return Function { id, result: 0 };
    }
    let result = w.module.structure(&members);
    w.module.name(result, &format!("{}_out", options.name));
    let names = w.interface.outputs.iter().map(|o| &*o.name).chain(["killed"]);
    for (name, i) in names.take(members.len()).zip(0..) {
        w.module.member_name(result, i, name);
    }
    Function { id, result }
}

/// Embeds the program's listing, instruction n on line n + 1; returns the id of its name.
fn listing(w: &mut Writer, options: &Options) -> u32 {
    /// Bytes of text in one instruction, whose length in words is a 16-bit number.
    const CHUNK: usize = 4 * 65_000;
    let id = w.module.id();
    module::push_string(&mut w.module.strings, Op::String, &[id], &options.name, &[]);
    let text: String = w.program.source.iter().flat_map(|s| [s.text, "\n"]).collect();
    let mut head = vec![spirv::SourceLanguage::Unknown as u32, 0, id];
    let mut op = Op::Source;
    let mut rest = text.as_str();
    while !rest.is_empty() {
        let mut cut = rest.len().min(CHUNK);
        while !rest.is_char_boundary(cut) {
            cut -= 1;
        }
        let (now, later) = rest.split_at(cut);
        module::push_string(&mut w.module.strings, op, &head, now, &[]);
        head.clear();
        op = Op::SourceContinued;
        rest = later;
    }
    id
}
