//! The interface of an instruction set to the verbs.

use super::names::{Isa, Language};
use super::opened::{Opened, RunStages};
use crate::assembly::{Assembly, Line};
use crate::code::Code;
use crate::explain::Explanation;
use crate::identity::Identity;
use crate::{Error, Listing, Result, Settings};
use shisa_diag::{Choice, Confidence, Diagnostic, Place};
use shisa_rows::editing::Editing;
use std::borrow::Cow;

/// What an instruction set supplies.
pub(crate) trait Family: Sync {
    /// The instruction set.
    fn isa(&self) -> Isa;

    /// The container that the first bytes identify with certainty, such as by a header's magic. Nothing else is read.
    fn magic(&self, bytes: &[u8]) -> Option<crate::identity::Container>;

    /// Whether bytes are a container from which only parts are taken, so that the limit `file` does not bound its size.
    fn is_large(&self, _: &[u8], _: &Settings) -> bool {
        false
    }

    /// Opens bytes whose content states that they are of this instruction set; `None` otherwise.
    fn sniff<'b>(&self, bytes: &'b [u8], settings: &Settings) -> Option<Sniffed<'b>>;

    /// Opens bytes that may be of this instruction set, if nothing else recognises them.
    fn guess<'b>(&self, _: &'b [u8], _: &Settings) -> Option<Sniffed<'b>> {
        None
    }

    /// Whether text that does not state its instruction set is a source of this one, and what it lacks.
    fn guess_source(&self, _: &str) -> Option<Guess> {
        None
    }

    /// Opens bytes as this instruction set's: one of its containers, else bare code.
    fn open<'b>(&self, bytes: Cow<'b, [u8]>, settings: &Settings) -> Result<Box<dyn Opened + 'b>>;

    /// Opens bare code.
    fn open_code(&self, code: &Code<'_>, settings: &Settings) -> Result<Box<dyn Opened>>;

    /// The language of a source, if its first lines state it.
    fn language(&self, bytes: &[u8]) -> Option<Language>;

    /// Assembles a source in one of this instruction set's languages.
    fn assemble(&self, source: &str, language: Language, settings: &Settings) -> Result<Assembly>;

    /// Assembles a source and opens the file.
    fn open_source(
        &self,
        source: &str,
        language: Language,
        settings: &Settings,
    ) -> Result<(Assembly, Box<dyn Opened>)> {
        let done = self.assemble(source, language, settings)?;
        let file = self.open(Cow::Owned(done.bytes.clone()), settings)?;
        Ok((done, file))
    }

    /// All findings about an assembled and opened source, or one program of it. Labels point into the text if possible.
    fn check_source(
        &self,
        _source: &str,
        done: &Assembly,
        file: &dyn Opened,
        which: Option<usize>,
        settings: &Settings,
    ) -> Result<Vec<Diagnostic>> {
        let mut found = done.diagnostics.clone();
        found.extend(file.check(which, settings)?.into_iter().map(|f| f.diagnostic));
        written(&mut found, &done.lines);
        Ok(found)
    }

    /// Reads sources like this one for editors.
    fn editing(&self, _: &str, _: Language, _: &Settings) -> Result<Box<dyn Editing>> {
        Err(crate::error::not_built("reading sources for editors in this build"))
    }

    /// Translates single instruction words to text and back.
    fn lone(&self, listing: &Listing, settings: &Settings) -> Result<Box<dyn Lone>>;

    /// The meaning of a word of the reference in this instruction set.
    fn explain(&self, word: &str) -> Vec<Explanation>;

    /// Every word that [`Family::explain`] knows.
    fn words(&self) -> Vec<String>;

    /// Runs several programs as the stages of a draw call; `None` if programs of this instruction set run alone only.
    fn stages(&self) -> Option<RunStages> {
        None
    }

    /// Named choices for behaviour that nothing published settles.
    fn choices(&self) -> &'static [Choice] {
        &[]
    }

    /// Makes a choice; `false` if there is no such choice or value.
    fn set(&self, _: &mut Settings, _key: &str, _value: &str) -> bool {
        false
    }
}

/// Bytes that a family recognised.
pub(crate) enum Sniffed<'b> {
    /// The bytes were read.
    Open(Box<dyn Opened + 'b>),
    /// The kind of the bytes is known, but they cannot be read.
    Damaged(Identity, Error),
}

impl<'b> Sniffed<'b> {
    /// The opened file, or the identity of bytes that could not be opened.
    pub(crate) fn of(file: Result<Box<dyn Opened + 'b>>, damaged: impl FnOnce() -> Identity) -> Sniffed<'b> {
        match file {
            Ok(file) => Sniffed::Open(file),
            Err(error) => Sniffed::Damaged(damaged(), error),
        }
    }
}

/// The guess about a text whose first line does not state what it is.
pub(crate) struct Guess {
    /// The language.
    pub(crate) language: Language,
    /// The stage; `None` if the text fits several.
    pub(crate) stage: Option<shisa_ir::Stage>,
    /// The lowest version that has everything the text uses.
    pub(crate) version: u32,
    /// The confidence of the guess.
    pub(crate) confidence: Confidence,
}

/// Single instruction words to text and back.
pub(crate) trait Lone: std::fmt::Debug {
    /// Appends the text of a word in hexadecimal.
    fn disassemble(&self, digits: &str, out: &mut Vec<u8>) -> std::result::Result<(), Diagnostic>;

    /// Appends the hexadecimal digits of an instruction's word.
    fn assemble(&self, text: &str, out: &mut Vec<u8>) -> std::result::Result<(), Diagnostic>;
}

/// Moves labels from the bytes of an instruction to its text.
pub(crate) fn written(found: &mut [Diagnostic], lines: &[Line]) {
    for label in found.iter_mut().flat_map(|d| &mut d.labels).filter(|l| l.place == Place::Bytes) {
        if let Some(line) = lines.iter().find(|l| l.offset == label.span.start) {
            (label.place, label.span) = (Place::Text, line.span);
        }
    }
}
