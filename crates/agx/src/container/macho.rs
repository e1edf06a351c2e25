//! Metal's archives: several slices in one file, each for one GPU, each a Mach-O file whose sections hold
//! further Mach-O files or the code itself.

use super::{Program, fault};
use alloc::{format, string::String, vec::Vec};
use core::ops::Range;
use shisa_diag::{Diagnostic, Limit, Limits, Sink};
use shisa_ir::Stage;

/// A file of slices, one for each GPU and one with Metal's intermediate language.
const FAT: u32 = 0xcbfe_babe;
/// A Mach-O file of 64 bits.
const MACH: u32 = 0xfeed_facf;
/// Apple's GPUs, as the type of the processor.
const APPLE: u32 = 0x0100_0013;
/// Apple's GPUs, as the subtype of the processor: those whose code this crate reads have names that begin with [`OURS`].
const GPUS: [(u32, &str); 13] = [
    (275, "G15G"),
    (290, "G13P"),
    (322, "G13G"),
    (370, "G14P"),
    (402, "G14G"),
    (419, "G15S"),
    (434, "G14S"),
    (435, "G16P"),
    (498, "G14D"),
    (530, "G13S"),
    (562, "G13C"),
    (594, "G13D"),
    (610, "G15P"),
];
/// The generation of GPUs whose code this crate reads.
const OURS: &str = "G13";
/// The first bytes of a library of Metal's intermediate language.
const INTERMEDIATE: &[u8] = b"MTLB";
/// The name of symbols that assemblers add where sections and padding begin; a number follows.
const PADDING: &str = "ltmp";
const SEGMENT: u32 = 0x19;
const SYMBOLS: u32 = 0x2;
/// The maximum nesting of files in sections in files.
const NESTED: usize = 4;
/// Bytes of a symbol's name that are shown.
const NAME: usize = 256;

/// The byte order of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    Little,
    Big,
}

/// A stretch of a file.
#[derive(Clone, Copy)]
struct View<'a> {
    bytes: &'a [u8],
    /// Its offset in the whole file.
    base: usize,
}

impl<'a> View<'a> {
    fn number(&self, at: usize, order: Order) -> Option<u32> {
        let bytes: [u8; 4] = self.bytes.get(at..at.checked_add(4)?)?.try_into().ok()?;
        Some(match order {
            Order::Little => u32::from_le_bytes(bytes),
            Order::Big => u32::from_be_bytes(bytes),
        })
    }

    fn word(&self, at: usize) -> Option<u32> {
        self.number(at, Order::Little)
    }

    fn long(&self, at: usize) -> Option<u64> {
        let bytes = self.bytes.get(at..at.checked_add(8)?)?;
        Some(u64::from_le_bytes(bytes.try_into().ok()?))
    }

    /// A name of at most 16 bytes.
    fn name(&self, at: usize) -> Option<&'a [u8]> {
        let name = self.bytes.get(at..at.checked_add(16)?)?;
        Some(name.split(|b| *b == 0).next().unwrap_or_default())
    }

    fn part(&self, at: usize, size: usize) -> Option<View<'a>> {
        let bytes = self.bytes.get(at..at.checked_add(size)?)?;
        Some(View { bytes, base: self.base + at })
    }
}

/// The byte order of a file of slices, if it is one.
fn fat(view: View<'_>) -> Option<Order> {
    [Order::Little, Order::Big].into_iter().find(|order| view.number(0, *order) == Some(FAT))
}

/// Whether bytes are an archive, or one slice of it.
pub(super) fn sniff(bytes: &[u8]) -> bool {
    let view = View { bytes, base: 0 };
    fat(view).is_some() || is_slice(view)
}

/// The GPU of a processor's subtype, if it is known.
fn gpu(subtype: u32) -> Option<&'static str> {
    GPUS.iter().find(|(number, _)| *number == subtype).map(|(_, name)| *name)
}

/// Whether bytes are a library of Metal's intermediate language, which is not code for a GPU.
pub(super) fn is_intermediate(bytes: &[u8]) -> bool {
    bytes.starts_with(INTERMEDIATE)
}

/// Whether a symbol only marks where a section or padding begins.
fn is_padding(name: &str) -> bool {
    name.strip_prefix(PADDING)
        .is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit()))
}

fn is_slice(view: View<'_>) -> bool {
    view.word(0) == Some(MACH) && view.word(4) == Some(APPLE)
}

