//! What is run: programs with an input.

use crate::contents;
use crate::input::Input;
use crate::material::{Material, Ready};
use crate::options::Global;
use crate::raw::RawOptions;
use crate::report::Report;
use crate::stop::{Status, Stop};
use shisa::Settings;
use shisa_verbs::Reading;
use std::ffi::{OsStr, OsString};

/// The programs.
#[derive(Debug, clap::Args)]
pub(crate) struct Subject {
    /// The program; - is standard input. FILE#N and FILE#NAME are one of a file's programs. Several files are the stages
    /// of a draw call
    #[arg(value_name = "FILE", default_value = "-")]
    files: Vec<OsString>,
    /// Which program, from 1, of a file that contains several; by default the first
    #[arg(long, value_name = "N")]
    program: Option<usize>,
    #[command(flatten)]
    reading: Reading,
    #[command(flatten)]
    raw: RawOptions,
}

impl Subject {
    /// Whether the programs or the input come from standard input.
    pub(crate) fn reads_standard_input(&self, input: &OsStr) -> bool {
        self.names().chain([input]).any(|file| file == "-")
    }

    fn names(&self) -> impl Iterator<Item = &OsStr> {
        self.files.iter().map(OsString::as_os_str)
    }

    /// Reads the programs and the input.
    pub(crate) fn read(&self, input: &OsStr, global: &Global) -> Result<Material, Stop> {
        if self.names().chain([input]).filter(|file| *file == "-").count() > 1 {
            return Err(Stop::Failed("only one of program and input can be standard input".into()));
        }
        let settings = self.reading.settings(global.settings()?);
        let read = |file: &OsString| Input::programs(file, &settings.limits);
        let inputs = self.files.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        let json = Input::json(input, settings.limits.file)?;
        let words = self.raw.read(&settings)?;
        let text = contents::filled(json.text()?, input, settings.limits.file)?.into_owned();
        Ok(Material { inputs, words, program: self.program, json, text, settings })
    }

    /// Reads the programs and the input, and passes them on if there is no fault in them.
    pub(crate) fn ready(
        &self,
        input: &OsStr,
        global: &Global,
        adjust: impl FnOnce(&mut Settings),
        then: impl FnOnce(Ready<'_>, &mut Report) -> Result<(), Stop>,
    ) -> Result<Status, Stop> {
        let mut report = Report::new(global);
        let mut material = self.read(input, global)?;
        adjust(&mut material.settings);
        material.ready(&mut report, then)?;
        Ok(report.status())
    }
}
