//! Rows of tables: what an instruction reads, and products of index and stride that several instructions use.

use crate::memory::Operand;

/// What an instruction reads from a table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub(super) offset: u32,
    pub(super) scaled: Scaled,
}

/// A product of index and stride. The index is at most the table's end, from which on all rows are outside of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Scaled {
    pub(super) table: usize,
    pub(super) stride: u32,
    pub(super) index: Operand,
}
