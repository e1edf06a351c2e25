//! Stretches of instructions.

use crate::jit::coded::Rounding;
use crate::memory::Operand;
use std::ops::Range;

/// Instructions that follow each other and have machine code.
pub(super) struct Stretch {
    pub(super) list: Range<usize>,
    pub(super) rounding: Rounding,
    /// The slabs that they use, in the order of their first use.
    pub(super) slabs: Vec<Slab>,
    /// Number of slabs that are read and then replaced.
    pub(super) replaced: usize,
}

/// A slab that a stretch uses.
#[derive(Clone, Copy)]
pub(super) struct Slab {
    pub(super) operand: Operand,
    pub(super) uses: usize,
    /// Whether the stretch reads what the slab had before.
    pub(super) is_read: bool,
    pub(super) is_written: bool,
    /// Whether later instructions may read what the stretch writes.
    pub(super) is_live: bool,
}

impl Slab {
    /// Whether the stretch reads the slab and then replaces it: if a result is in doubt, the slab must be as it was before.
    pub(super) fn is_replaced(&self) -> bool {
        self.is_read && self.is_written
    }
}
