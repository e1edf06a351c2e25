//! The seven bytes of the header, and other files with data at the same offsets.

/// Bytes of the header.
pub const HEADER_BYTES: usize = 7;

/// The newest version that exists.
pub const LAST_VERSION: u32 = 4;

/// A version from its four bytes.
pub(crate) fn version(bytes: &[u8]) -> u32 {
    bytes.iter().rev().fold(0, |v, &b| v << 8 | u32::from(b))
}

/// The GLSL text of OpenFL's own container: the byte b0, two bytes of length (least significant first), UTF-8 text.
/// It is not AGAL; it is recognised here so that it can be named.
pub fn embedded_glsl(bytes: &[u8]) -> Option<&str> {
    let [0xb0, low, high, text @ ..] = bytes else { return None };
    let text = text.get(..usize::from(u16::from_le_bytes([*low, *high])))?;
    let text = core::str::from_utf8(text).ok()?;
    (!text.is_empty() && !text.contains(|c: char| c.is_control() && !c.is_whitespace())).then_some(text)
}
