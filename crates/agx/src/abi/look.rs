//! The checks of each instruction of a part.

use super::components::undefined_components;
use super::layout::{BLEND, COUNTER, FIRST_ALPHA, Found, NUMBERS, SAMPLE};
use super::state::{self, Counter, State};
use crate::code::{Code, Once, States, Step};
use crate::facts::{Coefficients, Control, Memory, Nesting, Pixel, Role, Varying, facts};
use crate::operand::{TARGET, coefficients_named, is_atomic, number_in};
use crate::part::{Part, Role as PartRole};
use crate::rules;
use crate::sets::{Registers, Uniforms};
use alloc::{format, string::String};
use shisa_diag::{Code as Name, Diagnostic, Severity, Sink};
use shisa_ir::Stage;

/// Facts about a part that other parts need.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Summary {
    /// Registers read that no path has written before.
    pub(crate) live: Registers,
    /// Registers written.
    pub(crate) written: Registers,
    /// Uniforms read.
    pub(crate) uniforms: Uniforms,
    /// One more than the last register that an instruction names.
    pub(crate) touched: usize,
}

/// Checks the instructions of a part.
pub(super) struct Look<'a> {
    part: &'a Part,
    role: PartRole,
    found: Found,
    sink: &'a mut Sink,
    once: Once,
    summary: Summary,
}

