//! A container with the programs found in it.

use crate::engines::Shader;
use crate::engines::Source;
use crate::family::{Each, Head, Opened, Runs};
use crate::fields::Field;
use crate::finding::{Finding, bounded};
use crate::identity::{self, Entry, Identity};
use crate::run::TraceSink;
use crate::{Cfg, File, Isa, Language, Listing, Lowered, Program, Report, Result, Settings};
use serde_json::Value;
use shisa_diag::{Confidence, Diagnostic, Limit, escape};
use shisa_ir::{Natives, Scratch};
use shisa_swf::{Content, Found};
use std::any::Any;
use std::borrow::Cow;
use std::sync::OnceLock;

/// A container with the programs found in it.
pub(crate) struct Bundle<'b> {
    /// Its bytes.
    pub(crate) bytes: Cow<'b, [u8]>,
    /// Its kind.
    pub(crate) container: identity::Container,
    /// The confidence of the identification.
    pub(crate) confidence: Confidence,
    /// The instruction set of its programs.
    pub(crate) isa: Isa,
    /// The first line of the listing.
    pub(crate) title: String,
    /// Damaged parts that were skipped, and limits that were reached.
    pub(crate) faults: Vec<Diagnostic>,
    /// The programs.
    pub(crate) members: Vec<Member>,
    /// Programs that are used together, by their numbers from 1.
    pub(crate) pairs: Vec<[usize; 2]>,
}

/// A program in a container.
pub(crate) struct Member {
    /// Its entry in the identity.
    pub(crate) entry: Entry,
    /// The comment above it in the listing.
    pub(crate) heading: String,
    /// The program, and where it was found.
    pub(crate) found: Found,
    /// The content, opened as a file.
    pub(crate) file: OnceLock<Result<File<'static>>>,
}

impl Member {
    /// The program; a source is assembled.
    fn program(&self, isa: Isa, settings: &Settings) -> Result<Program<'static>> {
        let open = || {
            let mut inner = settings.clone();
            (inner.isa, inner.name) = (Some(isa), None);
            // A source was written for another assembler.
            inner.lenient |= matches!(self.found.content, Content::Source(_));
            let bytes = match &self.found.content {
                Content::Program(bytes) => bytes.clone(),
                Content::Source(text) => {
                    (inner.stage, inner.version) = (self.found.stage, Some(self.found.version));
                    crate::assemble(text, Language::Agal, &inner)?.bytes
                }
            };
            inner.language = None;
            Ok(File::new(isa.family()?.open(bytes.into(), &inner)?, &inner, Vec::new()))
        };
        self.file.get_or_init(open).clone()?.program(1)
    }
}

impl Bundle<'_> {
    fn program(&self, index: usize, settings: &Settings) -> Result<Program<'static>> {
        match self.members.get(index) {
            Some(member) => member.program(self.isa, settings),
            None => Err(crate::error::no_program(index + 1, self.members.len()).into()),
        }
    }
}

