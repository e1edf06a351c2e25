//! Files: opening and identifying them, and reaching their programs.

use crate::code::Code;
use crate::family::{FAMILIES, Opened, Sniffed};
use crate::finding::Finding;
use crate::identity::Identity;
use crate::inner::Inner;
use crate::listing_json::ListingJson;
use crate::program::Which;
use crate::run::{LatestSteps, RunOptions, TraceSink};
use crate::text::Text;
use crate::{Error, Isa, Listing, Program, Result, Settings, error};
use serde_json::Value;
use shisa_diag::{Diagnostic, Limit, Severity, without_mark};
use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

/// A file that contains programs, or is one. It is read once; its programs are reached through it.
#[derive(Clone, Debug)]
pub struct File<'b> {
    pub(crate) inner: Arc<Inner<'b>>,
}

/// Identifies bytes. No other function decides what bytes are.
fn sniff<'b>(bytes: &'b [u8], settings: &Settings) -> Option<Sniffed<'b>> {
    if let Some(text) = Text::sniff(bytes, settings) {
        return Some(text);
    }
    if let Err(large) = settings.limits.check(Limit::File, "bytes of the file", bytes.len())
        && !FAMILIES.iter().any(|f| f.is_large(bytes, settings))
    {
        return Some(Sniffed::Damaged(Identity::default(), Vec::from([large]).into()));
    }
    let families = || FAMILIES.iter().find_map(|f| f.sniff(bytes, settings));
    let guesses = || FAMILIES.iter().find_map(|f| f.guess(bytes, settings));
    families().or_else(|| Text::guess(bytes, settings)).or_else(guesses)
}

/// Opens bytes for a given instruction set, with a warning if the first bytes name another one.
fn opened<'b>(
    bytes: &'b [u8],
    isa: Isa,
    settings: &Settings,
) -> (Result<Box<dyn Opened + 'b>>, Option<Diagnostic>) {
    let family = match isa.family() {
        Ok(family) => family,
        Err(e) => return (Err(e), None),
    };
    let unmarked = without_mark(bytes);
    let others = FAMILIES.iter().filter(|f| f.isa() != isa);
    let other = others.filter_map(|f| Some((f.isa().name(), f.magic(unmarked)?))).next();
    let warning = other.filter(|_| family.magic(unmarked).is_none()).map(|(name, container)| {
        let container =
            if container.name() == name { String::new() } else { format!(" ({})", container.name()) };
        let text = format!("{} was requested, but this is {name}{container}", isa.name());
        Diagnostic::warning("isa-other", text)
            .help("without --isa, the content determines the instruction set")
    });
    let guess = || family.magic(unmarked).is_none().then(|| Text::guess(bytes, settings)).flatten();
    let file = match Text::sniff(bytes, settings).or_else(guess) {
        Some(Sniffed::Open(file)) => Ok(file),
        Some(Sniffed::Damaged(_, error)) => Err(error),
        None => family.open(Cow::Borrowed(bytes), settings),
    };
    (file, warning)
}

/// Codes of findings about parts of a file that were not read, although they may be sound.
const LEFT_OUT: &[&str] = &["limit-exceeded", "swf-nesting"];

/// The findings from opening a file. Damage is an error if no program was found before it, else a warning; it is an
/// error for `check` in any case. What was left out stays an error.
fn damage(opened: &dyn Opened) -> Vec<Diagnostic> {
    let mut found = opened.diagnostics().to_vec();
    for d in found.iter_mut().filter(|d| opened.count() > 0 && !LEFT_OUT.contains(&d.code)) {
        d.severity = d.severity.min(Severity::Warning);
    }
    found
}

impl File<'static> {
    /// A file made of bare code, as emulators have it.
    ///
    /// # Errors
    /// The reason why the bytes cannot be code; `not-built`.
    pub fn from_code(code: &Code<'_>, settings: &Settings) -> Result<File<'static>> {
        Ok(File::new(code.isa.family()?.open_code(code, settings)?, settings, Vec::new()))
    }
}

