//! ELF files of 64 bits, least significant byte first: sections, segments, symbols, names.
//!
//! All faults are reported at once, each with its offset, and files are written back with unchanged bytes at their
//! offsets: therefore the few tables of the format are read here.

use super::reader::Reader;
use alloc::{format, vec::Vec};
use core::ops::Range;
use shisa_diag::{Diagnostic, Limit, Record};

/// Bytes of the file's header.
pub(super) const HEADER: usize = 64;
/// Bytes of an entry of the table of sections.
pub(super) const SECTION: usize = 64;
/// Bytes of an entry of the table of segments.
pub(super) const SEGMENT: usize = 56;
/// Bytes of an entry of the table of symbols.
pub(super) const SYMBOL: usize = 24;
/// The kind of symbol tables.
pub(super) const SYMBOLS: u32 = 2;
/// The kinds of sections without bytes in the file: any memory, and of cubins global, local, shared and reserved
/// shared memory.
const NO_BYTES: [u32; 5] = [8, 0x7000_0007, 0x7000_0009, 0x7000_000a, 0x7000_0015];
/// The number of a section in 16 bits that refers to another field.
const EXTENDED: u16 = 0xffff;

/// A file. Its fields have the file's values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Elf<'a> {
    /// All bytes.
    pub bytes: &'a [u8],
    /// What the file is: 1 relocatable, 2 executable.
    pub kind: u16,
    /// The target: 190 for CUDA.
    pub machine: u16,
    /// In cubins the version of the toolkit, times ten: 129 is 12.9.
    pub version: u32,
    /// In cubins the chips.
    pub flags: u32,
    /// The operating system; 0x33 and 0x41 are CUDA.
    pub abi: u8,
    /// In the order of the table, including the empty one at the start.
    pub sections: Vec<Section<'a>>,
    /// The range of the table of sections.
    pub(super) section_table: Range<usize>,
    /// The range of the table of segments.
    pub(super) segment_table: Range<usize>,
}

/// A section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Section<'a> {
    /// Empty if it has none, or one that is not text.
    pub name: &'a str,
    /// Its kind: 1 program bytes, 2 symbols, 4 and 9 relocations, 8 nothing in the file.
    pub kind: u32,
    /// Bit 0 writable, 1 in memory, 2 code.
    pub flags: u64,
    /// Address in memory; 0 in cubins.
    pub address: u64,
    /// First byte in the file.
    pub offset: usize,
    /// Bytes in memory.
    pub size: u64,
    /// The section that this one needs, such as the names of symbols.
    pub link: u32,
    /// Depends on the kind.
    pub info: u32,
    /// The alignment of its address.
    pub align: u64,
    /// Bytes of an entry, in sections that are tables; otherwise 0.
    pub entry_size: u64,
    /// Its bytes; empty if it has none in the file.
    pub data: &'a [u8],
}

/// A symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symbol<'a> {
    /// Empty if it has none, or one that is not text.
    pub name: &'a str,
    /// From the start of its section.
    pub value: u64,
    /// Bytes.
    pub size: u64,
    /// Kind in bits 0–3 (1 object, 2 function, 3 section), binding in bits 4–7.
    pub info: u8,
    /// In functions bit 4: a kernel that the host launches.
    pub other: u8,
    /// Its section; 0 if none.
    pub section: u16,
}

impl Symbol<'_> {
    /// Whether it is a function.
    pub const fn function(&self) -> bool {
        self.info & 15 == 2
    }
}

/// The target of a file that begins like one of 64 bits.
pub(super) fn machine(bytes: &[u8]) -> Option<u16> {
    let header = bytes.starts_with(b"\x7fELF\x02\x01").then(|| Record::<20>::at(bytes, 0))??;
    Some(header.half::<18>())
}

/// The total size allowed for names, however often they are used.
struct Names(usize);

impl Names {
    /// The name at an offset of a section of names; empty when it is not text.
    fn at<'a>(&mut self, reader: &mut Reader<'_, '_>, names: &'a [u8], at: u32) -> &'a str {
        let bytes = names.get(at as usize..).unwrap_or_default();
        let bytes = bytes.get(..bytes.len().min(self.0.saturating_add(1))).unwrap_or_default();
        let name = bytes.split(|b| *b == 0).next().unwrap_or_default();
        if name.len() > self.0 {
            let d = reader.limits.exceeded(Limit::File, "the number of bytes of all names");
            reader.sink.push(d);
            self.0 = 0;
            return "";
        }
        self.0 -= name.len();
        core::str::from_utf8(name).unwrap_or_default()
    }
}

