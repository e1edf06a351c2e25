//! Where code lies in a file.

use crate::Chip;
use crate::flow::Targets;
use alloc::{string::String, vec::Vec};
use core::ops::Range;

/// Code of one program or function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// What it is called in its file; may be empty.
    pub name: String,
    /// Where its Shader Program Header begins in the file, if it has one.
    pub header: Option<usize>,
    /// Its bytes in the file: bundles.
    pub range: Range<usize>,
    /// Where branches by a register may go, as far as the file states it.
    pub targets: Targets,
}

/// What a listing must know of a file: the chip, and where code lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// What holds the code: `cubin`, `dksh`, `raw`.
    pub container: &'static str,
    /// The chip.
    pub chip: Chip,
    /// The code, in the order of the file, without overlap.
    pub sections: Vec<Section>,
}

impl Layout {
    /// A file that is code and nothing else.
    pub fn raw(chip: Chip, bytes: usize) -> Layout {
        let code = Section { name: String::new(), header: None, range: 0..bytes, targets: Targets::new() };
        Layout { container: "raw", chip, sections: alloc::vec![code] }
    }
}
