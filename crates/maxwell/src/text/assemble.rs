//! The assembler of programs.

use super::{Layout, Section};
use crate::bundle::{self, BUNDLE_BYTES};
use crate::container::sph::{SPH_BYTES, Sph};
use crate::hazards::fill;
use crate::{Chip, Ctx, Maxwell, Symbols, accept, control};
use alloc::{collections::BTreeSet, format, string::String, vec::Vec};
use shisa_diag::{Diagnostic, Limit, Limits, Severity, Sink, Span};
use shisa_rows::{Names, Scan, nearest, parse};

/// How to assemble.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AsmOptions {
    /// The chip; without it that of `.chip`, without that the newest.
    pub chip: Option<Chip>,
    /// Takes instructions that the chip refuses.
    pub unchecked: bool,
    /// Fills in the control bits of all instructions, whatever the source says of them.
    pub schedule: bool,
}

/// Where in the source an instruction comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InsnLine {
    /// Its first byte in the file.
    pub offset: usize,
    /// Its text in the source.
    pub span: Span,
}

/// What assembling gave.
#[derive(Clone, Debug)]
pub struct Assembly {
    /// The file; `None` when there is an error.
    pub bytes: Option<Vec<u8>>,
    /// Where code lies in it.
    pub layout: Layout,
    /// For each instruction where it comes from.
    pub lines: Vec<InsnLine>,
    /// Everything found, in the order of the source.
    pub diagnostics: Vec<Diagnostic>,
}

/// The word that fills bundles: `NOP` with nothing scheduled.
const FILLER: u128 = 0x07e0_50b0_0000_0007_0f00;

const DIRECTIVES: [&str; 7] = ["chip", "code", "word", "spare", "sph", "bytes", "zero"];

