//! Writes ELF files with other contents in some sections, which move what comes after them.

use super::elf::{Elf, HEADER, SECTION, SEGMENT, SYMBOL, SYMBOLS};
use super::reader::within;
use alloc::{collections::BTreeMap, format, vec::Vec};
use core::ops::Range;
use shisa_diag::bytes::{outside, part, put};
use shisa_diag::{Diagnostic, Record};

impl Elf<'_> {
    /// The file with new bytes in some sections, by their numbers. Bytes after a section that becomes longer or
    /// shorter move, and so do the offsets that refer to them; the size of a function that fills its section follows.
    /// All other bytes are unchanged.
    ///
    /// # Errors
    /// `cubin-layout` if parts of the file share bytes, so that none can move, and for a section that has no bytes,
    /// and so no offset.
    pub fn write(&self, edits: &BTreeMap<usize, &[u8]>) -> Result<Vec<u8>, Diagnostic> {
        let old = |n: usize| self.sections.get(n).map_or(0, |s| s.data.len());
        if edits.iter().all(|(n, data)| data.len() == old(*n)) {
            let mut out = self.bytes.to_vec();
            for (n, data) in edits {
                let none =
                    || Diagnostic::internal("internal-maxwell-file", format!("there is no section {n}"));
                put(&mut out, self.sections.get(*n).ok_or_else(none)?.offset, data)?;
            }
            return Ok(out);
        }
        if let Some((n, _)) = edits.iter().find(|(n, data)| old(**n) == 0 && !data.is_empty()) {
            return Err(Diagnostic::error("cubin-layout", format!("section {n} has no space in the file")));
        }
        let layout = self.moved(edits)?;
        let mut out = layout.bytes(self.bytes)?;
        self.write_header(&layout, &mut out)?;
        self.write_sections(&layout, edits, &mut out)?;
        self.write_segments(&layout, &mut out)?;
        Ok(out)
    }

    /// The new positions of the parts if some sections have new bytes.
    fn moved<'d>(&self, edits: &BTreeMap<usize, &'d [u8]>) -> Result<Layout<'d>, Diagnostic> {
        let sections = self.sections.iter().enumerate().filter(|(_, s)| !s.data.is_empty());
        let mut parts: Vec<Part<'_>> = sections
            .map(|(n, s)| Part {
                old: s.offset..s.offset + s.data.len(),
                align: usize::try_from(s.align).unwrap_or(1).clamp(1, 4096),
                new: edits.get(&n).copied(),
                start: 0,
            })
            .collect();
        let tables = [(&self.section_table, 8), (&self.segment_table, 8), (&(0..HEADER), 1)];
        let tables = tables.into_iter().filter(|(t, _)| !t.is_empty());
        parts.extend(tables.map(|(t, align)| Part { old: t.clone(), align, new: None, start: 0 }));
        parts.sort_by_key(|p| (p.old.start, p.old.end));
        if let Some((a, b)) = parts.iter().zip(parts.iter().skip(1)).find(|(a, b)| b.old.start < a.old.end) {
            let d = Diagnostic::error("cubin-layout", "parts of the file share bytes, so none can move");
            return Err(d.at_bytes(b.old.start..a.old.end, "in two parts"));
        }
        let (mut at, mut end) = (0, 0);
        for part in &mut parts {
            // Bytes between parts stay between them. An aligned part stays aligned.
            let next = at + (part.old.start - end);
            let aligned = part.old.start.is_multiple_of(part.align);
            part.start = if aligned { next.next_multiple_of(part.align) } else { next };
            at = part.start + part.new.map_or(part.old.len(), <[u8]>::len);
            end = part.old.end;
        }
        Ok(Layout { parts, size: at + self.bytes.len().saturating_sub(end) })
    }

    fn write_header(&self, layout: &Layout<'_>, out: &mut [u8]) -> Result<(), Diagnostic> {
        let Some(header) = Record::<HEADER>::at(self.bytes, 0) else {
            return Err(outside(0..HEADER, self.bytes.len()));
        };
        for (field, at) in [(32, header.long::<32>()), (40, header.long::<40>())] {
            let at = at as usize;
            if at != 0 {
                put(out, field, &(layout.start(at) as u64).to_le_bytes())?;
            }
        }
        Ok(())
    }

    fn write_sections(
        &self,
        layout: &Layout<'_>,
        edits: &BTreeMap<usize, &[u8]>,
        out: &mut [u8],
    ) -> Result<(), Diagnostic> {
        let table = layout.start(self.section_table.start);
        for (number, section) in self.sections.iter().enumerate().skip(1) {
            let entry = table + number * SECTION;
            put(out, entry + 24, &(layout.start(section.offset) as u64).to_le_bytes())?;
            if let Some(new) = edits.get(&number) {
                put(out, entry + 32, &(new.len() as u64).to_le_bytes())?;
            }
        }
        for table in self.sections.iter().filter(|s| s.kind == SYMBOLS) {
            for (n, symbol) in Record::<SYMBOL>::all(table.data).enumerate() {
                let section = usize::from(symbol.half::<6>());
                let (Some(new), Some(old)) = (edits.get(&section), self.sections.get(section)) else {
                    continue;
                };
                if symbol.long::<8>() == 0 && symbol.long::<16>() == old.size && old.size > 0 {
                    let at = layout.start(table.offset) + n * SYMBOL + 16;
                    put(out, at, &(new.len() as u64).to_le_bytes())?;
                }
            }
        }
        Ok(())
    }

    fn write_segments(&self, layout: &Layout<'_>, out: &mut [u8]) -> Result<(), Diagnostic> {
        let table = layout.start(self.segment_table.start);
        let old = part(self.bytes, self.segment_table.clone())?;
        for (n, segment) in Record::<SEGMENT>::all(old).enumerate() {
            let (offset, size) = (segment.long::<8>(), segment.long::<32>());
            let Some(range) = within(self.bytes.len(), offset, size) else { continue };
            let start = layout.start(range.start);
            let len = layout.end(range.end).saturating_sub(start) as u64;
            let memory = segment.long::<40>().wrapping_sub(size).wrapping_add(len);
            let entry = table + n * SEGMENT;
            put(out, entry + 8, &(start as u64).to_le_bytes())?;
            put(out, entry + 32, &len.to_le_bytes())?;
            put(out, entry + 40, &memory.to_le_bytes())?;
        }
        Ok(())
    }
}

