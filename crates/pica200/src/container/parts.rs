//! The parts of executables and file systems, which name the shader binaries in them.

use super::bytes::{u16_at, u32_at};
use super::contents::contents;
use super::wrapper::{MEDIA_UNIT, NCCH_MAGIC, Wrapper};
use alloc::{format, string::String, vec, vec::Vec};
use core::ops::Range;

/// Bytes of the header of an ExeFS.
pub(super) const EXEFS_HEADER: usize = 0x200;
/// Files of an ExeFS.
pub(super) const EXEFS_FILES: usize = 10;
/// Bytes of the header of an IVFC.
pub(super) const IVFC_HEADER: usize = 0x60;
/// The longest name of a section that is read, in bytes.
const NAME: usize = 256;
/// Directories in a path; no path of a 3DS is longer.
const DEPTH: usize = 64;

/// Names of the parts that contain given offsets.
pub(super) struct Names<'a> {
    /// In ascending order.
    offsets: &'a [usize],
    /// For each offset the smallest part so far: its size and its name.
    found: Vec<Option<(usize, String)>>,
    /// How many more names are given: parts of a damaged file may all overlap.
    left: usize,
}

impl Names<'_> {
    /// Names given in one file.
    const MOST: usize = 1 << 18;

    /// Adds a part.
    fn part(&mut self, range: Range<usize>, name: impl FnOnce() -> String) {
        let [from, to] = [range.start, range.end].map(|end| self.offsets.partition_point(|o| *o < end));
        let inside = self.found.get_mut(from..to.max(from)).unwrap_or_default();
        if inside.is_empty() || inside.len() > self.left {
            return;
        }
        self.left -= inside.len();
        let name = name();
        for slot in inside {
            if slot.as_ref().is_none_or(|(size, _)| range.len() <= *size) {
                *slot = Some((range.len(), name.clone()));
            }
        }
    }
}

/// For each offset, which are in ascending order, the name of the innermost part of the file that contains it; empty if
/// no part does.
pub(super) fn names(wrapper: Wrapper, bytes: &[u8], offsets: &[usize]) -> Vec<String> {
    let mut names = Names { offsets, found: vec![None; offsets.len()], left: Names::MOST };
    match wrapper {
        Wrapper::Cgfx | Wrapper::Csdr | Wrapper::Bch => {}
        Wrapper::ThreeDsx => drop(segments(bytes, &mut names)),
        Wrapper::Elf => drop(sections(bytes, &mut names)),
        Wrapper::Ncch => {
            executables(bytes, exefs_of(bytes).start, &mut names);
            files(bytes, level3(bytes, romfs_of(bytes).start), &mut names);
        }
        Wrapper::ExeFs => executables(bytes, 0, &mut names),
        Wrapper::RomFs => files(bytes, level3(bytes, 0), &mut names),
        Wrapper::Ncsd | Wrapper::Cia => return nested(wrapper, bytes, offsets),
    }
    names.found.into_iter().map(|found| found.map_or(String::new(), |(_, name)| name)).collect()
}

/// Names of the parts of contents, each after the number of its content.
fn nested(wrapper: Wrapper, bytes: &[u8], offsets: &[usize]) -> Vec<String> {
    let mut found = vec![String::new(); offsets.len()];
    for (n, content) in contents(wrapper, bytes).into_iter().enumerate() {
        let [from, to] =
            [content.range.start, content.range.end].map(|end| offsets.partition_point(|o| *o < end));
        let inside = offsets.get(from..to).unwrap_or_default();
        let inside: Vec<usize> = inside.iter().map(|at| at - content.range.start).collect();
        let names = names(Wrapper::Ncch, content.of(bytes), &inside);
        for (slot, name) in found.iter_mut().skip(from).zip(names) {
            *slot = format!("{n}/{}", name.trim_start_matches('/'));
        }
    }
    found
}

/// The code of each application in the file, which may be compressed.
pub(super) fn codes(wrapper: Wrapper, bytes: &[u8]) -> Vec<Range<usize>> {
    let code = |start: usize| {
        let files = (0..EXEFS_FILES).filter(|n| text(bytes, start.saturating_add(16 * n), 8) == ".code");
        files.map(|n| exefs_file(bytes, start, n)).filter(|range| range.end <= bytes.len()).collect()
    };
    match wrapper {
        Wrapper::ExeFs => code(0),
        Wrapper::Ncch => code(exefs_of(bytes).start),
        _ => {
            let shifted = |at: usize, code: Range<usize>| at + code.start..at + code.end;
            let contents = contents(wrapper, bytes).into_iter();
            let inside = contents.map(|c| (c.range.start, codes(Wrapper::Ncch, c.of(bytes))));
            inside.flat_map(|(at, codes)| codes.into_iter().map(move |code| shifted(at, code))).collect()
        }
    }
}

/// The 32-bit number at an offset; 0 past the end, where a damaged file has no parts.
fn number(bytes: &[u8], at: usize) -> usize {
    u32_at(bytes, at).unwrap_or(0) as usize
}

fn run(start: usize, size: usize) -> Range<usize> {
    start..start.saturating_add(size)
}

/// The ExeFS of an NCCH.
pub(super) fn exefs_of(bytes: &[u8]) -> Range<usize> {
    media(bytes, 0xa0)
}

/// The RomFS of an NCCH.
pub(super) fn romfs_of(bytes: &[u8]) -> Range<usize> {
    media(bytes, 0xb0)
}