/// Assembles a file. Every fault in it is told, not only the first.
pub fn assemble(source: &str, options: &AsmOptions, limits: &Limits) -> Assembly {
    let mut asm = Assembler {
        source,
        options,
        limits,
        names: Names::new(),
        chip: options.chip.unwrap_or_default(),
        symbols: Symbols::default(),
        code: Vec::new(),
        spare: BTreeSet::new(),
        open: None,
        header: None,
        headers: BTreeSet::new(),
        bytes: Vec::new(),
        sections: Vec::new(),
        lines: Vec::new(),
        faults: Vec::new(),
    };
    if let Err(d) = Limit::File.check("bytes of source text", source.len(), limits.get(Limit::File)) {
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
    names: Names<Maxwell>,
    chip: Chip,
    /// The labels of the program.
    symbols: Symbols,
    /// The fused words of the program.
    code: Vec<u128>,
    /// The bundles of the program with `.spare`.
    spare: BTreeSet<usize>,
    /// The name of the program, if one has begun.
    open: Option<String>,
    /// The header that lines are being read of, and where it goes.
    header: Option<(usize, Sph)>,
    /// Where all headers lie.
    headers: BTreeSet<usize>,
    bytes: Vec<u8>,
    sections: Vec<Section>,
    lines: Vec<InsnLine>,
    faults: Vec<Diagnostic>,
}

/// A line without its comments: where its code lies, and the code with blanks in place of comments inside.
struct Code {
    at: usize,
    text: String,
}

impl Assembler<'_> {
    fn read(&mut self) {
        let lines = self.code_lines();
        // Labels first: branches name those that follow, too.
        let programs = self.labels(&lines);
        let mut programs = programs.into_iter();
        self.symbols = programs.next().unwrap_or_default();
        for code in &lines {
            if self.faults.len() > self.limits.diagnostics {
                break;
            }
            if directive(&code.text).is_some_and(|(name, _)| name == "code") {
                self.symbols = programs.next().unwrap_or_default();
            }
            if let Err(d) = self.line(code) {
                self.faults.push(d);
            }
        }
        self.end();
    }

    /// The lines that hold code.
    fn code_lines(&mut self) -> Vec<Code> {
        let (mut lines, mut at, mut inside) = (Vec::new(), 0, None);
        for line in self.source.split_inclusive('\n') {
            let text = without_comments(line.trim_end(), at, &mut inside);
            let begin = text.len() - text.trim_start().len();
            if begin < text.len() {
                lines.push(Code { at: at + begin, text: text.trim().into() });
            }
            at += line.len();
        }
        if let Some(start) = inside {
            let d = Diagnostic::error("asm-comment", "the comment has no end").at_text(start..start + 2, "");
            self.faults.push(d.help("end it with */"));
        }
        lines
    }

    /// The labels of every program, those before the first `.code` first.
    fn labels(&mut self, lines: &[Code]) -> Vec<Symbols> {
        let (mut all, mut symbols, mut n, mut count) = (Vec::new(), Symbols::default(), 0, 0);
        for code in lines {
            let (labels, rest) = split_labels(&code.text);
            for Label { at, name, bundle } in labels {
                count += 1;
                let span = code.at + at..code.at + at + name.len();
                if count > self.limits.labels {
                    let d = self.limits.check(Limit::Labels, "labels", count);
                    self.faults.extend(d.err().map(|d| d.at_text(span, "")));
                    return all;
                }
                if bundle && n % 3 != 0 {
                    let d = Diagnostic::error("asm-label", "no bundle begins here").at_text(span.clone(), "");
                    self.faults.push(d.help("one colon names an instruction"));
                }
                let address = bundle::address(n) - if bundle { 8 } else { 0 };
                if !symbols.insert(address, name.into()) {
                    let text = format!("the label {name} is there twice");
                    self.faults.push(Diagnostic::error("asm-label", text).at_text(span, ""));
                }
            }
            match directive(rest) {
                Some(("code", _)) => {
                    all.push(core::mem::take(&mut symbols));
                    n = 0;
                }
                Some((name, _)) if name != "word" => {}
                _ => n += u32::from(!rest.trim().is_empty()),
            }
        }
        all.push(symbols);
        all
    }

    fn line(&mut self, code: &Code) -> Result<(), Diagnostic> {
        let (_, rest) = split_labels(&code.text);
        let at = code.at + code.text.len() - rest.len();
        let (rest, at) = (rest.trim_start(), at + rest.len() - rest.trim_start().len());
        if rest.is_empty() {
            return Ok(());
        }
        match directive(rest) {
            Some((name, value)) => self.directive(name, value.trim(), at, rest),
            None => self.instruction(rest, at),
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
                let digits = scan.blanks().eat_str("0x").then(|| scan.take(|b| b.is_ascii_hexdigit()));
                let Some(word) = digits.and_then(|d| u64::from_str_radix(d, 16).ok()) else {
                    return wrong("a word of up to 16 hexadecimal digits, such as 0x50b0000000070f00");
                };
                scan.blanks().eat(b';');
                scan.blanks();
                let bits = control::parse(&mut scan)?;
                self.rest(&mut scan)?;
                self.push(u128::from(word) | u128::from(bits) << 64, span.into())?;
            }
            "spare" if value.is_empty() => {
                self.spare.insert(self.code.len() / 3);
                if !self.code.len().is_multiple_of(3) {
                    return wrong("to stand before the first instruction of a bundle");
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
                let digits = value.as_bytes();
                let digit = |b: u8| char::from(b).to_digit(16).map(|d| d as u8);
                for pair in digits.chunks(2) {
                    let byte = match *pair {
                        [high, low] => digit(high).zip(digit(low)).map(|(h, l)| h << 4 | l),
                        _ => None,
                    };
                    let Some(byte) = byte else { return wrong("pairs of hexadecimal digits") };
                    self.bytes.push(byte);
                }
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
                return Err(match nearest(name, DIRECTIVES) {
                    Some(near) => d.help(format!("did you mean .{near}?")),
                    None => d.help(format!("there are .{}", DIRECTIVES.join(" ."))),
                });
            }
        }
        Ok(())
    }

    fn instruction(&mut self, text: &str, at: usize) -> Result<(), Diagnostic> {
        let n = self.code.len() as u32;
        let ctx = Ctx {
            pc: bundle::address(n),
            schedule: true,
            chip: self.chip,
            symbols: Some(&self.symbols),
            ..Ctx::default()
        };
        let mut scan = Scan::new(text, at);
        // A whole word says what the text before it may not.
        let whole = text.rfind("{raw 0x");
        if let Some(start) = whole {
            let mut scan = Scan::new(&text[start..], at + start);
            scan.eat_str("{raw 0x");
            let digits = scan.take(|b| b.is_ascii_hexdigit());
            let word = u64::from_str_radix(digits, 16).ok().filter(|_| scan.eat(b'}'));
            let Some(word) = word else {
                let d = Diagnostic::error("asm-raw", "a raw word is {raw 0x…} with up to 16 digits");
                return Err(d.at_text(at + start..at + text.len(), ""));
            };
            self.rest(&mut scan)?;
            // Behind the text only the control bits count.
            let begin = text[..start].rfind(';').map_or(0, |i| i + 1);
            let mut scan = Scan::new(&text[begin..start], at + begin);
            scan.blanks();
            let bits = control::parse(&mut scan)?;
            self.rest(&mut scan)?;
            let word = u128::from(word) | u128::from(bits) << 64;
            return self.push(word, Span::new(at, at + text.len()));
        }
        // Braces around two instructions that issue together say what their control bits say.
        let scan = {
            if scan.eat(b'{') {
                scan.blanks();
            }
            &mut scan
        };
        // So that all labels, not only the first line with an unknown one, are told.
        let insn = match parse(&self.names, scan, ctx) {
            Ok(insn) => insn,
            Err(d) => {
                self.push(FILLER, Span::new(at, at + text.len()))?;
                return Err(d);
            }
        };
        scan.blanks().eat(b'}');
        let checked = if self.options.unchecked { Ok(()) } else { accept::accept(&insn, ctx) };
        let span = Span::new(at, scan.pos());
        self.rest(scan)?;
        self.push(insn.word, span)?;
        checked.map_err(|d| d.at_text(span.range(), ""))
    }

    /// Nothing may follow.
    fn rest(&self, scan: &mut Scan<'_>) -> Result<(), Diagnostic> {
        let at = scan.blanks().pos();
        match scan.is_empty() {
            true => Ok(()),
            false => {
                let end = at + scan.rest().len();
                Err(Diagnostic::error("asm-operand", "the instruction ends here").at_text(at..end, ""))
            }
        }
    }

    fn push(&mut self, word: u128, span: Span) -> Result<(), Diagnostic> {
        let n = self.code.len();
        self.limits
            .check(Limit::Instructions, "instructions", n + 1)
            .map_err(|d| d.at_text(span.range(), ""))?;
        self.open.get_or_insert_default();
        let offset = self.bytes.len() + bundle::address(n as u32) as usize;
        self.lines.push(InsnLine { offset, span });
        self.code.push(word);
        Ok(())
    }

    fn fits(&self) -> Result<(), Diagnostic> {
        self.limits.check(Limit::File, "bytes of the file", self.bytes.len())
    }

    /// Ends the program.
    fn end(&mut self) {
        let Some(name) = self.open.take() else { return };
        if self.options.schedule {
            fill(&mut self.code, Ctx { chip: self.chip, ..Ctx::default() });
        }
        let start = self.bytes.len();
        for (n, chunk) in self.code.chunks(3).enumerate() {
            let mut words = bundle::split(core::array::from_fn(|i| chunk.get(i).copied().unwrap_or(FILLER)));
            words[0] |= u64::from(self.spare.contains(&n)) << 63;
            self.bytes.extend(words.into_iter().flat_map(u64::to_le_bytes));
        }
        self.code.clear();
        self.spare.clear();
        let header = start.checked_sub(SPH_BYTES).filter(|at| self.headers.contains(at));
        self.sections.push(Section { name, header, range: start..self.bytes.len() });
        debug_assert!((self.bytes.len() - start).is_multiple_of(BUNDLE_BYTES));
    }

    fn done(mut self) -> Assembly {
        self.faults.sort_by_key(Diagnostic::offset);
        let mut sink = Sink::new(self.limits.diagnostics);
        self.faults.into_iter().for_each(|d| sink.push(d));
        let diagnostics = sink.finish();
        let fine = diagnostics.iter().all(|d| d.severity < Severity::Error);
        Assembly {
            bytes: fine.then_some(self.bytes),
            layout: Layout { container: "raw", chip: self.chip, sections: self.sections },
            lines: self.lines,
            diagnostics,
        }
    }
}

