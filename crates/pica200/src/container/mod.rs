//! Containers of programs.
//!
//! A [`Shbin`] (extension `.shbin`, magic `DVLB`) has one pool of words and descriptors, the `DVLP`, and any number
//! of programs, the `DVLE`s, each an entry point into the pool with tables of its own. Shader binaries are also
//! embedded in other files ([`embedded`]). An [`Object`] (`DVOJ`) is a linker's input.

mod bytes;
mod compression;
mod contents;
mod exchange;
mod extent;
mod layout;
mod linker;
mod object;
mod packing;
mod parts;
mod raw;
mod read;
mod replace;
mod sha256;
mod shbin;
mod tables;
#[cfg(test)]
mod tests;
mod wrapped;
mod wrapper;
mod write;

pub use layout::{FULL_HEADER, Layout, Placement, SHORT_HEADER};
pub use linker::link_objects;
pub use object::{Object, ObjectLayout, Relocation};
pub use raw::Raw;
pub use replace::replace;
pub use shbin::Shbin;
pub use tables::{
    Constant, DUMMY, Descriptor, Dvle, GeometryMode, Label, LineEntry, OutputEntry, Uniform, float24, text_at,
};
pub use wrapped::{Embedded, embedded};
pub use wrapper::Wrapper;

/// Faults of containers: each code with its meaning.
pub const CODES: &[(&str, &str)] = &[
    ("shbin-magic", "A block of the container does not begin with its magic (DVLB, DVLP, DVLE or DVOJ)."),
    ("shbin-cut", "The file ends inside a header of the container."),
    ("shbin-range", "A table of the container reaches past the end of the file."),
    ("shbin-absent", "A file contains no shader binary of this number."),
    (
        "shbin-hash",
        "A shader binary was put into a file whose hash did not hold before, so the hash was not changed.",
    ),
    (
        "shbin-link",
        "Objects have more words or operand descriptors together than one shader binary holds, or a word uses an operand descriptor that its object does not have.",
    ),
    (
        "shbin-relocation",
        "An object relocates a word without a target. What a linker does with it is not known, so the word stays.",
    ),
    (
        "shbin-programs",
        "A shader binary or a program is replaced by one with programs of other stages: the file's other parts name its programs by number.",
    ),
    (
        "shbin-shared",
        "A program of a shader binary is replaced, and words that its other programs reach would change. The programs of a binary share its words and operand descriptors.",
    ),
    (
        "shbin-room",
        "A shader binary is larger than the one that it replaces in a file, in which other parts follow.",
    ),
    (
        "shbin-signature",
        "A shader binary was put into an NCCH. Its signature does not hold any more, and nobody but its maker can sign it.",
    ),
    ("shbin-encrypted", "The content of an NCCH is encrypted, so its shader binaries cannot be found."),
    (
        "shbin-expand",
        "The code of an application ends like compressed code, but cannot be expanded. It is damaged, or not compressed; shader binaries in it are not found.",
    ),
    ("shbin-compressed", "A shader binary is in compressed code, into which none can be put back."),
    ("shbin-base64", "Text that should be a shader binary in base64 is not one."),
    ("shbin-raw", "Words and descriptors without a container have four bytes each, least significant first."),
    ("shbin-layout", "The offsets given for the parts of a container do not fit its contents."),
];
