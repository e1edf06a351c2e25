//! The pair of files that NVN takes.

use crate::input::Input;
use crate::report::Report;
use crate::selected::Selected;
use crate::stop::Stop;
use shisa::Settings;
use shisa::maxwell::{NvnControl, open_pair};
use std::ffi::OsString;

/// The other file of a pair.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Options for Maxwell")]
pub(crate) struct Nvn {
    /// The control file of NVN that belongs to FILE, a code file
    #[arg(long, value_name = "CONTROL")]
    nvn_control: Option<OsString>,
}

impl Nvn {
    /// Reads the control file, if one is given; it belongs to one file. The inner result is an error if the file is
    /// not a control file, which has been reported.
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
            Err(found) => {
                report.all(&found, &input);
                Ok(Err(()))
            }
        }
    }

    /// Opens a file, with its control file if there is one, and selects a program.
    pub(crate) fn open<'i>(
        control: Option<NvnControl>,
        input: &'i Input,
        program: Option<usize>,
        settings: &Settings,
        report: &mut Report,
    ) -> Result<Option<Selected<'i>>, Stop> {
        match control {
            None => input.open(program, settings, report),
            Some(control) => {
                input.opened(|code, settings| open_pair(code, control, settings), program, settings, report)
            }
        }
    }
}
