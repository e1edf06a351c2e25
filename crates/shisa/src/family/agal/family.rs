//! AGAL's implementation of the family interface.

use super::file::AgalFile;
use super::swf;
use crate::assembly::{Assembly, Line};
use crate::code::Code;
use crate::explain::Explanation;
use crate::family::{Family, Guess, Lone, Opened, Sniffed};
use crate::identity::{Container, Identity};
use crate::{Isa, Language, Listing, Result, Settings, error};
use shisa_agal::{AsmOptions, HEADER_BYTES, Program};
use shisa_diag::{Choice, Confidence, Diagnostic, Severity, Span, other_unicode};
use shisa_ir::Stage;
use std::borrow::Cow;

/// The first bytes of a source that states its stage and version.
const FIRST_LINE: &[u8] = b"// agal ";

/// AGAL.
pub(crate) struct Agal;

/// How a source is assembled.
fn options(source: &str, settings: &Settings) -> AsmOptions {
    let said = source.as_bytes().starts_with(FIRST_LINE);
    AsmOptions {
        version: settings.version,
        stage: settings.stage.or_else(|| settings.stage_of_name().filter(|_| !said)),
        lenient: settings.lenient,
        unchecked: settings.unchecked,
        rules: settings.agal.rules,
    }
}

impl Family for Agal {
    fn isa(&self) -> Isa {
        super::ISA
    }

    fn magic(&self, bytes: &[u8]) -> Option<Container> {
        match bytes {
            _ if Program::sniff(bytes) => Some(Container::Agal),
            _ if bytes.starts_with(FIRST_LINE) => Some(Container::AgalText),
            _ => swf::container(bytes),
        }
    }

    fn sniff<'b>(&self, bytes: &'b [u8], settings: &Settings) -> Option<Sniffed<'b>> {
        if shisa_agal::embedded_glsl(bytes).is_some() {
            let identity = Identity::of(Container::OpenflGlsl, None, Vec::new(), Confidence::Likely);
            return Some(Sniffed::Damaged(identity, error::not_recognised(bytes)));
        }
        swf::sniff(bytes, settings)
            .or_else(|| Program::sniff(bytes).then(|| AgalFile::sniffed(bytes, settings)))
    }

    fn guess<'b>(&self, bytes: &'b [u8], settings: &Settings) -> Option<Sniffed<'b>> {
        if bytes.first() == Some(&0xa0) {
            return Some(AgalFile::sniffed(bytes, settings));
        }
        None
    }

    fn guess_source(&self, text: &str) -> Option<Guess> {
        let shisa_agal::SourceGuess { stage, version, confidence } = shisa_agal::identify_source(text)?;
        Some(Guess { language: Language::Agal, stage, version, confidence })
    }

    fn open<'b>(&self, bytes: Cow<'b, [u8]>, settings: &Settings) -> Result<Box<dyn Opened + 'b>> {
        match swf::container(&bytes) {
            Some(_) => swf::open(bytes, settings),
            // No program begins with such bytes.
            None => match other_unicode(&bytes) {
                Some(encoding) => {
                    let text = format!("this is text in {encoding}, not in UTF-8, and not a program");
                    Err(Diagnostic::error("source-utf8", text).help("save it as UTF-8").into())
                }
                None => Ok(Box::new(AgalFile::new(bytes, settings))),
            },
        }
    }

    fn open_code(&self, code: &Code<'_>, settings: &Settings) -> Result<Box<dyn Opened>> {
        let stage = code.stage.or(settings.stage).unwrap_or(Stage::Vertex);
        let header = Program::new(settings.version.unwrap_or(1), stage).write();
        let header = shisa_diag::bytes::part(&header, 0..HEADER_BYTES)?;
        self.open(Cow::Owned([header, &code.bytes].concat()), settings)
    }

    fn language(&self, bytes: &[u8]) -> Option<Language> {
        bytes.starts_with(FIRST_LINE).then_some(Language::Agal)
    }

    fn assemble(&self, source: &str, language: Language, settings: &Settings) -> Result<Assembly> {
        let options = options(source, settings);
        let done = match language {
            Language::AgalMacros => shisa_agal::assemble_macros(source, &options, &settings.limits),
            _ => shisa_agal::assemble(source, &options, &settings.limits),
        };
        let line = |(i, l): (usize, &shisa_agal::TokenLine)| Line {
            offset: Program::token_span(i).start,
            span: Span::new(l.start as usize, l.end as usize),
        };
        match done.bytes() {
            Some(bytes) if !done.diagnostics.iter().any(|d| d.severity == Severity::Error) => {
                let lines = done.lines.iter().enumerate().map(line).collect();
                Ok(Assembly { language, bytes, lines, diagnostics: done.diagnostics })
            }
            _ => Err(done.diagnostics.into()),
        }
    }

    /// The assembler applies the rules, and has the text that breaks one.
    fn check_source(
        &self,
        source: &str,
        done: &Assembly,
        _: &dyn Opened,
        _: Option<usize>,
        settings: &Settings,
    ) -> Result<Vec<Diagnostic>> {
        let mut checked = settings.clone();
        checked.unchecked = false;
        self.assemble(source, done.language, &checked).map(|done| done.diagnostics)
    }

    #[cfg(feature = "editors")]
    fn editing(
        &self,
        source: &str,
        language: Language,
        settings: &Settings,
    ) -> Result<Box<dyn shisa_rows::editing::Editing>> {
        Ok(shisa_agal::editing(source, &options(source, settings), language == Language::AgalMacros))
    }

    fn lone(&self, _: &Listing, settings: &Settings) -> Result<Box<dyn Lone>> {
        match (settings.stage, settings.version) {
            (Some(stage), Some(version @ 1..=4)) => Ok(Box::new(shisa_agal::Words::new(version, stage))),
            _ => {
                let text = "words of AGAL depend on their stage and version, 1 to 4";
                Err(Diagnostic::error("words-settings", text).into())
            }
        }
    }

    fn explain(&self, word: &str) -> Vec<Explanation> {
        super::explain::explain(word)
    }

    fn words(&self) -> Vec<String> {
        super::explain::words()
    }

    fn choices(&self) -> &'static [Choice] {
        shisa_agal::Options::CHOICES
    }

    fn set(&self, settings: &mut Settings, key: &str, value: &str) -> bool {
        settings.agal.set(key, value)
    }
}

impl Lone for shisa_agal::Words {
    fn disassemble(&self, digits: &str, out: &mut Vec<u8>) -> std::result::Result<(), Diagnostic> {
        self.disassemble(digits, out)
    }

    fn assemble(&self, text: &str, out: &mut Vec<u8>) -> std::result::Result<(), Diagnostic> {
        self.assemble(text, out)
    }
}
