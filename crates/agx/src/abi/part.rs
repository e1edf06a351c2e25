//! Whether one part keeps to the ABI.

use super::bits::{Registers, Uniforms};
use super::code::{Code, Step};
use super::layout::{self, BLEND, NUMBERS, SAMPLE};
use super::meta;
use super::state::{self, CLEAR, Counter, State};
use crate::REGISTERS;
use crate::part::{Part, Role};
use crate::rules::{self, Expect};
use alloc::{format, string::String, vec::Vec};
use core::ops::Range;
use shisa_diag::{Code as Name, Diagnostic, Limits, Sink};
use shisa_ir::Stage;

/// What others must know of a part.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Summary {
    /// Registers read that no way has written before.
    pub(crate) live: Registers,
    /// Registers written.
    pub(crate) written: Registers,
    /// Uniforms read.
    pub(crate) uniforms: Uniforms,
    /// One more than the last register that an instruction names.
    pub(crate) touched: usize,
}

/// Finds where a part by itself breaks the ABI. `None` where its code cannot be read.
pub(super) fn check(part: &Part, role: Role, limits: &Limits, sink: &mut Sink) -> Option<Summary> {
    meta::check(part, role, sink);
    let summary = code(part, role, layout::inputs(part, role), limits, sink);
    preamble(part, limits, sink);
    summary
}

/// Finds what is wrong with the code of a part that finds `inputs` in registers.
pub(super) fn code(
    part: &Part,
    role: Role,
    inputs: Registers,
    limits: &Limits,
    sink: &mut Sink,
) -> Option<Summary> {
    let range = match part.main() {
        Ok(range) => range,
        Err(d) => {
            sink.push(d);
            return None;
        }
    };
    let end = range.end;
    let code = Code::read(&part.code, range, limits)?;
    let inside = part.meta.key.inside_sample_loop;
    let start = State::start(if inside && role != Role::Prolog { CLEAR } else { Counter::Unset });
    let states = state::solve(&code, start);
    let summary = Summary { touched: touched(&code), ..Summary::default() };
    let mut look = Look { part, role, inputs, states: &states, code: &code, sink, summary };
    look.steps();
    look.end(end);
    look.registers();
    look.uniforms();
    Some(look.summary)
}

struct Look<'a> {
    part: &'a Part,
    role: Role,
    inputs: Registers,
    states: &'a [Option<State>],
    code: &'a Code,
    sink: &'a mut Sink,
    summary: Summary,
}

