//! Reading files and standard input.

use crate::picasso;
use crate::report::Report;
use crate::stop::Stop;
use crate::verbs::IsaName;
use clap::ValueEnum;
use shisa::agal::AsmOptions;
use shisa::maxwell::Chip;
use shisa::pica200::picasso::{Options, Rules};
use shisa::{Assembled, Settings};
use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};

/// The language of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Language {
    /// What `dis` writes
    Default,
    /// That of AGALMacroAssembler, which files named *.agalm are in
    Macro,
    /// That of picasso, for PICA200, which files named *.pica are in
    Picasso,
}

impl Language {
    /// By the end of the file's name.
    pub(crate) fn of(name: &str) -> Language {
        match name {
            _ if name.ends_with(".agalm") => Language::Macro,
            _ if name.ends_with(".pica") => Language::Picasso,
            _ => Language::Default,
        }
    }
}

/// A file as it was read.
#[derive(Debug)]
pub(crate) struct Input {
    /// Its name as given; `-` is standard input.
    pub(crate) name: String,
    /// Its contents.
    pub(crate) bytes: Vec<u8>,
}

impl Input {
    /// Its name.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Reads a file of at most `limit` bytes; `-` is standard input.
    pub(crate) fn read(name: &str, limit: usize) -> Result<Input, Stop> {
        let mut bytes = Vec::new();
        let room = (limit as u64).saturating_add(1);
        let source: Box<dyn Read> = match name {
            "-" => Box::new(io::stdin().lock()),
            _ => Box::new(File::open(name).map_err(|e| Stop::file("read", name, &e))?),
        };
        source.take(room).read_to_end(&mut bytes).map_err(|e| Stop::file("read", name, &e))?;
        if bytes.len() > limit {
            let name = shisa::diag::escape(name);
            return Err(Stop::Failed(format!(
                "{name} is larger than {limit} bytes; --limit file=BYTES raises that"
            )));
        }
        Ok(Input { name: name.to_owned(), bytes })
    }

    /// Whether this is a program as text, and then in which language.
    pub(crate) fn source(&self) -> Option<Language> {
        let language = self.language();
        (language != Language::Default || shisa::is_source(&self.bytes)).then_some(language)
    }

    /// The language that the file's name or its first lines tell.
    pub(crate) fn language(&self) -> Language {
        match Language::of(&self.name) {
            Language::Default if shisa::pica200::picasso::sniff(&self.bytes) => Language::Picasso,
            told => told,
        }
    }

    /// Whether this is a listing of a shader binary.
    pub(crate) fn is_listing(&self) -> bool {
        self.bytes.starts_with(shisa::pica200::LISTING.as_bytes())
    }

    /// Whether this is a listing of Maxwell code.
    pub(crate) fn is_maxwell(&self) -> bool {
        self.bytes.starts_with(shisa::maxwell::text::LISTING.as_bytes())
    }

    /// Whether this is a listing of AGX code.
    pub(crate) fn is_agx(&self) -> bool {
        self.bytes.starts_with(shisa::agx::text::LISTING.as_bytes())
    }

    /// The instruction set of a program as text, where its first line or the file's name tells it.
    pub(crate) fn isa(&self) -> Option<IsaName> {
        match self.source()? {
            Language::Picasso => Some(IsaName::Pica200),
            Language::Macro => Some(IsaName::Agal),
            Language::Default if self.is_maxwell() => Some(IsaName::Maxwell),
            Language::Default if self.is_agx() => Some(IsaName::Agx),
            Language::Default => Some(IsaName::Agal),
        }
    }

    /// The instruction set to take the program for: a program as text tells it, of bytes it is what is `told`.
    pub(crate) fn taken_for(&self, told: Option<shisa::Isa>) -> Option<shisa::Isa> {
        self.isa().map(Into::into).or(told)
    }

