//! The lines of instructions.

use super::NvdisasmOptions;
use super::groups::{Place, places, words};
use super::head::flags;
use crate::bundle::{self, BUNDLE_BYTES};
use crate::flow::number;
use crate::{Chip, Ctx, Maxwell, Symbols, decode};
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::{string::String, vec, vec::Vec};
use shisa_diag::{Diagnostic, Limit, Limits, Sink};
use shisa_rows::{Insn, Line, Name, Printer};

/// Where mnemonics begin after the address.
const INDENT: usize = 19;
/// What follows the address, with as many blanks as are needed.
const AFTER_ADDRESS: Name = {
    let mut text = [b' '; INDENT + 2];
    (text[0], text[1]) = (b'*', b'/');
    Name::ascii(&text)
};
/// What ends the second instruction of a group.
const BRACE: &str = "        }";
/// The columns that an instruction with a comment takes more than one without.
const BEFORE_COMMENT: usize = 8;
/// The slots of a group.
const SLOTS: [&str; 2] = ["  SLOT 0", "  SLOT 1"];
/// The flags of a file that is only code.
const BARE_FLAGS: u32 = 0x400;

/// The columns of what follows instructions: the same in all programs of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Columns {
    comments: usize,
    words: usize,
    tabs: bool,
}

impl Columns {
    /// The columns of these programs; `tabs` if operands without a name begin at the column of comments.
    pub(super) fn of<'l, 'a: 'l>(
        programs: impl IntoIterator<Item = &'l Lines<'a>> + Clone,
        tabs: bool,
    ) -> Columns {
        let needed = |lines: &Lines<'_>| lines.hex || !lines.comments.is_empty();
        let mut all = Columns { tabs, ..Columns::default() };
        if !tabs && !programs.clone().into_iter().any(needed) {
            return all;
        }
        // What begins at the column of comments counts from there.
        let mut behind = 0;
        for lines in programs {
            let (columns, tabbed) = lines.columns(tabs);
            all.comments = all.comments.max(columns.comments);
            all.words = all.words.max(columns.words);
            behind = behind.max(tabbed);
            for (i, comment) in &lines.comments {
                let brace = if lines.place(*i) == Place::Second { BRACE.len() } else { 1 };
                behind = behind.max(comment.len() + brace);
            }
        }
        if behind > 0 {
            all.words = all.words.max(all.comments + behind + 1);
        }
        all
    }
}

/// Writes text with a function that returns whether it wrote an operand without a name; once more if it did, because
/// these have a column.
pub(super) fn print(
    out: &mut Vec<u8>,
    mut write: impl FnMut(&Columns, &mut Vec<u8>) -> Result<bool, Vec<Diagnostic>>,
    columns: impl Fn(bool) -> Columns,
) -> Result<(), Vec<Diagnostic>> {
    let start = out.len();
    if write(&columns(false), out)? {
        out.truncate(start);
        write(&columns(true), out)?;
    }
    Ok(())
}

/// The position of the first operand without a name in lines, which nvdisasm writes at a column of its own.
fn nameless(lines: &[u8]) -> Option<usize> {
    const BEGINS: &[u8] = b" ???";
    const PIECE: usize = 1 << 12;
    // Almost no text has the character. Comparing every byte of a piece takes vector instructions, unlike a search.
    let marked = |piece: &[u8]| piece.iter().fold(false, |any, byte| any | (*byte == b'?'));
    if !lines.chunks(PIECE).any(marked) {
        return None;
    }
    lines.windows(BEGINS.len()).position(|w| w == BEGINS).map(|at| at + 1)
}