impl Look<'_> {
    fn found(&mut self, code: Name, text: impl Into<String>, step: &Step) {
        self.sink.push(Diagnostic::error(code, text).at_bytes(step.bytes.clone(), ""));
    }

    fn steps(&mut self) {
        let inside = self.part.meta.key.inside_sample_loop && self.role != Role::Prolog;
        let code = self.code;
        for (i, step) in code.steps.iter().enumerate() {
            let Some(state) = self.states[i] else { continue };
            self.summary.live = self.summary.live.or(step.reads.without(state.written));
            self.summary.written = self.summary.written.or(step.writes);
            self.summary.uniforms = self.summary.uniforms.or(step.uniforms);
            self.undefined(step, state.written.or(self.inputs));
            self.counter(step, &state);
            self.stage(step);
            self.pixels(step, &state);
            self.memory(step);
            self.coefficients(step);
            if inside && !step.writes.and(SAMPLE).is_empty() {
                self.found(
                    "agx-abi-preserve",
                    "the mask of the sample that is shaded, r1l, is overwritten",
                    step,
                );
            }
            if step.name() == "stop" {
                self.stop(step, &state);
            }
        }
    }

    /// Registers that no way has written, of which operands name the first.
    fn undefined(&mut self, step: &Step, there: Registers) {
        let runs: Vec<shisa_rows::Registers> = step.runs().collect();
        for r in runs.iter().filter(|r| r.read && r.first.file == REGISTERS) {
            let first = usize::from(r.first.unit);
            if !there.contains(first) {
                let names = Registers::range(first, first + usize::from(r.units)).names('r');
                let text = format!(
                    "{names} is read, which nothing has written and the {} does not find there",
                    self.role
                );
                self.found("agx-abi-undefined", text, step);
            }
        }
    }

    fn counter(&mut self, step: &Step, state: &State) {
        let name = step.name();
        let flows = matches!(name, "if" | "else" | "while" | "pop_exec" | "update_exec");
        match state.counter {
            Counter::Unset if flows => {
                let text = format!("{name} needs the nesting counter, and r0l is not known to be one");
                let d = Diagnostic::error("agx-abi-counter", text).at_bytes(step.bytes.clone(), "");
                self.sink.push(d.help("write 0 to r0l before the first condition of a part"));
            }
            Counter::Unset => {}
            Counter::Depth { most, .. } => {
                let n = state::levels(step);
                let left = state::levels_left(step);
                if name == "else" && most == 0 {
                    self.found("agx-abi-counter", "else stands outside of any condition", step);
                } else if name == "pop_exec" && n > most {
                    self.found("agx-abi-counter", format!("{n} levels are ended, and {most} are open"), step);
                } else if step.writes.contains(0) && left.is_none() && !flows && most > 0 {
                    self.found(
                        "agx-abi-counter",
                        "the nesting counter, r0l, is overwritten inside of a condition",
                        step,
                    );
                }
            }
        }
    }

    /// Instructions of another stage or part.
    fn stage(&mut self, step: &Step) {
        let name = step.name();
        let stage = self.part.meta.stage;
        let wanted = match name {
            "st_var" | "no_var" => Stage::Vertex,
            // On the tile of its workgroup.
            "ld_tile" | "st_tile" if stage == Stage::Compute && self.part.meta.imageblock_stride > 0 => {
                return;
            }
            "iter" | "ldcf" | "sample_mask" | "zs_emit" | "pixwait" | "ld_tile" | "st_tile" => {
                Stage::Fragment
            }
            "barrier" | "lload" | "lstore" | "latomic" => Stage::Compute,
            _ => return,
        };
        if stage != wanted {
            let text = format!(
                "{name} is for {} programs, and this is one of the {} stage",
                wanted.name(),
                stage.name()
            );
            self.found("agx-abi-stage", text, step);
        } else if wanted == Stage::Vertex && self.role == Role::Prolog {
            self.found("agx-abi-stage", format!("{name} is for the main part"), step);
        } else if name == "st_tile" && self.role != Role::Epilog && self.part.meta.key.no_stop {
            self.found("agx-abi-stage", "colours are stored by the epilog", step);
        }
    }

    /// What the metadata must say of pixels in the tile; and the last varying.
    fn pixels(&mut self, step: &Step, state: &State) {
        let meta = &self.part.meta;
        let name = step.name();
        if matches!(name, "zs_emit" | "sample_mask") && !meta.writes_sample_mask {
            self.found("agx-abi-flag", format!("{name} is there, and writes_sample_mask is not said"), step);
        }
        if name == "ld_tile" && meta.stage == Stage::Fragment && !meta.reads_tib {
            self.found("agx-abi-flag", "ld_tile is there, and reads_tib is not said", step);
        }
        if name == "st_var" && state.last == [true, false] {
            self.found("agx-abi-varying", "a varying is written behind the last one", step);
        }
    }

    fn memory(&mut self, step: &Step) {
        let name = step.name();
        let meta = &self.part.meta;
        if matches!(name, "lload" | "lstore" | "latomic") && meta.local_size == 0 {
            self.found(
                "agx-abi-memory",
                format!("{name} is there, and the part has no threadgroup memory"),
                step,
            );
        }
        if matches!(name, "stack_load" | "stack_store" | "stack_adjust") && meta.scratch_size == 0 {
            self.found("agx-abi-memory", format!("{name} is there, and the part has no stack"), step);
        }
    }

    fn coefficients(&mut self, step: &Step) {
        if !matches!(step.name(), "iter" | "ldcf") || step.bits(&[(23, 1)]) != 0 {
            return;
        }
        let first = step.bits(&[(16, 6), (58, 2)]);
        let count = match step.bits(&[(30, 2)]) {
            _ if step.name() == "ldcf" => 1,
            0 => 4,
            n => n,
        };
        let cf = self.part.meta.cf.clone().unwrap_or_default();
        if first + count > cf.nr_cf {
            let text =
                format!("coefficients up to cf{} are read, and the part has {}", first + count - 1, cf.nr_cf);
            self.found("agx-abi-coefficient", text, step);
        }
        if first < self.part.meta.key.cf_base {
            let text = format!(
                "cf{first} belongs to the main part: those of this one begin at {}",
                self.part.meta.key.cf_base
            );
            self.found("agx-abi-coefficient", text, step);
        }
    }

    /// A `stop`: outside of conditions only at the end of the last part.
    fn stop(&mut self, step: &Step, state: &State) {
        let open = matches!(state.counter, Counter::Depth { most, .. } if most > 0);
        if self.part.meta.key.no_stop && !open {
            self.found("agx-part-stop", "the part ends the program, and it says that another follows", step);
        }
        let vertex = self.part.meta.stage == Stage::Vertex && self.role == Role::Main;
        if vertex && state.last == [false, true] {
            self.found("agx-abi-varying", "a vertex program ends without a last varying, or `no_var`", step);
        }
    }

    /// What holds behind the last instruction, or at the `stop` that the program ends with.
    fn end(&mut self, at: usize) {
        if !self.part.meta.key.no_stop {
            return;
        }
        let Some(state) = self.states.last().copied().flatten() else {
            let text = "no way leads to the end of the part, behind which another follows";
            return self.sink.push(Diagnostic::error("agx-part-stop", text).at_bytes(at..at, ""));
        };
        if let Counter::Depth { most, .. } = state.counter
            && most > 0
        {
            let d =
                Diagnostic::error("agx-abi-counter", "lanes may still be held back at the end of the part");
            self.sink.push(d.at_bytes(at..at, "").help("end every level with `pop_exec`"));
        }
        let inside = self.part.meta.key.inside_sample_loop && self.role != Role::Prolog;
        if inside && state.counter == Counter::Unset {
            let d = Diagnostic::error(
                "agx-abi-preserve",
                "the nesting counter, r0l, is not 0 at the end of the part",
            );
            self.sink.push(d.at_bytes(at..at, ""));
        }
        let pending = state.pending[0].or(state.pending[1]);
        if !pending.is_empty() {
            let text = format!("{} may still be loaded at the end of the part", pending.names('r'));
            let d = Diagnostic::error("agx-abi-wait", text).at_bytes(at..at, "");
            self.sink.push(d.help("wait for the group of the load"));
        }
    }

    /// Registers that a vertex prolog must leave alone.
    fn registers(&mut self) {
        let Summary { live, written, .. } = self.summary;
        let prolog = self.part.meta.stage == Stage::Vertex && self.role == Role::Prolog;
        if prolog && !live.and(NUMBERS).is_empty() && !written.and(NUMBERS).is_empty() {
            let text =
                format!("{} is overwritten, which the main part may need", written.and(NUMBERS).names('r'));
            self.sink.push(Diagnostic::error("agx-abi-preserve", text));
        }
    }

    /// Uniforms that belong to another part.
    fn uniforms(&mut self) {
        let uniforms = self.summary.uniforms;
        let meta = &self.part.meta;
        if self.role == Role::Main
            && meta.stage == Stage::Fragment
            && meta.key.no_stop
            && !uniforms.and(BLEND).is_empty()
        {
            let names = uniforms.and(BLEND).names('u');
            self.sink.push(Diagnostic::error(
                "agx-abi-uniform",
                format!("{names} holds the blend constant, which is the epilog's"),
            ));
        }
    }
}

