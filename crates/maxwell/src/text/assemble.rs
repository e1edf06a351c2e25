//! The assembler of programs.

use super::editing::DIRECTIVES;
use super::numbered::numbered;
use super::{Layout, Section};
use crate::bundle;
use crate::container::sph::{SPH_BYTES, Sph};
use crate::flow::{Flow, Targets, flow};
use crate::forms::NOP;
use crate::hazards::fill;
use crate::operand::parse_places;
use crate::{Chip, Ctx, Maxwell, Schedule, Symbols, accept, control};
use alloc::{collections::BTreeSet, format, string::String, vec::Vec};
use shisa_diag::{Diagnostic, Limit, Limits, Sink, Span};
use shisa_rows::editing::suggest;
use shisa_rows::source::{Code, InsnLine, Label, code_lines, directive, hex_bytes, quoted, split_labels};
use shisa_rows::{Insn, Parser, Scan};

/// Options of assembling.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AsmOptions {
    /// The chip. With `None`, that of `.chip`, else the newest.
    pub chip: Option<Chip>,
    /// Accepts instructions that the chip refuses.
    pub unchecked: bool,
    /// Fills in the control bits of all instructions, overriding those in the source.
    pub schedule: bool,
}

/// The result of assembling.
#[derive(Clone, Debug)]
pub struct Assembly {
    /// The file; `None` if there is an error.
    pub bytes: Option<Vec<u8>>,
    /// The layout of its code.
    pub layout: Layout,
    /// The source line of each instruction.
    pub lines: Vec<InsnLine>,
    /// All findings, in the order of the source.
    pub diagnostics: Vec<Diagnostic>,
}

/// The word that pads bundles: `NOP` with nothing scheduled.
const FILLER: u128 = (Schedule::PLAIN.0 as u128) << 64 | NOP as u128;

/// The beginning of a whole word after an instruction.
const RAW: &str = "{raw 0x";

/// Assembles a file. All faults in it are reported, not only the first.
pub fn assemble(source: &str, options: &AsmOptions, limits: &Limits) -> Assembly {
    let mut asm = Assembler {
        source,
        options,
        limits,
        parser: Parser::new(),
        chip: options.chip.unwrap_or_default(),
        symbols: Symbols::default(),
        code: Vec::new(),
        spare: BTreeSet::new(),
        targets: Targets::new(),
        announced: None,
        open: None,
        header: None,
        headers: BTreeSet::new(),
        bytes: Vec::new(),
        sections: Vec::new(),
        lines: Vec::new(),
        faults: Sink::new(limits.diagnostics),
    };
    if let Err(d) = limits.check(Limit::File, "bytes of source text", source.len()) {
        asm.faults.push(d);
    } else {
        asm.read();
    }
    asm.done()
}

/// A program being assembled.
struct Assembler<'a> {
    source: &'a str,
    options: &'a AsmOptions,
    limits: &'a Limits,
    parser: Parser<Maxwell>,
    chip: Chip,
    /// The labels of the program.
    symbols: Symbols,
    /// The fused words of the program.
    code: Vec<u128>,
    /// The bundles of the program with `.spare`.
    spare: BTreeSet<usize>,
    /// Targets of the program's branches through a register.
    targets: Targets,
    /// The targets of the next such branch, and where they are stated.
    announced: Option<(Vec<u32>, Span)>,
    /// The name of the program, if one has begun.
    open: Option<String>,
    /// The header that is being read, and its offset.
    header: Option<(usize, Sph)>,
    /// The offsets of all headers.
    headers: BTreeSet<usize>,
    bytes: Vec<u8>,
    sections: Vec<Section>,
    lines: Vec<InsnLine>,
    faults: Sink,
}

impl<'t> Assembler<'t> {
    fn read(&mut self) {
        // Labels first, since branches also name later ones.
        let (lines, programs) = self.survey();
        let mut programs = programs.into_iter();
        self.symbols = programs.next().unwrap_or_default();
        for code in &lines {
            if let Err(d) = self.line(code, &mut programs) {
                self.faults.push(d);
            }
        }
        self.end();
    }

    /// The lines that contain more than labels, and the labels of every program, those before the first `.code`
    /// first.
    fn survey(&mut self) -> (Vec<Code<'t>>, Vec<Symbols>) {
        let (mut lines, unended) = code_lines(self.source);
        self.faults.extend(unended);
        let (mut programs, mut symbols, mut n, mut count) = (Vec::new(), Symbols::default(), 0, 0);
        for code in &mut lines {
            let (labels, rest) = split_labels(&code.text);
            count += labels.len();
            if let Err(d) = self.limits.check(Limit::Labels, "labels", count) {
                self.faults.push(d.at_text(code.at..code.at + code.text.len(), ""));
                return (Vec::new(), Vec::new());
            }
            for Label { at, name, double } in labels {
                let span = code.at + at..code.at + at + name.len();
                // Instructions inserted before it may have moved it into a bundle.
                let control = double && n % 3 == 0;
                let address = bundle::address(n) - if control { 8 } else { 0 };
                if !symbols.insert(address, name.into()) {
                    let text = format!("the label {name} is there twice");
                    self.faults.push(Diagnostic::error("asm-label", text).at_text(span, ""));
                }
            }
            let rest = rest.trim_ascii_start().len();
            if rest < code.text.len() {
                code.skip(code.text.len() - rest);
            }
            match directive(&code.text) {
                Some(("code", _)) => {
                    programs.push(core::mem::take(&mut symbols));
                    n = 0;
                }
                Some((name, _)) if name != "word" => {}
                _ => n += u32::from(rest > 0),
            }
        }
        programs.push(symbols);
        (lines, programs)
    }

