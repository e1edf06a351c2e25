//! Numbers in bytes, the least significant first.

/// The 16-bit number at an offset; `None` past the end.
pub(super) fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    bytes.get(at..)?.first_chunk().map(|b| u16::from_le_bytes(*b))
}

/// The 32-bit number at an offset; `None` past the end.
pub(super) fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().map(|b| u32::from_le_bytes(*b))
}

/// The 64-bit number at an offset; `None` past the end.
pub(super) fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    bytes.get(at..)?.first_chunk().map(|b| u64::from_le_bytes(*b))
}

/// The 16-bit number at an offset of a header that is known to hold it; 0 past the end.
pub(super) fn half(header: &[u8], at: usize) -> u16 {
    u16_at(header, at).unwrap_or(0)
}

/// The 32-bit number at an offset of a header that is known to hold it; 0 past the end.
pub(super) fn word(header: &[u8], at: usize) -> u32 {
    u32_at(header, at).unwrap_or(0)
}

/// The 64-bit number at an offset of a header that is known to hold it; 0 past the end.
pub(super) fn long(header: &[u8], at: usize) -> u64 {
    u64_at(header, at).unwrap_or(0)
}

/// Writes bytes over those at an offset; those past the end are left out.
pub(super) fn put(bytes: &mut [u8], at: usize, new: &[u8]) {
    let old = bytes.get_mut(at..).unwrap_or_default();
    old.iter_mut().zip(new).for_each(|(o, n)| *o = *n);
}

/// `bytes` with those of a range replaced, which may be fewer or more.
pub(super) fn spliced(bytes: &[u8], range: core::ops::Range<usize>, new: &[u8]) -> alloc::vec::Vec<u8> {
    let (head, tail) = (bytes.get(..range.start), bytes.get(range.end..));
    [head.unwrap_or_default(), new, tail.unwrap_or_default()].concat()
}
