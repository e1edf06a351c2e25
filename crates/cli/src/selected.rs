//! Opening an input, and the selection of a program in it.

use crate::input::Input;
use crate::report::Report;
use crate::stop::Stop;
use shisa::data::Which;
use shisa::diag::Severity;
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
    /// The selected program, else the first. What was found when the file was opened has been reported.
    pub(crate) fn first(&self) -> shisa::Result<Program<'i>> {
        let first = self.program.clone().map_or_else(|| self.file.program(1), Ok);
        first.map_err(|mut e| {
            e.diagnostics.retain(|d| !self.file.diagnostics().contains(d));
            e
        })
    }

    /// The selected programs.
    pub(crate) fn programs(&self) -> Vec<Program<'i>> {
        self.program.clone().map_or_else(|| self.file.programs().collect(), |p| vec![p])
    }
}

impl Input {
    /// Opens it for a verb of one program, and reports the findings. Returns `None` if it cannot be opened or has no such
    /// program. Faults of the file are warnings if it has programs.
    pub(crate) fn open(
        &self,
        program: Option<usize>,
        settings: &Settings,
        report: &mut Report,
    ) -> Result<Option<Selected<'_>>, Stop> {
        let selected = self.opened(File::open, program, settings, report)?;
        if let Some(selected) = &selected {
            self.report_opening(selected, selected.file.programs().len() > 0, report);
        }
        Ok(selected)
    }

    /// Does the same for a verb of all programs, unless one is selected: a file that was not read to its end is an
    /// error.
    pub(crate) fn open_all(
        &self,
        program: Option<usize>,
        settings: &Settings,
        report: &mut Report,
    ) -> Result<Option<Selected<'_>>, Stop> {
        let selected = self.opened(File::open, program, settings, report)?;
        if let Some(selected) = &selected {
            self.report_opening(selected, selected.program.is_some(), report);
        }
        Ok(selected)
    }

    /// Reports the findings from opening the file, as warnings if they do not concern the work.
    fn report_opening(&self, selected: &Selected<'_>, apart: bool, report: &mut Report) {
        let mut found = selected.file.diagnostics().to_vec();
        for d in found.iter_mut().filter(|_| apart) {
            d.severity = d.severity.min(Severity::Warning);
        }
        report.all(&found, self);
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
            let program = which.map(|which| file.program(which)).transpose();
            Ok(Selected { program: program?, file })
        };
        match open(&self.bytes, &settings).and_then(select) {
            Ok(selected) => Ok(Some(selected)),
            Err(mut e) => {
                // A directory also contains files of other kinds.
                for d in e.diagnostics.iter_mut().filter(|d| self.found && d.code == "not-recognised") {
                    d.severity = Severity::Warning;
                }
                report.all(&e.diagnostics, self);
                Ok(None)
            }
        }
    }
}
