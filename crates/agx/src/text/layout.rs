//! What lies where in a file.

use alloc::{string::String, vec::Vec};
use core::ops::Range;

/// A stretch of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// What it is called: `main`, `preamble`, `rodata`; may be empty.
    pub name: String,
    /// Whether it is code.
    pub code: bool,
    /// Its bytes in the file.
    pub range: Range<usize>,
}

/// What a listing must know of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// Code and named data in the order of the file, without overlap. What lies between is data.
    pub sections: Vec<Section>,
}

impl Layout {
    /// A file that is code and nothing else.
    pub fn raw(bytes: usize) -> Layout {
        Layout { sections: Vec::from([Section { name: String::new(), code: true, range: 0..bytes }]) }
    }
}
