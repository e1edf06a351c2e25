//! The language of a source.

use serde::Deserialize;
use shisa::{Isa, Language, Settings};

/// The language of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum SyntaxName {
    /// The language that `dis` writes
    Default,
    /// AGALMacroAssembler's language, which is the default for files named *.agalm
    Macro,
    /// picasso's language for PICA200, which is the default for files named *.pica
    Picasso,
}

/// The language of a source, from the options, its name in the settings or its first lines; else that of the instruction
/// set in the settings, else `only`, else AGAL.
pub fn language(
    source: &[u8],
    syntax: Option<SyntaxName>,
    only: Option<Language>,
    settings: &Settings,
) -> Language {
    let unnamed = || {
        let mut settings = settings.clone();
        settings.name = None;
        settings
    };
    let found = match syntax {
        Some(SyntaxName::Macro) => Some(Language::AgalMacros),
        Some(SyntaxName::Picasso) => Some(Language::Picasso),
        Some(SyntaxName::Default) => Language::of(source, &unnamed()),
        None => Language::of(source, settings),
    };
    found.unwrap_or_else(|| settings.isa.map(Isa::language).or(only).unwrap_or(Language::Agal))
}
