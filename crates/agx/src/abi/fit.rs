//! Whether parts fit together, by their metadata and their code.

use super::components::undefined_components;
use super::layout::{self, ALL_ATTRIBUTES, NUMBERS, RAW_VERTEX, vertex_as_compute};
use super::look::Summary;
use super::{meta, part};
use crate::part::{Part, Parts, Role};
use crate::rules;
use crate::sets::{Registers, Uniforms};
use alloc::{format, vec::Vec};
use shisa_diag::{Diagnostic, Limits, Severity, Sink, bytes};
use shisa_ir::Stage;

/// All faults of parts, alone and together.
pub fn check_parts(parts: &Parts<'_>, limits: &Limits) -> Vec<Diagnostic> {
    let mut sink = Sink::new(limits.diagnostics);
    examine(parts, limits, &mut sink);
    sink.finish()
}

/// Reports all faults of parts, alone and together, and returns what each part reads and writes, as far as its code can
/// be read.
pub(crate) fn examine(parts: &Parts<'_>, limits: &Limits, sink: &mut Sink) -> [Option<Summary>; 3] {
    let summaries = survey(parts, limits, sink);
    let mut sound = true;
    for (role, part) in parts.each() {
        let mut own = Sink::new(limits.diagnostics);
        part::general(part, part.role(), false, limits, &mut own);
        sound &= own.is_empty();
        sink.join(own, |d| Some(noted(d, role)));
    }
    // What a part does wrong alone it also does wrong together with others.
    if sound {
        samples_of_all(parts, limits, sink);
    }
    summaries
}

/// Samples that several parts kill, test or store to: the parts run one after the other.
fn samples_of_all(parts: &Parts<'_>, limits: &Limits, sink: &mut Sink) {
    let fills = |part: &Part| part.meta.stage != Stage::Fragment || part.meta.key.ignore_tib_dependencies;
    if parts.each().count() < 2 || parts.each().any(|(_, part)| fills(part)) {
        return;
    }
    let (mut code, mut ends) = (Vec::new(), Vec::new());
    for (role, part) in parts.each() {
        // The part alone reports a range that it does not have.
        let Ok(range) = part.main() else { return };
        match bytes::part(&part.code, range) {
            Ok(main) => code.extend_from_slice(main),
            Err(d) => return sink.push(d),
        }
        ends.push((role, code.len()));
    }
    for d in rules::check_samples(&code, limits) {
        let role = ends.iter().find(|(_, end)| d.offset().is_none_or(|offset| offset < *end));
        let mut d = d;
        // Offsets are those in the code of all parts together.
        d.labels.clear();
        sink.push(match role {
            Some((role, _)) => noted(d, *role),
            None => d,
        });
    }
}

/// Reports breaches of the ABI, alone and together, and returns what each part reads and writes, as far as its code
/// can be read.
fn survey(parts: &Parts<'_>, limits: &Limits, sink: &mut Sink) -> [Option<Summary>; 3] {
    let mut summaries = [None; 3];
    for (role, part) in parts.each() {
        let is = part.role();
        if is != role {
            let text = format!("the part given as {role} is the {is}");
            let help = format!("give it as the {is}; its name or its key states what it is");
            sink.push(Diagnostic::error("agx-link-role", text).help(help));
        }
        // For a part in the wrong role only the role is reported, not the consequences.
        let mut own = Sink::new(limits.diagnostics);
        summaries[role as usize] = part::check(part, is, limits, &mut own);
        sink.join(own, |d| Some(noted(d, role)));
    }
    stages(parts, sink);
    ends(parts, sink);
    samples(parts, sink);
    let [prolog, main, epilog] = summaries;
    match (parts.main.meta.stage, prolog, main, epilog) {
        (Stage::Fragment, _, Some(main), Some(epilog)) => outputs(&main, &epilog, sink),
        (stage @ (Stage::Vertex | Stage::Compute), Some(prolog), Some(main), _) => {
            attributes(parts, stage == Stage::Compute, &prolog, &main, sink);
        }
        (_, _, Some(main), _) if parts.prolog.is_none() => alone(parts, &main, sink),
        _ => {}
    }
    coefficients(parts, sink);
    summaries
}

/// Registers that a vertex program's main part reads although no prolog writes them.
fn alone(parts: &Parts<'_>, main: &Summary, sink: &mut Sink) {
    let left = match parts.main.meta.stage {
        Stage::Vertex => ALL_ATTRIBUTES,
        Stage::Compute if vertex_as_compute(parts.main) => ALL_ATTRIBUTES.or(NUMBERS).or(RAW_VERTEX),
        _ => return,
    };
    let missing = main.live.and(left);
    if !missing.is_empty() {
        let text = format!("the main part reads {}, which a prolog writes", missing.names('r'));
        sink.push(Diagnostic::error("agx-link-attribute", text).help("give the prolog, too"));
    }
}

