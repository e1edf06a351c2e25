//! Findings of the check.

use shisa_diag::Diagnostic;

/// A finding about a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The number of the instruction at fault.
    pub insn: usize,
    /// The number of the other instruction, if there is one.
    pub other: Option<usize>,
    /// The fault, without a location.
    pub diagnostic: Diagnostic,
}