impl Program<'static> {
    /// A program of bare code.
    ///
    /// # Errors
    /// The reason why the bytes cannot be code; `not-built`.
    pub fn from_code(code: &Code<'_>, settings: &Settings) -> Result<Program<'static>> {
        File::from_code(code, settings)?.program(1)
    }

    /// A program of 32-bit instruction words; `descriptors` are those of PICA200, and empty for others.
    ///
    /// # Errors
    /// The errors of [`Program::from_code`].
    pub fn from_words(
        isa: Isa,
        words: &[u32],
        descriptors: &[u32],
        settings: &Settings,
    ) -> Result<Program<'static>> {
        Program::from_code(&Code::words(isa, words).descriptors(descriptors), settings)
    }
}

impl<'b> Program<'b> {
    /// The file that contains it.
    pub fn file(&self) -> File<'b> {
        File { inner: Arc::clone(&self.file) }
    }
}

impl<'b> File<'b> {
    /// Opens a file by its content: a program, a container of programs, or a source, which is assembled. With
    /// [`Settings::isa`] the kind is not guessed: bytes that are not a container of that instruction set are its
    /// code.
    ///
    /// # Errors
    /// `not-recognised` for bytes of no known kind; the faults of a container as a whole; every error of a source;
    /// `limit-exceeded`.
    pub fn open(bytes: &'b [u8], settings: &Settings) -> Result<File<'b>> {
        if let Some(isa) = settings.isa {
            let (file, warning) = opened(bytes, isa, settings);
            let file = file.map_err(|mut e| {
                e.diagnostics.splice(0..0, warning.clone());
                e
            })?;
            return Ok(File::new(file, settings, warning.into_iter().collect()));
        }
        match sniff(bytes, settings).ok_or_else(|| error::not_recognised(bytes))? {
            Sniffed::Open(file) => Ok(File::new(file, settings, Vec::new())),
            Sniffed::Damaged(_, error) => Err(error),
        }
    }

    /// Identifies bytes, even if they cannot be opened. All fields are `None` if nothing is recognised.
    pub fn identify(bytes: &[u8], settings: &Settings) -> Identity {
        File::inspect(bytes, settings).0
    }

    /// Identifies bytes as [`File::identify`] does, with the findings about parts of a container that were not read:
    /// damage, and limits that were reached.
    pub fn inspect(bytes: &[u8], settings: &Settings) -> (Identity, Vec<Diagnostic>) {
        let limits =
            |error: Error| error.diagnostics.into_iter().filter(|d| d.code == "limit-exceeded").collect();
        let of = |file: Box<dyn Opened + '_>| {
            // The assembler's warnings about a source do not concern its identity.
            let unread = || file.typed(0, settings).err().map_or(Vec::new(), limits);
            let found = if file.single() { unread() } else { damage(&*file) };
            (file.identity(settings), found)
        };
        match settings.isa {
            Some(isa) => match opened(bytes, isa, settings).0 {
                Ok(file) => of(file),
                Err(error) => (Identity::default(), limits(error)),
            },
            None => match sniff(bytes, settings) {
                Some(Sniffed::Open(file)) => of(file),
                Some(Sniffed::Damaged(identity, error)) => (identity, limits(error)),
                None => Default::default(),
            },
        }
    }

    pub(crate) fn new(opened: Box<dyn Opened + 'b>, settings: &Settings, mut found: Vec<Diagnostic>) -> Self {
        let own = found.len();
        found.extend(damage(&*opened));
        File {
            inner: Arc::new(Inner {
                settings: settings.clone(),
                opened,
                found,
                own,
                identity: OnceLock::new(),
            }),
        }
    }

    /// The kind of the file, and its programs.
    pub fn identity(&self) -> &Identity {
        self.inner.identity()
    }

    /// The instruction set of its programs; `None` if it contains none.
    pub fn isa(&self) -> Option<Isa> {
        self.inner.opened.isa()
    }

