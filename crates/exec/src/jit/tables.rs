//! Rows of tables: what an instruction reads, and products of index and stride that several instructions use.

use crate::memory::Operand;

/// What an instruction reads from a table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub(super) table: usize,
    pub(super) offset: u32,
    pub(super) stride: u32,
    pub(super) index: Operand,
    /// The first index for which this row, or another one that is read with the same index, is outside of the table.
    pub(super) end: u32,
}

/// A product of index and stride.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Scaled {
    pub(super) table: usize,
    pub(super) stride: u32,
    pub(super) index: Operand,
    pub(super) end: u32,
}

impl Scaled {
    /// Whether these are the products for a row.
    pub(super) fn serves(self, row: Row) -> bool {
        (self.table, self.stride, self.index) == (row.table, row.stride, row.index) && self.end <= row.end
    }
}
