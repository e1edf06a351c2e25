//! `shisa extract`

use super::isa::{IsaName, doubt};
use crate::input::Input;
use crate::nvn::Nvn;
use crate::options::Global;
use crate::output;
use crate::report::Report;
use crate::stop::{Status, Stop};

/// Write a program of a file to a file of its own
///
/// Of AGAL its tokens, of PICA200 a shader binary with that program alone, of Maxwell its Shader Program Header, if it has
/// one, and its code, of AGX its code.
#[derive(Debug, clap::Args)]
pub(crate) struct Extract {
    /// The file; - is standard input
    #[arg(value_name = "FILE")]
    file: String,
    /// The instruction set; without it the content tells it
    #[arg(long, value_enum)]
    isa: Option<IsaName>,
    /// Which program, from 1, as `identify` lists them
    #[arg(long, value_name = "N", default_value_t = 1)]
    program: usize,
    /// Where the program goes; - is standard output
    #[arg(short, long, value_name = "OUT", default_value = "-")]
    output: String,
    #[command(flatten)]
    nvn: Nvn,
    /// The cubin that the program lies in, decompressed, in place of its code
    #[arg(long, help_heading = "Options for Maxwell")]
    cubin: bool,
}

impl Extract {
    /// Extracts it.
    pub(crate) fn run(&self, global: &Global) -> Result<Status, Stop> {
        let mut settings = global.settings()?;
        settings.isa = self.isa.map(Into::into);
        let mut report = Report::new(global);
        let Ok(nvn) = self.nvn.read(1, &settings, &mut report)? else {
            return Ok(report.status());
        };
        let input = Input::read(&self.file, settings.limits.file)?;
        doubt(&input, self.isa, &settings, &mut report)?;
        let how = shisa::Extract { program: Some(self.program), cubin: self.cubin, nvn };
        match shisa::extract(&input.bytes, &how, &settings) {
            Ok(bytes) => output::write(&self.output, &bytes)?,
            Err(e) => report.all(&e.diagnostics, &input)?,
        }
        Ok(report.status())
    }
}
