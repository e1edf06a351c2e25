//! Containers of programs.
//!
//! An [`Image`] is any file: it identifies the container, lists the programs in it, and writes changed code back.
//! Each format has a type of its own: [`Cubin`], [`Fatbin`], [`Dksh`], [`Nvn`], [`Raw`], and the [`Sph`] before
//! graphics code.

mod attribute;
mod bytes;
mod check;
mod cubin;
mod dksh;
mod edit;
mod elf;
mod elf_write;
mod fatbin;
mod file_kind;
mod image;
#[cfg(feature = "compression")]
mod lz4;
#[cfg(test)]
#[cfg(feature = "compression")]
mod lz4_tests;
mod moved;
mod nvn;
mod pack;
mod places;
mod raw;
mod reader;
mod references;
mod relocated;
mod relocation;
pub mod sph;
mod tables;

pub use attribute::{ATTRIBUTES, Attribute, Branch, Known, Shape, Value, attributes};
pub use cubin::{Bank, Cubin, Function};
pub use dksh::{Dksh, DkshProgram, Own};
pub use edit::Edit;
pub use elf::{Elf, Section, Symbol};
pub use fatbin::{Entry, Fatbin};
pub use file_kind::Container;
pub use image::{Image, OwnImage, Program};
pub use nvn::{Nvn, NvnControl};
pub use pack::Packing;
pub use raw::Raw;
pub use relocation::{KINDS, Kind, Place, Relocation, Written};
pub use sph::Sph;

/// Faults of containers: each code with its meaning.
pub const CODES: &[(&str, &str)] = &[
    ("cubin-magic", "The file is not a 64-bit ELF file with CUDA as its target (190)."),
    ("cubin-cut", "The file ends inside the header of the ELF file."),
    ("cubin-range", "A table or a section of the ELF file reaches past the end of the file."),
    ("cubin-overlap", "Two sections of the ELF file share bytes, which no compiler makes."),
    (
        "cubin-info",
        "An attribute of a section .nv.info has no known format, or reaches past the end of its section.",
    ),
    ("cubin-bundles", "Code is not a whole number of bundles, which have 32 bytes each."),
    (
        "cubin-layout",
        "Code was to be written where there is no space for it, or would move parts of a file that share bytes.",
    ),
    (
        "cubin-relocation",
        "A relocation cannot be applied: its kind is unknown, its symbol has no value or does not exist, the value does not fit, or its offset is past the end.",
    ),
    (
        "cubin-registers",
        "The attribute EIATTR_REGCOUNT and the section of a function state different numbers of registers.",
    ),
    (
        "cubin-places",
        "An attribute that lists the offsets of EXIT or of reads of the block's number lists others.",
    ),
    (
        "maxwell-jump-table",
        "Code moved, and a branch through a register or a constant cannot follow: its table is unknown, is in constants that the file does not have, or has a target that was removed.",
    ),
    ("fatbin-magic", "There is no fatbin header of version 1 where a fatbin should begin."),
    ("fatbin-cut", "The file ends inside a header of a fatbin or of one of its entries."),
    ("fatbin-range", "A fatbin reaches past the end of the file, or an entry past the end of its fatbin."),
    (
        "fatbin-compressed",
        "A compressed entry of a fatbin cannot be decompressed to the size in its header, or the build lacks the feature `compression`.",
    ),
    (
        "fatbin-space",
        "A fatbin inside of a host program or library would become larger, and nothing there can move.",
    ),
    ("dksh-magic", "The file does not begin with DKSH."),
    ("dksh-cut", "The file ends inside a header of the DKSH."),
    ("dksh-range", "A section of the DKSH reaches past the end of the file, or a program past its section."),
    ("dksh-stage", "A program of the DKSH has an unknown stage."),
    ("nvn-magic", "The file is not part of an NVN pair: it does not begin with the magic of its kind."),
    ("nvn-cut", "The file of NVN's pair ends before its last known field."),
    ("nvn-range", "The control file states a program or constants outside of the code file."),
    ("nvn-stage", "The control file states an unknown stage."),
    ("maxwell-bundles", "Code is a whole number of bundles, which have 32 bytes each."),
    (
        "maxwell-extract",
        "The bytes of a program alone would be read as another program or as a file of another kind, because its container is damaged or it begins like such a file.",
    ),
    (
        "internal-maxwell-file",
        "A range of a file that was checked when the file was read is outside of it when the file is written. This is a fault of shisa.",
    ),
    ("maxwell-container", "The file is neither a container of Maxwell code nor bare code."),
    (
        "maxwell-other-chip",
        "A cubin is for a chip of another family, with other instructions, and is left out.",
    ),
    ("sph-field", "A line of a Shader Program Header names no field that headers of its type have."),
    ("sph-value", "A line of a Shader Program Header sets a field to a value that it cannot have."),
    ("sph-type", "The type of a Shader Program Header is unknown, or is not that of the stage."),
    ("sph-version", "A Shader Program Header has another version than 3."),
    ("sph-reserved", "Meaningless bits of a Shader Program Header are set."),
    ("sph-stage", "A Shader Program Header sets a field that only matters to other stages."),
    (
        "sph-topology",
        "A geometry program's header does not state its output topology: points, line strips or triangle strips.",
    ),
    ("sph-vertices", "A geometry program's header allows no vertices, or more than 1024."),
    (
        "sph-patch-count",
        "A tessellation control program's header states the attributes of a patch twice, with different values.",
    ),
    ("sph-local-memory", "Sizes of local memory are multiples of 16 bytes."),
    ("sph-store-range", "The range of attributes that are read back ends before it begins."),
    (
        "sph-targets",
        "A pixel program's header names components of render targets besides the first, but lets all take the colour of the first.",
    ),
];
