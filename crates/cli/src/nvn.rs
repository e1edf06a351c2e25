//! The pair of files that NVN takes.

use crate::input::Input;
use crate::report::Report;
use crate::stop::Stop;
use shisa::Settings;
use shisa::maxwell::container::NvnControl;

/// The other file of a pair.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Options for Maxwell")]
pub(crate) struct Nvn {
    /// The control file of NVN that belongs to FILE, a code file
    #[arg(long, value_name = "CONTROL")]
    nvn_control: Option<String>,
}

impl Nvn {
    /// What the control file tells, if one is given; it belongs to one file. An error inside when it is none, which
    /// has been reported.
    pub(crate) fn read(
        &self,
        files: usize,
        settings: &Settings,
        report: &mut Report,
    ) -> Result<Result<Option<NvnControl>, ()>, Stop> {
        let Some(name) = &self.nvn_control else { return Ok(Ok(None)) };
        if files != 1 {
            return Err(Stop::Failed("--nvn-control belongs to one code file".into()));
        }
        let input = Input::read(name, settings.limits.file)?;
        match NvnControl::read(&input.bytes, &settings.limits) {
            Ok(control) => Ok(Ok(Some(control))),
            Err(found) => report.all(&found, &input).map(|()| Err(())),
        }
    }
}
