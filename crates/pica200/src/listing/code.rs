//! The words of each program: procedures, blocks, labels, instructions.

use super::names::{BOOLEANS, CONSTANTS, INTEGERS, Names};
use super::procedures::Procedures;
use super::style::{Owner, Saying, Style};
use super::tables::{self, Program};
use super::{Columns, DisOptions, Text};
use crate::attributes::Role;
use crate::container::Shbin;
use crate::operand::{COUNT, Condition, Destination, NUMBER, Source, SourceBits, TO, Tested};
use crate::{Options, Pica200, text, word};
use alloc::collections::BTreeSet;
use alloc::{string::String, vec::Vec};
use core::fmt::Write;
use core::ops::Range;
use shisa_diag::{Diagnostic, Limit, Limits};
use shisa_rows::{Insn, Line, Operand};

/// The maximum nesting depth of blocks in the assembler, including the procedure.
const DEPTH: usize = 32;
/// Columns by which a block's lines are indented.
const INDENT: usize = 4;
/// Column of the comments after words.
const COMMENT: usize = 48;

/// Every program with its words.
pub(super) fn programs(
    file: &Shbin,
    style: &Style,
    columns: &Columns<'_>,
    limits: &Limits,
    out: &mut Text,
) -> Result<(), Diagnostic> {
    let procedures = if style.flat { Procedures::default() } else { Procedures::of(file) };
    let descriptors: Vec<u32> = file.descriptors.iter().map(|d| d.bits).collect();
    let sections = procedures.sections(file);
    let several = file.programs.len() > 1;
    let all = Shared { file, style, columns, procedures: &procedures, descriptors: &descriptors };
    if file.programs.is_empty() {
        let names = &Names::default();
        return Code { all, names }.section(0..file.code.len(), limits, out);
    }
    for (index, (dvle, words)) in file.programs.iter().zip(sections).enumerate() {
        let Some(own) = style.programs.get(index) else { continue };
        let main = procedures.named(dvle.entry as usize..dvle.end as usize);
        let names = Program { dvle, style: *own, index, several, main }.declare(out);
        Code { all, names: &names }.section(words, limits, out)?;
    }
    Ok(())
}

/// An open block.
#[derive(Clone, Copy, Debug)]
struct Block {
    /// The word after it.
    end: usize,
    /// The word after its `.else` part, which begins where it ends.
    other: Option<usize>,
}

/// The context for writing the words of all programs.
#[derive(Clone, Copy)]
struct Shared<'a> {
    file: &'a Shbin,
    style: &'a Style,
    columns: &'a Columns<'a>,
    procedures: &'a Procedures,
    descriptors: &'a [u32],
}

/// The words of one program.
struct Code<'a> {
    all: Shared<'a>,
    names: &'a Names,
}

