//! Inputs and outputs of a stage, in groups of four components.

use alloc::string::String;
use shisa_ir::{Binding, Io, Mask, Reg, Scalar};

/// Groups of four outputs, and the first of those whose number is a uniform's.
pub(super) const GROUPS: u16 = 64;
pub(super) const NAMED: u16 = 32;

/// An input or output that is used as a whole.
pub(super) fn io(name: String, reg: Reg, scalar: Scalar, count: u8, binding: Binding) -> Io {
    Io { name: name.into(), reg, scalar, count, used: Mask::first(count), binding }
}

/// The components, of four, that are used.
pub(super) fn components(used: impl Fn(u16) -> bool) -> Mask {
    Mask((0..4).filter(|c| used(*c)).fold(0, |mask, c| mask | 1u8 << c))
}
