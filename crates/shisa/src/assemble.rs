//! Assembling sources.

use crate::{Assembly, Language, Result, Settings};

/// Assembles a source to a file. [`Settings`] supply the stage and version if the source does not state them.
///
/// # Errors
/// Every fault in the text, and every rule of the instruction set that the program breaks; `not-built` if this build
/// lacks the instruction set.
pub fn assemble(source: &str, language: Language, settings: &Settings) -> Result<Assembly> {
    language.isa().family()?.assemble(source, language, settings)
}