impl Code<'_> {
    /// Writes words with their procedures.
    fn section(&self, words: Range<usize>, limits: &Limits, out: &mut Text) -> Result<(), Diagnostic> {
        let labels = self.labels(&words);
        let mut at = words.start;
        while at < words.end {
            let (end, name) = match self.all.procedures.at(at) {
                Some((end, name)) => (end.min(words.end), String::from(name)),
                None => {
                    let end = self.all.procedures.next(at).unwrap_or(words.end).min(words.end);
                    (end, alloc::format!("words{at}"))
                }
            };
            out.text.push('\n');
            out.line(Owner::Shape, format_args!(".proc {name}"));
            self.procedure(at..end, &labels, limits, out)?;
            out.line(Owner::Shape, format_args!(".end"));
            at = end;
        }
        Ok(())
    }

    /// The words that jumps in the same range go to.
    fn labels(&self, words: &Range<usize>) -> BTreeSet<usize> {
        let mut labels = BTreeSet::new();
        if self.all.style.flat {
            return labels;
        }
        for n in words.clone() {
            if let (Some(insn), false) = (self.insn(n), self.saying(n) == Saying::Word)
                && insn.form().attr.role == Role::Jump
            {
                labels.insert(insn.field(TO) as usize);
            }
        }
        labels.retain(|l| words.contains(l));
        labels
    }

    fn saying(&self, n: usize) -> Saying {
        self.all.style.words.get(n).copied().unwrap_or(Saying::Word)
    }

    /// A word as an instruction; `None` if the text cannot express it.
    fn insn(&self, n: usize) -> Option<Insn<Pica200>> {
        let word = *self.all.file.code.get(n)?;
        if word::descriptor(word).is_some_and(|d| d >= self.all.descriptors.len()) {
            return None;
        }
        let insn = word::decode(word, self.all.descriptors)?;
        shisa_rows::faithful(&insn, &Options::DEFAULT).then_some(insn)
    }

    fn procedure(
        &self,
        words: Range<usize>,
        labels: &BTreeSet<usize>,
        limits: &Limits,
        out: &mut Text,
    ) -> Result<(), Diagnostic> {
        let mut blocks = alloc::vec![Block { end: words.end, other: None }];
        for n in words {
            close(&mut blocks, n, out);
            if labels.contains(&n) {
                out.line(Owner::Shape, format_args!("l{n}:"));
            }
            tables::line(self.all.file, self.all.style, n, out);
            let start = out.text.len();
            let text = out.begin(Owner::Word(n));
            (0..INDENT * blocks.len()).for_each(|_| text.push(' '));
            let opened = self.word(n, &blocks, labels, out);
            self.comment(n, start, out);
            out.text.push('\n');
            blocks.extend(opened);
            limits.check(Limit::TextOut, "bytes of text", out.text.len())?;
        }
        let end = blocks.first().map_or(0, |b| b.end);
        close(&mut blocks, end, out);
        Ok(())
    }

    /// Writes a word; returns the block that it opens.
    fn word(&self, n: usize, around: &[Block], labels: &BTreeSet<usize>, out: &mut Text) -> Option<Block> {
        let bits = self.all.file.code.get(n).copied().unwrap_or(0);
        let saying = self.saying(n);
        let insn = self.insn(n).filter(|_| saying != Saying::Word);
        let Some(insn) = insn else {
            let _ = write!(out.text, ".word {bits:#010x}");
            return None;
        };
        let room = around.len() < DEPTH && !self.all.style.flat;
        let block = around.last().filter(|_| room).and_then(|b| block(&insn, n, b.end));
        self.instruction(&insn, block.is_some(), labels, &mut out.text);
        if let (Saying::Numbered, Some(number)) = (saying, word::descriptor(bits)) {
            let _ = write!(out.text, ", d{number}");
        }
        block
    }

    fn comment(&self, n: usize, start: usize, out: &mut Text) {
        let DisOptions { offsets, bytes } = self.all.columns.options;
        let live = self.all.columns.live.get(n).and_then(Option::as_ref);
        if !offsets && !bytes && live.is_none() {
            return;
        }
        let width = out.text.len() - start;
        (width..COMMENT).for_each(|_| out.text.push(' '));
        out.text.push_str(" ;");
        if offsets {
            let _ = write!(out.text, " {n:3} {:#06x}", self.all.columns.start + 4 * n);
        }
        let bits = self.all.file.code.get(n).copied().unwrap_or(0);
        if bytes {
            let _ = write!(out.text, " {bits:08x}");
            match word::descriptor(bits).and_then(|d| self.all.descriptors.get(d)) {
                Some(d) => {
                    let _ = write!(out.text, ":{d:08x}");
                }
                None if live.is_some() => out.text.push_str("         "),
                None => {}
            }
        }
        if let Some(names) = live {
            let _ = write!(out.text, " live: {}", names.join(" "));
        }
        out.text.truncate(out.text.trim_end().len());
    }

    /// An instruction with names; one that opens a block, without its target.
    fn instruction(&self, insn: &Insn<Pica200>, block: bool, labels: &BTreeSet<usize>, out: &mut String) {
        let form = insn.form();
        out.push_str(form.name);
        let target = insn.field(TO) as usize;
        let count = insn.field(COUNT) as usize;
        let role = form.attr.role;
        let called = match role {
            Role::Call => self.all.procedures.named(target..target + count),
            _ => None,
        };
        let mut first = true;
        for op in form.operands.iter().filter(|op| op.kind.shown(op, insn, &Options::DEFAULT)) {
            let own = match op.slot {
                TO if block => continue,
                TO if role == Role::Call => called.map(String::from),
                TO if role == Role::Jump && labels.contains(&target) => Some(alloc::format!("l{target}")),
                COUNT if block || called.is_some() => continue,
                NUMBER => continue,
                _ => self.operand(insn, op),
            };
            out.push_str(if first { " " } else { ", " });
            first = false;
            match own {
                Some(text) => out.push_str(&text),
                None => out.push_str(&printed(|line| op.kind.print(op, insn, &Options::DEFAULT, line))),
            }
        }
    }

    /// An operand with the names of its registers; `None` if it has no registers with names.
    fn operand(&self, insn: &Insn<Pica200>, op: &Operand<Pica200>) -> Option<String> {
        let bits = op.field.get(&insn.word);
        if let Some(source) = Source::of(op) {
            return self.source(SourceBits::new(bits, source.wide));
        }
        if let Some(kind @ Destination::Register) = Destination::of(op) {
            let number = Destination::number(bits) as u16;
            let mask = printed(|line| kind.print_mask(bits, line));
            return (number < 16).then(|| self.names.output(number) + &mask);
        }
        match (Tested::of(op)?, Condition::of(insn)) {
            (Tested::Boolean { .. }, Some(Condition::Boolean(n, wanted))) => {
                let not = if wanted { "" } else { "!" };
                Some(alloc::format!("{not}{}", self.names.register(BOOLEANS + u16::from(n))))
            }
            (Tested::Integer, _) => Some(self.names.register(INTEGERS + bits as u16)),
            (Tested::Flags | Tested::Boolean { .. }, _) => None,
        }
    }

    fn source(&self, bits: SourceBits) -> Option<String> {
        let index = ["", "a0.x", "a0.y", "aL"][usize::from(bits.index & 3)];
        let register = match bits.number {
            n @ 0..16 => n as u16,
            16..32 => return None,
            n => n as u16 - 32 + CONSTANTS,
        };
        let sign = if bits.negated { "-" } else { "" };
        let selection = printed(|line| text::print_selection(bits.selector.into(), line));
        Some(alloc::format!("{sign}{}{selection}", self.names.indexed(register, index)))
    }
}

