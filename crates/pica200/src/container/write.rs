//! Writes a [`Shbin`] as bytes.

use super::layout::{FULL_HEADER, Layout, SHORT_HEADER};
use super::tables::Entry;
use super::{Dvle, Placement, Shbin};
use alloc::{borrow::Cow, format, string::String, vec::Vec};
use shisa_diag::{Bound, Diagnostic, Limit, Limits};

impl Shbin {
    /// The bytes of the file.
    ///
    /// # Errors
    /// `shbin-layout` if the layout does not fit these contents, `limit-exceeded` if it reaches past the largest
    /// file. Without a layout only the limit can fail.
    pub fn write(&self, limits: &Limits) -> Result<Vec<u8>, Diagnostic> {
        let layout = self.layout.as_ref().map_or_else(|| Cow::Owned(Layout::of(self)), Cow::Borrowed);
        self.check(&layout)?;
        let mut out = Writer::new(limits.bound(Limit::File));
        out.reach(layout.size as usize)?;
        for (at, bytes) in &layout.rest {
            out.put(*at as usize, bytes)?;
        }
        let mut head = Vec::from(*b"DVLB");
        (self.programs.len() as u32).put(&mut head);
        layout.programs.iter().for_each(|p| p.at.put(&mut head));
        let base = head.len();
        out.put(0, &head)?;
        out.put(base, &self.pool_header(&layout))?;
        let [code, descriptors, lines, names] =
            layout.pool.map(|offset| base.saturating_add(offset as usize));
        out.table(code, &self.code)?;
        out.table(descriptors, &self.descriptors)?;
        out.table(lines, &self.lines)?;
        out.table(names, &self.names)?;
        for (dvle, place) in self.programs.iter().zip(&layout.programs) {
            let base = place.at as usize;
            out.put(base, &header(dvle, place))?;
            let [constants, labels, outputs, uniforms, symbols] =
                place.tables.map(|offset| base.saturating_add(offset as usize));
            out.table(constants, &dvle.constants)?;
            out.table(labels, &dvle.labels)?;
            out.table(outputs, &dvle.outputs)?;
            out.table(uniforms, &dvle.uniforms)?;
            out.table(symbols, &dvle.symbols)?;
        }
        Ok(out.into_bytes())
    }

    fn check(&self, layout: &Layout) -> Result<(), Diagnostic> {
        let wrong = |message: String| Err(Diagnostic::error("shbin-layout", message));
        if layout.programs.len() != self.programs.len() {
            let (given, programs) = (layout.programs.len(), self.programs.len());
            return wrong(format!("the layout has offsets for {given} programs; there are {programs}"));
        }
        match layout.header {
            FULL_HEADER => Ok(()),
            SHORT_HEADER if self.lines.is_empty() && self.names.is_empty() => Ok(()),
            SHORT_HEADER => wrong("a short DVLP header has no line table and no names".into()),
            n => wrong(format!("a DVLP header has {FULL_HEADER:#x} or {SHORT_HEADER:#x} bytes, not {n:#x}")),
        }
    }

    fn pool_header(&self, layout: &Layout) -> Vec<u8> {
        let [code, descriptors, lines, names] = layout.pool;
        let mut out = Vec::from(*b"DVLP");
        let fields = [
            self.version,
            code,
            self.code.len() as u32,
            descriptors,
            self.descriptors.len() as u32,
            lines,
            self.lines.len() as u32,
            names,
            self.names.len() as u32,
        ];
        fields.iter().for_each(|f| f.put(&mut out));
        out.truncate(layout.header as usize);
        out
    }
}

fn header(dvle: &Dvle, place: &Placement) -> Vec<u8> {
    let mut out = Vec::from(*b"DVLE");
    out.extend_from_slice(&dvle.version.to_le_bytes());
    out.extend_from_slice(&[dvle.kind, dvle.flags]);
    [dvle.entry, dvle.end].iter().for_each(|w| w.put(&mut out));
    out.extend_from_slice(&dvle.inputs.to_le_bytes());
    out.extend_from_slice(&dvle.output_mask.to_le_bytes());
    let g = dvle.geometry;
    out.extend_from_slice(&[g.mode, g.fixed_start, g.variable, g.fixed]);
    let counts = [
        dvle.constants.len(),
        dvle.labels.len(),
        dvle.outputs.len(),
        dvle.uniforms.len(),
        dvle.symbols.len(),
    ];
    for (offset, count) in place.tables.iter().zip(counts) {
        offset.put(&mut out);
        (count as u32).put(&mut out);
    }
    out
}

/// A file that grows up to a limit.
pub(super) struct Writer {
    bytes: Vec<u8>,
    limit: Bound,
}

impl Writer {
    /// An empty file of at most the given number of bytes.
    pub(super) const fn new(limit: Bound) -> Writer {
        Writer { bytes: Vec::new(), limit }
    }

    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// Makes the file at least this long.
    pub(super) fn reach(&mut self, end: usize) -> Result<(), Diagnostic> {
        self.limit.check("bytes of the file", end)?;
        if end > self.bytes.len() {
            self.bytes.resize(end, 0);
        }
        Ok(())
    }

    pub(super) fn put(&mut self, at: usize, bytes: &[u8]) -> Result<(), Diagnostic> {
        let end = at.saturating_add(bytes.len());
        self.reach(end)?;
        if let Some(place) = self.bytes.get_mut(at..end) {
            place.copy_from_slice(bytes);
        }
        Ok(())
    }

    /// Writes the entries of a table; an empty table may be anywhere.
    pub(super) fn table<T: Entry>(&mut self, at: usize, entries: &[T]) -> Result<(), Diagnostic> {
        if entries.is_empty() {
            return Ok(());
        }
        let mut bytes = Vec::with_capacity(entries.len() * T::BYTES);
        entries.iter().for_each(|e| e.put(&mut bytes));
        self.put(at, &bytes)
    }
}
