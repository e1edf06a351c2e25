//! Reading files and standard input.

use crate::report::Report;
use crate::stop::Stop;
use shisa::data::Which;
use shisa::{Error, File, Program, Settings};
use std::fs;
use std::io::{self, BufRead, BufReader, Read};

/// A file as it was read.
#[derive(Debug)]
pub(crate) struct Input {
    /// Its name as given, without the program; `-` is standard input.
    pub(crate) name: String,
    /// The program that the name asks for: what follows `#`.
    which: Option<String>,
    /// Its contents.
    pub(crate) bytes: Vec<u8>,
}

/// A file that was opened, and the program in it that was asked for.
#[derive(Debug)]
pub(crate) struct Selected<'i> {
    /// The file.
    pub(crate) file: File<'i>,
    /// The program; `None` where all were meant.
    pub(crate) program: Option<Program<'i>>,
}

impl<'i> Selected<'i> {
    /// The program that was asked for, else the first.
    pub(crate) fn first(&self) -> shisa::Result<Program<'i>> {
        self.program.clone().map_or_else(|| self.file.program(1), Ok)
    }

    /// The programs that were asked for.
    pub(crate) fn programs(&self) -> Vec<Program<'i>> {
        self.program.clone().map_or_else(|| self.file.programs().collect(), |p| vec![p])
    }
}

impl Input {
    /// Reads a file of at most `limit` bytes; `-` is standard input. `FILE#3` and `FILE#NAME` are one of its programs,
    /// where no file has that name.
    pub(crate) fn read(name: &str, limit: usize) -> Result<Input, Stop> {
        let (name, which) = match name.rsplit_once('#') {
            Some((file, which)) if !fs::exists(name).unwrap_or(false) => (file, Some(which.to_owned())),
            _ => (name, None),
        };
        let mut bytes = Vec::new();
        let room = (limit as u64).saturating_add(1);
        let source: Box<dyn Read> = match name {
            "-" => Box::new(io::stdin().lock()),
            _ => Box::new(fs::File::open(name).map_err(|e| Stop::file("read", name, &e))?),
        };
        source.take(room).read_to_end(&mut bytes).map_err(|e| Stop::file("read", name, &e))?;
        if bytes.len() > limit {
            let name = shisa::diag::escape(name);
            return Err(Stop::Failed(format!(
                "{name} is larger than {limit} bytes; --limit file=BYTES raises that"
            )));
        }
        Ok(Input { name: name.to_owned(), which, bytes })
    }

    /// Opens it, and reports what that finds. `None` where it cannot be opened or has no such program.
    pub(crate) fn open(
        &self,
        program: Option<usize>,
        settings: &Settings,
        report: &mut Report,
    ) -> Result<Option<Selected<'_>>, Stop> {
        let selected = self.opened(File::open, program, settings, report)?;
        if let Some(selected) = &selected {
            report.all(selected.file.diagnostics(), self)?;
        }
        Ok(selected)
    }

    /// As [`Input::open`], in a way of its own, and without reporting warnings.
    pub(crate) fn opened<'i>(
        &'i self,
        open: impl FnOnce(&'i [u8], &Settings) -> Result<File<'i>, Error>,
        program: Option<usize>,
        settings: &Settings,
        report: &mut Report,
    ) -> Result<Option<Selected<'i>>, Stop> {
        let mut settings = settings.clone();
        settings.name = Some(self.name.clone());
        let select = |file: File<'i>| {
            let which = program.map(Which::Number).or_else(|| Some(self.which.as_deref()?.into()));
            let program = which.map(|which| file.program(which)).transpose()?;
            Ok(Selected { file, program })
        };
        match open(&self.bytes, &settings).and_then(select) {
            Ok(selected) => Ok(Some(selected)),
            Err(e) => report.all(&e.diagnostics, self).map(|()| None),
        }
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
            let file = fs::File::open(name).map_err(|e| Stop::file("read", name, &e))?;
            Box::new(BufReader::with_capacity(1 << 20, file))
        }
    })
}
