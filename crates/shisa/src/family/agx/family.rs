//! AGX's implementation of the family interface.

use super::file::{AgxFile, Unread, kind};
use super::spelling::syntax;
use crate::assembly::{Assembly, Line};
use crate::code::Code;
use crate::explain::Explanation;
use crate::family::{Family, Guess, Lone, Opened, Sniffed, guess};
use crate::identity::{self, Identity};
use crate::{Isa, Language, Listing, Result, Settings};
use shisa_agx::Ctx;
use shisa_agx::container::Container;
use shisa_agx::text::{AsmOptions, LISTING, assemble};
use shisa_diag::{Choice, Diagnostic};
use std::borrow::Cow;

/// AGX.
pub(crate) struct Agx;

impl Family for Agx {
    fn isa(&self) -> Isa {
        super::ISA
    }

    fn magic(&self, bytes: &[u8]) -> Option<identity::Container> {
        bytes.starts_with(LISTING.as_bytes()).then_some(identity::Container::AgxText)
    }

    fn sniff<'b>(&self, bytes: &'b [u8], settings: &Settings) -> Option<Sniffed<'b>> {
        let damaged = Container::sniff(bytes).map_or(identity::Container::AgxPart, kind);
        let file = match AgxFile::known(bytes, settings) {
            Some(file) => opened(file),
            None => {
                shisa_agx::sniff(bytes)?;
                self.open(Cow::Borrowed(bytes), settings)
            }
        };
        Some(Sniffed::of(file, || Identity::damaged(damaged, Some(Isa::Agx))))
    }

    fn guess_source(&self, text: &str) -> Option<Guess> {
        guess(self, text)
    }

    fn open<'b>(&self, bytes: Cow<'b, [u8]>, settings: &Settings) -> Result<Box<dyn Opened + 'b>> {
        opened(AgxFile::read(bytes, settings))
    }

    fn open_code(&self, code: &Code<'_>, settings: &Settings) -> Result<Box<dyn Opened>> {
        settings.limits.check(shisa_diag::Limit::File, "bytes of code", code.bytes.len())?;
        Ok(Box::new(AgxFile::Code(Cow::Owned(code.bytes.clone()), code.stage.or(settings.stage))))
    }

    fn language(&self, bytes: &[u8]) -> Option<Language> {
        bytes.starts_with(LISTING.as_bytes()).then_some(Language::Agx)
    }

    fn assemble(&self, source: &str, language: Language, settings: &Settings) -> Result<Assembly> {
        let options = AsmOptions { revision: settings.agx.revision };
        let done = assemble(source, &options, &settings.limits);
        let lines = done.lines.iter().map(|l| Line { offset: l.offset, span: l.span }).collect();
        match done.bytes {
            Some(bytes) => Ok(Assembly { language, bytes, lines, diagnostics: done.diagnostics }),
            None => Err(done.diagnostics.into()),
        }
    }

    #[cfg(feature = "editors")]
    fn editing(
        &self,
        _: &str,
        _: Language,
        settings: &Settings,
    ) -> Result<Box<dyn shisa_rows::editing::Editing>> {
        Ok(shisa_agx::text::editing(settings.agx.revision))
    }

    fn lone(&self, listing: &Listing, settings: &Settings) -> Result<Box<dyn Lone>> {
        let ctx = Ctx { syntax: syntax(listing.syntax), revision: settings.agx.revision, ..Ctx::default() };
        Ok(Box::new(shisa_agx::text::Words::new(ctx)))
    }

    fn explain(&self, word: &str) -> Vec<Explanation> {
        super::explain::explain(word)
    }

    fn words(&self) -> Vec<String> {
        super::explain::words()
    }

    fn choices(&self) -> &'static [Choice] {
        shisa_agx::Options::CHOICES
    }

    fn set(&self, settings: &mut Settings, key: &str, value: &str) -> bool {
        settings.agx.options.set(key, value)
    }
}

/// A file that was read, for the verbs.
fn opened<'b>(file: std::result::Result<AgxFile<'b>, Unread>) -> Result<Box<dyn Opened + 'b>> {
    match file {
        Ok(file) => Ok(Box::new(file)),
        Err(Unread::Partial(part)) => Ok(part),
        Err(Unread::Damaged(error)) => Err(error),
    }
}

impl Lone for shisa_agx::text::Words {
    fn disassemble(&self, digits: &str, out: &mut Vec<u8>) -> std::result::Result<(), Diagnostic> {
        self.disassemble(digits, out)
    }

    fn assemble(&self, text: &str, out: &mut Vec<u8>) -> std::result::Result<(), Diagnostic> {
        self.assemble(text, out)
    }
}
