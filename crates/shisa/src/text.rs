//! Sources as files: the verbs work on the assembled result.

use crate::assembly::Assembly;
use crate::engines::Shader;
use crate::engines::Source;
use crate::family::{Each, FAMILIES, Family, Head, Opened, Runs, Sniffed};
use crate::fields::Field;
use crate::finding::Finding;
use crate::identity::{Container, Entry, Identity};
use crate::run::TraceSink;
use crate::{Cfg, Error, Isa, Language, Listing, Lowered, Report, Result, Settings};
use serde_json::Value;
use shisa_diag::{Confidence, Diagnostic, escape, other_unicode, without_mark};
use shisa_ir::{Natives, Scratch};
use shisa_rows::editing::Editing;
use std::any::Any;
use std::borrow::Cow;

/// A source, and its assembled file.
pub(crate) struct Text<'b> {
    family: &'static dyn Family,
    /// The source.
    source: Cow<'b, str>,
    bytes: usize,
    container: Container,
    confidence: Confidence,
    /// The result of assembling it.
    assembly: Assembly,
    /// The assembled file, opened.
    inner: Box<dyn Opened>,
}

impl<'b> Text<'b> {
    /// Opens a source whose language the settings, the file name or its first lines determine.
    pub(crate) fn sniff(bytes: &'b [u8], settings: &Settings) -> Option<Sniffed<'b>> {
        let language = Language::of(bytes, settings)?;
        let family = language.isa().family().ok()?;
        let container = container(language);
        Some(Sniffed::of(
            Text::open(bytes, family, language, container, Confidence::Certain, settings),
            || Identity::of(container, Some(family.isa()), Vec::new(), Confidence::Likely),
        ))
    }

    /// Opens text that seems to be a source.
    pub(crate) fn guess(bytes: &'b [u8], settings: &Settings) -> Option<Sniffed<'b>> {
        let text = std::str::from_utf8(without_mark(bytes)).ok()?;
        let wanted = |f: &&&dyn Family| settings.isa.is_none_or(|isa| isa == f.isa());
        let (family, guess) =
            FAMILIES.iter().filter(wanted).find_map(|f| Some((*f, f.guess_source(text)?)))?;
        let mut inner = settings.clone();
        inner.stage = settings.stage.or(settings.stage_of_name()).or(guess.stage);
        inner.version = settings.version.or(Some(guess.version));
        let (container, sure) = (container(guess.language), guess.confidence);
        Some(Sniffed::of(Text::open(bytes, family, guess.language, container, sure, &inner), || {
            Identity::of(container, Some(family.isa()), Vec::new(), sure)
        }))
    }

    /// Opens a source in a language.
    fn open(
        bytes: &'b [u8],
        family: &'static dyn Family,
        language: Language,
        container: Container,
        confidence: Confidence,
        settings: &Settings,
    ) -> Result<Box<dyn Opened + 'b>> {
        if let Some(encoding) = other_unicode(bytes) {
            let text = format!("{} is text in {encoding}, not in UTF-8", named(settings));
            return Err(Diagnostic::error("source-utf8", text).help("save it as UTF-8").into());
        }
        let source = match (std::str::from_utf8(bytes), language) {
            (Ok(text), _) => Cow::Borrowed(text),
            // Old sources have comments in many encodings.
            (Err(_), Language::Picasso) => String::from_utf8_lossy(bytes),
            (Err(e), _) => return Err(not_text(settings, &e)),
        };
        let (assembly, inner) = family.open_source(&source, language, settings)?;
        Ok(Box::new(Text { family, source, bytes: bytes.len(), container, confidence, assembly, inner }))
    }
}

/// The container for a language.
fn container(language: Language) -> Container {
    match language {
        Language::Agal | Language::AgalMacros => Container::AgalText,
        Language::Picasso => Container::Pica200Text,
        Language::Maxwell => Container::MaxwellText,
        Language::Agx => Container::AgxText,
    }
}

impl Language {
    /// The language of a source: that of the settings, else the one that the file name or the first lines determine.
    /// `None` if nothing determines it, or if it belongs to another instruction set than the settings state.
    pub fn of(source: &[u8], settings: &Settings) -> Option<Language> {
        let source = without_mark(source);
        // Binary files have a zero among their first bytes; no source has one.
        const FIRST_BYTES: usize = 64;
        let is_text = || !source.iter().take(FIRST_BYTES).any(|byte| *byte == 0);
        let wanted = |isa: Isa| settings.isa.is_none_or(|other| other == isa);
        let named = settings.language.or_else(|| Language::of_name(settings.name.as_deref()?));
        let first = || FAMILIES.iter().filter(|f| wanted(f.isa())).find_map(|f| f.language(source));
        named.filter(|l| wanted(l.isa())).or_else(|| is_text().then(first).flatten())
    }

