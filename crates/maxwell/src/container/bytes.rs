//! Numbers in bytes.

/// The 32-bit number at an offset, the least significant byte first; `None` past the end.
pub(super) fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().map(|b| u32::from_le_bytes(*b))
}
