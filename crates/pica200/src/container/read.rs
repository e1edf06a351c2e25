//! Reads a [`Shbin`] from bytes.

use super::bytes::u32_at;
use super::layout::{DVLE_HEADER, FULL_HEADER, Layout, SHORT_HEADER};
use super::tables::Entry;
use super::{Dvle, GeometryMode, Placement, Shbin};
use alloc::{format, vec::Vec};
use core::ops::Range;
use shisa_diag::{Diagnostic, Limit, Limits, Record, Sink};

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
    /// Whether each byte is in a header or a table that was read.
    known: Vec<bool>,
}

impl<'a> Reader<'a> {
    /// For a file that is not too large.
    pub(super) fn new(bytes: &'a [u8], limits: &'a Limits) -> Result<Self, Diagnostic> {
        limits.check(Limit::File, "bytes of the file", bytes.len())?;
        let known = alloc::vec![false; bytes.len()];
        Ok(Reader { bytes, limits, sink: Sink::new(limits.diagnostics), total: 0, known })
    }

    /// `None` if there is nothing more to read; then a fault is in the sink.
    fn file(&mut self) -> Option<Shbin> {
        self.magic(0, b"DVLB")?;
        let count = self.record::<4>(4, "the number of programs")?.word::<0>() as usize;
        self.limit(Limit::Programs, "programs", count)?;
        let table = self.head(8, count.saturating_mul(4), "the table of programs")?;
        let starts: Vec<u32> = u32::all(table);
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
        layout.rest = self.rest();
        file.layout = Some(layout).filter(|layout| *layout != Layout::of(&file));
        Some(file)
    }

    /// Marks a header or a table that was read.
    fn know(&mut self, range: Range<usize>) {
        if let Some(known) = self.known.get_mut(range) {
            known.fill(true);
        }
    }

    /// The bytes that are in no header and no table and not zero, in runs. Writing a file copies what headers and tables say,
    /// which is all of their bytes.
    pub(super) fn rest(&self) -> Vec<(u32, Vec<u8>)> {
        let mut runs: Vec<Range<usize>> = Vec::new();
        let bytes = self.bytes.iter().zip(&self.known).enumerate();
        for (at, _) in bytes.filter(|(_, (byte, known))| **byte != 0 && !**known) {
            match runs.last_mut() {
                Some(run) if at - run.end < GAP => run.end = at + 1,
                _ => runs.push(at..at + 1),
            }
        }
        let run = |run: Range<usize>| Some((run.start as u32, self.bytes.get(run)?.to_vec()));
        runs.into_iter().filter_map(run).collect()
    }

    fn pool(&mut self, file: &mut Shbin, layout: &mut Layout, base: usize, starts: &[u32]) -> Option<()> {
        self.magic(base, b"DVLP")?;
        let header = self.record::<{ SHORT_HEADER as usize }>(base, "the header of the DVLP")?;
        file.version = header.word::<4>();
        let (code, descriptors) = (header.words::<8, 2>(), header.words::<16, 2>());
        layout.pool = [code[0], descriptors[0], header.word::<24>(), 0];
        // If something else is where the rest of a full header would be, the header is a short one.
        let inside = |offset: usize| (SHORT_HEADER as usize..FULL_HEADER as usize).contains(&offset);
        let program = starts.iter().any(|s| (*s as usize).checked_sub(base).is_some_and(inside));
        let table = |offset: u32, count: u32| count > 0 && inside(offset as usize);
        let short = program || table(code[0], code[1]) || table(descriptors[0], descriptors[1]);
        let full = Record::<{ FULL_HEADER as usize }>::at(self.bytes, base).filter(|_| !short);
        self.limit(Limit::Instructions, "words", code[1] as usize);
        file.code = self.table_from(base, "words", base + 8, code);
        file.descriptors = self.table_from(base, "descriptors", base + 16, descriptors);
        layout.header = SHORT_HEADER;
        if let Some(full) = full {
            self.know(base..base + FULL_HEADER as usize);
            let (lines, names) = (full.words::<24, 2>(), full.words::<32, 2>());
            layout.header = FULL_HEADER;
            layout.pool[3] = names[0];
            file.lines = self.table_from(base, "lines", base + 24, lines);
            file.names = self.table_from(base, "names", base + 32, names);
        }
        Some(())
    }

