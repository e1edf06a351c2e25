//! nvdisasm's output for code: raw files (`nvdisasm -b SM53 [-hex] [-novliw] FILE`) and the code of cubins.

mod groups;

use crate::bundle::{self, BUNDLE_BYTES};
use crate::container::{Cubin, Function, Symbol};
use crate::flow::number;
use crate::{Chip, Ctx, Maxwell, Symbols, decode};
use alloc::{collections::BTreeMap, collections::BTreeSet, format, string::String, vec, vec::Vec};
use groups::{Place, places, words};
use shisa_diag::{Diagnostic, Limit, Limits, Sink};
use shisa_rows::{Insn, Line, Name, Printer};

/// The options passed to nvdisasm.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NvdisasmOptions {
    /// `-hex`: the words follow the instructions.
    pub hex: bool,
    /// `-novliw`: instructions that issue together are written alone.
    pub novliw: bool,
}

/// Where mnemonics begin after the address.
const INDENT: usize = 19;
/// Blanks between the longest line and the words.
const GAP: usize = 2;

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
    out.extend_from_slice(flags(chip, chip).as_bytes());
    let lines = Lines::new(code, chip, options, limits)?;
    let column = if options.hex { lines.width() + GAP } else { 0 };
    lines.print(column, &mut out, limits)?;
    Ok(String::from_utf8(out).unwrap_or_default())
}

/// The first line.
fn flags(chip: Chip, source: Chip) -> String {
    let (chip, source) = (chip.number(), source.number());
    format!(
        "\t.headerflags\t@\"EF_CUDA_64BIT_ADDRESS EF_CUDA_SM{chip} EF_CUDA_VIRTUAL_SM(EF_CUDA_SM{source})\"\n"
    )
}

/// Printers of instructions with and without a semicolon.
#[derive(Default)]
struct Printers {
    ended: Printer<Maxwell>,
    unended: Printer<Maxwell>,
}

/// The lines of a program.
struct Lines<'a> {
    code: &'a [u8],
    /// The role of each instruction in its group; if empty, all are alone.
    places: Vec<Place>,
    /// The names of addresses in branches.
    symbols: Symbols,
    /// The labels before the line of each address, with their ends of line.
    labels: BTreeMap<u32, String>,
    chip: Chip,
    hex: bool,
}

impl<'a> Lines<'a> {
    /// The lines of so much code.
    fn new(
        code: &'a [u8],
        chip: Chip,
        options: &NvdisasmOptions,
        limits: &Limits,
    ) -> Result<Lines<'a>, Vec<Diagnostic>> {
        let count = code.len() / BUNDLE_BYTES * 3;
        limits.check(Limit::Instructions, "instructions", count).map_err(|d| vec![d])?;
        let places = if options.novliw { Ok(Vec::new()) } else { places(code) };
        let (symbols, labels) = (Symbols::default(), BTreeMap::new());
        let lines = |places| Lines { code, places, symbols, labels, chip, hex: options.hex };
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
    fn insns(&self) -> impl Iterator<Item = (u32, Insn<Maxwell>)> {
        (0..).zip(words(self.code)).filter_map(|(i, word)| Some((i, decoded(word, i, self.chip).ok()?)))
    }

    /// The role of an instruction in its group.
    fn place(&self, i: u32) -> Place {
        self.places.get(i as usize).copied().unwrap_or(Place::Alone)
    }

    /// The address of the first instruction of the group whose second this is.
    fn group(&self, i: u32) -> Option<u32> {
        (self.place(i) == Place::Second).then(|| bundle::address(i - 1))
    }

    /// The length of the longest line.
    fn width(&self) -> usize {
        // Lines are written only for their widths, and discarded periodically.
        const TOGETHER: usize = 1 << 18;
        let (mut widest, mut scratch, mut printers) = (0, Vec::new(), Printers::default());
        let mut line = Line::new(&mut scratch);
        for (i, insn) in self.insns() {
            if line.written() > TOGETHER {
                drop(line);
                scratch.clear();
                line = Line::new(&mut scratch);
            }
            let start = line.written();
            self.insn(i, &insn, &mut printers, &mut line);
            let written = line.written() - start;
            // Guards count although they are in the indent; of the closing brace not all blanks do.
            let brace = if self.place(i) == Place::Second { 2 } else { 0 };
            widest = widest.max(written + crate::guard::width(&insn) - brace.min(written));
        }
        widest
    }

