//! Sources in picasso's language.

use crate::input::Input;
use crate::report::Report;
use crate::stop::Stop;
use shisa::Settings;
use shisa::pica200::picasso::{Assembly, Options, Source};
use std::borrow::Cow;

/// The text of a source. Comments of old sources are in many encodings, so what is not UTF-8 is replaced.
fn text(input: &Input) -> Cow<'_, str> {
    String::from_utf8_lossy(&input.bytes)
}

/// Calls `f` with the sources.
pub(crate) fn with_sources<T>(inputs: &[Input], f: impl FnOnce(&[Source<'_>]) -> T) -> T {
    let texts: Vec<Cow<'_, str>> = inputs.iter().map(text).collect();
    let source = |(input, text)| Source { name: Input::name(input), text };
    f(&inputs.iter().zip(texts.iter().map(|t| &**t)).map(source).collect::<Vec<_>>())
}

/// Assembles sources into one shader binary, and reports what was found.
pub(crate) fn assemble(
    inputs: &[Input],
    options: &Options,
    settings: &Settings,
    report: &mut Report,
) -> Result<Assembly, Stop> {
    with_sources(inputs, |sources| {
        let done = shisa::assemble_picasso(sources, options, settings);
        for found in &done.findings {
            let source = sources.get(found.source);
            let (name, text) = source.map_or(("-", None), |s| (s.name, Some(s.text)));
            report.named(std::slice::from_ref(&found.diagnostic), name, text)?;
        }
        Ok(done)
    })
}
