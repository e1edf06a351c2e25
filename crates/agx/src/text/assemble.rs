//! The assembler of programs.

use super::editing::DIRECTIVES;
use super::{Layout, Section};
use crate::code::length;
use crate::operand::names_target;
use crate::{Agx, Ctx, Revision};
use alloc::{format, string::String, vec::Vec};
use shisa_diag::{Diagnostic, Limit, Limits, Sink, Span};
use shisa_rows::editing::suggest;
use shisa_rows::source::{self, InsnLine};
use shisa_rows::{Insn, Names, Scan, Symbols, parse};

/// Options of assembling.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AsmOptions {
    /// The revision for encoding stores of states, if `.isa` does not state it.
    pub revision: Revision,
}

/// The result of assembling.
#[derive(Clone, Debug)]
pub struct Assembly {
    /// The file; `None` if there is an error.
    pub bytes: Option<Vec<u8>>,
    /// Its layout.
    pub layout: Layout,
    /// The source line of each instruction.
    pub lines: Vec<InsnLine>,
    /// All findings, in the order of the source.
    pub diagnostics: Vec<Diagnostic>,
}

/// Assembles a file. All errors are reported in one pass.
pub fn assemble(source: &str, options: &AsmOptions, limits: &Limits) -> Assembly {
    let mut asm = Assembler {
        limits,
        names: Names::new(),
        revision: options.revision,
        symbols: Symbols::default(),
        jumps: Vec::new(),
        bytes: Vec::new(),
        open: None,
        sections: Vec::new(),
        lines: Vec::new(),
        faults: Sink::new(limits.diagnostics),
    };
    match limits.check(Limit::File, "bytes of source text", source.len()) {
        Err(d) => asm.faults.push(d),
        Ok(()) => asm.read(source),
    }
    asm.done()
}

struct Assembler<'a> {
    limits: &'a Limits,
    names: Names<Agx>,
    revision: Revision,
    /// The labels, all at 0 until the end: the length of an instruction does not depend on how far it jumps.
    symbols: Symbols,
    /// Instructions that name labels: their line, its start, and their offset.
    jumps: Vec<(String, usize, usize)>,
    bytes: Vec<u8>,
    /// The open section.
    open: Option<Section>,
    sections: Vec<Section>,
    lines: Vec<InsnLine>,
    faults: Sink,
}