/// The name of a directive and what follows it.
fn directive(text: &str) -> Option<(&str, &str)> {
    let rest = text.trim_start().strip_prefix('.')?;
    let end = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
    Some(rest.split_at(end))
}

/// A label in front of an instruction.
struct Label<'t> {
    /// Where it begins in the line.
    at: usize,
    name: &'t str,
    /// Whether it names the bundle that begins here, with its control word, instead of the instruction.
    bundle: bool,
}

/// The labels that a line begins with, and the rest of the line.
fn split_labels(text: &str) -> (Vec<Label<'_>>, &str) {
    let (mut labels, mut at) = (Vec::new(), 0);
    loop {
        let rest = &text[at..];
        let begin = at + rest.len() - rest.trim_start().len();
        let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$');
        let len = text[begin..].find(|c| !is_name(c)).unwrap_or(text.len() - begin);
        let name = &text[begin..begin + len];
        let named = name.starts_with(|c: char| !c.is_ascii_digit());
        if !named || !text[begin + len..].starts_with(':') {
            return (labels, &text[at..]);
        }
        let bundle = text[begin + len..].starts_with("::");
        labels.push(Label { at: begin, name, bundle });
        at = begin + len + 1 + usize::from(bundle);
    }
}

/// What stands in quotes.
fn quoted(value: &str) -> Option<String> {
    if value.is_empty() {
        return Some(String::new());
    }
    let inside = value.strip_prefix('"')?.strip_suffix('"')?;
    let plain = inside.replace("\\\"", "");
    (!plain.contains('"')).then(|| inside.replace("\\\"", "\""))
}

/// The line with blanks in place of comments; `inside` is where a comment began that goes on.
fn without_comments(line: &str, at: usize, inside: &mut Option<usize>) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    let blank = |text: &str, out: &mut String| text.bytes().for_each(|_| out.push(' '));
    loop {
        if inside.is_some() {
            let end = rest.find("*/").map(|e| e + 2);
            let (comment, after) = rest.split_at(end.unwrap_or(rest.len()));
            blank(comment, &mut out);
            rest = after;
            if end.is_none() {
                return out;
            }
            *inside = None;
        }
        let begin = rest.match_indices('/').map(|(i, _)| i).find(|i| {
            let next = rest.as_bytes().get(i + 1);
            matches!(next, Some(b'/' | b'*')) && rest[..*i].matches('"').count().is_multiple_of(2)
        });
        let Some(begin) = begin else {
            out.push_str(rest);
            return out;
        };
        out.push_str(&rest[..begin]);
        rest = &rest[begin..];
        if rest.starts_with("//") {
            return out;
        }
        *inside = Some(at + line.len() - rest.len());
        blank(&rest[..2], &mut out);
        rest = &rest[2..];
    }
}