impl Opened for Bundle<'_> {
    fn isa(&self) -> Option<Isa> {
        self.members.first().map(|_| self.isa)
    }

    fn identity(&self, _: &Settings) -> Identity {
        let programs = self.members.iter().map(|m| m.entry.clone()).collect();
        let pairs = self.pairs.clone();
        Identity { pairs, ..Identity::of(self.container, Opened::isa(self), programs, self.confidence) }
    }

    fn count(&self) -> usize {
        self.members.len()
    }

    fn single(&self) -> bool {
        false
    }

    fn diagnostics(&self) -> &[Diagnostic] {
        &self.faults
    }

    fn listing(&self, which: Option<usize>, how: &Listing, settings: &Settings) -> Result<String> {
        let mut text = String::new();
        if which.is_none() {
            text.push_str(&self.title);
        }
        for (index, member) in self.members.iter().enumerate().filter(|(i, _)| which.is_none_or(|w| w == *i))
        {
            if which.is_none() {
                text.push_str(&member.heading);
            }
            match &member.found.content {
                Content::Program(_) => text.push_str(&self.program(index, settings)?.listing(how)?),
                Content::Source(source) => text.push_str(&harmless(source)),
            }
            settings.limits.check(Limit::TextOut, "bytes of text", text.len())?;
        }
        Ok(text)
    }

    fn head(&self, which: Option<usize>, settings: &Settings) -> Result<Head> {
        let program = self.program(which.unwrap_or(0), settings)?;
        program.file.opened.head(Some(0), settings)
    }

    fn instructions(
        &self,
        which: Option<usize>,
        how: &Listing,
        settings: &Settings,
        each: &mut Each<'_>,
    ) -> Result<()> {
        let program = self.program(which.unwrap_or(0), settings)?;
        program.file.opened.instructions(Some(0), how, settings, each)
    }

    fn fields(&self, index: usize, offset: usize, settings: &Settings) -> Result<Vec<Field>> {
        self.program(index, settings)?.fields(offset)
    }

    fn source(&self, index: usize) -> Option<&str> {
        match &self.members.get(index)?.found.content {
            Content::Source(text) => Some(text),
            Content::Program(_) => None,
        }
    }

    fn check(&self, which: Option<usize>, settings: &Settings) -> Result<Vec<Finding>> {
        let of = |index: usize| {
            let found =
                self.program(index, settings).and_then(|p| p.check()).unwrap_or_else(|e| e.diagnostics);
            found.into_iter().map(move |diagnostic| Finding { program: Some(index + 1), diagnostic })
        };
        if let Some(index) = which {
            return Ok(of(index).collect());
        }
        let faults = self.faults.iter().cloned().map(Finding::of_file);
        // A source may be a piece of a program.
        let programs = (0..self.members.len()).filter(|index| self.source(*index).is_none());
        Ok(bounded(faults.chain(programs.flat_map(of)), &settings.limits))
    }

    fn cfg(&self, index: usize, settings: &Settings) -> Result<Cfg> {
        self.program(index, settings)?.cfg()
    }

    fn lower(
        &self,
        index: usize,
        settings: &Settings,
        natives: Natives,
        scratch: &mut Scratch,
    ) -> Result<Lowered> {
        let program = self.program(index, settings)?;
        program.file.opened.lower(program.index, &program.file.settings, natives, scratch)
    }

    fn extract(&self, index: usize, settings: &Settings) -> Result<Vec<u8>> {
        self.program(index, settings)?.extract()
    }

    fn replace(&self, index: usize, code: &[u8], settings: &Settings) -> Result<Vec<u8>> {
        shisa_agal::Program::read(code, &settings.limits)?;
        let none = || crate::error::no_program(index + 1, self.members.len());
        let member = self.members.get(index).ok_or_else(none)?;
        let changed = shisa_swf::replace(&self.bytes, &member.found, code, &settings.limits)?;
        // A program's own code leaves every byte as it is, also those that a writer would write differently.
        let same = self.extract(index, settings).is_ok_and(|own| own == code);
        Ok(if same { self.bytes.to_vec() } else { changed })
    }

    fn report(&self, index: usize, settings: &Settings) -> Result<Report> {
        self.program(index, settings)?.report()
    }

    fn typed(&self, index: usize, settings: &Settings) -> Result<Option<&dyn Any>> {
        self.program(index, settings)?;
        let file = self.members.get(index).and_then(|m| m.file.get()?.as_ref().ok());
        file.map_or(Ok(None), |file| file.inner.opened.typed(0, settings))
    }
}

impl Runs for Bundle<'_> {
    fn run_json(
        &self,
        which: Option<usize>,
        input: &str,
        trace: &mut dyn TraceSink,
        settings: &Settings,
    ) -> Result<Value> {
        self.program(which.unwrap_or(0), settings)?.run_traced(input, trace)
    }

    fn executable(&self, index: usize, settings: &Settings) -> Result<Option<Box<dyn Source>>> {
        let program = self.program(index, settings)?;
        program.file.opened.executable(program.index, settings)
    }

    fn shader(&self, index: usize, input: Option<&str>, settings: &Settings) -> Result<Box<dyn Shader>> {
        let program = self.program(index, settings)?;
        program.file.opened.shader(program.index, input, settings)
    }
}

/// Source as found, with uniform line ends, and other control characters as escapes.
fn harmless(source: &str) -> String {
    let mut text = String::with_capacity(source.len() + 1);
    for line in source.replace("\r\n", "\n").trim_end_matches(['\n', '\r']).split(['\n', '\r']) {
        let parts: Vec<String> = line.split('\t').map(escape).collect();
        text.push_str(&parts.join("\t"));
        text.push('\n');
    }
    text
}
