//! Opening an input, and the selection of a program in it.

use crate::input::Input;
use crate::report::Report;
use crate::stop::Stop;
use shisa::data::Which;
use shisa::{Error, File, Program, Settings};

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
}
