//! The assembler's state, and its loop over the lines of its sources.

use super::allocation::Space;
use super::block::Block;
use super::descriptors::Pool;
use super::mnemonics::Mnemonics;
use super::part::Part;
use super::register::{Alias, BOOLEANS, Bank, FLOATS, INTEGERS};
use super::source_text::{Args, Piece, blank, identifier};
use super::{Options, Source, WordLine, number};
use crate::container::{Layout, LineEntry};
use alloc::collections::BTreeMap;
use alloc::{format, vec::Vec};
use core::cell::OnceCell;
use shisa_diag::{Diagnostic, Limit, Limits, Severity, Sink};

/// The largest number of words in a vertex program.
const VERTEX_WORDS: usize = 512;
/// The largest number of words in a geometry program.
const GEOMETRY_WORDS: usize = 4096;
/// A procedure.
#[derive(Clone, Copy, Debug)]
pub(super) struct Procedure<'s> {
    pub(super) at: usize,
    pub(super) length: usize,
    pub(super) place: Piece<'s>,
    pub(super) source: usize,
    /// Whether something refers to it.
    pub(super) called: bool,
}

/// A label of a file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Label<'s> {
    pub(super) at: usize,
    pub(super) place: Piece<'s>,
}

/// A name in an instruction that is resolved later.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reference<'s> {
    pub(super) word: usize,
    pub(super) name: Piece<'s>,
    pub(super) source: usize,
}

/// A uniform that all files share.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shared<'s> {
    pub(super) name: &'s str,
    pub(super) register: i32,
    pub(super) size: i32,
    pub(super) bank: Bank,
}

/// The difference between a position and the one that a C preprocessor states.
#[derive(Clone, Copy, Debug)]
struct Mark<'s> {
    name: &'s str,
    /// What to add to a line's number.
    offset: i64,
}

/// The state.
pub(super) struct Assembler<'o, 's> {
    pub(super) options: &'o Options,
    pub(super) limits: &'o Limits,
    pub(super) sources: &'o [Source<'s>],
    /// The lines of each source, found where a diagnostic needs them.
    pub(super) located: Vec<OnceCell<shisa_diag::Source<'s>>>,
    pub(super) sinks: Vec<Sink>,
    pub(super) mnemonics: Mnemonics,
    // Of all files.
    pub(super) code: Vec<u32>,
    pub(super) places: Vec<WordLine>,
    pub(super) descriptors: Pool,
    pub(super) procedures: BTreeMap<&'s str, Procedure<'s>>,
    pub(super) calls: Vec<Reference<'s>>,
    pub(super) shared: Vec<Shared<'s>>,
    pub(super) shared_by_name: BTreeMap<&'s str, usize>,
    pub(super) parts: Vec<Part<'s>>,
    /// Float, integer and boolean uniforms that files share.
    pub(super) spaces: [Space; 3],
    pub(super) padding: bool,
    /// Whether missing NOPs are intended.
    pub(super) silent: bool,
    pub(super) pool_version: Option<u32>,
    pub(super) lines: Vec<LineEntry>,
    pub(super) names: Vec<u8>,
    name_offsets: BTreeMap<Vec<u8>, u32>,
    pub(super) layout: Option<Layout>,
    full: bool,
    /// Whether it was reported that there are too many words.
    crowded: bool,
    // Of the current file.
    pub(super) source: usize,
    pub(super) line: Piece<'s>,
    pub(super) line_number: u32,
    mark: Option<Mark<'s>>,
    pub(super) current: Option<usize>,
    pub(super) aliases: BTreeMap<&'s str, Alias<'s>>,
    pub(super) labels: BTreeMap<&'s str, Label<'s>>,
    pub(super) jumps: Vec<Reference<'s>>,
    /// Procedures of the file, for the table of labels.
    pub(super) defined: Vec<&'s str>,
    pub(super) first_procedure: Option<Piece<'s>>,
    /// The uniforms of registers.
    pub(super) owners: BTreeMap<i32, Piece<'s>>,
    pub(super) blocks: Vec<Block<'s>>,
    /// The line, and its number, that just closed a condition or a loop.
    pub(super) closed: Option<(Piece<'s>, u32)>,
}

/// The index of a bank of uniforms.
pub(super) const fn space_of(bank: Bank) -> usize {
    match bank {
        Bank::Integer => 1,
        Bank::Boolean => 2,
        _ => 0,
    }
}

