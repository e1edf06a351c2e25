//! The layout of code in a file.

use crate::Chip;
use crate::flow::Targets;
use alloc::{string::String, vec::Vec};
use core::ops::Range;

/// Code of one program or function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// Its name in the file; may be empty.
    pub name: String,
    /// The offset of its Shader Program Header in the file, if it has one.
    pub header: Option<usize>,
    /// Its bytes in the file: bundles.
    pub range: Range<usize>,
    /// Targets of branches through a register, as far as the file states them.
    pub targets: Targets,
}

/// The facts about a file that a listing needs: the chip, and the layout of code.
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
    /// A file that is only code.
    pub fn raw(chip: Chip, bytes: usize) -> Layout {
        let code = Section { name: String::new(), header: None, range: 0..bytes, targets: Targets::new() };
        Layout { container: "raw", chip, sections: alloc::vec![code] }
    }
}
