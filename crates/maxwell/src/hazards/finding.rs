//! What the check finds.

use shisa_diag::Diagnostic;

/// Something that is found in a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The number of the instruction at fault.
    pub insn: usize,
    /// The number of the other instruction, if there is one.
    pub other: Option<usize>,
    /// What is wrong, without a location.
    pub diagnostic: Diagnostic,
}