    /// The bytes of the program with this number, from 1, without a number of the first; a program as text
    /// is assembled. `None` when it has errors, which have been reported.
    pub(crate) fn program(
        &self,
        number: Option<usize>,
        settings: &Settings,
        report: &mut Report,
    ) -> Result<Option<Cow<'_, [u8]>>, Stop> {
        self.checked(number, Rules::Skip, settings, report)
    }

    /// As [`Input::program`]; what becomes of what the rules of PICA200 find in a source.
    pub(crate) fn checked(
        &self,
        number: Option<usize>,
        rules: Rules,
        settings: &Settings,
        report: &mut Report,
    ) -> Result<Option<Cow<'_, [u8]>>, Stop> {
        let program = match shisa::program(&self.bytes, number, settings) {
            Ok(program) => program,
            Err(e) => {
                report.all(&e.diagnostics, self)?;
                return Ok(None);
            }
        };
        let Some(language) = self.source() else { return Ok(Some(program)) };
        if self.is_maxwell() {
            return Ok(self.maxwell(settings, report)?.map(|(bytes, _)| Cow::Owned(bytes)));
        }
        if self.is_agx() {
            return self.agx(settings, report);
        }
        if language == Language::Picasso {
            let options = Options { rules, ..Options::default() };
            let done = picasso::assemble(std::slice::from_ref(self), &options, settings, report)?;
            return Ok(done.bytes.map(Cow::Owned));
        }
        match self.assemble(language, &AsmOptions::default(), settings)? {
            Ok(done) => {
                report.all(&done.warnings, self)?;
                Ok(Some(Cow::Owned(done.bytes)))
            }
            Err(e) => {
                report.all(&e.diagnostics, self)?;
                Ok(None)
            }
        }
    }

    /// Assembles the contents as a listing of Maxwell code: the bytes, and the chip that they are for. `None` when
    /// it has errors, which have been reported.
    pub(crate) fn maxwell(
        &self,
        settings: &Settings,
        report: &mut Report,
    ) -> Result<Option<(Vec<u8>, Chip)>, Stop> {
        match shisa::assemble_maxwell(
            self.text()?,
            &shisa::maxwell::text::AsmOptions::default(),
            None,
            settings,
        ) {
            Ok(done) => {
                report.all(&done.diagnostics, self)?;
                Ok(done.bytes.map(|bytes| (bytes, done.layout.chip)))
            }
            Err(e) => report.all(&e.diagnostics, self).map(|()| None),
        }
    }

    /// Assembles the contents as a listing of AGX code. `None` when it has errors, which have been reported.
    fn agx(&self, settings: &Settings, report: &mut Report) -> Result<Option<Cow<'_, [u8]>>, Stop> {
        let options = shisa::agx::text::AsmOptions::default();
        match shisa::assemble_agx(self.text()?, &options, settings) {
            Ok(done) => {
                report.all(&done.diagnostics, self)?;
                Ok(done.bytes.map(Cow::Owned))
            }
            Err(e) => report.all(&e.diagnostics, self).map(|()| None),
        }
    }

    /// Assembles the contents as AGAL.
    pub(crate) fn assemble(
        &self,
        language: Language,
        options: &AsmOptions,
        settings: &Settings,
    ) -> Result<shisa::Result<Assembled>, Stop> {
        let text = self.text()?;
        Ok(match language {
            Language::Default | Language::Picasso => shisa::assemble(text, options, settings),
            Language::Macro => shisa::assemble_macros(text, options, settings),
        })
    }

    /// The contents as text.
    pub(crate) fn text(&self) -> Result<&str, Stop> {
        std::str::from_utf8(&self.bytes).map_err(|e| {
            let name = shisa::diag::escape(&self.name);
            Stop::Failed(format!("{name}: not text in UTF-8 ({e}); shisa dis makes text of a program"))
        })
    }
}

/// A file to be read line by line; `-` is standard input.
pub(crate) fn lines(name: &str) -> Result<Box<dyn BufRead>, Stop> {
    Ok(match name {
        "-" => Box::new(BufReader::with_capacity(1 << 20, io::stdin().lock())),
        _ => {
            let file = File::open(name).map_err(|e| Stop::file("read", name, &e))?;
            Box::new(BufReader::with_capacity(1 << 20, file))
        }
    })
}
