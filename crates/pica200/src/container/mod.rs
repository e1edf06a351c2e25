//! Containers of programs.
//!
//! A [`Shbin`] (extension `.shbin`, magic `DVLB`) has one pool of words and descriptors, the `DVLP`, and any number
//! of programs, the `DVLE`s, each an entry point into the pool with tables of its own. Shader binaries are also
//! embedded in other files ([`embedded`]). An [`Object`] (`DVOJ`) is a linker's input.

mod bytes;
mod layout;
mod object;
mod packing;
mod raw;
mod read;
mod shbin;
mod tables;
#[cfg(test)]
mod tests;
mod wrapped;
mod write;

pub use layout::{FULL_HEADER, Layout, Placement, SHORT_HEADER};
pub use object::{Object, ObjectLayout, Relocation};
pub use raw::Raw;
pub use shbin::Shbin;
pub use tables::{
    Constant, Descriptor, Dvle, GeometryMode, Label, LineEntry, OutputEntry, Uniform, float24, text_at,
};
pub use wrapped::{Embedded, Wrapper, embedded};

/// Faults of containers: each code with its meaning.
pub const CODES: &[(&str, &str)] = &[
    ("shbin-magic", "A block of the container does not begin with its magic (DVLB, DVLP, DVLE or DVOJ)."),
    ("shbin-cut", "The file ends inside a header of the container."),
    ("shbin-range", "A table of the container reaches past the end of the file."),
    ("shbin-base64", "Text that should be a shader binary in base64 is not one."),
    ("shbin-raw", "Words and descriptors without a container have four bytes each, least significant first."),
    ("shbin-layout", "The offsets given for the parts of a container do not fit its contents."),
];