    /// Writes all lines, words from this column on.
    fn print(&self, column: usize, out: &mut Vec<u8>, limits: &Limits) -> Result<(), Vec<Diagnostic>> {
        let hex = |word: u64, written: usize, line: &mut Line<'_>| {
            if self.hex {
                line.blanks(column.saturating_sub(written));
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
        // The words of a group are written with the next instruction; after a group at the end there is none.
        let cut = match self.places.last() {
            Some(Place::Second | Place::Swallowed) => self.places.iter().rposition(|p| *p == Place::Second),
            _ => None,
        };
        let cut = cut.map(|i| i as u32);
        let mut faults = Sink::new(limits.diagnostics);
        let mut printers = Printers::default();
        let mut line = Line::new(out);
        // The word of the second of a group follows the label of the next instruction.
        let mut late = None;
        for (b, bundle) in (0..).zip(self.code.chunks_exact(BUNDLE_BYTES)) {
            let words = bundle::words(bundle);
            label(b * BUNDLE_BYTES as u32, &mut line);
            late.take().into_iter().for_each(|word| hex(word, 0, &mut line));
            hex(words[0], 0, &mut line);
            for ((i, word), fused) in (3 * b..).zip(&words[1..]).zip(bundle::fuse(words)) {
                label(bundle::address(i), &mut line);
                late.take().into_iter().for_each(|word| hex(word, 0, &mut line));
                let start = line.written();
                match decoded(fused, i, self.chip) {
                    Ok(insn) => self.insn(i, &insn, &mut printers, &mut line),
                    Err(d) => faults.push(d),
                }
                match self.place(i) {
                    Place::Swallowed | Place::Second if cut.is_some_and(|cut| i > cut) => {}
                    Place::Second if cut == Some(i) => line.end(),
                    Place::Swallowed => hex(*word, 0, &mut line),
                    Place::Second => {
                        line.end();
                        late = Some(*word);
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
        }
        label(self.code.len() as u32, &mut line);
        let faults = faults.finish();
        if faults.is_empty() { Ok(()) } else { Err(faults) }
    }

    /// Writes an instruction; nothing for one that the group omits.
    fn insn(&self, i: u32, insn: &Insn<Maxwell>, printers: &mut Printers, out: &mut Line<'_>) {
        let place = self.place(i);
        if place == Place::Swallowed {
            return;
        }
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
            _ => {
                out.name(const { &Name::new("*/") });
                out.blanks(indent);
            }
        }
        // A brace takes the place of the semicolon.
        let unended = place == Place::Second;
        let symbols = (!self.symbols.is_empty()).then_some(&self.symbols);
        let ctx = Ctx { pc, chip: self.chip, unended, symbols, ..Ctx::default() };
        if unended {
            printers.unended.print(insn, ctx, out);
            out.text("        }");
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

/// What nvdisasm prints of a cubin's functions (`nvdisasm [-hex] [-novliw] FILE.cubin`): sections of code with
/// their labels and instructions. Sections of data and directives about symbols are left out.
///
/// # Errors
/// As [`nvdisasm`].
pub fn nvdisasm_cubin(
    cubin: &Cubin<'_>,
    chip: Chip,
    options: &NvdisasmOptions,
    limits: &Limits,
) -> Result<String, Vec<Diagnostic>> {
    let source = Chip::of(u32::from(cubin.virtual_chip())).unwrap_or(chip);
    let mut faults = Vec::new();
    let mut programs = Vec::new();
    for function in &cubin.functions {
        match Lines::new(function.code, chip, options, limits) {
            Ok(lines) => programs.push((function, lines)),
            Err(found) => faults.extend(found),
        }
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    name(cubin, &mut programs);
    relocate(cubin, &mut programs);
    let column = match options.hex {
        true => programs.iter().map(|(_, lines)| lines.width()).max().unwrap_or(0) + GAP,
        false => 0,
    };
    let mut out = Vec::new();
    out.extend_from_slice(flags(chip, source).as_bytes());
    for (function, lines) in programs {
        let section = cubin.elf.sections.get(function.section).map_or("", |s| s.name);
        let head = format!("\n\n\t.section\t{section},\"ax\",@progbits\n");
        out.extend_from_slice(escape_lines(&head).as_bytes());
        if let Err(found) = lines.print(column, &mut out, limits) {
            faults.extend(found);
        }
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    Ok(String::from_utf8(out).unwrap_or_default())
}

/// Control characters as escapes, except tabs and line ends.
fn escape_lines(text: &str) -> String {
    let plain = |c: &char| matches!(c, '\t' | '\n') || !c.is_control();
    text.chars().filter(plain).collect()
}

/// Names the addresses of a cubin's code as nvdisasm does. Functions have their names. Labels are numbered over
/// the whole file: targets of branches first, in the order of the branches; then two for each indirect
/// branch and its target; then the ends of functions, in the order of the symbols. An address keeps its
/// first label, but the number of a second is used up, unless a branch needed it; where a function ends and
/// another begins with a bundle, the label of the end comes before the name. A bundle and its first instruction have one
/// label, before the bundle, and so has a group of instructions that issue together.
fn name(cubin: &Cubin<'_>, programs: &mut [(&Function<'_>, Lines<'_>)]) {
    // By the addresses of instructions.
    type Names = BTreeMap<u32, String>;
    let mut places: Vec<Names> = Vec::new();
    for (function, _) in programs.iter() {
        let here = |s: &&Symbol<'_>| s.function() && usize::from(s.section) == function.section;
        let functions = cubin.symbols.iter().filter(here);
        places.push(functions.map(|s| (bundle::aligned(s.value as u32), s.name.into())).collect());
    }
    let mut next = 0;
    let mut label = |names: &mut Names, at: u32| {
        names.entry(bundle::aligned(at)).or_insert(format!(".L_x_{next}"));
        next += 1;
    };
    for ((_, lines), names) in programs.iter().zip(&mut places) {
        for (i, insn) in lines.insns() {
            let target = crate::operand::target_of(&insn, bundle::address(i));
            if let Some(at) = target.filter(|at| !names.contains_key(&bundle::aligned(*at))) {
                label(names, at);
            }
        }
    }
    let place = |function: &str| programs.iter().position(|(f, _)| f.name == function);
    for (function, attribute) in cubin.attributes() {
        let Some(names) = function.and_then(place).and_then(|i| places.get_mut(i)) else { continue };
        for branch in attribute.branches() {
            label(names, branch.place);
            branch.targets.into_iter().for_each(|at| label(names, at));
        }
    }
    let bundles =
        cubin.symbols.iter().filter(|s| s.function() && s.value.is_multiple_of(BUNDLE_BYTES as u64));
    let bundles: BTreeSet<_> = bundles.map(|s| (s.section, bundle::aligned(s.value as u32))).collect();
    let mut ends = vec![Names::new(); places.len()];
    for symbol in cubin.symbols.iter().filter(|s| s.function()) {
        let Some(i) = programs.iter().position(|(f, _)| f.section == usize::from(symbol.section)) else {
            continue;
        };
        let at = symbol.value.saturating_add(symbol.size) as u32;
        let begins = bundles.contains(&(symbol.section, bundle::aligned(at)));
        label(if begins { &mut ends[i] } else { &mut places[i] }, at);
    }
    for (((function, lines), names), ends) in programs.iter_mut().zip(places).zip(ends) {
        let section = cubin.elf.sections.get(function.section).map_or("", |s| s.name);
        for (place, name) in ends.iter().chain(&names) {
            let group = lines.group(number(*place) as u32);
            if group.is_none_or(|first| !names.contains_key(&first)) {
                let at = bundle_or(group.unwrap_or(*place));
                lines.labels.entry(at).or_default().push_str(&format!("{name}:\n"));
            }
        }
        for (place, name) in &names {
            lines.symbols.insert(*place, format!("`({name})"));
            // Bundles may be branch targets.
            if bundle_or(*place) != *place {
                lines.symbols.insert_alias(bundle_or(*place), *place);
            }
        }
        lines.labels.entry(0).or_default().push_str(&format!("{section}:\n"));
    }
}

/// The address of the bundle that an instruction begins, or its own.
fn bundle_or(place: u32) -> u32 {
    place.checked_sub(8).filter(|bundle| bundle::aligned(*bundle) == place).unwrap_or(place)
}

/// Names the numbers that relocations put into instructions.
fn relocate(cubin: &Cubin<'_>, programs: &mut [(&Function<'_>, Lines<'_>)]) {
    for relocation in &cubin.relocations {
        let program = programs.iter_mut().find(|(f, _)| f.section == relocation.section);
        let symbol = cubin.symbols.get(relocation.symbol as usize);
        let (Some((_, lines)), Some(symbol)) = (program, symbol) else { continue };
        let text = match relocation.kind {
            ABS32_20 => format!("`({})", symbol.name),
            ABS32_LO_20 => format!("32@lo({})", symbol.name),
            ABS32_HI_20 => format!("32@hi({})", symbol.name),
            _ => continue,
        };
        lines.symbols.insert_number(relocation.offset as u32, text);
    }
}

/// Relocations of the 32-bit number from bit 20 of an instruction: a whole one, and the halves of a 64-bit one.
const ABS32_20: u32 = 42;
const ABS32_LO_20: u32 = 43;
const ABS32_HI_20: u32 = 44;
