//! What parts of a program expect of each other.

mod bits;

pub use bits::{Bits, Registers, Uniforms};