/// The values that a vertex prolog passes to the main part.
fn attributes(parts: &Parts<'_>, compute: bool, prolog: &Summary, main: &Summary, sink: &mut Sink) {
    let mut refuse = |text| {
        let d = Diagnostic::error("agx-link-attribute", text);
        sink.push(
            d.help("a prolog is compiled for the attributes that one main part reads, and for its stage"),
        );
    };
    let missing = main.live.and(ALL_ATTRIBUTES).without(prolog.written);
    if !missing.is_empty() {
        refuse(format!("the main part reads {}, which the prolog does not write", missing.names('r')));
    }
    let room = parts.main.meta.key.reserved_preamble as usize;
    let (needed, last) = (main.live.and(ALL_ATTRIBUTES), prolog.written.and(ALL_ATTRIBUTES));
    // Compilers may remove what a main part computes of an attribute after they have counted the attributes.
    let most = attributes_read(main).max(layout::attributes_with_room(room, compute));
    if attributes_in(&last) > most {
        refuse(format!(
            "the prolog writes {}, past what the main part reads",
            last.without(needed).names('r')
        ));
    }
    let numbers = main.live.and(NUMBERS.or(RAW_VERTEX));
    if compute {
        let missing = numbers.without(prolog.written);
        if !missing.is_empty() {
            refuse(format!("the main part reads {}, which the prolog does not write", missing.names('r')));
        }
        if !prolog.live.and(NUMBERS).is_empty() {
            let names = prolog.live.and(NUMBERS).names('r');
            refuse(format!(
                "the prolog reads {names}, which only vertex programs of the hardware find there"
            ));
        }
    } else {
        let lost = numbers.and(NUMBERS).and(prolog.written);
        if !lost.is_empty() {
            refuse(format!("the prolog overwrites {}, which the main part reads", lost.names('r')));
        }
    }
    let n = attributes_read(main);
    let own = main.uniforms.and(Uniforms::range(0, 6 * n));
    if !own.is_empty() {
        let text = format!("the main part reads {}, where the prolog finds its attributes", own.names('u'));
        let d = Diagnostic::error("agx-link-uniform", text);
        sink.push(d.help(format!(
            "its own uniforms begin after the driver's: 6n+5 halves, or 6n+12, for {n} attributes"
        )));
    }
    reserved(parts.main, main, sink);
    let n = n.max(attributes_in(&last)).min(most);
    let there = layout::vertex_uniform_count(n, compute).min(room);
    let past = prolog.uniforms.without(Uniforms::range(0, there));
    if !past.is_empty() {
        let text = format!("the prolog reads {}, but the driver has {there} halves", past.names('u'));
        let d = Diagnostic::error("agx-link-uniform", text);
        sink.push(d.help("prologs have no uniforms of their own: the driver has 6n+5 halves, or 6n+12, for n attributes, and reserved_preamble in the main part's key counts them"));
    }
    let base = Uniforms::range(6 * n, 6 * n + 4);
    for (role, part, summary) in [(Role::Prolog, parts.prolog, prolog), (Role::Main, Some(parts.main), main)]
        .into_iter()
        .filter(|(role, part, _)| !compute && n > 0 && part.is_some_and(|part| part.role() == *role))
    {
        let read = summary.uniforms.and(base);
        if !read.is_empty() && part.is_some_and(|part| !part.meta.uses_base_param) {
            let text = format!(
                "{}, the first vertex or instance, is read, but uses_base_param is not set in the metadata",
                read.names('u')
            );
            sink.push(noted(Diagnostic::error("agx-abi-flag", text), role));
        }
    }
}

/// The number of attributes that a vertex program's main part reads: one more than the highest.
fn attributes_read(main: &Summary) -> usize {
    attributes_in(&main.live.and(ALL_ATTRIBUTES))
}

/// The number of attributes in registers: one more than the highest.
fn attributes_in(registers: &Registers) -> usize {
    registers.end().saturating_sub(layout::FIRST_ATTRIBUTE).div_ceil(8)
}

/// The driver's uniforms of a vertex program's main part must have room for the attributes that it reads.
pub(super) fn reserved(part: &Part, main: &Summary, sink: &mut Sink) {
    let compute = match part.meta.stage {
        Stage::Vertex => false,
        Stage::Compute if vertex_as_compute(part) => true,
        _ => return,
    };
    let n = attributes_read(main);
    let (needed, there) =
        (layout::vertex_uniform_count(n, compute), part.meta.key.reserved_preamble as usize);
    if n == 0 || there >= needed {
        return;
    }
    let text =
        format!("reserved_preamble is {there}, but the driver needs {needed} halves for {n} attributes");
    // A driver that never passes the number of the draw has no room for it.
    let only_draw = !compute && there > layout::draw_uniform(n) - 1 && !part.meta.uses_draw_id;
    let d = match only_draw {
        true => Diagnostic::new(Severity::Note, "agx-link-uniform", text)
            .note("only the number of the draw has no room, which this part does not read"),
        false => Diagnostic::error("agx-link-uniform", text),
    };
    sink.push(d.help("the driver has 6n+5 halves for n attributes, or 6n+12 if the shader runs as compute"));
}