impl<'o, 's> Assembler<'o, 's> {
    pub(super) fn new(sources: &'o [Source<'s>], options: &'o Options, limits: &'o Limits) -> Self {
        Assembler {
            options,
            limits,
            sources,
            located: sources.iter().map(|_| OnceCell::new()).collect(),
            sinks: sources.iter().map(|_| Sink::new(limits.diagnostics)).collect(),
            mnemonics: Mnemonics::new(),
            code: Vec::new(),
            places: Vec::new(),
            descriptors: Pool::default(),
            procedures: BTreeMap::new(),
            calls: Vec::new(),
            shared: Vec::new(),
            shared_by_name: BTreeMap::new(),
            parts: Vec::new(),
            spaces: [
                Space::new(FLOATS, FLOATS, FLOATS + 96),
                Space::new(INTEGERS, INTEGERS, INTEGERS + 4),
                Space::new(BOOLEANS, BOOLEANS, BOOLEANS + 16),
            ],
            padding: !options.no_padding,
            silent: false,
            pool_version: None,
            lines: Vec::new(),
            names: Vec::new(),
            name_offsets: BTreeMap::new(),
            layout: None,
            full: false,
            crowded: false,
            source: 0,
            line: Piece::default(),
            line_number: 0,
            mark: None,
            current: None,
            aliases: BTreeMap::new(),
            labels: BTreeMap::new(),
            jumps: Vec::new(),
            defined: Vec::new(),
            first_procedure: None,
            owners: BTreeMap::new(),
            blocks: Vec::new(),
            closed: None,
        }
    }

    /// Reads a file.
    pub(super) fn read(&mut self, source: usize) {
        self.source = source;
        self.mark = None;
        let Some(Source { text, .. }) = self.sources.get(source).copied() else { return };
        self.code.reserve(text.len() / 24);
        self.places.reserve(text.len() / 24);
        self.line_number = 0;
        let mut at = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        while let Some(rest) = text.get(at..) {
            let length = rest.bytes().position(|b| b == b'\n');
            let line = Piece { text: rest.get(..length.unwrap_or(rest.len())).unwrap_or_default(), at };
            self.line_number += 1;
            if let Err(d) = self.read_line(line) {
                self.report(d);
            }
            if self.full {
                break;
            }
            match length {
                Some(n) => at += n + 1,
                None => break,
            }
        }
        self.end_part();
    }

    /// Clears what ends with a file: labels, names, blocks, registers of its own.
    pub(super) fn end_part(&mut self) {
        self.unclosed();
        let first = self.first_procedure.take();
        if let Some(part) = self.current.and_then(|n| self.parts.get_mut(n)) {
            part.first_procedure = first;
        }
        self.check_length();
        self.resolve_jumps();
        self.unused_names();
        self.aliases.clear();
        self.owners.clear();
        self.defined.clear();
        self.current = None;
        self.spaces.iter_mut().for_each(Space::next_file);
    }

    fn read_line(&mut self, line: Piece<'s>) -> Result<(), Diagnostic> {
        let mut line = line.cut(b";").0.trim();
        self.line = line;
        while !line.text.starts_with('#')
            && let (label, Some(rest)) = line.cut(b":")
        {
            self.label(label.trim_end())?;
            line = rest.trim();
        }
        self.line = line;
        if line.is_empty() {
            return Ok(());
        }
        if line.text.starts_with('#') {
            self.line_mark(line.skip(1).trim());
            return Ok(());
        }
        let end = line.text.bytes().position(|b| b == b' ' || b == b'\t').unwrap_or(line.text.len());
        let command = line.part(0, end).trim();
        let rest = line.skip(end).trim_start();
        let mut args = Args { command, rest };
        match command.text.starts_with('.') {
            true => self.directive(&mut args),
            false => self.instruction(args),
        }
    }

    fn label(&mut self, name: Piece<'s>) -> Result<(), Diagnostic> {
        if !identifier(name.text) {
            return Err(name.error("pica-name", "this cannot be the name of a label"));
        }
        self.limits.check(Limit::Labels, "labels", self.labels.len() + 1)?;
        let label = Label { at: self.code.len(), place: name };
        match self.labels.get(name.text) {
            Some(before) => Err(name
                .error("pica-duplicate-name", format!("label {} exists already", name.text))
                .at_text(before.place.span(), "the first")),
            None => {
                self.labels.insert(name.text, label);
                Ok(())
            }
        }
    }

    /// `# 12 "file"`: the next line is line 12 of a file.
    fn line_mark(&mut self, text: Piece<'s>) {
        let end = text.text.bytes().position(blank).unwrap_or(text.text.len());
        let line = number::atoi(text.part(0, end).text);
        let name = text.skip(end).trim().text;
        let name = name.strip_prefix('"').map_or(name, |n| n.split('"').next().unwrap_or_default());
        let offset = i64::from(line) - i64::from(self.line_number) - 1;
        self.mark = Some(Mark { name, offset });
    }

    /// The origin of the current line, according to the preprocessor.
    pub(super) fn origin(&self) -> (&'s str, u32) {
        let name = self.sources.get(self.source).map_or("", |s| s.name);
        match self.mark {
            Some(m) => {
                (m.name, (i64::from(self.line_number) + m.offset).clamp(0, i64::from(u32::MAX)) as u32)
            }
            None => (name, self.line_number),
        }
    }

    /// Adds a word.
    pub(super) fn emit(&mut self, word: u32) {
        self.code.push(word);
        let span = self.line.span();
        self.places.push(WordLine {
            source: self.source as u32,
            start: span.start as u32,
            end: span.end as u32,
            line: self.line_number,
        });
        if self.options.lines {
            let (name, line) = self.origin();
            let name = self.name_offset(name.as_bytes());
            self.lines.push(LineEntry { name, line });
        }
        if self.code.len() > self.limits.instructions && !self.full {
            self.full = true;
            let over = self.limits.check(Limit::Instructions, "words", self.code.len());
            over.err().into_iter().for_each(|d| self.report(d.at_text(self.line.span(), "")));
        }
    }

    /// The offset of a name among the names of the line table.
    pub(super) fn name_offset(&mut self, name: &[u8]) -> u32 {
        if let Some(at) = self.name_offsets.get(name) {
            return *at;
        }
        let at = self.names.len() as u32;
        self.names.extend_from_slice(name);
        self.names.push(0);
        self.name_offsets.insert(name.to_vec(), at);
        at
    }

    /// Reports once that the hardware has no room for the words so far.
    fn check_length(&mut self) {
        let Some(part) = self.current.and_then(|n| self.parts.get(n)) else { return };
        let geometry = part.geometry_stage();
        let words = if geometry { GEOMETRY_WORDS } else { VERTEX_WORDS };
        let first = self.places.get(words).copied();
        let last = self.places.last().copied().filter(|l| l.source == self.source as u32);
        let (Some(first), Some(last)) = (first, last) else { return };
        if core::mem::replace(&mut self.crowded, true) {
            return;
        }
        let stage = if geometry { "geometry" } else { "vertex" };
        let text = format!("{} words; a {stage} program has at most {words}", self.places.len());
        let mut d = Diagnostic::error("pica-program-length", text).at_text(last.span(), "the last");
        if first.source == last.source {
            d = d.at_text(first.span(), "the first that does not fit");
        }
        let d = d.note("the words of all files count");
        // A listing of a shader binary has as many words as the binary.
        self.report(match self.pool_version {
            Some(_) => Diagnostic { severity: Severity::Warning, ..d },
            None => self.graded(d),
        });
    }

    /// The current program; created with the first item that belongs to one.
    pub(super) fn part(&mut self) -> &mut Part<'s> {
        let current = *self.current.get_or_insert_with(|| {
            self.parts.push(Part::new(self.source));
            self.parts.len() - 1
        });
        &mut self.parts[current]
    }

    /// How many outputs the current program has.
    pub(super) fn outputs(&mut self) -> i32 {
        if self.part().geometry_stage() { 7 } else { 16 }
    }

    /// Gives a name to a register.
    pub(super) fn define(&mut self, name: Piece<'s>, alias: Alias<'s>) -> Result<(), Diagnostic> {
        if let Some(before) = self.aliases.get(name.text) {
            return Err(name
                .error("pica-duplicate-name", format!("{} is declared already", name.text))
                .at_text(before.place.span(), "the first"));
        }
        let like = Bank::named(name.text);
        if like {
            let text = format!("{} looks like a register, which it hides", name.text);
            self.report(Diagnostic::warning("pica-name", text).at_text(name.span(), ""));
        }
        self.limits.check(Limit::Labels, "names", self.aliases.len() + 1)?;
        self.aliases.insert(name.text, alias);
        Ok(())
    }
}
