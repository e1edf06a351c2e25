//! Ranges of files.
//!
//! Ranges and offsets are checked when a file is read. One that is outside of the bytes later is a fault of shisa,
//! which is reported (`internal-range`) rather than answered with no bytes.

use crate::Diagnostic;
use alloc::{format, vec::Vec};
use core::ops::Range;

/// The bytes of a range.
///
/// # Errors
/// `internal-range` if they do not exist.
pub fn part(bytes: &[u8], range: Range<usize>) -> Result<&[u8], Diagnostic> {
    bytes.get(range.clone()).ok_or_else(|| outside(range, bytes.len()))
}

/// Writes bytes over those at an offset.
///
/// # Errors
/// `internal-range` if these do not exist.
pub fn put(bytes: &mut [u8], at: usize, new: &[u8]) -> Result<(), Diagnostic> {
    let (range, size) = (at..at.saturating_add(new.len()), bytes.len());
    let old = bytes.get_mut(range.clone()).ok_or_else(|| outside(range, size))?;
    old.copy_from_slice(new);
    Ok(())
}

/// `bytes` with those of a range replaced, which may be fewer or more.
///
/// # Errors
/// `internal-range` if they do not exist.
pub fn spliced(bytes: &[u8], range: Range<usize>, new: &[u8]) -> Result<Vec<u8>, Diagnostic> {
    Ok([part(bytes, 0..range.start)?, new, part(bytes, range.end..bytes.len())?].concat())
}

/// The fault of a range that is outside of a file of `size` bytes, although it was checked when the file was read.
pub fn outside(range: Range<usize>, size: usize) -> Diagnostic {
    let text = format!("the bytes {:#x}..{:#x} of {size:#x} are used", range.start, range.end);
    Diagnostic::internal("internal-range", text)
}

#[cfg(test)]
mod tests {
    use super::{part, put, spliced};
    use alloc::vec;

    #[test]
    fn ranges_are_those_of_the_file() {
        let mut bytes = vec![1, 2, 3, 4];
        assert_eq!(part(&bytes, 1..3), Ok(&[2, 3][..]));
        assert_eq!(part(&bytes, 4..4), Ok(&[][..]));
        assert_eq!(spliced(&bytes, 1..3, &[9]), Ok(vec![1, 9, 4]));
        assert_eq!(put(&mut bytes, 2, &[7, 8]), Ok(()));
        assert_eq!(bytes, [1, 2, 7, 8]);
    }

    #[test]
    fn ranges_outside_are_faults() {
        let mut bytes = vec![1, 2];
        let faults = [
            part(&bytes, 1..3).unwrap_err(),
            part(&bytes, core::ops::Range { start: 2, end: 1 }).unwrap_err(),
            spliced(&bytes, 1..3, &[]).unwrap_err(),
            put(&mut bytes, 1, &[7, 8]).unwrap_err(),
            put(&mut bytes, usize::MAX, &[7]).unwrap_err(),
        ];
        assert!(faults.iter().all(|d| d.code == "internal-range"), "{faults:?}");
        assert_eq!(faults[0].message, "the bytes 0x1..0x3 of 0x2 are used");
        assert_eq!(bytes, [1, 2]);
    }
}
