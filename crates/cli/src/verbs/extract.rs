//! `shisa extract`

use crate::input::Input;
use crate::nvn::Nvn;
use crate::options::Global;
use crate::output;
use crate::reading::Reading;
use crate::report::Report;
use crate::stop::{Status, Stop};

/// Write a program of a file to a file of its own
///
/// For AGAL its tokens; for PICA200 a shader binary with only this program; for Maxwell its Shader Program Header, if
/// it has one, and its code; for AGX its code.
#[derive(Debug, clap::Args)]
pub(crate) struct Extract {
    /// The file; - is standard input. FILE#N and FILE#NAME are one of its programs
    #[arg(value_name = "FILE")]
    file: String,
    /// Which program, from 1, as `identify` lists them; by default the first
    #[arg(long, value_name = "N")]
    program: Option<usize>,
    /// The output file for the program; - is standard output
    #[arg(short, long, value_name = "OUT", default_value = "-")]
    output: String,
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
        let input = Input::read(&self.file, settings.limits.file)?;
        let Some(selected) = Nvn::open(nvn, &input, self.program, &settings, &mut report)? else {
            return Ok(report.status());
        };
        let bytes = selected.first().and_then(|program| match self.cubin {
            true => program.enclosing(),
            false => program.extract(),
        });
        match bytes {
            Ok(bytes) => output::write(&self.output, &bytes)?,
            Err(e) => report.all(&e.diagnostics, &input)?,
        }
        Ok(report.status())
    }
}
