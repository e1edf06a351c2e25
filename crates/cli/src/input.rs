//! Reading files and standard input.

use crate::report::Report;
use crate::stop::Stop;
use shisa::data::Which;
use shisa::{Error, File, Program, Settings};
use std::fs;
use std::io::{self, BufRead, BufReader, Read};

/// An input file.
#[derive(Debug)]
pub(crate) struct Input {
    /// Its name as given, without the program suffix; `-` is standard input.
    pub(crate) name: String,
    /// The program that the name selects: the text after `#`.
    which: Option<String>,
    /// Its contents.
    pub(crate) bytes: Vec<u8>,
}

/// An opened file, and the selected program in it.
#[derive(Debug)]
pub(crate) struct Selected<'i> {
    /// The file.
    pub(crate) file: File<'i>,
    /// The program; `None` if all are selected.
    pub(crate) program: Option<Program<'i>>,
}

impl<'i> Selected<'i> {
    /// The selected program, else the first.
    pub(crate) fn first(&self) -> shisa::Result<Program<'i>> {
        self.program.clone().map_or_else(|| self.file.program(1), Ok)
    }

    /// The selected programs.
    pub(crate) fn programs(&self) -> Vec<Program<'i>> {
        self.program.clone().map_or_else(|| self.file.programs().collect(), |p| vec![p])
    }
}

impl Input {
    /// Reads a file of at most `limit` bytes; `-` is standard input. `FILE#3` and `FILE#NAME` select one of its
    /// programs, unless a file has that name.
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

    /// Opens it, and reports the findings. Returns `None` if it cannot be opened or has no such program.
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

    /// Does the same as [`Input::open`] with a given function to open it, and does not report warnings.
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
            Stop::Failed(format!("{name}: not text in UTF-8 ({e}); `shisa dis` disassembles a program"))
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