/// A region of an NCCH, whose offset and size are at an offset from the letters.
fn media(bytes: &[u8], field: usize) -> Range<usize> {
    let [start, size] = [0, 4].map(|n| number(bytes, NCCH_MAGIC + field + n).saturating_mul(MEDIA_UNIT));
    run(start, size)
}

/// The segments of a 3DSX, and its files; `None` if its header is cut off.
fn segments(bytes: &[u8], names: &mut Names<'_>) -> Option<()> {
    let header = usize::from(u16_at(bytes, 4)?);
    let mut at = header + 3 * usize::from(u16_at(bytes, 6)?);
    let bss = number(bytes, 0x1c);
    for (name, field) in [("code", 0x10), ("rodata", 0x14), ("data", 0x18)] {
        let size = number(bytes, field);
        let size = if field == 0x18 { size.saturating_sub(bss) } else { size };
        names.part(run(at, size), || name.into());
        at = at.saturating_add(size);
    }
    if header >= 0x2c {
        files(bytes, number(bytes, 0x28), names);
    }
    Some(())
}

/// The sections of an ELF file; `None` if its header is cut off.
fn sections(bytes: &[u8], names: &mut Names<'_>) -> Option<()> {
    const NOBITS: usize = 8;
    let (table, entry) = (number(bytes, 0x20), usize::from(u16_at(bytes, 0x2e)?));
    let count = usize::from(u16_at(bytes, 0x30)?);
    let header = |n: usize| table.saturating_add(n.saturating_mul(entry));
    let texts = number(bytes, header(u16_at(bytes, 0x32)?.into()).saturating_add(0x10));
    for at in (0..count).map(header) {
        let field = |n: usize| number(bytes, at.saturating_add(n));
        if field(4) != NOBITS {
            names.part(run(field(0x10), field(0x14)), || text(bytes, texts.saturating_add(field(0)), NAME));
        }
    }
    Some(())
}

/// The files of an ExeFS: after the header, at offsets that count from its end.
fn executables(bytes: &[u8], start: usize, names: &mut Names<'_>) {
    for file in 0..EXEFS_FILES {
        let at = start.saturating_add(16 * file);
        names.part(exefs_file(bytes, start, file), || text(bytes, at, 8));
    }
}

/// A file of an ExeFS.
pub(super) fn exefs_file(bytes: &[u8], start: usize, file: usize) -> Range<usize> {
    let field = |at: usize| number(bytes, start.saturating_add(16 * file + at));
    run(start.saturating_add(EXEFS_HEADER).saturating_add(field(8)), field(12))
}

/// Where the files of an IVFC begin: after its header and its master hashes, at a block.
pub(super) fn level3(bytes: &[u8], ivfc: usize) -> usize {
    let block = block(bytes, ivfc, 0x4c);
    let hashes = number(bytes, ivfc.saturating_add(8));
    ivfc.saturating_add(IVFC_HEADER.saturating_add(hashes).div_ceil(block).saturating_mul(block))
}

/// The size of the blocks of a level of an IVFC, whose logarithm is at an offset.
pub(super) fn block(bytes: &[u8], ivfc: usize, field: usize) -> usize {
    1 << number(bytes, ivfc.saturating_add(field)).min(31)
}

/// The files of a RomFS, by their paths.
fn files(bytes: &[u8], start: usize, names: &mut Names<'_>) {
    const HEADER: usize = 0x28;
    if number(bytes, start) != HEADER {
        return;
    }
    let field = |at: usize| number(bytes, start.saturating_add(at));
    let table = |at: usize| {
        let from = start.saturating_add(field(at));
        bytes.get(from..).and_then(|b| b.get(..field(at + 4))).unwrap_or_default()
    };
    let (directories, entries, data) = (table(0x0c), table(0x1c), start.saturating_add(field(0x24)));
    let mut at = 0;
    while at + 0x20 <= entries.len() {
        let size = number(entries, at + 0x1c);
        // Offsets and sizes have 64 bits; a file that is read here has less than 32.
        let range = run(data.saturating_add(number(entries, at + 8)), number(entries, at + 0x10));
        names.part(range, || {
            let mut path = vec![utf16(entries, at + 0x20, size)];
            let mut parent = number(entries, at);
            // The root is at 0, and its own parent.
            while parent != 0 && path.len() < DEPTH {
                let size = number(directories, parent.saturating_add(0x14));
                path.push(utf16(directories, parent.saturating_add(0x18), size));
                parent = number(directories, parent);
            }
            path.reverse();
            format!("/{}", path.join("/"))
        });
        at = at.saturating_add(0x20).saturating_add(size.div_ceil(4).saturating_mul(4));
    }
}

/// A name that a zero byte or the largest size ends.
fn text(bytes: &[u8], at: usize, most: usize) -> String {
    let text = bytes.get(at..).unwrap_or_default();
    let text = text.get(..text.len().min(most)).unwrap_or_default();
    String::from_utf8_lossy(text.split(|b| *b == 0).next().unwrap_or_default()).into_owned()
}

/// A name in UTF-16 of this many bytes, of which a name of a file system has at most 512.
fn utf16(bytes: &[u8], at: usize, size: usize) -> String {
    let name = bytes.get(at..).and_then(|b| b.get(..size.min(512))).unwrap_or_default();
    let (units, _) = name.as_chunks::<2>();
    char::decode_utf16(units.iter().map(|u| u16::from_le_bytes(*u)))
        .map(|c| c.unwrap_or('\u{fffd}'))
        .collect()
}
