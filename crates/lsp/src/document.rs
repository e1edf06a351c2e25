//! An open document.

use crate::code::Code;
use crate::findings::findings;
use crate::message::Wrong;
use crate::position::{Encoding, Text};
use crate::work::{Done, Kind, Outcome, Task};
use serde_json::Value;
use shisa::diag::{Diagnostic, Limit, Span};
use shisa::rows::editing::{Editing, Outline, Statement, Symbol, Token};
use shisa::{Isa, Language, Settings};
use std::cell::OnceCell;

/// The lines at the start of a source that can state its version, its stage or its chip.
const HEAD_LINES: usize = 8;

/// A document, and what is known about its present version.
pub(crate) struct Document {
    version: Option<i64>,
    /// The language identifier of the editor.
    identifier: String,
    settings: Settings,
    text: Text,
    /// Counts the texts of all documents.
    edition: u64,
    language: Option<Language>,
    editing: Option<Box<dyn Editing>>,
    outline: OnceCell<Outline>,
    findings: OnceCell<Vec<Diagnostic>>,
    code: OnceCell<Code>,
}

/// A document in a language that the server reads.
pub(crate) struct Source<'d> {
    pub(crate) text: &'d Text,
    pub(crate) language: Language,
    pub(crate) editing: &'d dyn Editing,
    pub(crate) outline: &'d Outline,
}

/// The name of the file that a URI names, for its extensions.
fn file_name(uri: &str) -> String {
    uri.rsplit('/').next().unwrap_or(uri).replace("%20", " ")
}

impl Document {
    /// The document of a `didOpen` notification.
    ///
    /// # Errors
    /// The document has no text.
    pub(crate) fn open(
        item: &Value,
        settings: &Settings,
        encoding: Encoding,
        edition: u64,
    ) -> Result<Document, Wrong> {
        let text = item["text"].as_str().ok_or_else(|| Wrong::parameters("the document has no \"text\""))?;
        let mut settings = settings.clone();
        settings.name = item["uri"].as_str().map(file_name);
        let mut document = Document {
            version: item["version"].as_i64(),
            identifier: item["languageId"].as_str().unwrap_or_default().to_owned(),
            settings,
            text: Text::new(text.to_owned(), encoding),
            edition,
            language: None,
            editing: None,
            outline: OnceCell::new(),
            findings: OnceCell::new(),
            code: OnceCell::new(),
        };
        document.read();
        Ok(document)
    }

    /// Applies the changes of a `didChange` notification.
    ///
    /// # Errors
    /// A change has no text, or a range that the document does not have. No change is applied then.
    pub(crate) fn change(
        &mut self,
        version: Option<i64>,
        changes: &[Value],
        edition: u64,
    ) -> Result<(), Wrong> {
        let mut changed: Option<Text> = None;
        for change in changes {
            let text = changed.as_ref().unwrap_or(&self.text);
            let new = change["text"].as_str().ok_or_else(|| Wrong::parameters("a change has no \"text\""))?;
            let next = match &change["range"] {
                Value::Null => new.to_owned(),
                range => {
                    let span = text.span(range)?;
                    let mut next = text.as_str().to_owned();
                    next.replace_range(span.range(), new);
                    next
                }
            };
            changed = Some(Text::new(next, self.text.encoding()));
        }
        (self.version, self.edition) = (version, edition);
        let Some(text) = changed else { return Ok(()) };
        let former = std::mem::replace(&mut self.text, text);
        (self.outline, self.findings, self.code) = (OnceCell::new(), OnceCell::new(), OnceCell::new());
        if self.editing.is_none() || self.is_too_large() || head(&former) != head(&self.text) {
            self.read();
        }
        Ok(())
    }

    /// Whether the text is larger than a file may be.
    fn is_too_large(&self) -> bool {
        let bytes = self.text.as_str().len();
        self.settings.limits.check(Limit::File, "bytes of the document", bytes).is_err()
    }

