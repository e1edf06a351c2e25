//! Reads headers and ranges, and collects faults.

use alloc::{format, vec, vec::Vec};
use core::ops::Range;
use shisa_diag::{Code, Diagnostic, Limit, Limits, Record, Sink};

/// The bytes of a file with its faults.
pub(super) struct Reader<'a, 'l> {
    pub(super) bytes: &'a [u8],
    pub(super) limits: &'l Limits,
    pub(super) sink: Sink,
    /// Whether a limit was exceeded.
    pub(super) exceeded: bool,
    /// The code of a file that ends too early.
    cut: Code,
    /// The code of a range outside of the file.
    range: Code,
}

impl<'a, 'l> Reader<'a, 'l> {
    /// `codes` are those of a file that ends too early, and of a range outside of it.
    pub(super) fn new(bytes: &'a [u8], limits: &'l Limits, codes: [Code; 2]) -> Self {
        let [cut, range] = codes;
        Reader { bytes, limits, sink: Sink::new(limits.diagnostics), exceeded: false, cut, range }
    }

    /// The same, for a file that is not larger than the limit.
    pub(super) fn limited(
        bytes: &'a [u8],
        limits: &'l Limits,
        codes: [Code; 2],
    ) -> Result<Self, Vec<Diagnostic>> {
        limits.check(Limit::File, "bytes of the file", bytes.len()).map_err(|d| vec![d])?;
        Ok(Reader::new(bytes, limits, codes))
    }

    /// The result, unless there are faults.
    pub(super) fn finish<T>(self, read: Option<T>) -> Result<T, Vec<Diagnostic>> {
        match read {
            Some(read) if self.sink.errors() == 0 => Ok(read),
            _ => Err(self.sink.finish()),
        }
    }

    /// Bytes of a header.
    pub(super) fn head(&mut self, at: usize, len: usize, what: &str) -> Option<&'a [u8]> {
        let found = self.bytes.get(at..).and_then(|b| b.get(..len));
        if found.is_none() {
            let end = self.bytes.len();
            let d = Diagnostic::error(self.cut, format!("the file ends inside {what}"));
            self.sink.push(d.at_bytes(at.min(end)..end, ""));
        }
        found
    }

    /// A header of a fixed size.
    pub(super) fn record<const N: usize>(&mut self, at: usize, what: &str) -> Option<Record<'a, N>> {
        self.head(at, N, what)?.first_chunk().map(Record::new)
    }

    /// The range of `len` bytes from `at`, which the header states at `field`.
    pub(super) fn part(
        &mut self,
        at: u64,
        len: u64,
        field: Range<usize>,
        what: &str,
    ) -> Option<Range<usize>> {
        let found = within(self.bytes.len(), at, len);
        if found.is_none() {
            let d = Diagnostic::error(self.range, format!("{what} is outside of the file"));
            let note = format!("{len:#x} bytes from {at:#x} on, of {:#x}", self.bytes.len());
            self.sink.push(d.at_bytes(field, "offset and size").note(note));
        }
        found
    }

    /// `None` past a limit.
    pub(super) fn limit(&mut self, limit: Limit, what: &str, value: usize) -> Option<()> {
        let checked = self.limits.check(limit, what, value);
        self.exceeded |= checked.is_err();
        checked.map_err(|d| self.sink.push(d)).ok()
    }
}

/// A range of bytes, if it is within a file of `size` bytes.
pub(super) fn within(size: usize, at: u64, len: u64) -> Option<Range<usize>> {
    let (start, end) = (usize::try_from(at).ok()?, usize::try_from(at.checked_add(len)?).ok()?);
    (end <= size).then_some(start..end)
}