    /// Reads sources like this one, of this language, for editors. Its first lines may state the version.
    ///
    /// # Errors
    /// `not-built`.
    pub fn editing(self, source: &str, settings: &Settings) -> Result<Box<dyn Editing>> {
        self.isa().family()?.editing(source, self, settings)
    }
}

/// The name of the source for messages.
fn named(settings: &Settings) -> String {
    settings.name.as_deref().map_or("the source".into(), escape)
}

/// The error for bytes that are not text.
fn not_text(settings: &Settings, e: &std::str::Utf8Error) -> Error {
    let d = Diagnostic::error("source-utf8", format!("{} is not text in UTF-8 ({e})", named(settings)));
    d.help("`shisa dis` disassembles a program").into()
}

impl Opened for Text<'_> {
    fn isa(&self) -> Option<Isa> {
        self.inner.isa()
    }

    fn identity(&self, settings: &Settings) -> Identity {
        let entry = |e: Entry| Entry {
            container: self.container,
            offset: 0,
            size: self.bytes,
            confidence: self.confidence,
            ..e
        };
        let programs = self.inner.identity(settings).programs.into_iter().map(entry).collect();
        Identity::of(self.container, self.inner.isa(), programs, self.confidence)
    }

    fn count(&self) -> usize {
        self.inner.count()
    }

    fn single(&self) -> bool {
        self.inner.single()
    }

    fn diagnostics(&self) -> &[Diagnostic] {
        &self.assembly.diagnostics
    }

    fn listing(&self, which: Option<usize>, how: &Listing, settings: &Settings) -> Result<String> {
        self.inner.listing(which, how, settings)
    }

    fn head(&self, which: Option<usize>, settings: &Settings) -> Result<Head> {
        self.inner.head(which, settings)
    }

    fn instructions(
        &self,
        which: Option<usize>,
        how: &Listing,
        settings: &Settings,
        each: &mut Each<'_>,
    ) -> Result<()> {
        self.inner.instructions(which, how, settings, each)
    }

    fn fields(&self, index: usize, offset: usize, settings: &Settings) -> Result<Vec<Field>> {
        self.inner.fields(index, offset, settings)
    }

    fn check(&self, which: Option<usize>, settings: &Settings) -> Result<Vec<Finding>> {
        let found = self.family.check_source(&self.source, &self.assembly, &*self.inner, which, settings)?;
        Ok(found.into_iter().map(Finding::of_file).collect())
    }

    fn cfg(&self, index: usize, settings: &Settings) -> Result<Cfg> {
        self.inner.cfg(index, settings)
    }

    fn lower(&self, at: usize, settings: &Settings, natives: Natives, with: &mut Scratch) -> Result<Lowered> {
        self.inner.lower(at, settings, natives, with)
    }

    fn extract(&self, index: usize, settings: &Settings) -> Result<Vec<u8>> {
        self.inner.extract(index, settings)
    }

    fn enclosing(&self, index: usize, settings: &Settings) -> Result<Vec<u8>> {
        self.inner.enclosing(index, settings)
    }

    fn report(&self, index: usize, settings: &Settings) -> Result<Report> {
        self.inner.report(index, settings)
    }

    fn typed(&self, index: usize, settings: &Settings) -> Result<Option<&dyn Any>> {
        self.inner.typed(index, settings)
    }
}

impl Runs for Text<'_> {
    fn run_json(
        &self,
        which: Option<usize>,
        input: &str,
        trace: &mut dyn TraceSink,
        settings: &Settings,
    ) -> Result<Value> {
        self.inner.run_json(which, input, trace, settings)
    }

    fn executable(&self, index: usize, settings: &Settings) -> Result<Option<Box<dyn Source>>> {
        self.inner.executable(index, settings)
    }

    fn shader(&self, index: usize, input: Option<&str>, settings: &Settings) -> Result<Box<dyn Shader>> {
        self.inner.shader(index, input, settings)
    }
}
