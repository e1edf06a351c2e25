//! An open document.

use crate::code::Code;
use crate::message::Wrong;
use crate::position::{Encoding, Text};
use crate::work::{Done, Kind, Outcome, Task};
use serde_json::Value;
use shisa::diag::{Diagnostic, Limit, Span};
use shisa::rows::editing::{Editing, Outline, Statement, Symbol, Token};
use shisa::{Isa, Language, Settings};
use std::cell::{Cell, OnceCell};

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
    /// The number of lines that were read for all outlines so far.
    lines_read: Cell<usize>,
    findings: Option<Vec<Diagnostic>>,
    code: Option<Code>,
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
            lines_read: Cell::new(0),
            findings: None,
            code: None,
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
            let new = change["text"].as_str().ok_or_else(|| Wrong::parameters("a change has no \"text\""))?;
            match &change["range"] {
                Value::Null => changed = Some(Text::new(new.to_owned(), self.text.encoding())),
                range => {
                    let text = changed.get_or_insert_with(|| self.text.clone());
                    let span = text.span(range)?;
                    text.replace(span, new);
                }
            }
        }
        (self.version, self.edition) = (version, edition);
        let Some(text) = changed else { return Ok(()) };
        let former = std::mem::replace(&mut self.text, text);
        (self.findings, self.code) = (None, None);
        if self.editing.is_none() || self.is_too_large() || head(&former) != head(&self.text) {
            self.read();
        }
        if let (Some(editing), Some(outline)) = (&self.editing, self.outline.get_mut()) {
            let lines = editing.update(outline, former.as_str(), self.text.as_str());
            self.lines_read.set(self.lines_read.get() + lines);
        }
        Ok(())
    }

    /// Whether the text is larger than a file may be.
    fn is_too_large(&self) -> bool {
        let bytes = self.text.as_str().len();
        self.settings.limits.check(Limit::File, "bytes of the document", bytes).is_err()
    }

    /// Finds the language of the text, and how it is read. An outline that was read otherwise is dropped.
    fn read(&mut self) {
        self.language = if self.is_too_large() { None } else { self.determined() };
        let editing = |language: Language| language.editing(self.text.as_str(), &self.settings).ok();
        let editing = self.language.and_then(editing);
        match (&self.editing, editing) {
            // It has words that were found to be operands.
            (Some(known), Some(new)) if known.is_same(new.as_ref()) => {}
            (_, editing) => (self.editing, self.outline) = (editing, OnceCell::new()),
        }
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
        let outline = self.outline.get_or_init(|| {
            let mut outline = Outline::default();
            let lines = editing.update(&mut outline, "", self.text.as_str());
            self.lines_read.set(self.lines_read.get() + lines);
            outline
        });
        Some(Source { text: &self.text, language: self.language?, editing, outline })
    }

    /// The number of lines that were read for all outlines so far.
    pub(crate) fn lines_read(&self) -> usize {
        self.lines_read.get()
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
            Outcome::Findings(found) => self.findings = Some(found),
            Outcome::Code(code) => self.code = Some(code),
        }
        true
    }

    /// What a check found; `None` if it is not done yet.
    pub(crate) fn known_findings(&self) -> Option<&[Diagnostic]> {
        self.findings.as_deref()
    }

    /// The assembled program, without instructions if the source has faults; `None` if it is not there yet.
    pub(crate) fn known_code(&self) -> Option<&Code> {
        self.code.as_ref()
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
        let statement = self.outline.statements.get(number)?;
        Some((self.outline.named(self.text.as_str(), statement, token), statement))
    }

    /// The span and the number of the name at an offset.
    pub(crate) fn name_at(&self, offset: usize) -> Option<(Span, usize)> {
        let span = self.outline.token_at(offset).map(|token| token.span);
        let direct = span.and_then(|span| Some((span, self.symbol_at(span)?)));
        direct.or_else(|| {
            // A name in quotes is a part of its token.
            let covers = |symbol: &Symbol| symbol.span.start <= offset && offset <= symbol.span.end;
            let number = self.outline.symbols.iter().position(covers)?;
            Some((self.outline.symbols.get(number)?.span, number))
        })
    }

    /// The number of the symbol that is named at a span.
    pub(crate) fn symbol_at(&self, span: Span) -> Option<usize> {
        self.outline.symbol_at(self.text.as_str(), span)
    }

    /// The uses of a symbol outside of its definition, in the order of the source.
    pub(crate) fn uses(&self, number: usize) -> Vec<Span> {
        self.outline.uses(self.text.as_str(), number)
    }
}