impl<'a> Elf<'a> {
    /// `None` if there is nothing more to read; then a fault is in the reader.
    pub(super) fn read(reader: &mut Reader<'a, '_>) -> Option<Elf<'a>> {
        let bytes = reader.bytes;
        let header = reader.record::<HEADER>(0, "the header")?;
        let (mut count, mut names) = (u64::from(header.half::<60>()), u32::from(header.half::<62>()));
        let segments = u64::from(header.half::<56>()) * SEGMENT as u64;
        let segment_table = reader.part(header.long::<32>(), segments, 32..40, "the table of segments")?;
        let table = header.long::<40>();
        if table != 0 && (count == 0 || names == u32::from(EXTENDED)) {
            // What does not fit into 16 bits is in the first section.
            let at = reader.part(table, SECTION as u64, 40..48, "the first section")?;
            let first = Record::<SECTION>::at(bytes, at.start)?;
            count = if count == 0 { first.long::<32>() } else { count };
            names = if names == u32::from(EXTENDED) { first.word::<40>() } else { names };
        }
        let section_table =
            reader.part(table, count.saturating_mul(SECTION as u64), 40..48, "the table of sections")?;
        let mut elf = Elf {
            bytes,
            kind: header.half::<16>(),
            machine: header.half::<18>(),
            version: header.word::<20>(),
            flags: header.word::<48>(),
            abi: header.byte::<7>(),
            sections: Vec::new(),
            section_table: section_table.clone(),
            segment_table,
        };
        let entries = Record::<SECTION>::all(bytes.get(section_table.clone())?);
        let mut name_offsets = Vec::with_capacity(entries.len());
        for (number, entry) in entries.enumerate() {
            name_offsets.push(entry.word::<0>());
            elf.sections.push(section(reader, entry, section_table.start + number * SECTION));
        }
        elf.overlaps(reader);
        let name_bytes = elf.sections.get(names as usize).map_or(&[][..], |s| s.data);
        let mut budget = Names(reader.limits.file);
        for (section, at) in elf.sections.iter_mut().zip(name_offsets) {
            section.name = budget.at(reader, name_bytes, at);
        }
        Some(elf)
    }

    /// Reports sections that share bytes: their contents would count as often as there are sections.
    fn overlaps(&self, reader: &mut Reader<'a, '_>) {
        let table = self.section_table.start;
        let range = |s: &Section<'_>| s.offset..s.offset + s.data.len();
        let sections = self.sections.iter().enumerate().filter(|(_, s)| !s.data.is_empty());
        let mut all: Vec<(usize, Range<usize>)> = sections.map(|(n, s)| (n, range(s))).collect();
        all.sort_by_key(|(n, range)| (range.start, *n));
        let mut before: Option<(usize, usize)> = None;
        for (n, range) in all {
            if let Some((other, end)) = before.filter(|(_, end)| range.start < *end) {
                let text = format!("sections {other} and {n} share bytes from {:#x} on", range.start);
                let entry = table + n * SECTION;
                let d = Diagnostic::error("cubin-overlap", text)
                    .at_bytes(entry + 24..entry + 40, "offset and size");
                reader.sink.push(d);
                before = Some(if range.end > end { (n, range.end) } else { (other, end) });
            } else {
                before = Some((n, range.end));
            }
        }
    }

    /// The number of the section with the names of the symbols; 0 without symbols.
    pub(crate) fn symbol_names(&self) -> usize {
        self.sections.iter().find(|s| s.kind == SYMBOLS).map_or(0, |table| table.link as usize)
    }

    /// The symbols of the first table of symbols.
    pub(super) fn symbols(&self, reader: &mut Reader<'a, '_>) -> Option<Vec<Symbol<'a>>> {
        let mut budget = Names(reader.limits.file);
        let mut symbols = Vec::new();
        let Some(table) = self.sections.iter().find(|s| s.kind == SYMBOLS) else { return Some(symbols) };
        let entries = Record::<SYMBOL>::all(table.data);
        reader.limit(Limit::Labels, "symbols", entries.len())?;
        let names = self.sections.get(table.link as usize).map_or(&[][..], |s| s.data);
        for entry in entries {
            symbols.push(Symbol {
                name: budget.at(reader, names, entry.word::<0>()),
                value: entry.long::<8>(),
                size: entry.long::<16>(),
                info: entry.byte::<4>(),
                other: entry.byte::<5>(),
                section: entry.half::<6>(),
            });
        }
        Some(symbols)
    }
}

fn section<'a>(reader: &mut Reader<'a, '_>, entry: Record<'_, SECTION>, at: usize) -> Section<'a> {
    let kind = entry.word::<4>();
    let (offset, size) = (entry.long::<24>(), entry.long::<32>());
    let range = if kind == 0 || NO_BYTES.contains(&kind) {
        None
    } else {
        reader.part(offset, size, at + 24..at + 40, "a section")
    };
    Section {
        name: "",
        kind,
        flags: entry.long::<8>(),
        address: entry.long::<16>(),
        offset: usize::try_from(offset).unwrap_or(0),
        size,
        link: entry.word::<40>(),
        info: entry.word::<44>(),
        align: entry.long::<48>(),
        entry_size: entry.long::<56>(),
        data: range.and_then(|r| reader.bytes.get(r)).unwrap_or_default(),
    }
}