/// The values that a fragment program's main part passes to the epilog. Compilers leave components undefined that a
/// shader does not set, so some components of a colour may be missing, but not all, except of the first colour.
fn outputs(main: &Summary, epilog: &Summary, sink: &mut Sink) {
    // What else an epilog reads is padding of its own vectors.
    let missing = epilog.live.and(layout::PASSED).without(main.written);
    let unset = layout::unset(main.written, epilog.live);
    let (undefined, missing) = (missing.and(unset), missing.without(unset));
    let text = |names: &Registers| {
        format!("the epilog reads {}, which the main part does not write", names.names('r'))
    };
    if !missing.is_empty() {
        let d = Diagnostic::error("agx-link-output", text(&missing));
        sink.push(d.help("an epilog is compiled for what one main part writes"));
    }
    if !undefined.is_empty() {
        sink.push(undefined_components(text(&undefined)));
    }
}

/// A fragment prolog binds coefficients after those of the main part.
fn coefficients(parts: &Parts<'_>, sink: &mut Sink) {
    let bindings = |p: Option<&crate::part::Part>| p.and_then(|p| p.meta.cf.clone()).unwrap_or_default();
    let main = bindings(Some(parts.main));
    for b in bindings(parts.prolog).bindings {
        if main.bindings.iter().any(|m| meta::overlap(m, &b)) {
            let text = format!("the prolog binds varying {} to coefficients of the main part", b.slot);
            let d = Diagnostic::error("agx-link-coefficient", text);
            sink.push(d.help("cf_base in the prolog's key is the number of coefficients of the main part"));
        }
    }
}

fn noted(d: Diagnostic, role: Role) -> Diagnostic {
    d.note(format!("this is the {role}"))
}

fn stages(parts: &Parts<'_>, sink: &mut Sink) {
    let main = parts.main.meta.stage;
    let mut refuse = |role: Role, stage: Stage| {
        let text = format!(
            "the {role} is of a {} program, the main part of a {} program",
            stage.name(),
            main.name()
        );
        sink.push(Diagnostic::error("agx-link-stage", text).help("take parts of one program"));
    };
    if let Some(prolog) = parts.prolog {
        let stage = prolog.meta.stage;
        if stage != main && (stage, main) != (Stage::Vertex, Stage::Compute) {
            refuse(Role::Prolog, stage);
        }
    }
    if let Some(epilog) = parts.epilog
        && (epilog.meta.stage != Stage::Fragment || main != Stage::Fragment)
    {
        refuse(Role::Epilog, epilog.meta.stage);
    }
}

/// Only the last part ends the program.
fn ends(parts: &Parts<'_>, sink: &mut Sink) {
    let last = if parts.epilog.is_some() { Role::Epilog } else { Role::Main };
    for (role, part) in parts.each() {
        let goes_on = role != last || parts.samples > 0;
        if part.meta.key.no_stop == goes_on {
            continue;
        }
        let (text, help) = match goes_on {
            true => (
                format!("the {role} part ends the program, but more code follows"),
                "it must be compiled with no_stop in its key",
            ),
            false => (
                format!("the {role} part is the last and was compiled without a stop"),
                "give the part that follows it, too, or compile it without no_stop",
            ),
        };
        sink.push(Diagnostic::error("agx-link-stop", text).help(help));
    }
}

fn samples(parts: &Parts<'_>, sink: &mut Sink) {
    if !matches!(parts.samples, 0 | 1 | 2 | 4) {
        let text = format!("{} samples cannot be shaded one by one", parts.samples);
        sink.push(Diagnostic::error("agx-link-samples", text).help("the hardware has 1, 2 or 4"));
    }
    if parts.samples > 0 && parts.main.meta.stage != Stage::Fragment {
        let text = "only fragment programs shade samples";
        sink.push(Diagnostic::error("agx-link-samples", text).help("leave out --samples"));
    }
    for (role, part) in parts.each().filter(|(role, _)| *role != Role::Prolog) {
        let inside = part.meta.key.inside_sample_loop;
        if inside == (parts.samples > 0) {
            continue;
        }
        let (how, help) = match inside {
            true => ("once for each sample, but no loop is requested", "say how many samples with --samples"),
            false => ("once for each pixel, not for each sample", "leave out --samples"),
        };
        let d = Diagnostic::error("agx-link-samples", format!("the {role} part is compiled to run {how}"));
        sink.push(d.help(help));
    }
}