/// nvdisasm's output for code; it prints nothing if it refuses a word.
///
/// # Errors
/// All words that nvdisasm refuses (see [`decode`]), `maxwell-unaligned`, `limit-exceeded`.
pub fn nvdisasm(
    code: &[u8],
    chip: Chip,
    options: &NvdisasmOptions,
    limits: &Limits,
) -> Result<String, Vec<Diagnostic>> {
    let mut out = Vec::with_capacity(code.len() * 8);
    out.extend_from_slice(flags(BARE_FLAGS, chip.number(), chip.number()).as_bytes());
    let lines = Lines::new(code, chip, options, limits)?;
    print(&mut out, |columns, out| lines.print(columns, out, limits), |tabs| Columns::of([&lines], tabs))?;
    Ok(String::from_utf8(out).unwrap_or_default())
}

/// Printers of instructions with and without a semicolon.
#[derive(Default)]
struct Printers {
    ended: Printer<Maxwell>,
    unended: Printer<Maxwell>,
}

/// The lines of a program.
pub(super) struct Lines<'a> {
    pub(super) code: &'a [u8],
    /// The role of each instruction in its group; if empty, all are alone.
    places: Vec<Place>,
    /// The names of addresses in branches.
    pub(super) symbols: Symbols,
    /// The lines before that of each address: labels and directives, with their ends of line.
    pub(super) labels: BTreeMap<u32, String>,
    /// The comments of instructions, by their numbers.
    pub(super) comments: BTreeMap<u32, String>,
    /// The first instructions of groups that are marked with their slots, by their numbers.
    pub(super) slots: BTreeSet<u32>,
    /// The instructions that are not written, by their numbers; if empty, all are.
    pub(super) hidden: Vec<bool>,
    chip: Chip,
    hex: bool,
}

