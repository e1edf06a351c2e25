//! PICA200 programs from picasso's language.

use crate::Settings;
use shisa_pica200::picasso::{Assembly, Options, Source, assemble};

/// Assembles sources in picasso's language into one shader binary, a program for each. Every fault in them
/// is told.
pub fn assemble_picasso(sources: &[Source<'_>], options: &Options, settings: &Settings) -> Assembly {
    assemble(sources, options, &settings.limits)
}