    fn line(
        &mut self,
        code: &Code<'_>,
        programs: &mut impl Iterator<Item = Symbols>,
    ) -> Result<(), Diagnostic> {
        match directive(&code.text) {
            Some((name, value)) => {
                if name == "code" {
                    self.symbols = programs.next().unwrap_or_default();
                }
                self.directive(name, value.trim(), code.at, &code.text)
            }
            None if code.text.is_empty() => Ok(()),
            None => self.instruction(&code.text, code.at),
        }
    }

    fn directive(&mut self, name: &str, value: &str, at: usize, line: &str) -> Result<(), Diagnostic> {
        let span = at..at + line.len();
        if name != "sph" {
            self.header = None;
        }
        let wrong = |what: &str| {
            Err(Diagnostic::error("asm-directive", format!(".{name} wants {what}")).at_text(span.clone(), ""))
        };
        match name {
            "chip" => {
                let number = value.strip_prefix("sm_").and_then(|n| n.parse().ok());
                let Some(chip) = number.and_then(Chip::of) else { return wrong("sm_50, sm_52 or sm_53") };
                self.chip = self.options.chip.unwrap_or(chip);
            }
            "code" => {
                self.end();
                let Some(name) = quoted(value) else { return wrong("a name in quotes") };
                self.open = Some(name);
            }
            "word" => {
                let mut scan = Scan::new(line, at);
                scan.eat_str(".word");
                let Some(word) = scan.blanks().eat_str("0x").then(|| scan.hex()).flatten() else {
                    return wrong("a word of up to 16 hexadecimal digits, such as 0x50b0000000070f00");
                };
                scan.blanks().eat(b';');
                scan.blanks();
                let bits = control::parse(&mut scan)?;
                self.rest(&mut scan)?;
                self.push(u128::from(word) | u128::from(bits) << 64, span.into())?;
            }
            "targets" => {
                let start = at + line.len() - value.len();
                let ctx = Ctx { symbols: Some(&self.symbols), ..Ctx::default() };
                let targets = parse_places(&mut Scan::new(value, start), ctx)?;
                let span = Span::new(span.start, span.end);
                if let Some((_, before)) = self.announced.replace((targets, span)) {
                    return Err(unbranched(before));
                }
            }
            "spare" if value.is_empty() => {
                self.spare.insert(self.code.len() / 3);
                if !self.code.len().is_multiple_of(3) {
                    return wrong("to come before the first instruction of a bundle");
                }
            }
            "spare" => return wrong("nothing"),
            "sph" => {
                let (start, mut sph) = match self.header {
                    Some(header) => header,
                    None => {
                        self.end();
                        let start = self.bytes.len();
                        self.bytes.resize(start + SPH_BYTES, 0);
                        self.fits()?;
                        self.headers.insert(start);
                        (start, Sph([0; SPH_BYTES]))
                    }
                };
                let set = sph.set(line.get(1 + name.len()..).unwrap_or_default(), at + 1 + name.len());
                self.header = Some((start, sph));
                if let Some(to) = self.bytes.get_mut(start..start + SPH_BYTES) {
                    to.copy_from_slice(&sph.0);
                }
                set?;
            }
            "bytes" => {
                self.end();
                let Some(bytes) = hex_bytes(value) else { return wrong("pairs of hexadecimal digits") };
                self.bytes.extend(bytes);
                self.fits()?;
            }
            "zero" => {
                self.end();
                let Ok(count) = value.parse::<usize>() else { return wrong("a number of bytes") };
                let size = self.bytes.len().saturating_add(count);
                self.limits.check(Limit::File, "bytes of the file", size).map_err(|d| d.at_text(span, ""))?;
                self.bytes.resize(size, 0);
            }
            _ => {
                let d = Diagnostic::error("asm-directive", format!("unknown directive .{name}"));
                let d = d.at_text(at..at + 1 + name.len(), "");
                return Err(suggest(DIRECTIVES, name, d));
            }
        }
        Ok(())
    }

