//! Numbers in bytes, the least significant first, and ranges of files.
//!
//! Ranges and offsets are checked when a file is read. One that is outside of its bytes later is a fault of ours, which is
//! reported (`internal-maxwell-file`) rather than answered with nothing.

use alloc::{format, vec::Vec};
use core::ops::Range;
use shisa_diag::Diagnostic;

/// The 32-bit number at an offset; `None` past the end.
pub(super) fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().map(|b| u32::from_le_bytes(*b))
}

/// The bytes of a range of a file.
///
/// # Errors
/// `internal-maxwell-file` if they do not exist.
pub(super) fn part(bytes: &[u8], range: Range<usize>) -> Result<&[u8], Diagnostic> {
    bytes.get(range.clone()).ok_or_else(|| outside(range, bytes.len()))
}

/// Writes bytes over those at an offset.
///
/// # Errors
/// `internal-maxwell-file` if these do not exist.
pub(super) fn put(bytes: &mut [u8], at: usize, new: &[u8]) -> Result<(), Diagnostic> {
    let (range, size) = (at..at.saturating_add(new.len()), bytes.len());
    let old = bytes.get_mut(range.clone()).ok_or_else(|| outside(range, size))?;
    old.copy_from_slice(new);
    Ok(())
}

/// `bytes` with those of a range replaced, which may be fewer or more.
///
/// # Errors
/// `internal-maxwell-file` if they do not exist.
pub(super) fn spliced(bytes: &[u8], range: Range<usize>, new: &[u8]) -> Result<Vec<u8>, Diagnostic> {
    Ok([part(bytes, 0..range.start)?, new, part(bytes, range.end..bytes.len())?].concat())
}

/// The fault of a range that is outside of a file, although it was checked when the file was read.
pub(super) fn outside(range: Range<usize>, size: usize) -> Diagnostic {
    let text = format!("the bytes {:#x}..{:#x} of {size:#x} are used", range.start, range.end);
    Diagnostic::internal("internal-maxwell-file", text)
}