/// A run of bytes that moves as one.
struct Part<'d> {
    old: Range<usize>,
    align: usize,
    new: Option<&'d [u8]>,
    /// Its offset in the new file.
    start: usize,
}

/// The positions of parts, in the order of the file.
struct Layout<'d> {
    parts: Vec<Part<'d>>,
    size: usize,
}

impl Layout<'_> {
    /// The part in front of a number.
    fn before(&self, number: usize) -> Option<&Part<'_>> {
        self.parts.get(number.checked_sub(1)?)
    }

    /// The new offset of a part that begins at an old one.
    fn start(&self, old: usize) -> usize {
        match self.before(self.parts.partition_point(|p| p.old.start <= old)) {
            Some(p) if old == p.old.start || p.new.is_none() => p.start.saturating_add(old - p.old.start),
            Some(p) => self.end(p.old.end).saturating_add(old.saturating_sub(p.old.end)),
            None => old,
        }
    }

    /// The new offset of a part that ends at an old one.
    fn end(&self, old: usize) -> usize {
        match self.before(self.parts.partition_point(|p| p.old.start < old)) {
            Some(p) => {
                let len = p.new.map_or(p.old.len(), <[u8]>::len);
                p.start + len + old.saturating_sub(p.old.end) - p.old.end.saturating_sub(old).min(len)
            }
            None => old,
        }
    }

    /// The bytes of the parts at their new offsets, with zeros in inserted space.
    fn bytes(&self, old: &[u8]) -> Result<Vec<u8>, Diagnostic> {
        let mut out = alloc::vec![0; self.size];
        let mut end = 0;
        for run in &self.parts {
            let gap = part(old, end..run.old.start)?;
            put(&mut out, run.start - gap.len(), gap)?;
            put(&mut out, run.start, run.new.map_or_else(|| part(old, run.old.clone()), Ok)?)?;
            end = run.old.end;
        }
        let tail = part(old, end..old.len())?;
        let at = out.len() - tail.len();
        put(&mut out, at, tail)?;
        Ok(out)
    }
}