    /// Findings from opening: warnings about a source, damage of a container, parts of it that were left out. Damage is
    /// an error only if no program was found before it; a limit that was reached is one.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.inner.found
    }

    /// The settings that it was opened with.
    pub fn settings(&self) -> &Settings {
        &self.inner.settings
    }

    /// Its programs.
    pub fn programs(&self) -> impl ExactSizeIterator<Item = Program<'b>> + '_ {
        (0..self.inner.opened.count()).map(|index| Program { file: Arc::clone(&self.inner), index })
    }

    /// One of its programs, by number from 1 or by name.
    ///
    /// # Errors
    /// `no-program`, after the findings of [`File::diagnostics`], which may be why there is no such program.
    pub fn program<'n>(&self, which: impl Into<Which<'n>>) -> Result<Program<'b>> {
        let missing = |none: Diagnostic| Error {
            diagnostics: self.inner.found.iter().cloned().chain([none]).collect(),
        };
        let count = self.inner.opened.count();
        let index = match which.into() {
            Which::Number(number) => {
                let index = number.checked_sub(1).filter(|index| *index < count);
                index.ok_or_else(|| missing(error::no_program(number, count)))?
            }
            Which::Name(name) => {
                let entries = &self.identity().programs;
                let index = entries.iter().position(|entry| entry.name == name);
                index.ok_or_else(|| {
                    let text = format!("there is no program \"{}\"", shisa_diag::escape(name));
                    let names = entries.iter().take(8).map(|e| shisa_diag::escape(&e.name));
                    let note = format!("the file holds {count}: {}", names.collect::<Vec<_>>().join(", "));
                    missing(Diagnostic::error("no-program", text).note(note))
                })?
            }
        };
        Ok(Program { file: Arc::clone(&self.inner), index })
    }

    /// All findings about the file and its programs: at most [`shisa_diag::Limits::diagnostics`], then a note that
    /// counts the rest. The warnings of [`File::diagnostics`] are among them.
    ///
    /// # Errors
    /// `limit-exceeded`.
    pub fn check(&self) -> Result<Vec<Finding>> {
        let own = self.inner.found.iter().take(self.inner.own);
        let mut found: Vec<Finding> = own.cloned().map(Finding::of_file).collect();
        found.extend(self.inner.opened.check(None, &self.inner.settings)?);
        Ok(found)
    }

    /// The listing of all its programs. Assembling the listing results in the same bytes, except for containers whose
    /// programs are listed one by one, each below a comment that states its location.
    ///
    /// # Errors
    /// The errors of [`Program::listing`].
    pub fn listing(&self, how: &Listing) -> Result<String> {
        self.inner.opened.listing(None, how, &self.inner.settings)
    }

    /// The listing as JSON, in the form of `docs/schema/listing.schema.json`. A container has a list of programs,
    /// each with its listing or its source.
    pub fn listing_json(&self, how: &Listing) -> ListingJson<'_> {
        ListingJson::of(&self.inner, None, how)
    }

    /// Runs the programs that the input names, and fills in the results, as [`Program::run_json`].
    ///
    /// # Errors
    /// The errors of [`Program::run_json`].
    pub fn run_json(&self, input: &str, options: RunOptions) -> Result<Value> {
        LatestSteps::around(options.trace, |steps| self.run_traced(input, steps))
    }

    /// Runs the programs that the input names, and fills in the results without a trace, whose steps go to `trace`.
    ///
    /// # Errors
    /// The errors of [`Program::run_json`].
    pub fn run_traced(&self, input: &str, trace: &mut dyn TraceSink) -> Result<Value> {
        self.inner.opened.run_json(None, input.trim_start_matches('\u{feff}'), trace, &self.inner.settings)
    }

    /// The bytes of this file with new code for one of its programs. `code` has the form that [`Program::extract`]
    /// returns.
    ///
    /// # Errors
    /// `no-program`; what the container refuses; `not-built` if the container cannot be written.
    pub fn replace<'n>(&self, which: impl Into<Which<'n>>, code: &[u8]) -> Result<Vec<u8>> {
        let index = self.program(which)?.index;
        self.inner.opened.replace(index, code, &self.inner.settings)
    }
}