impl Assembler<'_> {
    fn read(&mut self, source: &str) {
        let (lines, unended) = source::code_lines(source);
        self.faults.extend(unended);
        self.name_labels(&lines);
        let mut places = Symbols::default();
        for code in &lines {
            let (labels, rest) = source::split_labels(&code.text);
            for label in labels {
                places.insert(self.bytes.len() as u32, label.name.into());
            }
            let begin = code.text.len() - rest.trim_start().len();
            if let Err(d) = self.line(rest.trim_start(), code.at + begin) {
                self.faults.push(d);
            }
        }
        self.end();
        self.symbols = places;
        self.resolve();
    }

    /// Defines every label, so that instructions that name labels can be read.
    fn name_labels(&mut self, lines: &[source::Code<'_>]) {
        let mut count = 0;
        for code in lines {
            for label in source::split_labels(&code.text).0 {
                let span = code.at + label.at..code.at + label.at + label.name.len();
                count += 1;
                if let Err(d) = self.limits.check(Limit::Labels, "labels", count) {
                    return self.faults.push(d.at_text(span, ""));
                }
                if label.double {
                    let d = Diagnostic::error("asm-label", "one colon ends a label");
                    self.faults.push(d.at_text(span.clone(), ""));
                }
                if !self.symbols.insert(0, label.name.into()) {
                    let text = format!("the label {} is there twice", label.name);
                    self.faults.push(Diagnostic::error("asm-label", text).at_text(span, ""));
                }
            }
        }
    }

    fn line(&mut self, text: &str, at: usize) -> Result<(), Diagnostic> {
        if text.is_empty() {
            return Ok(());
        }
        match source::directive(text) {
            Some((name, value)) => self.directive(name, value.trim(), at..at + text.len()),
            None => self.instruction(text, at),
        }
    }

    fn directive(
        &mut self,
        name: &str,
        value: &str,
        span: core::ops::Range<usize>,
    ) -> Result<(), Diagnostic> {
        let wrong = |what: &str| {
            Err(Diagnostic::error("asm-directive", format!(".{name} wants {what}")).at_text(span.clone(), ""))
        };
        match name {
            "isa" => match value {
                "mesa25.2" => self.revision = Revision::Mesa25_2,
                "mesa26" => self.revision = Revision::Mesa26,
                _ => return wrong("mesa25.2 or mesa26"),
            },
            "code" | "data" => {
                let Some(title) = source::quoted(value) else { return wrong("a name in quotes") };
                self.begin(title, name == "code");
            }
            "bytes" => {
                let Some(bytes) = source::hex_bytes(value) else {
                    return wrong("pairs of hexadecimal digits");
                };
                self.begun(false);
                self.bytes.extend(bytes);
                self.fits().map_err(|d| d.at_text(span, ""))?;
            }
            "zero" => {
                let Ok(count) = value.parse::<usize>() else { return wrong("a number of bytes") };
                let size = self.bytes.len().saturating_add(count);
                self.limits.check(Limit::File, "bytes of the file", size).map_err(|d| d.at_text(span, ""))?;
                self.begun(false);
                self.bytes.resize(size, 0);
            }
            _ => {
                let d = Diagnostic::error("asm-directive", format!("unknown directive .{name}"));
                let d = d.at_text(span.start..span.start + 1 + name.len(), "");
                return Err(suggest(DIRECTIVES, name, d));
            }
        }
        Ok(())
    }

    /// Reads one instruction.
    fn parse(&self, text: &str, at: usize, pc: usize) -> Result<(Insn<Agx>, Span), Diagnostic> {
        let ctx =
            Ctx { pc: pc as u32, revision: self.revision, symbols: Some(&self.symbols), ..Ctx::default() };
        let mut scan = Scan::new(text, at);
        let insn = parse(&self.names, &mut scan, ctx)?;
        let span = Span::new(at, scan.pos());
        let rest = scan.blanks().pos();
        if scan.is_empty() {
            return Ok((insn, span));
        }
        let d = Diagnostic::error("asm-operand", "the instruction ends here");
        Err(d.at_text(rest..at + text.len(), ""))
    }

    fn instruction(&mut self, text: &str, at: usize) -> Result<(), Diagnostic> {
        let offset = self.bytes.len();
        let (insn, span) = self.parse(text, at, 0)?;
        let count = self.lines.len() + 1;
        self.limits
            .check(Limit::Instructions, "instructions", count)
            .map_err(|d| d.at_text(span.range(), ""))?;
        if names_target(&insn) {
            self.jumps.push((text.into(), at, offset));
        }
        self.begun(true);
        self.bytes.extend_from_slice(&insn.word.to_le_bytes()[..length(&insn)]);
        self.lines.push(InsnLine { offset, span });
        self.fits().map_err(|d| d.at_text(span.range(), ""))
    }

    fn fits(&self) -> Result<(), Diagnostic> {
        self.limits.check(Limit::File, "bytes of the file", self.bytes.len())
    }

    /// Begins a section.
    fn begin(&mut self, name: String, code: bool) {
        self.end();
        let start = self.bytes.len();
        self.open = Some(Section { name, code, range: start..start });
    }

    /// Begins a section unless one is open.
    fn begun(&mut self, code: bool) {
        if self.open.is_none() {
            self.begin(String::new(), code);
        }
    }

    fn end(&mut self) {
        let end = self.bytes.len();
        self.sections.extend(self.open.take().map(|s| Section { range: s.range.start..end, ..s }));
    }

    /// Writes the distances of jumps, now that the offsets of labels are known.
    fn resolve(&mut self) {
        for (text, at, offset) in core::mem::take(&mut self.jumps) {
            match self.parse(&text, at, offset) {
                Ok((insn, _)) => {
                    let size = length(&insn);
                    if let Some(to) = self.bytes.get_mut(offset..offset + size) {
                        to.copy_from_slice(&insn.word.to_le_bytes()[..size]);
                    }
                }
                Err(d) => self.faults.push(d),
            }
        }
    }

    fn done(self) -> Assembly {
        let fine = self.faults.errors() == 0;
        let diagnostics = self.faults.finish_by(Diagnostic::offset);
        Assembly {
            bytes: fine.then_some(self.bytes),
            layout: Layout { sections: self.sections },
            lines: self.lines,
            diagnostics,
        }
    }
}
