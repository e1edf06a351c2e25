//! The layout of a file.

use alloc::{string::String, vec::Vec};
use core::ops::Range;

/// A range of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// Its name: `main`, `preamble`, `rodata`; may be empty.
    pub name: String,
    /// Whether it is code.
    pub code: bool,
    /// Its bytes in the file.
    pub range: Range<usize>,
}

/// The facts about a file that a listing needs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// Code and named data in the order of the file, without overlap. The bytes between are data.
    pub sections: Vec<Section>,
}

impl Layout {
    /// A file that is only code.
    pub fn raw(bytes: usize) -> Layout {
        Layout { sections: Vec::from([Section { name: String::new(), code: true, range: 0..bytes }]) }
    }
}
