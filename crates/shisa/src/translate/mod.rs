//! Translation of programs.

#[cfg(feature = "agal")]
mod pair;

#[cfg(feature = "agal")]
pub use pair::translate_pair;

use crate::{Lowered, Result, Selection, Settings};
use shisa_translate::{Options, Output, Program, Source, Target};

/// Translates the first program of a file to a shading language.
///
/// # Errors
/// What the container, the lift, the passes and the translator refuse.
pub fn translate(bytes: &[u8], target: Target, options: &Options, settings: &Settings) -> Result<Output> {
    translate_one(bytes, &Selection::default(), target, options, settings)
}

/// Translates the program that is meant to a shading language.
///
/// # Errors
/// As [`translate`]; `no-program` if there is none of the number given.
pub fn translate_one(
    bytes: &[u8],
    selection: &Selection,
    target: Target,
    options: &Options,
    settings: &Settings,
) -> Result<Output> {
    of(&Lowered::select(bytes, selection, settings)?, target, options, settings)
}

fn of(lowered: &Lowered, target: Target, options: &Options, settings: &Settings) -> Result<Output> {
    let results = lowered.results();
    let texts = if options.comments { lowered.texts() } else { Vec::new() };
    let source: Vec<Source<'_>> = results
        .iter()
        .enumerate()
        .map(|(i, result)| Source { text: texts.get(i).map_or("", String::as_str), result })
        .collect();
    let program =
        Program { func: &lowered.func, tree: &lowered.tree, interface: &lowered.interface, source: &source };
    let mut output = shisa_translate::translate(&program, target, options, &settings.limits)?;
    output.warnings.splice(0..0, lowered.warnings.iter().cloned());
    Ok(output)
}
