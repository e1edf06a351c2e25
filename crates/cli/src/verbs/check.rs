//! `shisa check`

use super::pair;
use crate::files::Files;
use crate::input::Input;
use crate::nvn::Nvn;
use crate::options::Global;
use crate::raw::RawOptions;
use crate::report::Report;
use crate::selected::Selected;
use crate::stop::{Status, Stop};
use shisa::maxwell::{NvnControl, open_pair};
use shisa::{File, Settings, maxwell};
use shisa_verbs::{ChipName, Found, Reading};

/// Check programs against every rule of their instruction set
#[derive(Debug, clap::Args)]
pub(crate) struct Check {
    #[command(flatten)]
    files: Files,
    /// Which program, from 1, of files that contain several; by default all
    #[arg(long, value_name = "N")]
    program: Option<usize>,
    /// The files are a vertex and a fragment program: check also that they can be linked
    #[arg(long)]
    pair: bool,
    /// The chip, for Maxwell, if the file does not state it: 50, 52 or 53
    #[arg(long, value_name = "SM")]
    sm: Option<ChipName>,
    #[command(flatten)]
    reading: Reading,
    #[command(flatten)]
    raw: RawOptions,
    #[command(flatten)]
    nvn: Nvn,
}

impl Check {
    /// Checks every file.
    pub(crate) fn run(&self, global: &Global) -> Result<Status, Stop> {
        let mut settings = self.reading.settings(global.settings()?);
        settings.maxwell.chip = self.sm.map(|name| name.0);
        settings.isa = settings.isa.or(self.sm.map(|_| maxwell::ISA));
        // The check reports the assembler's findings.
        settings.unchecked = true;
        let mut report = Report::new(global);
        let count = self.files.names.len();
        if self.raw.given() && count != 1 {
            return Err(Stop::Failed("--descriptors needs one file of words".into()));
        }
        let Ok(nvn) = self.nvn.read(count, &settings, &mut report)? else {
            return Ok(report.status());
        };
        if self.pair {
            return self.both(&settings, report);
        }
        self.files.each(&settings.limits, &mut report, |input, report| {
            self.one(input, nvn, &settings, report).map(|_| ())
        })?;
        Ok(report.status())
    }

    /// Checks a vertex and a fragment program, and that they can be linked.
    fn both(&self, settings: &Settings, mut report: Report) -> Result<Status, Stop> {
        let [vertex, fragment] = &self.files.names[..] else {
            return Err(Stop::Failed("--pair needs a vertex and a fragment program".into()));
        };
        let inputs =
            [Input::programs(vertex, &settings.limits)?, Input::programs(fragment, &settings.limits)?];
        let vertex = self.one(&inputs[0], None, settings, &mut report)?;
        let fragment = self.one(&inputs[1], None, settings, &mut report)?;
        let (Some(vertex), Some(fragment), Status::Fine) = (vertex, fragment, report.status()) else {
            return Ok(report.status());
        };
        match (vertex.first(), fragment.first()) {
            (Ok(vertex), Ok(fragment)) => {
                pair::check((&inputs[0], &vertex), (&inputs[1], &fragment), &mut report);
            }
            (Err(e), _) => report.all(&e.diagnostics, &inputs[0]),
            (_, Err(e)) => report.all(&e.diagnostics, &inputs[1]),
        }
        Ok(report.status())
    }

    /// Opens and checks a file.
    fn one<'i>(
        &self,
        input: &'i Input,
        nvn: Option<NvnControl>,
        settings: &Settings,
        report: &mut Report,
    ) -> Result<Option<Selected<'i>>, Stop> {
        let selected = self.open(input, nvn, settings, report)?;
        Ok(selected.inspect(|selected| check(selected, input, report)))
    }

    fn open<'i>(
        &self,
        input: &'i Input,
        nvn: Option<NvnControl>,
        settings: &Settings,
        report: &mut Report,
    ) -> Result<Option<Selected<'i>>, Stop> {
        match nvn {
            _ if self.raw.given() => self.raw.open(input, false, self.program, settings, report),
            None => input.opened(File::open, self.program, settings, report),
            Some(control) => {
                let open = |code, settings: &Settings| open_pair(code, control, settings);
                input.opened(open, self.program, settings, report)
            }
        }
    }
}

/// Reports the findings about a file, or about the selected program in it.
fn check(selected: &Selected<'_>, input: &Input, report: &mut Report) {
    let found = match shisa_verbs::check(&selected.file, selected.program.as_ref()) {
        Ok(found) => found,
        Err(e) => return report.all(&e.diagnostics, input),
    };
    for Found { program, diagnostic } in found {
        match program {
            Some(program) => report.program(&[diagnostic], &program, input),
            None => report.all(&[diagnostic], input),
        }
    }
}
