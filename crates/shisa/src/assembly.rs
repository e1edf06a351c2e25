//! Assembling sources.

use crate::{Language, Result, Settings};
use shisa_diag::{Diagnostic, Span};

/// An assembled source.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Assembly {
    /// The language of the source.
    pub language: Language,
    /// The file.
    pub bytes: Vec<u8>,
    /// For each instruction its offset in the file and its range in the source, in the order of the file.
    pub lines: Vec<Line>,
    /// Warnings, in the order of the source.
    pub diagnostics: Vec<Diagnostic>,
}

/// An instruction and its range in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Line {
    /// The offset of its first byte in the file.
    pub offset: usize,
    /// Its range in the source.
    pub span: Span,
}

/// Assembles a source to a file. [`Settings`] supply the stage and version if the source does not state them.
///
/// # Errors
/// Every fault in the text, and every rule of the instruction set that the program breaks; `not-built` if this build
/// lacks the instruction set.
pub fn assemble(source: &str, language: Language, settings: &Settings) -> Result<Assembly> {
    language.isa().family()?.assemble(source, language, settings)
}