impl<'a> Look<'a> {
    /// For a part that finds registers as stated.
    pub(super) fn new(part: &'a Part, role: PartRole, found: Found, sink: &'a mut Sink) -> Look<'a> {
        Look { part, role, found, sink, once: Once::default(), summary: Summary::default() }
    }

    /// Checks all instructions, and returns the facts that other parts need.
    pub(super) fn at(mut self, code: &Code<'_>, states: &States<'_, State>) -> Summary {
        self.summary.touched = code.registers_end();
        for (step, state) in states.each() {
            self.step(&step, state);
        }
        if self.part.meta.key.no_stop {
            self.ends(code, states);
        }
        self.registers();
        self.uniforms();
        self.summary
    }

    fn found(&mut self, code: Name, text: impl Into<String>, step: &Step<'_>) {
        self.push(Diagnostic::error(code, text), step);
    }

    /// Reports a finding about an instruction, once.
    fn push(&mut self, d: Diagnostic, step: &Step<'_>) {
        let bytes = step.bytes();
        if self.once.is_new(bytes.start, &d) {
            self.sink.push(d.at_bytes(bytes, ""));
        }
    }

    /// Whether the part runs once for each sample.
    fn inside_loop(&self) -> bool {
        self.part.meta.key.inside_sample_loop && self.role != PartRole::Prolog
    }

    fn step(&mut self, step: &Step<'_>, state: &State) {
        let (reads, writes) = (step.reads(), step.writes());
        self.summary.live = self.summary.live.or(reads.registers.without(state.written));
        self.summary.written = self.summary.written.or(writes.registers);
        self.summary.uniforms = self.summary.uniforms.or(reads.uniforms);
        self.undefined(step, state.written.or(self.found.inputs));
        self.counter(step, state);
        self.stage(step);
        if self.inside_loop() && !writes.registers.and(SAMPLE).is_empty() {
            self.found(
                "agx-abi-preserve",
                "the mask of the sample that is shaded, r1l, is overwritten",
                step,
            );
        }
        match step.role() {
            Role::Pixel(pixel) => {
                self.pixel(step, pixel);
                self.samples(step, pixel);
            }
            Role::Varying(Varying::Store) if state.last == [true, false] => {
                self.found("agx-abi-varying", "a varying is written after the one marked as the last", step);
            }
            Role::Memory(memory) => {
                self.memory(step, memory);
                self.stores(step, memory);
            }
            Role::Coefficients(what) => self.coefficients(step, what),
            Role::Control(Control::Stop) => self.stop(step, state),
            Role::Control(_) | Role::Compute | Role::Constant | Role::Select | Role::Exchange(_) => {}
            Role::Wait | Role::Barrier(_) | Role::Varying(_) | Role::Driver => {}
        }
    }

    /// Reports registers that no path has written. If an operand has several registers, only the first must be
    /// written.
    fn undefined(&mut self, step: &Step<'_>, there: Registers) {
        for run in step.runs_read() {
            let (read, partial) = (Registers::range(run.start, run.end), self.found.partial);
            let unset = partial.contains(run.start) && read.and(FIRST_ALPHA).without(partial).is_empty();
            if unset && !there.contains(run.start) {
                let text =
                    format!("{} is read but never written; it is a component of a colour", read.names('r'));
                self.push(undefined_components(text), step);
            } else if !there.contains(run.start) {
                let names = read.names('r');
                let text = format!(
                    "{names} is read but never written, and the {} does not receive it as an input",
                    self.role
                );
                self.found("agx-abi-undefined", text, step);
            }
        }
    }

    fn counter(&mut self, step: &Step<'_>, state: &State) {
        let nesting = match step.role() {
            Role::Control(Control::Nesting(nesting)) => Some(nesting),
            _ => None,
        };
        match (state.counter, nesting) {
            (Counter::Unset, Some(_)) => {
                let text =
                    format!("{} needs the nesting counter, but r0l may hold another number", step.name());
                let d = Diagnostic::error("agx-abi-counter", text);
                self.push(d.help("write 0 to r0l before the first condition of a part"), step);
            }
            (Counter::Unset, None) => {}
            (Counter::Depth { most: 0, .. }, Some(Nesting::Else)) => {
                self.found("agx-abi-counter", "else is outside of any condition", step);
            }
            (Counter::Depth { most, .. }, Some(Nesting::Pop)) if state::levels(step) > most => {
                let text = format!("{} levels are ended, but only {most} are open", state::levels(step));
                self.found("agx-abi-counter", text, step);
            }
            (Counter::Depth { .. }, Some(_)) => {}
            (Counter::Depth { most, reused, .. }, None) => {
                let overwritten = !step.writes().registers.and(COUNTER).is_empty();
                if overwritten && state::levels_left(step).is_none() && most > 0 && !reused {
                    let text = "the nesting counter, r0l, is overwritten inside of a condition";
                    self.found("agx-abi-counter", text, step);
                }
            }
        }
    }

    /// Instructions of another stage or part.
    fn stage(&mut self, step: &Step<'_>) {
        let name = step.name();
        let stage = self.part.meta.stage;
        let tile = self.part.meta.imageblock_stride > 0;
        if let Some(other) = facts(&step.insn).stages.other_than(stage, tile) {
            let text =
                format!("{name} is for {} programs, but this is a {} program", other.name(), stage.name());
            return self.found("agx-abi-stage", text, step);
        }
        match step.role() {
            Role::Varying(_) if self.role == PartRole::Prolog => {
                self.found("agx-abi-stage", format!("{name} is for the main part"), step);
            }
            Role::Pixel(Pixel::Store)
                if stage == Stage::Fragment
                    && self.role != PartRole::Epilog
                    && self.part.meta.key.no_stop =>
            {
                self.found("agx-abi-stage", "colours are stored by the epilog", step);
            }
            _ => {}
        }
    }

    /// Checks that the metadata states the use of pixels in the tile.
    fn pixel(&mut self, step: &Step<'_>, pixel: Pixel) {
        let meta = &self.part.meta;
        let flag = match pixel {
            Pixel::Test | Pixel::Emit if !meta.writes_sample_mask => "writes_sample_mask",
            Pixel::Load if meta.stage == Stage::Fragment && !meta.reads_tib => "reads_tib",
            Pixel::Test | Pixel::Emit | Pixel::Load => return,
            Pixel::Wait | Pixel::Release | Pixel::Store | Pixel::Block => return,
        };
        let text = format!("{} is used, but {flag} is not set in the metadata", step.name());
        self.found("agx-abi-flag", text, step);
    }

    /// In the loop over samples only the sample in r1l is shaded: a number names others, too.
    fn samples(&mut self, step: &Step<'_>, pixel: Pixel) {
        let concerns = match pixel {
            Pixel::Test | Pixel::Emit => true,
            Pixel::Store | Pixel::Load | Pixel::Wait | Pixel::Release | Pixel::Block => false,
        };
        if concerns
            && self.inside_loop()
            && let Some(samples) = number_in(&step.insn, TARGET).filter(|samples| *samples != 0)
        {
            let text =
                format!("{} concerns samples {samples:#x} in each iteration over samples", step.name());
            let d = match self.part.meta.early_fragment_tests && rules::tests_all(step) {
                false => Diagnostic::error("agx-abi-sample", text),
                true => Diagnostic::new(Severity::Note, "agx-abi-sample", text)
                    .note("Mesa compiles early tests so, although its notes on this instruction forbid a second test"),
            };
            self.push(d.help("r1l holds the mask of the sample that is shaded"), step);
        }
    }

    fn memory(&mut self, step: &Step<'_>, memory: Memory) {
        let meta = &self.part.meta;
        let lacks = match memory {
            Memory::Shared if meta.local_size == 0 => "threadgroup memory",
            Memory::Stack | Memory::StackPointer if meta.scratch_size == 0 => "stack",
            Memory::Shared | Memory::Stack | Memory::StackPointer => return,
            Memory::Device | Memory::Uniforms | Memory::UniformElements => return,
            Memory::Texture | Memory::Image | Memory::Descriptor => return,
        };
        self.found("agx-abi-memory", format!("{} is used, but the part has no {lacks}", step.name()), step);
    }

    /// Stores to uniforms, which only a preamble may have, and stores that must not be skipped. What a driver adds in
    /// a prolog, as a count of invocations, may be skipped: the flag there says nothing about memory.
    fn stores(&mut self, step: &Step<'_>, memory: Memory) {
        let meta = &self.part.meta;
        if matches!(memory, Memory::Uniforms | Memory::UniformElements) {
            let text = format!("{} writes uniforms outside of a preamble", step.name());
            let d = Diagnostic::error("agx-abi-uniform", text);
            self.push(
                d.help("uniforms are the same for all threads: only the preamble may write them"),
                step,
            );
        }
        let writes = match memory {
            Memory::Device => step.writes().registers.is_empty() || is_atomic(&step.insn),
            Memory::Image => true,
            Memory::Stack | Memory::StackPointer | Memory::Shared | Memory::Uniforms => false,
            Memory::UniformElements | Memory::Texture | Memory::Descriptor => false,
        };
        if writes && self.role == PartRole::Main && meta.stage == Stage::Fragment && meta.tag_write_disable {
            let text = format!(
                "{} writes memory, but tag_write_disable in the metadata lets the hardware skip the program",
                step.name()
            );
            self.found("agx-abi-flag", text, step);
        }
    }

    fn coefficients(&mut self, step: &Step<'_>, what: Coefficients) {
        let Some(read) = coefficients_named(&step.insn, what == Coefficients::Values) else { return };
        let there = self.part.meta.cf.as_ref().map_or(0, |cf| cf.nr_cf);
        let own = self.part.meta.key.cf_base;
        if read.end > there {
            let last = read.end.saturating_sub(1);
            let text = format!("coefficients up to cf{last} are read, but the part has {there}");
            self.found("agx-abi-coefficient", text, step);
        }
        if read.start < own {
            let text =
                format!("cf{} belongs to the main part; those of this one begin at cf{own}", read.start);
            self.found("agx-abi-coefficient", text, step);
        }
    }

    /// A `stop`: outside of conditions only at the end of the last part.
    fn stop(&mut self, step: &Step<'_>, state: &State) {
        let open = matches!(state.counter, Counter::Depth { most, .. } if most > 0);
        if self.part.meta.key.no_stop && !open {
            self.found(
                "agx-part-stop",
                "the part ends the program, but its key says that another follows",
                step,
            );
        }
        let vertex = self.part.meta.stage == Stage::Vertex && self.role == PartRole::Main;
        if vertex && state.last == [false, true] {
            self.found("agx-abi-varying", "a vertex program ends without a last varying or `no_var`", step);
        }
    }

    /// Checks the end of a part that another part follows.
    fn ends(&mut self, code: &Code<'_>, states: &States<'_, State>) {
        let at = code.range.end;
        let mut none = true;
        for state in states.at_end() {
            none = false;
            self.end(at, state, code.complete);
        }
        if none {
            let text = "no path leads to the end of the part, after which another follows";
            self.sink.push(Diagnostic::error("agx-part-stop", text).at_bytes(at..at, ""));
        }
    }

    /// Checks the end, `at`, in one context; `complete` states that all paths to it are known.
    fn end(&mut self, at: usize, state: &State, complete: bool) {
        let mut push = |d: Diagnostic| {
            if self.once.is_new(at, &d) {
                self.sink.push(d.at_bytes(at..at, ""));
            }
        };
        if let Counter::Depth { most, reused: false, .. } = state.counter
            && most > 0
            && complete
        {
            let text = "lanes may still be masked off at the end of the part";
            push(Diagnostic::error("agx-abi-counter", text).help("end every level with `pop_exec`"));
        }
        let inside = self.part.meta.key.inside_sample_loop && self.role != PartRole::Prolog;
        let clear = matches!(state.counter, Counter::Depth { reused: false, .. });
        if inside && !clear {
            let text = "the nesting counter, r0l, may not be 0 at the end of the part";
            push(Diagnostic::error("agx-abi-preserve", text));
        }
        let pending = state.pending[0].or(state.pending[1]);
        if !pending.is_empty() {
            let text = format!("a load may still write {} at the end of the part", pending.names('r'));
            push(Diagnostic::error("agx-abi-wait", text).help("wait for the group of the load"));
        }
    }

    /// Registers that a vertex prolog must preserve.
    fn registers(&mut self) {
        let Summary { live, written, .. } = self.summary;
        let prolog = self.part.meta.stage == Stage::Vertex && self.role == PartRole::Prolog;
        if prolog && !live.and(NUMBERS).is_empty() && !written.and(NUMBERS).is_empty() {
            let names = written.and(NUMBERS).names('r');
            let text = format!("{names} is overwritten, but the main part may need it");
            self.sink.push(Diagnostic::error("agx-abi-preserve", text));
        }
    }

    /// Uniforms that belong to another part.
    fn uniforms(&mut self) {
        let meta = &self.part.meta;
        let blend = self.summary.uniforms.and(BLEND);
        let main = self.role == PartRole::Main && meta.stage == Stage::Fragment && meta.key.no_stop;
        if main && !blend.is_empty() {
            let names = blend.names('u');
            let text = format!("{names} holds the blend constant, which belongs to the epilog");
            self.sink.push(Diagnostic::error("agx-abi-uniform", text));
        }
    }
}
