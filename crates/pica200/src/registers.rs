//! Register files.

use shisa_ir::{File, FileId, FileKind, Scalar};

/// Inputs `v0` to `v15`.
pub const INPUTS: FileId = FileId(0);
/// Temporaries `r0` to `r15`.
pub const TEMPORARIES: FileId = FileId(1);
/// Constants `c0` to `c95`.
pub const CONSTANTS: FileId = FileId(2);
/// Outputs `o0` to `o15`.
pub const OUTPUTS: FileId = FileId(3);
/// Integer vectors `i0` to `i3`: one less than the number of iterations, start and step of `aL`.
pub const INTEGERS: FileId = FileId(4);
/// Booleans `b0` to `b15`.
pub const BOOLEANS: FileId = FileId(5);
/// `a0.x`, `a0.y`, `aL`.
pub const ADDRESS: FileId = FileId(6);
/// `cmp.x`, `cmp.y`.
pub const FLAGS: FileId = FileId(7);
/// The data of the loop stack, four entries of three: iterations left, step, the `aL` that the loop began with.
/// The first entry is the innermost loop.
pub const LOOPS: FileId = FileId(8);
/// The other bank of the outputs: `emit` exchanges it with them.
pub const BANK: FileId = FileId(9);

/// The number of inputs.
pub(crate) const INPUT_COUNT: u16 = 16;

const fn file(
    name: &'static str,
    kind: FileKind,
    bits: u8,
    registers: u16,
    units: u8,
    scalar: Scalar,
) -> File {
    File { name, kind, unit_bits: bits, units_per_register: units, units: registers * units as u16, scalar }
}

/// A file of vectors of four float components.
pub(crate) const fn vectors(name: &'static str, kind: FileKind, registers: u16) -> File {
    file(name, kind, 32, registers, 4, Scalar::F32)
}

/// The register files, in the order of their numbers.
pub const FILES: &[File] = &[
    file("v", FileKind::Input, 32, INPUT_COUNT, 4, Scalar::F32),
    file("r", FileKind::Temp, 32, 16, 4, Scalar::F32),
    file("c", FileKind::Uniform, 32, 96, 4, Scalar::F32),
    file("o", FileKind::Output, 32, 16, 4, Scalar::F32),
    file("i", FileKind::Uniform, 32, 4, 4, Scalar::I32),
    file("b", FileKind::Uniform, 1, 16, 1, Scalar::I1),
    file("a", FileKind::Temp, 32, 3, 1, Scalar::I32),
    file("cmp", FileKind::Temp, 1, 2, 1, Scalar::I1),
    file("loop", FileKind::Temp, 32, 4, 3, Scalar::I32),
    file("bank", FileKind::Temp, 32, 16, 4, Scalar::F32),
];
