//! Numbers in bytes, the least significant first.

/// The 32-bit number at an offset; `None` past the end.
pub(crate) fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().map(|b| u32::from_le_bytes(*b))
}

/// The 16-bit number at an offset of bytes that are known to hold it; 0 past the end.
pub(super) fn half(bytes: &[u8], at: usize) -> u16 {
    bytes.get(at..).and_then(<[u8]>::first_chunk).map_or(0, |b| u16::from_le_bytes(*b))
}

/// The 32-bit number at an offset of bytes that are known to hold it; 0 past the end.
pub(super) fn word(bytes: &[u8], at: usize) -> u32 {
    u32_at(bytes, at).unwrap_or(0)
}
