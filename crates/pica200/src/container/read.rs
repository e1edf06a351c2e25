//! Reads a [`Shbin`] from bytes.

use super::bytes::{half, u32_at, word};
use super::layout::{DVLE_HEADER, FULL_HEADER, Layout, SHORT_HEADER};
use super::tables::Entry;
use super::{Dvle, GeometryMode, Placement, Shbin};
use alloc::{format, vec::Vec};
use shisa_diag::{Diagnostic, Limit, Limits, Sink};

/// Zero bytes that may be inside a run of [`Layout::rest`].
const GAP: usize = 64;

impl Shbin {
    /// Reads a file.
    ///
    /// # Errors
    /// All its faults: `shbin-magic`, `shbin-cut`, `shbin-range`, `limit-exceeded`.
    pub fn read(bytes: &[u8], limits: &Limits) -> Result<Shbin, Vec<Diagnostic>> {
        let mut reader = Reader::new(bytes, limits).map_err(|d| alloc::vec![d])?;
        let file = reader.file();
        match file {
            Some(file) if reader.sink.errors() == 0 => Ok(file),
            _ => Err(reader.sink.finish()),
        }
    }
}

/// Reads headers and tables, and collects faults.
pub(super) struct Reader<'a> {
    pub(super) bytes: &'a [u8],
    limits: &'a Limits,
    pub(super) sink: Sink,
    /// Bytes of all tables; they may share bytes of the file.
    total: usize,
}

impl<'a> Reader<'a> {
    /// For a file that is not too large.
    pub(super) fn new(bytes: &'a [u8], limits: &'a Limits) -> Result<Self, Diagnostic> {
        limits.check(Limit::File, "bytes of the file", bytes.len())?;
        Ok(Reader { bytes, limits, sink: Sink::new(limits.diagnostics), total: 0 })
    }

    /// `None` if there is nothing more to read; then a fault is in the sink.
    fn file(&mut self) -> Option<Shbin> {
        self.magic(0, b"DVLB")?;
        let count = self.head(4, 4, "the number of programs")?;
        let count = word(count, 0) as usize;
        self.limit(Limit::Programs, "programs", count)?;
        let table = self.head(8, count.saturating_mul(4), "the table of programs")?;
        let starts: Vec<u32> = table.chunks_exact(4).map(|b| word(b, 0)).collect();
        let base = 8 + 4 * count;
        let mut layout = Layout { size: self.bytes.len() as u32, ..Layout::default() };
        let mut file = Shbin::default();
        self.pool(&mut file, &mut layout, base, &starts);
        for (i, &start) in starts.iter().enumerate() {
            if let Some((dvle, place)) = self.dvle(start, i) {
                file.programs.push(dvle);
                layout.programs.push(place);
            }
        }
        if self.sink.errors() > 0 {
            return None;
        }
        file.layout = Some(layout);
        match file.write(self.limits) {
            Ok(written) => {
                let rest = rest(self.bytes, &written);
                let usual = Layout::of(&file);
                file.layout = file.layout.map(|l| Layout { rest, ..l }).filter(|layout| *layout != usual);
                Some(file)
            }
            Err(d) => {
                self.sink.push(d);
                None
            }
        }
    }

    fn pool(&mut self, file: &mut Shbin, layout: &mut Layout, base: usize, starts: &[u32]) -> Option<()> {
        self.magic(base, b"DVLP")?;
        let header = self.head(base, SHORT_HEADER as usize, "the header of the DVLP")?;
        let field = |at| word(header, at);
        file.version = field(4);
        layout.pool = [field(8), field(16), field(24), 0];
        let (words, descriptors) = (field(12), field(20));
        // If something else is where the rest of a full header would be, the header is a short one.
        let inside = |offset: usize| (SHORT_HEADER as usize..FULL_HEADER as usize).contains(&offset);
        let program = starts.iter().any(|s| (*s as usize).checked_sub(base).is_some_and(inside));
        let table = |offset: u32, count: u32| count > 0 && inside(offset as usize);
        let short = program || table(layout.pool[0], words) || table(layout.pool[1], descriptors);
        let short = short || self.bytes.len() < base + FULL_HEADER as usize;
        layout.header = if short { SHORT_HEADER } else { FULL_HEADER };
        self.limit(Limit::Instructions, "words", words as usize);
        layout.pool[3] = if short { 0 } else { word(self.bytes, base + 32) };
        let [code, descriptors, lines, names] = layout.pool.map(|n| base.saturating_add(n as usize));
        file.code = self.table("words", base + 8, code);
        file.descriptors = self.table("descriptors", base + 16, descriptors);
        if !short {
            file.lines = self.table("lines", base + 24, lines);
            file.names = self.table("names", base + 32, names);
        }
        Some(())
    }

