//! `shisa extract`

use crate::input::Input;
use crate::nvn::Nvn;
use crate::options::Global;
use crate::output::{OutputFiles, ProgramOut};
use crate::report::Report;
use crate::selected::Selected;
use crate::stop::{Status, Stop};
use shisa::diag::escape;
use shisa_verbs::Reading;
use std::ffi::{OsStr, OsString};
use std::path::Path;

/// Write a program of a file to a file of its own
///
/// For AGAL its tokens; for PICA200 a shader binary with only this program; for Maxwell its Shader Program Header, if
/// it has one, and its code; for AGX its code.
#[derive(Debug, clap::Args)]
pub(crate) struct Extract {
    /// The file; - is standard input. FILE#N and FILE#NAME are one of its programs
    #[arg(value_name = "FILE", default_value = "-")]
    file: OsString,
    /// Which program, from 1, as `identify` lists them; by default the first
    #[arg(long, value_name = "N")]
    program: Option<usize>,
    #[command(flatten)]
    output: ProgramOut,
    /// Write every program to a file of its own in this directory, and list the files
    #[arg(long, value_name = "DIR", conflicts_with_all = ["program", "output", "cubin"])]
    all: Option<OsString>,
    #[command(flatten)]
    reading: Reading,
    #[command(flatten)]
    nvn: Nvn,
    /// Write the cubin that contains the program, decompressed, instead of the program's code
    #[arg(long, help_heading = "Options for Maxwell")]
    cubin: bool,
}

impl Extract {
    /// Runs the verb.
    pub(crate) fn run(&self, global: &Global) -> Result<Status, Stop> {
        let settings = self.reading.settings(global.settings()?);
        let mut report = Report::new(global);
        let Ok(nvn) = self.nvn.read(1, &settings, &mut report)? else {
            return Ok(report.status());
        };
        let input = Input::programs(&self.file, &settings.limits)?;
        let selected = match nvn {
            None if self.all.is_some() => input.open_all(self.program, &settings, &mut report)?,
            _ => Nvn::open(nvn, &input, self.program, &settings, &mut report)?,
        };
        let Some(selected) = selected else {
            return Ok(report.status());
        };
        if let Some(folder) = &self.all {
            every(&selected, folder, &input, &mut report)?;
            return Ok(report.status());
        }
        let bytes = selected.first().and_then(|program| match self.cubin {
            true => program.enclosing(),
            false => program.extract(),
        });
        match bytes {
            Ok(bytes) => self.output.write(&bytes)?,
            Err(e) => report.all(&e.diagnostics, &input),
        }
        Ok(report.status())
    }
}

/// Writes every program to a file of its own, and lists the files.
fn every(selected: &Selected<'_>, folder: &OsStr, input: &Input, report: &mut Report) -> Result<(), Stop> {
    std::fs::create_dir_all(folder).map_err(|e| Stop::file("create", folder, &e))?;
    let mut list = String::new();
    let mut outputs = OutputFiles::default();
    for program in selected.programs() {
        let stage = program.entry().ok().and_then(|e| e.stage);
        let stage = stage.map_or(String::new(), |s| format!(".{}", s.name()));
        let path = Path::new(folder).join(format!("{:03}{stage}.bin", program.number()));
        match program.extract() {
            Ok(bytes) => {
                outputs.add(&path, &bytes)?;
                let name = escape(&path.to_string_lossy());
                list.push_str(&format!("{name}  {}\n", escape(program.name())));
            }
            Err(e) => report.program(&e.diagnostics, &program, input),
        }
    }
    outputs.add("-", list.as_bytes())?;
    outputs.write()
}
