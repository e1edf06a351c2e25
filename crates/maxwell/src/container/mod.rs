//! Containers of programs.

mod attribute;
mod bytes;
mod cubin;
mod elf;
mod reader;
mod relocation;
#[cfg(test)]
mod tests;

pub use attribute::{ATTRIBUTES, Attribute, Known, Shape, Value, attributes};
pub use cubin::{Bank, Cubin, Function};
pub use elf::{Elf, Section, Symbol};
pub use relocation::{KINDS, Kind, Place, Relocation, Written};

/// What is wrong with containers: each code with what it means.
pub const CODES: &[(&str, &str)] = &[
    ("cubin-magic", "The file is no ELF file of 64 bits for the machine CUDA (190)."),
    ("cubin-cut", "The file ends inside the header of the ELF file."),
    ("cubin-range", "A table or a section of the ELF file reaches past the end of the file."),
    ("cubin-info", "An attribute of a section .nv.info has no known format, or ends behind its section."),
    ("cubin-bundles", "Code is not a whole number of bundles, which have 32 bytes each."),
    (
        "cubin-layout",
        "Code was to be written where it has no place, or would move parts of a file that share bytes.",
    ),
    (
        "cubin-relocation",
        "A relocation cannot be applied: nobody knows how, its symbol has no value, or the value does not fit.",
    ),
];
