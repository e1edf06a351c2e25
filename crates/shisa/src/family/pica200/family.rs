//! PICA200's implementation of the family interface.

use super::file::Pica200File;
use crate::assembly::{Assembly, Line};
use crate::code::Code;
use crate::explain::Explanation;
use crate::family::{Family, Lone, Opened, Sniffed};
use crate::identity::{Container, Identity};
use crate::{Isa, Language, Listing, Result, Settings};
use shisa_diag::{Choice, Diagnostic};
use shisa_ir::Stage;
use shisa_pica200::container::{Raw, Wrapper};
use shisa_pica200::picasso::{self, Rules, Source};
use std::borrow::Cow;

/// PICA200.
pub(crate) struct Pica200;

impl Pica200 {
    /// Assembles one source. Its lines are those of instructions.
    fn assembled(source: &str, rules: Rules, settings: &Settings) -> picasso::Assembly {
        let name = settings.name.as_deref().unwrap_or("");
        let options = picasso::Options { rules, ..settings.pica200.assembling };
        picasso::assemble(&[Source { name, text: source }], &options, &settings.limits)
    }
}

/// The findings about a source.
fn found(done: &picasso::Assembly) -> Vec<Diagnostic> {
    done.findings.iter().map(|f| f.diagnostic.clone()).collect()
}

impl Family for Pica200 {
    fn isa(&self) -> Isa {
        super::ISA
    }

    fn magic(&self, bytes: &[u8]) -> Option<Container> {
        if bytes.starts_with(shisa_pica200::LISTING.as_bytes()) {
            return Some(Container::Pica200Text);
        }
        super::file::container(bytes)
    }

    fn sniff<'b>(&self, bytes: &'b [u8], settings: &Settings) -> Option<Sniffed<'b>> {
        let container = super::file::container(bytes)?;
        // Models and programs without shaders have these formats, too.
        if let Some(wrapper) = Wrapper::sniff(bytes).filter(|w| *w != Wrapper::Csdr)
            && let Ok((found, faults)) = shisa_pica200::container::embedded(wrapper, bytes, &settings.limits)
            && found.is_empty()
            && faults.is_empty()
        {
            return None;
        }
        let file = self.open(Cow::Borrowed(bytes), settings);
        Some(Sniffed::of(file, || Identity::damaged(container, Some(Isa::Pica200))))
    }

    fn open<'b>(&self, bytes: Cow<'b, [u8]>, settings: &Settings) -> Result<Box<dyn Opened + 'b>> {
        Ok(Box::new(Pica200File::read(bytes, settings)?))
    }

    fn open_code(&self, code: &Code<'_>, settings: &Settings) -> Result<Box<dyn Opened>> {
        let descriptors: Vec<u8> = code.descriptors.iter().flat_map(|w| w.to_le_bytes()).collect();
        let stage = code.stage.or(settings.stage).unwrap_or(Stage::Vertex);
        let raw = Raw { code: &code.bytes, descriptors: &descriptors, stage, entry: code.entry };
        Ok(Box::new(Pica200File::raw(&raw, settings)?))
    }

    fn language(&self, bytes: &[u8]) -> Option<Language> {
        picasso::sniff(bytes).then_some(Language::Picasso)
    }

    fn assemble(&self, source: &str, language: Language, settings: &Settings) -> Result<Assembly> {
        let done = Pica200::assembled(source, Rules::Skip, settings);
        let diagnostics = found(&done);
        let (Some(bytes), Some(shbin)) = (done.bytes, &done.shbin) else { return Err(diagnostics.into()) };
        let start = shbin.code_at();
        let line = |(i, w): (usize, &picasso::WordLine)| Line { offset: start + 4 * i, span: w.span() };
        let lines = done.words.iter().enumerate().map(line).collect();
        Ok(Assembly { language, bytes, lines, diagnostics })
    }

    /// The assembler applies the rules, and has the text that breaks one.
    fn check_source(
        &self,
        source: &str,
        _: &Assembly,
        _: &dyn Opened,
        _: Option<usize>,
        settings: &Settings,
    ) -> Result<Vec<Diagnostic>> {
        Ok(found(&Pica200::assembled(source, Rules::Enforce, settings)))
    }

    #[cfg(feature = "editors")]
    fn editing(&self, _: &str, _: Language, _: &Settings) -> Result<Box<dyn shisa_rows::editing::Editing>> {
        Ok(shisa_pica200::picasso::editing())
    }

    fn lone(&self, _: &Listing, _: &Settings) -> Result<Box<dyn Lone>> {
        Ok(Box::new(shisa_pica200::Words::default()))
    }

    fn explain(&self, word: &str) -> Vec<Explanation> {
        super::explain::explain(word)
    }

    fn words(&self) -> Vec<String> {
        super::explain::words()
    }

    fn choices(&self) -> &'static [Choice] {
        shisa_pica200::Options::CHOICES
    }

    fn set(&self, settings: &mut Settings, key: &str, value: &str) -> bool {
        settings.pica200.options.set(key, value)
    }
}

impl Lone for shisa_pica200::Words {
    fn disassemble(&self, digits: &str, out: &mut Vec<u8>) -> std::result::Result<(), Diagnostic> {
        self.disassemble(digits, out)
    }

    fn assemble(&self, text: &str, out: &mut Vec<u8>) -> std::result::Result<(), Diagnostic> {
        self.assemble(text, out)
    }
}