    fn instruction(&mut self, text: &str, at: usize) -> Result<(), Diagnostic> {
        let n = self.code.len() as u32;
        let ctx =
            Ctx { pc: bundle::address(n), chip: self.chip, symbols: Some(&self.symbols), ..Ctx::default() };
        let mut scan = Scan::new(text, at);
        // Braces around two instructions that issue together restate their control bits.
        if scan.eat(b'{') {
            scan.blanks();
        }
        let insn = match self.parser.parse(&mut scan, ctx) {
            Ok(insn) => insn,
            Err(_) if text.contains(RAW) => return self.raw(text, at),
            Err(d) => {
                // So that all labels, not only the first line with an unknown one, are reported.
                self.push(FILLER, Span::new(at, at + text.len()))?;
                return Err(d);
            }
        };
        if scan.blanks().bytes().starts_with(RAW.as_bytes()) {
            return self.raw(text, at);
        }
        scan.eat(b'}');
        self.faults.extend(numbered(&insn, text, at, self.chip));
        let checked = if self.options.unchecked { Ok(()) } else { accept::accept(&insn, ctx) };
        let span = Span::new(at, scan.pos());
        self.rest(&mut scan)?;
        self.push(insn.word, span)?;
        checked.map_err(|d| d.at_text(span.range(), ""))
    }

    /// An instruction with its whole word, which determines bits that the text before it may not.
    fn raw(&mut self, text: &str, at: usize) -> Result<(), Diagnostic> {
        let start = text.rfind(RAW).unwrap_or(text.len());
        let mut scan = Scan::new(&text[start..], at + start);
        scan.eat_str(RAW);
        let Some(word) = scan.hex().filter(|_| scan.eat(b'}')) else {
            let d = Diagnostic::error("asm-raw", "a raw word is {raw 0x…} with up to 16 digits");
            return Err(d.at_text(at + start..at + text.len(), ""));
        };
        self.rest(&mut scan)?;
        // After the text only the control bits are used.
        let begin = text[..start].rfind(';').map_or(0, |i| i + 1);
        let mut scan = Scan::new(&text[begin..start], at + begin);
        scan.blanks();
        let bits = control::parse(&mut scan)?;
        self.rest(&mut scan)?;
        let word = u128::from(word) | u128::from(bits) << 64;
        self.push(word, Span::new(at, at + text.len()))
    }

    /// Reports remaining text.
    fn rest(&self, scan: &mut Scan<'_>) -> Result<(), Diagnostic> {
        let at = scan.blanks().pos();
        match scan.is_empty() {
            true => Ok(()),
            false => {
                let rest = scan.rest();
                let d = Diagnostic::error("asm-operand", "the instruction ends here");
                let d = d.at_text(at..at + rest.len(), "");
                Err(if rest.contains(';') { d.help("each instruction has a line of its own") } else { d })
            }
        }
    }

    fn push(&mut self, word: u128, span: Span) -> Result<(), Diagnostic> {
        let n = self.code.len();
        self.limits
            .check(Limit::Instructions, "instructions", n + 1)
            .map_err(|d| d.at_text(span.range(), ""))?;
        self.open.get_or_insert_default();
        let place = bundle::address(n as u32);
        if let Some((targets, span)) = self.announced.take() {
            let insn = Insn::<Maxwell>::decode(word);
            if insn.is_none_or(|insn| flow(&insn, place) != Flow::Anywhere) {
                self.faults.push(unbranched(span));
            }
            self.targets.insert(place, targets);
        }
        let offset = self.bytes.len() + place as usize;
        self.lines.push(InsnLine { offset, span });
        self.code.push(word);
        Ok(())
    }

    fn fits(&self) -> Result<(), Diagnostic> {
        self.limits.check(Limit::File, "bytes of the file", self.bytes.len())
    }

    /// Ends the program.
    fn end(&mut self) {
        self.faults.extend(self.announced.take().map(|(_, span)| unbranched(span)));
        let Some(name) = self.open.take() else { return };
        let targets = core::mem::take(&mut self.targets);
        if self.options.schedule {
            let ctx = Ctx { chip: self.chip, ..Ctx::default() };
            self.faults.extend(fill(&mut self.code, &targets, ctx, self.limits).err());
        }
        let start = self.bytes.len();
        for (n, chunk) in self.code.chunks(3).enumerate() {
            let mut words = bundle::split(core::array::from_fn(|i| chunk.get(i).copied().unwrap_or(FILLER)));
            words[0] |= u64::from(self.spare.contains(&n)) << 63;
            words.into_iter().for_each(|word| self.bytes.extend_from_slice(&word.to_le_bytes()));
        }
        self.code.clear();
        self.spare.clear();
        let header = start.checked_sub(SPH_BYTES).filter(|at| self.headers.contains(at));
        self.sections.push(Section { name, header, range: start..self.bytes.len(), targets });
    }

    fn done(self) -> Assembly {
        let fine = self.faults.errors() == 0;
        let diagnostics = self.faults.finish_by(Diagnostic::offset);
        Assembly {
            bytes: fine.then_some(self.bytes),
            layout: Layout { container: "raw", chip: self.chip, sections: self.sections },
            lines: self.lines,
            diagnostics,
        }
    }
}

/// The error for `.targets` without a branch.
fn unbranched(span: Span) -> Diagnostic {
    let d = Diagnostic::error("asm-directive", ".targets must come before a branch by a register");
    d.at_text(span.range(), "")
}
