//! The input and the findings of rules.

use crate::bundle::{self, BUNDLE_BYTES};
use crate::code::Graph;
use crate::container::sph::Field;
use crate::container::{Image, Program, Sph};
use crate::flow::Flow;
use crate::{Chip, Ctx, Maxwell, Options, ShaderStage};
use alloc::{format, string::String, vec::Vec};
use shisa_diag::{Diagnostic, Limits, Sink};
use shisa_rows::{Insn, Line, print};

/// A program.
pub(super) struct Code<'p> {
    /// The container's description.
    pub(super) program: &'p Program,
    /// Its Shader Program Header.
    pub(super) header: Option<Sph>,
    /// The stage from its header or else from its container; `None` if nothing states it.
    pub(super) stage: Option<ShaderStage>,
    /// The chip that it is for.
    pub(super) chip: Chip,
    /// Choices that nothing published settles.
    pub(super) options: Options,
    /// Its words.
    pub(super) words: Vec<u128>,
    /// Its instructions and their successors.
    pub(super) graph: Graph,
}

impl<'p> Code<'p> {
    pub(super) fn new(program: &'p Program, header: Option<Sph>, bytes: &[u8], chip: Chip) -> Code<'p> {
        let bundles = bytes.chunks(BUNDLE_BYTES).map(bundle::words);
        let words: Vec<u128> = bundles.flat_map(bundle::fuse).collect();
        let graph = Graph::new(&words, &program.targets, Ctx { chip, ..Ctx::default() });
        let stage = header.and_then(|h| h.stage()).or(program.stage);
        Code { program, header, stage, chip, options: Options::DEFAULT, words, graph }
    }

    /// The instructions that may run, with their numbers.
    pub(super) fn insns(&self) -> impl Iterator<Item = (usize, &Insn<Maxwell>)> {
        self.graph.insns().filter(|(i, _)| self.graph.may_run(*i))
    }

    /// The effect of an instruction on control flow.
    pub(super) fn flow(&self, number: usize) -> Option<Flow> {
        self.graph.flow(number)
    }

    /// The text of a word, in braces if it is not an instruction.
    fn text(&self, number: usize) -> String {
        let Some(insn) = self.graph.insn(number) else {
            return format!("{{raw {:#018x}}}", self.words.get(number).map_or(0, |w| *w as u64));
        };
        let ctx = Ctx { chip: self.chip, pc: bundle::address(number as u32), ..Ctx::default() };
        let mut text = Vec::new();
        print(insn, ctx, &mut Line::new(&mut text));
        String::from_utf8_lossy(&text).into_owned()
    }
}

/// The findings about a program.
pub(super) struct Found<'a> {
    image: &'a Image<'a>,
    code: &'a Code<'a>,
    limits: &'a Limits,
    sink: &'a mut Sink,
}

impl<'a> Found<'a> {
    pub(super) fn new(
        image: &'a Image<'a>,
        code: &'a Code<'a>,
        limits: &'a Limits,
        sink: &'a mut Sink,
    ) -> Found<'a> {
        Found { image, code, limits, sink }
    }

    /// The bounds of all work.
    pub(super) fn limits(&self) -> &'a Limits {
        self.limits
    }

    /// Reports an instruction.
    pub(super) fn at(&mut self, number: usize, d: Diagnostic) {
        self.with(number, None, d);
    }

    /// Reports a finding about an instruction, and a related instruction.
    pub(super) fn with(&mut self, number: usize, other: Option<usize>, d: Diagnostic) {
        let mut d = self.placed(number, d);
        if let Some(other) = other {
            d = self.placed(other, d);
        }
        self.sink.push(d);
    }

    /// Reports an instruction that a field of the header does not permit.
    pub(super) fn against(&mut self, number: usize, field: &Field, d: Diagnostic) {
        let mut d = self.placed(number, d);
        if let Some(at) = &self.code.program.header {
            d = d.at_bytes(field.place(at.start), field.name);
        }
        self.sink.push(d);
    }

    /// Reports an analysis that did not settle, which must not happen.
    pub(super) fn internal(&mut self, number: usize, what: &str) {
        let text = format!("it was not found out {what}: the analysis did not settle");
        let help = "this is a fault of shisa; please report it with the file";
        self.at(number, Diagnostic::error("internal-analysis", text).help(help));
    }

    fn placed(&self, number: usize, d: Diagnostic) -> Diagnostic {
        // Findings past the limit are only counted and need no text.
        if !self.sink.stores(d.severity) {
            return d;
        }
        let program = self.code.program;
        let address = bundle::address(number as u32);
        let start = program.code.start + address as usize;
        let place = self.image.place(program, start..start + 8);
        let name = shisa_diag::escape(&program.name);
        d.at_bytes(place, "").note(format!("{name}, {address:#06x}: {}", self.code.text(number)))
    }
}
