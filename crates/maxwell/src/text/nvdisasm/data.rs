//! Sections of data.

use super::expression::expression;
use super::head::{has_symbols, kinds};
use super::labels::Labels;
use super::printed::Printed;
use super::symbols::{self, Names, Style, directives};
use crate::container::{Cubin, Relocation, Section, Symbol};
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::{String, ToString};
use alloc::{format, vec::Vec};

/// Bytes of a line.
const LINE: usize = 16;

/// Writes bytes in lines; zeros as their number.
pub(super) fn bytes(data: &[u8], at: usize, out: &mut Printed<'_>) {
    if data.is_empty() {
        return;
    }
    if data.iter().all(|b| *b == 0) {
        out.text(&format!("\t.zero\t\t{}\n", data.len()));
        return;
    }
    let mut line = String::new();
    for (n, chunk) in data.chunks(LINE).enumerate() {
        line.clear();
        line += &format!("        /*{:04x}*/ \t.byte\t", at + n * LINE);
        for (i, byte) in chunk.iter().enumerate() {
            line += &format!("{}0x{byte:02x}", if i == 0 { "" } else { ", " });
        }
        line.push('\n');
        out.text(&line);
    }
}

/// The symbols and relocations of sections, and the labels of where symbols of data end.
pub(super) struct Data<'d, 'a> {
    cubin: &'d Cubin<'a>,
    names: &'d Names<'a>,
    labels: &'d Labels,
    /// By the numbers of sections: the symbols, first the last one.
    symbols: BTreeMap<usize, Vec<(usize, &'d Symbol<'a>)>>,
    /// By the numbers of sections and by offset.
    relocations: BTreeMap<usize, BTreeMap<u64, &'d Relocation>>,
}

impl<'d, 'a> Data<'d, 'a> {
    /// Of a cubin.
    pub(super) fn new(cubin: &'d Cubin<'a>, names: &'d Names<'a>, labels: &'d Labels) -> Data<'d, 'a> {
        let mut symbols: BTreeMap<usize, Vec<_>> = BTreeMap::new();
        for (number, symbol) in cubin.symbols.iter().enumerate().filter(|(_, s)| s.section != 0) {
            symbols.entry(symbol.section.into()).or_default().push((number, symbol));
        }
        symbols.values_mut().for_each(|all| all.reverse());
        let mut relocations: BTreeMap<usize, BTreeMap<_, _>> = BTreeMap::new();
        for relocation in &cubin.relocations {
            relocations.entry(relocation.section).or_default().insert(relocation.offset, relocation);
        }
        Data { cubin, names, labels, symbols, relocations }
    }

    /// Writes a section.
    pub(super) fn section(&self, number: usize, section: &Section<'a>, out: &mut Printed<'_>) {
        if matches!(section.kind, kinds::CALL_GRAPH | kinds::PROTOTYPES) {
            return self.pairs(section, out);
        }
        let symbols = self.symbols.get(&number).map_or(&[][..], Vec::as_slice);
        if symbols.iter().any(|(_, s)| symbols::is_shared(s) && !symbols::is_section(s)) {
            return self.shared(symbols, out);
        }
        let lines = self.lines(number, section);
        let units = self.units(number);
        let size = if section.data.is_empty() { section.size } else { section.data.len() as u64 };
        let mut stops: BTreeSet<u64> = lines.keys().chain(units.keys()).copied().collect();
        stops.extend(units.iter().map(|(at, (bytes, _))| at + bytes));
        stops.insert(0);
        stops.insert(size);
        // Symbols after the end of a section are not written.
        stops.retain(|at| *at <= size);
        let ends = stops.iter().copied().skip(1).chain([size]);
        for (at, end) in stops.iter().copied().zip(ends) {
            let unit = units.get(&at);
            if let Some((bytes, _)) = unit.filter(|(bytes, _)| *bytes > 1 && section.align >= *bytes) {
                out.text(&format!("\t.align\t\t{bytes}\n"));
            }
            for line in lines.get(&at).into_iter().flatten() {
                out.text(line);
            }
            match unit {
                Some((_, text)) => out.text(&format!("        /*{at:04x}*/ \t{text}\n")),
                None if section.data.is_empty() && end > at => {
                    out.text(&format!("\t.zero\t\t{}\n", end - at));
                }
                None => {
                    let (at, end) = (at as usize, end as usize);
                    bytes(section.data.get(at..end).unwrap_or_default(), at, out);
                }
            }
        }
    }