/// Halves of uniforms that a part may read, where that is known.
fn uniforms(part: &Part, role: Role) -> Option<u32> {
    match (role, part.meta.stage) {
        (Role::Main, _) => Some(part.meta.push_count),
        (_, Stage::Fragment) => Some(layout::FRAGMENT_UNIFORMS as u32),
        _ => None,
    }
}

/// One more than the last register that an instruction names.
fn touched(code: &Code) -> usize {
    code.steps.iter().map(|s| s.reads.or(s.writes).end()).max().unwrap_or(0)
}

/// Whether code writes varyings.
pub(super) fn has_varyings(code: &[u8]) -> bool {
    let mut at = 0;
    while let Some(insn) = code.get(at..).and_then(crate::fetch) {
        if matches!(insn.form().name, "st_var" | "no_var") {
            return true;
        }
        at += crate::length(&insn);
    }
    false
}

/// What holds of any code, part or not.
pub(super) fn general(part: &Part, role: Role, limits: &Limits, sink: &mut Sink) {
    let meta = &part.meta;
    if let Ok(range) = part.main() {
        let expect = Expect {
            ends: !meta.key.no_stop,
            draws: meta.stage == Stage::Fragment && !meta.key.ignore_tib_dependencies,
            registers: Some(meta.nr_gprs),
            uniforms: uniforms(part, role),
        };
        sink.extend(rules::check(&part.code, range, &expect, limits));
    }
    if let Ok(Some(range)) = preamble_range(part) {
        let expect = Expect {
            ends: true,
            draws: false,
            registers: Some(meta.nr_preamble_gprs),
            uniforms: Some(meta.push_count),
        };
        sink.extend(rules::check(&part.code, range, &expect, limits));
    }
}

