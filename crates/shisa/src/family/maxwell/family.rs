//! Maxwell's implementation of the family interface.

use super::file::{MaxwellFile, kind};
use crate::assembly::{Assembly, Line};
use crate::code::Code;
use crate::explain::Explanation;
use crate::family::{Family, Guess, Lone, Opened, Sniffed, guess, written};
use crate::identity::{self, Identity};
use crate::{Isa, Language, Listing, Result, Settings};
use shisa_diag::{Choice, Diagnostic};
use shisa_maxwell::Ctx;
use shisa_maxwell::container::{Container, Cubin, Dksh, Image, Nvn, NvnControl};
use shisa_maxwell::text::{AsmOptions, LISTING, assemble};
use std::borrow::Cow;

/// Maxwell.
pub(crate) struct Maxwell;

impl Maxwell {
    /// Assembles a source.
    ///
    /// # Errors
    /// Every fault in the text.
    pub(super) fn assembled(
        source: &str,
        unchecked: bool,
        settings: &Settings,
    ) -> Result<(Vec<u8>, shisa_maxwell::text::Assembly)> {
        let options =
            AsmOptions { chip: settings.maxwell.chip, unchecked, schedule: settings.maxwell.schedule };
        let mut done = assemble(source, &options, &settings.limits);
        match done.bytes.take() {
            Some(bytes) => Ok((bytes, done)),
            None => Err(done.diagnostics.into()),
        }
    }
}

fn lines(done: &shisa_maxwell::text::Assembly) -> Vec<Line> {
    done.lines.iter().map(|l| Line { offset: l.offset, span: l.span }).collect()
}

impl Family for Maxwell {
    fn isa(&self) -> Isa {
        super::ISA
    }

    fn magic(&self, bytes: &[u8]) -> Option<identity::Container> {
        match bytes {
            _ if bytes.starts_with(LISTING.as_bytes()) => Some(identity::Container::MaxwellText),
            _ if Cubin::sniff(bytes) => Some(identity::Container::Cubin),
            _ if Dksh::sniff(bytes) => Some(identity::Container::Dksh),
            _ if Nvn::sniff(bytes) => Some(identity::Container::NvnCode),
            _ if NvnControl::sniff(bytes) => Some(identity::Container::NvnControl),
            _ => None,
        }
    }

    fn is_large(&self, bytes: &[u8], settings: &Settings) -> bool {
        Container::sniff(bytes, &settings.limits).is_some_and(Container::is_large)
    }

    fn sniff<'b>(&self, bytes: &'b [u8], settings: &Settings) -> Option<Sniffed<'b>> {
        let container = Container::sniff(bytes, &settings.limits)?;
        let damaged = || Identity::damaged(kind(container), Some(Isa::Maxwell));
        Some(match Image::read_as(bytes, container, &settings.limits) {
            Ok(image) => Sniffed::Open(Box::new(MaxwellFile::read_from(image))),
            Err(found) => Sniffed::Damaged(damaged(), found.into()),
        })
    }

    fn guess_source(&self, text: &str) -> Option<Guess> {
        guess(self, text)
    }

    fn open<'b>(&self, bytes: Cow<'b, [u8]>, settings: &Settings) -> Result<Box<dyn Opened + 'b>> {
        Ok(Box::new(MaxwellFile::read(bytes, settings)?))
    }

    fn open_code(&self, code: &Code<'_>, settings: &Settings) -> Result<Box<dyn Opened>> {
        Ok(Box::new(MaxwellFile::own(code.bytes.clone(), Container::Bundles, settings)?))
    }

    fn language(&self, bytes: &[u8]) -> Option<Language> {
        bytes.starts_with(LISTING.as_bytes()).then_some(Language::Maxwell)
    }

    fn assemble(&self, source: &str, language: Language, settings: &Settings) -> Result<Assembly> {
        let (bytes, done) = Maxwell::assembled(source, settings.unchecked, settings)?;
        Ok(Assembly { language, bytes, lines: lines(&done), diagnostics: done.diagnostics })
    }

    /// The file does not state the chip of the code, nor the targets of branches through a register.
    fn open_source(
        &self,
        source: &str,
        language: Language,
        settings: &Settings,
    ) -> Result<(Assembly, Box<dyn Opened>)> {
        let (bytes, done) = Maxwell::assembled(source, settings.unchecked, settings)?;
        let mut file = MaxwellFile::read(Cow::Owned(bytes.clone()), settings)?;
        file.say(&done.layout);
        let lines = lines(&done);
        Ok((Assembly { language, bytes, lines, diagnostics: done.diagnostics }, Box::new(file)))
    }

    /// The rules report what the chip refuses, so the assembler does not.
    fn check_source(
        &self,
        source: &str,
        _: &Assembly,
        _: &dyn Opened,
        which: Option<usize>,
        settings: &Settings,
    ) -> Result<Vec<Diagnostic>> {
        let (bytes, done) = Maxwell::assembled(source, true, settings)?;
        let lines = lines(&done);
        let mut found = done.diagnostics;
        let file = MaxwellFile::read(Cow::Owned(bytes), settings)?;
        found.extend(file.checked(which, Some(done.layout.chip), settings));
        written(&mut found, &lines);
        Ok(found)
    }

    #[cfg(feature = "editors")]
    fn editing(
        &self,
        source: &str,
        _: Language,
        settings: &Settings,
    ) -> Result<Box<dyn shisa_rows::editing::Editing>> {
        Ok(shisa_maxwell::text::editing(source, settings.maxwell.chip))
    }

    fn lone(&self, _: &Listing, settings: &Settings) -> Result<Box<dyn Lone>> {
        let super::Settings { chip, control, base, .. } = settings.maxwell;
        let ctx = Ctx { chip: chip.unwrap_or_default(), ..Ctx::default() };
        Ok(Box::new(shisa_maxwell::Words::new(ctx, control, base)))
    }

    #[cfg(feature = "eval")]
    fn stages(&self) -> Option<crate::family::RunStages> {
        Some(super::running::run_stages)
    }

    fn choices(&self) -> &'static [Choice] {
        shisa_maxwell::Options::CHOICES
    }

    fn set(&self, settings: &mut Settings, key: &str, value: &str) -> bool {
        settings.maxwell.options.set(key, value)
    }

    fn explain(&self, word: &str) -> Vec<Explanation> {
        super::explain::explain(word)
    }

    fn words(&self) -> Vec<String> {
        super::explain::words()
    }
}

impl Lone for shisa_maxwell::Words {
    fn disassemble(&self, digits: &str, out: &mut Vec<u8>) -> std::result::Result<(), Diagnostic> {
        self.disassemble(digits, out)
    }

    fn assemble(&self, text: &str, out: &mut Vec<u8>) -> std::result::Result<(), Diagnostic> {
        self.assemble(text, out)
    }
}
