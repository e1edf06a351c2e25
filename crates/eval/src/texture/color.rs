//! Colors, and their packing into 16 bits.

/// A color: red, green, blue, alpha.
pub type Color = [f32; 4];

/// The largest red, green and blue of a packed 16-bit color.
pub(super) const BGR565_MAX: [u16; 3] = [31, 63, 31];

/// Red, green and blue of a packed 16-bit color.
pub(super) const fn bgr565(v: u16) -> [u16; 3] {
    [v >> 11, v >> 5 & 63, v & 31]
}
