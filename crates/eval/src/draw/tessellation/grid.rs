//! Coordinates of the domain as integers.

/// The coordinate 1: as many units as a binary32 has for exact differences to it.
pub(super) const ONE: u32 = 1 << 24;

/// A coordinate as a number.
pub(super) fn number(units: u32) -> f32 {
    units as f32 / ONE as f32
}