    fn dvle(&mut self, start: u32, number: usize) -> Option<(Dvle, Placement)> {
        let base = start as usize;
        let field = 8 + 4 * number..12 + 4 * number;
        let Some(header) = Record::<DVLE_HEADER>::at(self.bytes, base) else {
            let message = format!("the header of program {} reaches past the end of the file", number + 1);
            self.sink.push(Diagnostic::error("shbin-cut", message).at_bytes(field, "where it begins"));
            return None;
        };
        if !header.bytes().starts_with(b"DVLE") {
            let message = format!("program {} does not begin with DVLE", number + 1);
            let d = Diagnostic::error("shbin-magic", message).at_bytes(base..base + 4, "");
            self.sink.push(d.at_bytes(field, "where it should be"));
            return None;
        }
        self.know(base..base + DVLE_HEADER);
        let geometry = GeometryMode {
            mode: header.byte::<20>(),
            fixed_start: header.byte::<21>(),
            variable: header.byte::<22>(),
            fixed: header.byte::<23>(),
        };
        let (constants, labels) = (header.words::<24, 2>(), header.words::<32, 2>());
        let (outputs, uniforms) = (header.words::<40, 2>(), header.words::<48, 2>());
        let symbols = header.words::<56, 2>();
        let names = (labels[1] as usize).saturating_add(uniforms[1] as usize);
        self.limit(Limit::Labels, "labels", names);
        let dvle = Dvle {
            version: header.half::<4>(),
            kind: header.byte::<6>(),
            flags: header.byte::<7>(),
            entry: header.word::<8>(),
            end: header.word::<12>(),
            inputs: header.half::<16>(),
            output_mask: header.half::<18>(),
            geometry,
            constants: self.table_from(base, "constants", base + 24, constants),
            labels: self.table_from(base, "labels", base + 32, labels),
            outputs: self.table_from(base, "outputs", base + 40, outputs),
            uniforms: self.table_from(base, "uniforms", base + 48, uniforms),
            symbols: self.table_from(base, "symbols", base + 56, symbols),
        };
        let tables = [constants, labels, outputs, uniforms, symbols].map(|[offset, _]| offset);
        Some((dvle, Placement { at: start, tables }))
    }

    pub(super) fn magic(&mut self, at: usize, letters: &[u8; 4]) -> Option<()> {
        let found = self.bytes.get(at..).unwrap_or_default();
        if found.starts_with(letters) {
            self.know(at..at + letters.len());
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
    pub(super) fn head(&mut self, at: usize, len: usize, what: &str) -> Option<&'a [u8]> {
        let stop = at.saturating_add(len);
        if stop > self.bytes.len() {
            let end = self.bytes.len();
            let d = Diagnostic::error("shbin-cut", format!("the file ends inside {what}"));
            self.sink.push(d.at_bytes(at.min(end)..end, ""));
        }
        let head = self.bytes.get(at..stop)?;
        self.know(at..stop);
        Some(head)
    }

    /// A header of a fixed size.
    pub(super) fn record<const N: usize>(&mut self, at: usize, what: &str) -> Option<Record<'a, N>> {
        self.head(at, N, what)?.first_chunk().map(Record::new)
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

    /// The entries of a table with its offset and count, which are at `field`; none after a fault. An empty table may
    /// be anywhere.
    pub(super) fn table<T: Entry>(&mut self, what: &str, field: usize, table: [u32; 2]) -> Vec<T> {
        self.table_from(0, what, field, table)
    }

    /// The same for an offset from `base`.
    fn table_from<T: Entry>(&mut self, base: usize, what: &str, field: usize, table: [u32; 2]) -> Vec<T> {
        let [offset, count] = table.map(|n| n as usize);
        let at = base.saturating_add(offset);
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
        self.know(at..at + len);
        T::all(bytes)
    }
}
