//! Blocks that a source opens: procedures, conditions, loops, constant arrays.

use super::source_text::Piece;
use alloc::vec::Vec;

/// The most words that an instruction can run.
pub(super) const LONGEST: usize = 255;

/// The kind of a block.
#[derive(Clone, Debug)]
pub(super) enum Kind<'s> {
    Procedure(Piece<'s>),
    Loop,
    /// With the word at which its `.else` begins.
    Condition(Option<usize>),
    Array(Array<'s>),
}

/// A constant array whose elements are still coming.
#[derive(Clone, Debug)]
pub(super) struct Array<'s> {
    pub(super) name: Piece<'s>,
    pub(super) size: Option<usize>,
    pub(super) elements: Vec<[u32; 4]>,
}

/// A block that is not closed yet.
#[derive(Clone, Debug)]
pub(super) struct Block<'s> {
    pub(super) kind: Kind<'s>,
    /// Its first word.
    pub(super) at: usize,
    /// The line that opens it.
    pub(super) place: Piece<'s>,
}