/// The block that a condition or a loop opens, if its words form one within the enclosing block, which ends at `end`.
fn block(insn: &Insn<Pica200>, n: usize, end: usize) -> Option<Block> {
    let (target, count) = (insn.field(TO) as usize, insn.field(COUNT) as usize);
    let within = |to: usize| (n + 1..=end).contains(&to);
    match insn.form().attr.role {
        Role::Condition => {
            let other = (count > 0).then_some(target + count);
            (within(target) && other.is_none_or(within)).then_some(Block { end: target, other })
        }
        Role::Loop => within(target + 1).then_some(Block { end: target + 1, other: None }),
        _ => None,
    }
}

/// Ends the blocks that end at a word; the procedure stays open.
fn close(blocks: &mut Vec<Block>, n: usize, out: &mut Text) {
    while let [_, .., block] = blocks.as_mut_slice()
        && block.end == n
    {
        let other = block.other.take();
        if let Some(end) = other {
            block.end = end;
        } else {
            blocks.pop();
        }
        let depth = blocks.len() - usize::from(other.is_some());
        let word = if other.is_some() { ".else" } else { ".end" };
        out.line(Owner::Shape, format_args!("{:1$}{word}", "", INDENT * depth));
    }
}

/// The text that `write` writes to a line.
fn printed(write: impl FnOnce(&mut Line<'_>)) -> String {
    let mut bytes = Vec::new();
    write(&mut Line::new(&mut bytes));
    String::from_utf8(bytes).unwrap_or_default()
}
