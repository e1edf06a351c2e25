//! A file that is an AGAL program.

use crate::family::Sniffed;
use crate::{Result, Settings};
use shisa_agal::Program;
use shisa_diag::Diagnostic;
use std::borrow::Cow;

/// A program, or bytes with a damaged header: those have a listing, too.
pub(super) struct AgalFile<'b> {
    pub(super) bytes: Cow<'b, [u8]>,
    pub(super) program: std::result::Result<Program, Diagnostic>,
}

impl<'b> AgalFile<'b> {
    pub(super) fn new(bytes: Cow<'b, [u8]>, settings: &Settings) -> AgalFile<'b> {
        let program = Program::read(&bytes, &settings.limits);
        AgalFile { bytes, program }
    }

    pub(super) fn sniffed(bytes: &'b [u8], settings: &Settings) -> Sniffed<'b> {
        Sniffed::Open(Box::new(AgalFile::new(Cow::Borrowed(bytes), settings)))
    }

    /// The program.
    ///
    /// # Errors
    /// Faults of the header.
    pub(super) fn program(&self) -> Result<&Program> {
        self.program.as_ref().map_err(|d| d.clone().into())
    }
}

/// The tokens of a program.
///
/// # Errors
/// `program-isa` for a program of another instruction set.
pub fn program<'p>(program: &'p crate::Program<'_>) -> Result<&'p Program> {
    program.typed()
}