    /// Finds the language of the text, and how it is read.
    fn read(&mut self) {
        self.language = if self.is_too_large() { None } else { self.determined() };
        let editing = |language: Language| language.editing(self.text.as_str(), &self.settings).ok();
        self.editing = self.language.and_then(editing);
    }

    /// The language that the identifier, the file's name or the first lines state.
    fn determined(&self) -> Option<Language> {
        let isa = Isa::ALL.iter().copied().find(|isa| isa.name() == self.identifier);
        let mut settings = self.settings.clone();
        settings.isa = settings.isa.or(isa);
        let stated = Language::of(self.text.as_str().as_bytes(), &settings);
        stated.or_else(|| settings.isa.map(Isa::language))
    }

    /// The settings for verbs.
    pub(crate) fn settings(&self) -> Settings {
        let mut settings = self.settings.clone();
        settings.language = self.language;
        settings.isa = self.language.map(Language::isa);
        settings
    }

    pub(crate) const fn text(&self) -> &Text {
        &self.text
    }

    pub(crate) const fn version(&self) -> Option<i64> {
        self.version
    }

    /// The document as a source; `None` if its language is not known, or if it is larger than the limit `file`.
    pub(crate) fn source(&self) -> Option<Source<'_>> {
        let editing = self.editing.as_deref()?;
        let outline = self.outline.get_or_init(|| editing.outline(self.text.as_str()));
        Some(Source { text: &self.text, language: self.language?, editing, outline })
    }

    /// Work on the present text.
    pub(crate) fn task(&self, uri: &str, kind: Kind) -> Task {
        let (text, settings) = (self.text.as_str().to_owned(), self.settings());
        Task { kind, uri: uri.to_owned(), edition: self.edition, text, settings }
    }

    /// Takes the result of work. Returns false, and drops it, if the text has changed since.
    pub(crate) fn finish(&mut self, done: Done) -> bool {
        if done.edition != self.edition {
            return false;
        }
        match done.outcome {
            Outcome::Findings(found) => self.findings = OnceCell::from(found),
            Outcome::Code(code) => self.code = OnceCell::from(code),
        }
        true
    }

    /// What a check found; nothing if it is not done yet.
    pub(crate) fn known_findings(&self) -> impl Iterator<Item = &Diagnostic> {
        self.findings.get().into_iter().flatten()
    }

    /// The assembled program, if it is there already.
    pub(crate) fn known_code(&self) -> Option<&Code> {
        self.code.get()
    }

    /// What a check finds.
    pub(crate) fn findings(&self) -> &[Diagnostic] {
        self.findings.get_or_init(|| findings(self.text.as_str(), &self.settings()))
    }

    /// The assembled program; without instructions if the source has faults.
    pub(crate) fn code(&self) -> &Code {
        self.code.get_or_init(|| Code::of(self.text.as_str(), &self.settings()))
    }
}

/// The lines that can state how a text is read.
fn head(text: &Text) -> Vec<&str> {
    text.as_str().lines().take(HEAD_LINES).collect()
}

impl Source<'_> {
    /// The text of a span.
    pub(crate) fn str(&self, span: Span) -> &str {
        self.text.str(span)
    }

    /// The word at an offset, and its statement.
    pub(crate) fn at(&self, offset: usize) -> Option<(Token, &Statement)> {
        let token = self.outline.token_at(offset)?;
        let number = self.outline.statement_at(self.text.as_str(), token.span.start)?;
        Some((token, self.outline.statements.get(number)?))
    }

    /// The name at an offset.
    pub(crate) fn symbol(&self, offset: usize) -> Option<(Span, &Symbol)> {
        let near = [self.outline.token_at(offset).map(|token| token.span)];
        let direct = near.into_iter().flatten().find_map(|span| Some((span, self.outline.symbol_at(span)?)));
        direct.or_else(|| {
            // A name in quotes is a part of its token.
            let covers = |symbol: &&Symbol| symbol.span.start <= offset && offset <= symbol.span.end;
            self.outline.symbols.iter().find(covers).map(|symbol| (symbol.span, symbol))
        })
    }
}
