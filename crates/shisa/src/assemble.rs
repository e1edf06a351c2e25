//! Assembling sources.

use crate::{Assembly, Language, Result, Settings};

/// Assembles a source to a file. [`Settings`] have the stage and version where the source does not say them.
///
/// # Errors
/// Every fault in the text, and every rule of the instruction set that the program breaks; `not-built` where this
/// build leaves the instruction set out.
pub fn assemble(source: &str, language: Language, settings: &Settings) -> Result<Assembly> {
    language.isa().family()?.assemble(source, language, settings)
}
