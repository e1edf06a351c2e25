//! What is run: programs with an input.

use crate::contents;
use crate::input::Input;
use crate::options::Global;
use crate::raw::RawOptions;
use crate::reading::Reading;
use crate::report::Report;
use crate::stop::{Status, Stop};
use serde_json::Value;
use shisa::data::TraceSink;
use shisa::{Error, Isa, Program, Settings};
use std::ffi::OsString;

/// The programs and their input.
#[derive(Debug, clap::Args)]
pub(crate) struct Subject {
    /// The program; - is standard input. FILE#N and FILE#NAME are one of a file's programs. Several files are the stages
    /// of a draw call
    #[arg(value_name = "FILE", default_value = "-")]
    files: Vec<OsString>,
    /// Which program, from 1, of a file that contains several; by default the first
    #[arg(long, value_name = "N")]
    program: Option<usize>,
    /// The inputs as JSON; - is standard input. Bytes may be in files: "@data.bin", "@data.npy"
    #[arg(long, value_name = "IN.json")]
    input: OsString,
    #[command(flatten)]
    reading: Reading,
    #[command(flatten)]
    raw: RawOptions,
}

/// Programs and input that were read.
pub(crate) struct Ready<'r> {
    /// The instruction set.
    pub(crate) isa: Option<Isa>,
    /// The first file.
    pub(crate) input: &'r Input,
    /// The file of the input.
    pub(crate) json: &'r Input,
    /// The text of the input, with the contents of the files that it names.
    pub(crate) text: &'r str,
    /// The settings.
    pub(crate) settings: &'r Settings,
    /// Runs the programs on an input.
    pub(crate) run: &'r dyn Fn(&str, &mut dyn TraceSink) -> shisa::Result<Value>,
}

impl Ready<'_> {
    /// Reports why the programs did not run.
    pub(crate) fn failed(&self, error: &Error, report: &mut Report) {
        for d in &error.diagnostics {
            let file = if d.code == "run-input" { self.json } else { self.input };
            report.all(std::slice::from_ref(d), file);
        }
    }
}

impl Subject {
    /// Whether the programs or the input come from standard input.
    pub(crate) fn reads_standard_input(&self) -> bool {
        self.files.iter().chain([&self.input]).any(|file| file == "-")
    }

    /// Reads the programs and the input, and passes them on if there is no fault in them.
    pub(crate) fn ready(
        &self,
        global: &Global,
        adjust: impl FnOnce(&mut Settings),
        then: impl FnOnce(Ready<'_>, &mut Report) -> Result<(), Stop>,
    ) -> Result<Status, Stop> {
        if self.files.iter().chain([&self.input]).filter(|file| *file == "-").count() > 1 {
            return Err(Stop::Failed("only one of program and input can be standard input".into()));
        }
        let mut settings = self.reading.settings(global.settings()?);
        adjust(&mut settings);
        let mut report = Report::new(global);
        let read = |file: &OsString| Input::programs(file, &settings.limits);
        let inputs = self.files.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        let Some((input, others)) = inputs.split_first() else {
            return Err(Stop::Failed("there is no program".into()));
        };
        let json = Input::json(&self.input, settings.limits.file)?;
        let Some(selected) = self.raw.open(input, false, self.program, &settings, &mut report)? else {
            return Ok(report.status());
        };
        let mut stages = Vec::new();
        for other in others {
            let Some(next) = other.open(None, &settings, &mut report)? else { return Ok(report.status()) };
            stages.extend(next.programs());
        }
        if !stages.is_empty() {
            stages.splice(0..0, selected.programs());
        }
        let text = contents::filled(json.text()?, &self.input, settings.limits.file)?;
        let run = |text: &str, trace: &mut dyn TraceSink| match &selected.program {
            _ if !stages.is_empty() => Program::run_stages(&stages, text, trace),
            Some(program) => program.run_traced(text, trace),
            None => selected.file.run_traced(text, trace),
        };
        let ready = Ready {
            isa: selected.file.isa(),
            input,
            json: &json,
            text: &text,
            settings: &settings,
            run: &run,
        };
        then(ready, &mut report)?;
        Ok(report.status())
    }
}
