//! Register files and special registers.

mod description;
mod set;
pub(crate) mod special;
mod specials;
#[cfg(test)]
mod tests;

pub use set::Set;

use crate::drawing::{COMPONENTS, MOST_VERTICES};
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

/// Inputs, a unit for each component: of the vertices of the input primitive or patch one after the other, or of the
/// pixel.
pub const ATTRIBUTES: FileId = FileId(5);
/// Outputs: those of the vertex, a unit for each component, or those of the pixel ([`crate::PixelOutput::unit`]).
pub const OUTPUTS: FileId = FileId(6);
/// Inputs that belong to the patch, a unit for each component.
pub const PATCH: FileId = FileId(7);
/// What PIXLD reads ([`PixelRegister::unit`]).
pub const PIXEL: FileId = FileId(8);
/// The state of emission at the end of a geometry program, which [`crate::lift`] takes from `R0`.
pub const EMITTED: FileId = FileId(9);

/// The largest number of samples of a pixel.
pub const MOST_SAMPLES: u16 = 16;

/// What PIXLD reads of a pixel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PixelRegister {
    /// The number of samples.
    Samples,
    /// The samples that the primitive covers, a bit each.
    Coverage,
    /// The number of the sample that the program runs for.
    Sample,
    /// The position of the centroid, counted from the centre: two signed numbers of 12 bits, x at bit 0 and y at bit 16,
    /// in 1/4096 of a pixel.
    CentroidOffset,
    /// The positions of the samples in the same form.
    Offsets,
}

impl PixelRegister {
    /// Its unit of [`PIXEL`]; the first one of [`MOST_SAMPLES`] for the positions.
    pub const fn unit(self) -> u16 {
        self as u16
    }
}

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
    file("a", FileKind::Input, 32, MOST_VERTICES * COMPONENTS, Scalar::F32),
    file("o", FileKind::Output, 32, COMPONENTS, Scalar::F32),
    file("p", FileKind::Input, 32, COMPONENTS, Scalar::F32),
    file("px", FileKind::Input, 32, PixelRegister::Offsets.unit() + MOST_SAMPLES, Scalar::I32),
    file("emitted", FileKind::Output, 32, 1, Scalar::I32),
];