    /// Writes a section of shared memory: its symbols, which have no offsets yet.
    fn shared(&self, symbols: &[(usize, &Symbol<'a>)], out: &mut Printed<'_>) {
        for (n, symbol) in symbols.iter().filter(|(_, s)| symbols::is_written(s)) {
            let name = self.names.get(*n).unwrap_or_default();
            if symbols::is_section(symbol) {
                out.text(&format!("{name}:\n"));
                continue;
            }
            out.text(&directives(symbol, name, None, Style::Data));
            out.text(&format!("{name}:\n"));
            if symbol.size != 0 {
                out.text(&format!("\t.zero\t\t{}\n", symbol.size));
            }
        }
    }

    /// The lines before each offset: labels and directives.
    fn lines(&self, number: usize, section: &Section<'a>) -> BTreeMap<u64, Vec<String>> {
        let mut lines: BTreeMap<u64, Vec<String>> = BTreeMap::new();
        if !has_symbols(section.kind) {
            return lines;
        }
        let all = self.symbols.get(&number).map_or(&[][..], Vec::as_slice);
        let begins = |(_, symbol): &&(usize, &Symbol<'a>)| {
            !symbols::is_section(symbol) && symbols::is_written(symbol) && !symbols::is_shared(symbol)
        };
        // Where a symbol begins it names the end of the one before it.
        let named: BTreeMap<u64, usize> = all.iter().filter(begins).map(|(n, s)| (s.value, *n)).collect();
        let mut labelled: BTreeMap<u64, usize> = BTreeMap::new();
        for (n, symbol) in all.iter().rev() {
            let end = symbol.value.saturating_add(symbol.size);
            if let (Some(label), false) = (self.names.end(*n), named.contains_key(&end)) {
                labelled.entry(end).or_insert(label);
            }
        }
        for (end, label) in &labelled {
            lines.entry(*end).or_default().push(format!(".L_{label}:\n"));
        }
        // Symbols of one offset are written by their names, the last one first.
        let mut written: Vec<_> = all.iter().filter(|(_, s)| symbols::is_written(s)).collect();
        written.sort_by(|(_, a), (_, b)| b.name.cmp(a.name));
        for (n, symbol) in written {
            let name = self.names.get(*n).unwrap_or_default();
            let before = lines.entry(symbol.value).or_default();
            if symbols::is_section(symbol) {
                if section.size != 0 {
                    before.push(format!("{name}:\n"));
                }
                continue;
            }
            let end = symbol.value.saturating_add(symbol.size);
            let end_name = match (named.get(&end), labelled.get(&end)) {
                (Some(next), _) => self.names.get(*next).map(ToString::to_string),
                (None, label) => label.map(|label| format!(".L_{label}")),
            };
            before.push(directives(symbol, name, end_name.as_deref(), Style::Data));
            before.push(format!("{name}:\n"));
        }
        lines
    }

    /// The units that relocations fill in: by offset their bytes and text.
    fn units(&self, number: usize) -> BTreeMap<u64, (u64, String)> {
        let relocations = self.relocations.get(&number).into_iter().flatten();
        let unit = |(at, relocation): (&u64, &&Relocation)| {
            let name = self.names.get(relocation.symbol as usize)?;
            let held = self.cubin.field(relocation)?;
            let label = self.labels.reference(self.cubin, relocation, name, held);
            let (unit, text) = expression(relocation, name, held, label)?;
            Some((*at, (unit.bytes as u64, format!("{}\t{text}", unit.directive))))
        };
        relocations.filter_map(unit).collect()
    }

    /// Writes a section of pairs: callers with callees, or symbols with prototypes.
    fn pairs(&self, section: &Section<'a>, out: &mut Printed<'_>) {
        // The number of the pair before, without a first one, that begins a part of a call graph.
        const STRINGS: [u32; 2] = [u32::MAX - 1, u32::MAX - 2];
        let mut part = if section.kind == kinds::PROTOTYPES { STRINGS[0] } else { 0 };
        let strings = self.cubin.elf.sections.get(self.cubin.elf.symbol_names()).map_or(&[][..], |s| s.data);
        let mut line = |at: usize, text: &str| {
            out.text(&format!("\t.align\t\t4\n        /*{at:04x}*/ \t.word\t{text}\n"));
        };
        let symbol = |n: u32| match self.names.get(n as usize) {
            Some(name) if n != 0 => format!("index@({name})"),
            _ => format!("{n:#010x}"),
        };
        let words =
            section.data.chunks_exact(4).map(|w| w.iter().rev().fold(0, |a, b| a << 8 | u32::from(*b)));
        let words: Vec<u32> = words.collect();
        for (i, pair) in words.chunks(2).enumerate() {
            let (first, second) = (pair.first().copied().unwrap_or(0), pair.get(1).copied());
            line(8 * i, &symbol(first));
            let Some(second) = second else { continue };
            let text = match first {
                0 if second >= 0xffff_fff0 => {
                    part = second;
                    format!("{second:#010x}")
                }
                _ if STRINGS.contains(&part) => {
                    let text = strings.get(second as usize..).unwrap_or_default();
                    let text = text.split(|b| *b == 0).next().unwrap_or_default();
                    format!("str_index@(\"{}\")", String::from_utf8_lossy(text))
                }
                _ => symbol(second),
            };
            line(8 * i + 4, &text);
        }
    }
}