    fn dvle(&mut self, start: u32, number: usize) -> Option<(Dvle, Placement)> {
        let base = start as usize;
        let field = 8 + 4 * number..12 + 4 * number;
        let header = self.bytes.get(base..).and_then(|b| b.get(..DVLE_HEADER));
        let Some(header) = header else {
            let message = format!("the header of program {} reaches past the end of the file", number + 1);
            self.sink.push(Diagnostic::error("shbin-cut", message).at_bytes(field, "where it begins"));
            return None;
        };
        if !header.starts_with(b"DVLE") {
            let message = format!("program {} does not begin with DVLE", number + 1);
            let d = Diagnostic::error("shbin-magic", message).at_bytes(base..base + 4, "");
            self.sink.push(d.at_bytes(field, "where it should be"));
            return None;
        }
        let byte = |at: usize| header.get(at).copied().unwrap_or(0);
        let geometry =
            GeometryMode { mode: byte(20), fixed_start: byte(21), variable: byte(22), fixed: byte(23) };
        let tables = [24, 32, 40, 48, 56].map(|at| word(header, at));
        let [constants, labels, outputs, uniforms, symbols] = [0, 1, 2, 3, 4]
            .map(|n: usize| (base + 24 + 8 * n, base.saturating_add(word(header, 24 + 8 * n) as usize)));
        let names = self.count(labels.0 + 4).saturating_add(self.count(uniforms.0 + 4));
        self.limit(Limit::Labels, "labels", names);
        let dvle = Dvle {
            version: half(header, 4),
            kind: byte(6),
            flags: byte(7),
            entry: word(header, 8),
            end: word(header, 12),
            inputs: half(header, 16),
            output_mask: half(header, 18),
            geometry,
            constants: self.table("constants", constants.0, constants.1),
            labels: self.table("labels", labels.0, labels.1),
            outputs: self.table("outputs", outputs.0, outputs.1),
            uniforms: self.table("uniforms", uniforms.0, uniforms.1),
            symbols: self.table("symbols", symbols.0, symbols.1),
        };
        Some((dvle, Placement { at: start, tables }))
    }

    fn count(&self, at: usize) -> usize {
        word(self.bytes, at) as usize
    }

    pub(super) fn magic(&mut self, at: usize, letters: &[u8; 4]) -> Option<()> {
        let found = self.bytes.get(at..).unwrap_or_default();
        if found.starts_with(letters) {
            return Some(());
        }
        let name = letters.escape_ascii();
        let end = self.bytes.len().min(at + 4);
        let d = match u32_at(self.bytes, at) {
            Some(_) => Diagnostic::error("shbin-magic", format!("{name} is expected here")),
            None => Diagnostic::error("shbin-cut", format!("the file ends where {name} is expected")),
        };
        self.sink.push(d.at_bytes(at.min(end)..end, ""));
        None
    }

    /// Bytes of a header.
    pub(super) fn head(&mut self, at: usize, len: usize, what: &str) -> Option<&[u8]> {
        let stop = at.saturating_add(len);
        if stop > self.bytes.len() {
            let end = self.bytes.len();
            let d = Diagnostic::error("shbin-cut", format!("the file ends inside {what}"));
            self.sink.push(d.at_bytes(at.min(end)..end, ""));
        }
        self.bytes.get(at..stop)
    }

    pub(super) fn limit(&mut self, limit: Limit, what: &str, value: usize) -> Option<()> {
        match self.limits.check(limit, what, value) {
            Ok(()) => Some(()),
            Err(d) => {
                self.sink.push(d);
                None
            }
        }
    }

    /// The entries of a table whose offset and count are at `field`; none after a fault. An empty table may be
    /// anywhere.
    pub(super) fn table<T: Entry>(&mut self, what: &str, field: usize, at: usize) -> Vec<T> {
        let count = self.count(field + 4);
        if count == 0 {
            return Vec::new();
        }
        let len = count.saturating_mul(T::BYTES);
        let Some(bytes) = self.bytes.get(at..).and_then(|b| b.get(..len)) else {
            let message = format!("the table of {what} reaches past the end of the file");
            let help = format!("{count} entries of {} bytes from {at:#x}", T::BYTES);
            let d = Diagnostic::error("shbin-range", message).at_bytes(field..field + 8, "offset and count");
            self.sink.push(d.note(help));
            return Vec::new();
        };
        let before = self.total;
        self.total = before.saturating_add(len);
        if self.total > self.limits.file {
            // Reported once: the others would be the same.
            if before <= self.limits.file {
                self.limit(Limit::File, "bytes of all tables", self.total);
            }
            return Vec::new();
        }
        bytes.chunks_exact(T::BYTES).map(T::get).collect()
    }
}

/// The runs of bytes that differ from the written ones.
pub(super) fn rest(bytes: &[u8], written: &[u8]) -> Vec<(u32, Vec<u8>)> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for (at, _) in bytes.iter().zip(written).enumerate().filter(|(_, (a, b))| a != b) {
        match runs.last_mut() {
            Some((_, end)) if at - *end < GAP => *end = at + 1,
            _ => runs.push((at, at + 1)),
        }
    }
    runs.into_iter().filter_map(|(from, to)| Some((from as u32, bytes.get(from..to)?.to_vec()))).collect()
}
