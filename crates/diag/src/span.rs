//! Locations in the input.

use alloc::string::String;
use core::ops::Range;

/// The unit and target of a span.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// Byte offsets into a binary.
    Bytes,
    /// Byte offsets into UTF-8 source text.
    Text,
}

/// A half-open range of byte offsets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// The bytes from `start` up to `end`.
    pub const fn new(start: usize, end: usize) -> Self {
        Span { start, end }
    }

    /// The smallest span that covers both.
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The same range, for slicing.
    pub const fn range(self) -> Range<usize> {
        self.start..self.end
    }
}

impl From<Range<usize>> for Span {
    fn from(r: Range<usize>) -> Self {
        Span { start: r.start, end: r.end }
    }
}

/// A part of the input with a remark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// What `span` refers to.
    pub place: Place,
    /// The part.
    pub span: Span,
    /// The remark; may be empty.
    pub text: String,
    /// Text that may mend the fault in place of the part.
    pub fix: Option<String>,
}
