//! Two instructions of which the second must not issue too soon after the first.

use crate::registers::Set;

/// The effect of the second of two instructions on registers of the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// It reads a result.
    Read,
    /// It overwrites a result.
    Overwrite,
    /// It overwrites a source.
    Source,
}

/// An instruction that depends on another, without a wait between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dependence {
    /// What the second does.
    pub kind: Kind,
    /// The number of the first.
    pub first: usize,
    /// The number of the second.
    pub second: usize,
    /// The registers.
    pub registers: Set,
    /// The fewest cycles between the issue of both; [`super::SURE`] if there are that many or more.
    pub cycles: u32,
    /// Whether a branch may be taken between them.
    pub branched: bool,
    /// Whether control may go elsewhere between them.
    pub forked: bool,
}
