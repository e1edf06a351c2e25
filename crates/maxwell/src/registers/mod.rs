//! Register files and special registers.

mod description;
mod set;
pub(crate) mod special;
mod specials;
#[cfg(test)]
mod tests;

pub use set::Set;

use shisa_ir::{File, FileId, FileKind, Scalar};

/// `R0` to `R254`.
pub const REGISTERS: FileId = FileId(0);
/// `P0` to `P6`.
pub const PREDICATES: FileId = FileId(1);
/// The condition codes: zero, sign, carry, overflow.
pub const CODES: FileId = FileId(2);
/// Special registers by number.
pub const SPECIALS: FileId = FileId(3);

/// State without names: the pointer to the stack of calls and divergence, and the base of local memory.
pub const STATE: FileId = FileId(4);

const fn file(name: &'static str, kind: FileKind, unit_bits: u8, units: u16, scalar: Scalar) -> File {
    File { name, kind, unit_bits, units_per_register: 1, units, scalar }
}

/// How many general registers there are; `RZ` is not one of them.
pub(crate) const COUNT: u16 = 255;

/// The register files, in the order of their numbers.
pub const FILES: &[File] = &[
    file("R", FileKind::Temp, 32, COUNT, Scalar::I32),
    file("P", FileKind::Temp, 1, 7, Scalar::I1),
    file("CC", FileKind::Temp, 1, 4, Scalar::I1),
    file("SR", FileKind::Input, 32, 256, Scalar::I32),
    file("STATE", FileKind::Temp, 32, 2, Scalar::I32),
];
