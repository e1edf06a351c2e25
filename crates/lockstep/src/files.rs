//! The register files of slices.

use shisa_ir::{File, FileId, FileKind, Scalar};

/// Units of each file.
pub(crate) const UNITS: u16 = 4096;

/// Values of registers from the recording.
pub(crate) const IN: FileId = FileId(0);
/// Values that are compared.
pub(crate) const OUT: FileId = FileId(1);
const BITS: FileId = FileId(2);
const HALVES: FileId = FileId(3);
const WORDS: FileId = FileId(4);
const UNIFORMS: FileId = FileId(5);

pub(crate) const FILES: &[File] = &[
    file("in", FileKind::Input, 32, Scalar::I32),
    file("out", FileKind::Output, 32, Scalar::I32),
    file("bits", FileKind::Temp, 1, Scalar::I1),
    file("halves", FileKind::Temp, 16, Scalar::I16),
    file("words", FileKind::Temp, 32, Scalar::I32),
    file("uniforms", FileKind::Uniform, 32, Scalar::I32),
];

const fn file(name: &'static str, kind: FileKind, unit_bits: u8, scalar: Scalar) -> File {
    File { name, kind, unit_bits, units_per_register: 1, units: UNITS, scalar }
}

/// Whether the registers of a file of a program stay uniforms in slices. All others become temporaries.
pub(crate) fn is_uniform(file: &File) -> bool {
    file.kind == FileKind::Uniform && file.unit_bits == 32
}

/// The file of slices that has the registers of a file of a program; `None` for units of another size.
pub(crate) fn counterpart(file: &File) -> Option<FileId> {
    match file.unit_bits {
        _ if is_uniform(file) => Some(UNIFORMS),
        1 => Some(BITS),
        16 => Some(HALVES),
        32 => Some(WORDS),
        _ => None,
    }
}