/// The programs for Apple's GPUs of generation G13, in the order of the file, and the slices for other generations.
/// Unreadable parts are faults.
pub(super) fn programs(bytes: &[u8], limits: &Limits, sink: &mut Sink) -> (Vec<Program>, Vec<Program>) {
    let mut found =
        Found { limits, size: bytes.len(), sink, list: Vec::new(), others: Vec::new(), entries: 0 };
    let view = View { bytes, base: 0 };
    match fat(view) {
        Some(order) => found.slices(view, order),
        None => match view.word(8) {
            Some(subtype) => found.of_gpu(view, subtype, ""),
            None => found.cut(8, "the header of the file"),
        },
    }
    found.list.sort_by_key(|p| p.code.start);
    (found.list, found.others)
}

struct Found<'a> {
    limits: &'a Limits,
    /// Bytes of the whole file.
    size: usize,
    sink: &'a mut Sink,
    list: Vec<Program>,
    /// Slices for other generations.
    others: Vec<Program>,
    /// Table entries that were examined, in all files within the file.
    entries: usize,
}

impl Found<'_> {
    /// Counts entries of a table; false where there are too many.
    fn count(&mut self, entries: usize) -> bool {
        let before = self.entries;
        self.entries = before.saturating_add(entries);
        let bound = self.limits.labels;
        if before <= bound
            && let Err(d) = self.limits.check(Limit::Labels, "commands, sections and symbols", self.entries)
        {
            self.sink.push(d);
        }
        self.entries <= bound
    }

    fn cut(&mut self, at: usize, what: &str) {
        self.fault(at, format!("{what} reaches past the end of the file"));
    }

    /// Reports a fault at an offset, or at the end of the file if that is before.
    fn fault(&mut self, at: usize, text: String) {
        let at = at.min(self.size);
        self.sink.push(fault(text).at_bytes(at..at, ""));
    }

    fn slices(&mut self, view: View<'_>, order: Order) {
        let Some(count) = view.number(4, order) else {
            return self.cut(4, "the number of slices");
        };
        for i in 0..count as usize {
            let at = 8 + 20 * i;
            let field = |n: usize| view.number(at + 4 * n, order);
            let (Some(kind), Some(subtype), Some(offset), Some(size)) =
                (field(0), field(1), field(2), field(3))
            else {
                return self.cut(at, "the table of slices");
            };
            if kind != APPLE {
                continue;
            }
            if !self.count(1) {
                return;
            }
            match view.part(offset as usize, size as usize) {
                Some(slice) => {
                    let prefix = match gpu(subtype) {
                        Some(name) => format!("{name}: "),
                        None => format!("slice {subtype}: "),
                    };
                    self.of_gpu(slice, subtype, &prefix);
                }
                None => self.cut(at, "a slice"),
            }
        }
    }

    /// A slice for one GPU. Code of other generations is listed, not read.
    fn of_gpu(&mut self, view: View<'_>, subtype: u32, prefix: &str) {
        match gpu(subtype).filter(|name| !name.starts_with(OURS)) {
            Some(name) => {
                let code = view.base..view.base + view.bytes.len();
                self.others.push(Program { name: name.into(), stage: None, code });
            }
            None => self.slice(view, None, prefix, 0),
        }
    }

    /// A Mach-O file: the programs that its symbols name, and the files in its sections.
    fn slice(&mut self, view: View<'_>, stage: Option<Stage>, prefix: &str, depth: usize) {
        if view.word(0) != Some(MACH) {
            return self.fault(view.base, "a slice is not a 64-bit Mach-O file".into());
        }
        if depth > NESTED {
            return self.fault(view.base, "files are nested too deeply".into());
        }
        let mut texts = Vec::new();
        let mut symbols = Vec::new();
        let mut at = 32;
        let Some(commands) = view.word(16) else {
            return self.cut(view.base + 16, "the header of a slice");
        };
        for _ in 0..commands {
            let (Some(command), Some(size)) = (view.word(at), view.word(at + 4)) else {
                return self.cut(view.base + at, "a load command");
            };
            if !self.count(1) {
                return;
            }
            match command {
                SEGMENT => self.segment(view, at, stage, prefix, depth, &mut texts),
                SYMBOLS => symbols = self.symbols(view, at),
                _ => {}
            }
            // A command without a size would never end.
            if size < 8 {
                return self.cut(view.base + at, "a load command");
            }
            at = at.saturating_add(size as usize);
        }
        for (address, code) in texts {
            self.text(&symbols, address, code, stage, prefix);
        }
    }

    fn segment<'v>(
        &mut self,
        view: View<'v>,
        at: usize,
        stage: Option<Stage>,
        prefix: &str,
        depth: usize,
        texts: &mut Vec<(u64, View<'v>)>,
    ) {
        let Some(sections) = view.word(at + 64) else {
            return self.cut(view.base + at, "a load command");
        };
        for i in 0..sections as usize {
            let s = at + 72 + 80 * i;
            let (Some(name), Some(segment), Some(address), Some(size), Some(offset)) =
                (view.name(s), view.name(s + 16), view.long(s + 32), view.long(s + 40), view.word(s + 48))
            else {
                return self.cut(view.base + s, "a table of sections");
            };
            if !self.count(1) {
                return;
            }
            if segment != b"__TEXT" {
                continue;
            }
            let inner = match name {
                b"__vertex" => Some(Stage::Vertex),
                b"__fragment" => Some(Stage::Fragment),
                b"__compute" => Some(Stage::Compute),
                b"__text" => None,
                _ => continue,
            };
            let Some(content) = usize::try_from(size).ok().and_then(|n| view.part(offset as usize, n)) else {
                self.cut(view.base + s, "a section");
                continue;
            };
            match inner {
                Some(inner) => self.slice(content, Some(inner), prefix, depth + 1),
                None if content.word(0) == Some(MACH) => self.slice(content, stage, prefix, depth + 1),
                None => texts.push((address, content)),
            }
        }
    }

    /// Names and addresses.
    fn symbols(&mut self, view: View<'_>, at: usize) -> Vec<(u64, String)> {
        let field = |n: usize| view.word(at + 8 + 4 * n).map(|w| w as usize);
        let mut list = Vec::new();
        let (Some(first), Some(count), Some(strings), Some(size)) = (field(0), field(1), field(2), field(3))
        else {
            self.cut(view.base + at, "the table of symbols");
            return list;
        };
        let (Some(names), Some(table)) =
            (view.part(strings, size), view.part(first, count.saturating_mul(16)))
        else {
            self.cut(view.base + at, "the table of symbols");
            return list;
        };
        if !self.count(count) {
            return list;
        }
        for entry in table.bytes.chunks_exact(16) {
            let entry = View { bytes: entry, base: 0 };
            let (Some(name), Some(value)) = (entry.word(0), entry.long(8)) else { continue };
            let name = names.bytes.get(name as usize..).unwrap_or_default();
            let name = &name[..name.len().min(NAME)];
            let name = name.split(|b| *b == 0).next().unwrap_or_default();
            list.push((value, String::from_utf8_lossy(name).into_owned()));
        }
        list.sort();
        list
    }

    /// The programs in a section of code: each reaches from its symbol to the next.
    fn text(
        &mut self,
        symbols: &[(u64, String)],
        address: u64,
        code: View<'_>,
        stage: Option<Stage>,
        prefix: &str,
    ) {
        let size = code.bytes.len();
        let place = |value: u64| usize::try_from(value.checked_sub(address)?).ok().filter(|at| *at < size);
        let inside = &symbols[symbols.partition_point(|s| s.0 < address)..];
        let mut places: Vec<(usize, &str)> =
            inside.iter().map_while(|(value, name)| Some((place(*value)?, name.as_str()))).collect();
        if places.iter().all(|(_, name)| is_padding(name)) && size > 0 {
            places.clear();
            places.push((0, ""));
        }
        for (i, (start, name)) in places.iter().enumerate() {
            let end = places[i..].iter().map(|p| p.0).find(|at| at > start).unwrap_or(size);
            // Only one of several names at one offset is reported.
            if i > 0 && places[i - 1].0 == *start || is_padding(name) {
                continue;
            }
            if let Err(d) = self.limits.check(Limit::Programs, "programs", self.list.len() + 1) {
                return self.sink.push(d);
            }
            let range: Range<usize> = code.base + start..code.base + end;
            let name = format!("{prefix}{name}");
            let stage = stage.or_else(|| named_stage(&name));
            self.list.push(Program { name, stage, code: range });
        }
    }
}

/// The stage, where the symbol's name has it.
fn named_stage(name: &str) -> Option<Stage> {
    [Stage::Vertex, Stage::Fragment, Stage::Compute].into_iter().find(|stage| name.contains(stage.name()))
}

/// The error for a library of Metal's intermediate language.
pub(super) fn intermediate() -> Diagnostic {
    fault("this is a library of Metal's intermediate language (AIR), not code for a GPU".into())
        .help("a binary archive, which a device builds from it, holds code for its GPU")
}

/// The error for an archive with code for other generations only.
pub(super) fn other_generations(others: &[Program]) -> Diagnostic {
    let names: Vec<&str> = others.iter().map(|slice| slice.name.as_str()).collect();
    fault(format!("the archive has code for {} only; generation {OURS} is read", names.join(", ")))
}

/// The error for a file without any program.
pub(super) fn nothing() -> Diagnostic {
    fault("the archive has no code for Apple's GPUs".into())
        .help("archives that only hold Metal's intermediate language get code when a device has built it")
}