/// `trap`.
const TRAP: &[u8] = &[8, 0];

/// Where the preamble lies. Nothing tells its size, so it reaches up to the traps behind a `stop`.
fn preamble_range(part: &Part) -> Result<Option<Range<usize>>, Diagnostic> {
    let Some(range) = part.preamble()? else { return Ok(None) };
    let mut at = range.start;
    while let Some(insn) = crate::fetch(&part.code[at..]) {
        at += crate::length(&insn);
        if insn.form().name == "stop" && part.code[at..].starts_with(TRAP) {
            let traps = part.code[at..].chunks_exact(2).take_while(|c| *c == TRAP).count();
            return Ok(Some(range.start..at + 2 * traps));
        }
    }
    let d = Diagnostic::error("agx-part-stop", "the preamble does not end with a stop and traps");
    Err(d.at_bytes(range, ""))
}

/// The preamble writes the uniforms that lie between the driver's and the constants.
fn preamble(part: &Part, limits: &Limits, sink: &mut Sink) {
    let range = match preamble_range(part) {
        Ok(Some(range)) => range,
        Ok(None) => return,
        Err(d) => return sink.push(d),
    };
    let meta = &part.meta;
    let Some(code) = Code::read(&part.code, range.clone(), limits) else { return };
    let written = code.steps.iter().fold(Uniforms::EMPTY, |u, s| u.or(s.uniforms_written));
    let free = Uniforms::range(meta.key.reserved_preamble as usize, meta.push_count as usize);
    let outside = written.without(free);
    if !outside.is_empty() {
        let text = format!("the preamble writes {}, and {} are its own", outside.names('u'), free.names('u'));
        sink.push(Diagnostic::error("agx-abi-uniform", text).at_bytes(range, ""));
    }
    let states = state::solve(&code, State::start(Counter::Unset));
    for (i, step) in code.steps.iter().enumerate() {
        if states[i].is_some_and(|s| s.counter == Counter::Unset)
            && matches!(step.name(), "if" | "else" | "while" | "pop_exec" | "update_exec")
        {
            let text = format!(
                "{} of the preamble needs the nesting counter, and r0l is not known to be one",
                step.name()
            );
            sink.push(Diagnostic::error("agx-abi-counter", text).at_bytes(step.bytes.clone(), ""));
        }
    }
}