impl<'a> Lines<'a> {
    /// The lines of so much code.
    pub(super) fn new(
        code: &'a [u8],
        chip: Chip,
        options: &NvdisasmOptions,
        limits: &Limits,
    ) -> Result<Lines<'a>, Vec<Diagnostic>> {
        let count = code.len() / BUNDLE_BYTES * 3;
        limits.check(Limit::Instructions, "instructions", count).map_err(|d| vec![d])?;
        let places = if options.novliw { Ok(Vec::new()) } else { places(code) };
        let (symbols, labels) = (Symbols::default(), BTreeMap::new());
        let (comments, slots, hidden) = (BTreeMap::new(), BTreeSet::new(), Vec::new());
        let (chip, hex) = (chip, options.hex);
        let lines = |places| Lines { code, places, symbols, labels, comments, slots, hidden, chip, hex };
        places.map(lines).map_err(|lost| {
            let mut faults = Sink::new(limits.diagnostics);
            (0..)
                .zip(words(code))
                .filter_map(|(i, word)| decoded(word, i, chip).err())
                .for_each(|d| faults.push(d));
            faults.push(lost);
            faults.finish()
        })
    }

    /// The instructions, without words that are not instructions.
    pub(super) fn insns(&self) -> impl Iterator<Item = (u32, Insn<Maxwell>)> {
        (0..).zip(words(self.code)).filter_map(|(i, word)| Some((i, decoded(word, i, self.chip).ok()?)))
    }

    /// The instruction at an address; `None` if there is none.
    pub(super) fn insn_at(&self, at: u32) -> Option<Insn<Maxwell>> {
        let i = number(at) as u32;
        let bundle = self.code.get(i as usize / 3 * BUNDLE_BYTES..)?.first_chunk::<BUNDLE_BYTES>()?;
        let word = bundle::fuse(bundle::words(bundle))[i as usize % 3];
        if bundle::address(i) == at { decoded(word, i, self.chip).ok() } else { None }
    }

    /// Whether an instruction is not written.
    fn is_hidden(&self, i: u32) -> bool {
        self.hidden.get(i as usize).is_some_and(|hidden| *hidden)
    }

    /// The role of an instruction in its group.
    fn place(&self, i: u32) -> Place {
        self.places.get(i as usize).copied().unwrap_or(Place::Alone)
    }

    /// The address of the first instruction of the group whose second this is.
    pub(super) fn group(&self, i: u32) -> Option<u32> {
        (self.place(i) == Place::Second).then(|| bundle::address(i - 1))
    }

    /// The slot that the line of an instruction names.
    fn slot(&self, i: u32) -> Option<&'static str> {
        let (slot, first) = if self.place(i) == Place::Second { (1, i - 1) } else { (0, i) };
        self.slots.contains(&first).then_some(SLOTS[slot])
    }

    /// The columns that these lines without their comments need, and the length of the longest text at the column of
    /// comments.
    fn columns(&self, tabs: bool) -> (Columns, usize) {
        // Lines are written only for their widths, and discarded periodically.
        const TOGETHER: usize = 1 << 18;
        let (mut columns, mut tabbed) = (Columns::default(), 0);
        let (mut scratch, mut printers) = (Vec::new(), Printers::default());
        let mut line = Line::new(&mut scratch);
        for (i, insn) in self.insns().filter(|(i, _)| !self.is_hidden(*i)) {
            if tabs || line.written() > TOGETHER {
                drop(line);
                scratch.clear();
                line = Line::new(&mut scratch);
            }
            let start = line.written();
            self.insn(i, &insn, None, &mut printers, &mut line);
            // Guards count although they are in the indent.
            let guard = crate::guard::width(&insn);
            let whole = line.written() - start;
            let (mut text, mut words) = match self.place(i) {
                Place::Second => (0, whole + guard),
                _ => (whole + guard, whole + guard + 2),
            };
            if tabs {
                drop(line);
                if let Some(at) = nameless(&scratch) {
                    (text, words) = (at + guard, 0);
                    tabbed = tabbed.max(whole - at);
                }
                scratch.clear();
                line = Line::new(&mut scratch);
            }
            if self.comments.contains_key(&i) && text > 0 {
                text += BEFORE_COMMENT;
            }
            columns.comments = columns.comments.max(text);
            columns.words = columns.words.max(words);
        }
        (columns, tabbed)
    }

    /// Writes all lines; returns whether an operand without a name is among them.
    pub(super) fn print(
        &self,
        columns: &Columns,
        out: &mut Vec<u8>,
        limits: &Limits,
    ) -> Result<bool, Vec<Diagnostic>> {
        let hex = |word: u64, written: usize, line: &mut Line<'_>| {
            if self.hex {
                line.blanks(columns.words.saturating_sub(written));
                line.text("/* 0x");
                line.hex(word, 16);
                line.text(" */\n");
            }
        };
        let label = |at: u32, line: &mut Line<'_>| {
            if let Some(labels) = self.labels.get(&at) {
                line.text(labels);
            }
        };
        // Text that is searched at once is still cached.
        const TOGETHER: usize = 1 << 16;
        let (mut searched, mut is_nameless) = (out.len(), false);
        let mut faults = Sink::new(limits.diagnostics);
        let mut printers = Printers::default();
        let mut line = Line::new(out);
        // Words without a line of their own are written with the next instruction, after its label.
        let mut pending = Vec::new();
        for (b, bundle) in (0..).zip(self.code.chunks_exact(BUNDLE_BYTES)) {
            let words = bundle::words(bundle);
            if self.hex {
                pending.push(words[0]);
            }
            for ((i, word), fused) in (3 * b..).zip(&words[1..]).zip(bundle::fuse(words)) {
                let place = self.place(i);
                if self.is_hidden(i) || place == Place::Swallowed {
                    pending.push(*word);
                    continue;
                }
                if !self.labels.is_empty() {
                    if i == 3 * b {
                        label(b * BUNDLE_BYTES as u32, &mut line);
                    }
                    label(bundle::address(i), &mut line);
                }
                if !pending.is_empty() {
                    pending.drain(..).for_each(|word| hex(word, 0, &mut line));
                }
                let start = line.written();
                match decoded(fused, i, self.chip) {
                    Ok(insn) => {
                        let comment = self.comments.get(&i).map(|text| (text.as_str(), columns.comments));
                        if !columns.tabs || !self.tabbed(i, &insn, columns, &mut printers, &mut line) {
                            self.insn(i, &insn, comment, &mut printers, &mut line);
                        }
                    }
                    Err(d) => faults.push(d),
                }
                match place {
                    Place::Second => {
                        line.end();
                        pending.push(*word);
                    }
                    _ if self.hex => {
                        let written = line.written() - start;
                        hex(*word, written, &mut line);
                    }
                    _ => line.end(),
                }
            }
            if let Err(d) = limits.check(Limit::TextOut, "bytes of text", line.written()) {
                faults.push(d);
                break;
            }
            if line.written() - searched > TOGETHER {
                is_nameless = is_nameless || nameless(line.flushed(searched)).is_some();
                searched = line.written();
            }
        }
        is_nameless = is_nameless || nameless(line.flushed(searched)).is_some();
        label(self.code.len() as u32, &mut line);
        let faults = faults.finish();
        if faults.is_empty() { Ok(is_nameless) } else { Err(faults) }
    }

    /// Writes an instruction with an operand without a name; returns false and writes nothing if it has none.
    fn tabbed(
        &self,
        i: u32,
        insn: &Insn<Maxwell>,
        columns: &Columns,
        printers: &mut Printers,
        out: &mut Line<'_>,
    ) -> bool {
        let mut text = Vec::new();
        self.insn(i, insn, None, printers, &mut Line::new(&mut text));
        let Some(at) = nameless(&text) else { return false };
        let (before, tabbed) = text.split_at(at);
        out.text(core::str::from_utf8(before).unwrap_or_default());
        out.blanks(columns.comments.saturating_sub(at));
        out.text(core::str::from_utf8(tabbed).unwrap_or_default());
        true
    }

    /// Writes an instruction, and its comment from a column on; nothing for one that the group omits.
    fn insn(
        &self,
        i: u32,
        insn: &Insn<Maxwell>,
        comment: Option<(&str, usize)>,
        printers: &mut Printers,
        out: &mut Line<'_>,
    ) {
        let place = self.place(i);
        if place == Place::Swallowed {
            return;
        }
        let start = out.written();
        let pc = bundle::address(i);
        out.name(const { &Name::new("        /*") });
        out.hex(u64::from(pc), 4);
        // Up to the guard, which is before the column of mnemonics, and with the brace in the middle.
        let indent = INDENT - crate::guard::width(insn);
        match place {
            Place::First => {
                out.name(const { &Name::new("*/         {") });
                out.blanks(indent - INDENT / 2 - 1);
            }
            _ => out.name(&AFTER_ADDRESS.first(indent + 2)),
        }
        // A brace takes the place of the semicolon.
        let slot = if self.slots.is_empty() { None } else { self.slot(i) };
        let unended = place == Place::Second || comment.is_some() || slot.is_some();
        let symbols = (!self.symbols.is_empty()).then_some(&self.symbols);
        let ctx = Ctx { pc, chip: self.chip, unended, symbols, ..Ctx::default() };
        if unended {
            printers.unended.print(insn, ctx, out);
            if let Some((comment, column)) = comment {
                out.blanks(column.saturating_sub(out.written() - start));
                out.text(comment);
            }
            if let Some(slot) = slot {
                out.text(slot);
            }
            out.text(if place == Place::Second { BRACE } else { ";" });
        } else {
            printers.ended.print(insn, ctx, out);
        }
    }
}

/// Decodes the instruction of this number.
#[inline]
fn decoded(word: u128, i: u32, chip: Chip) -> Result<Insn<Maxwell>, Diagnostic> {
    let pc = bundle::address(i);
    let place = |d: Diagnostic| d.at_bytes(pc as usize..pc as usize + 8, "");
    decode(word, Ctx { pc, chip, ..Ctx::default() }).map_err(place)
}
