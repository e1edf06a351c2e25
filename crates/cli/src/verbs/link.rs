//! `shisa link`

use crate::input::Input;
use crate::options::Global;
use crate::output;
use crate::report::Report;
use crate::stop::{Status, Stop};
use clap::ValueEnum;
use shisa::Settings;
use shisa::agx::{PartFile, link};

/// Join shader parts to a program
#[derive(Debug, clap::Args)]
pub(crate) struct Link {
    /// The instruction set
    #[arg(long, value_enum, default_value_t)]
    isa: Parted,
    /// The part that runs first
    #[arg(long, value_name = "P")]
    prolog: Option<String>,
    /// The shader itself; - is standard input
    #[arg(long, value_name = "M")]
    main: String,
    /// The part that runs last
    #[arg(long, value_name = "E")]
    epilog: Option<String>,
    /// How many samples of a pixel are shaded one by one, 1, 2 or 4; by default all at once
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    samples: u32,
    /// Write bare code instead of a part
    #[arg(long)]
    raw: bool,
    /// The output file for the program; - is standard output
    #[arg(short, long = "output", value_name = "OUT")]
    output: String,
}

/// An instruction set whose programs are linked from parts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Parted {
    /// The GPU of M1
    #[default]
    Agx,
}

impl Link {
    /// Links the parts and writes the program.
    pub(crate) fn run(&self, global: &Global) -> Result<Status, Stop> {
        let Parted::Agx = self.isa;
        let settings = global.settings()?;
        let mut report = Report::new(global);
        if self.files().filter(|name| *name == "-").count() > 1 {
            return Err(Stop::Failed("only one part can be standard input".into()));
        }
        let mut read = |name: &str| part(name, &settings, &mut report);
        let prolog = self.prolog.as_deref().map(&mut read).transpose()?;
        let main = read(&self.main)?;
        let epilog = self.epilog.as_deref().map(&mut read).transpose()?;
        // A part that cannot be read has been reported.
        let (Some(main), true, true) = (main, prolog != Some(None), epilog != Some(None)) else {
            return Ok(report.status());
        };
        let (prolog, epilog) = (prolog.flatten(), epilog.flatten());
        let linked = link(prolog.as_ref(), &main, epilog.as_ref(), self.samples, &settings);
        let (program, warnings) =
            linked.map_or_else(|e| (None, e.diagnostics), |(p, warnings)| (Some(p), warnings));
        // Notes state which of the parts they are about.
        report.named(&warnings, &self.files().collect::<Vec<_>>().join(" + "), None)?;
        match program {
            Some(program) if self.raw => output::write(&self.output, &program.linked.code)?,
            Some(program) => output::json(&self.output, &program.to_json())?,
            None => {}
        }
        Ok(report.status())
    }
}

impl Link {
    /// The files of all parts.
    fn files(&self) -> impl Iterator<Item = &str> {
        let parts = [self.prolog.as_ref(), Some(&self.main), self.epilog.as_ref()];
        parts.into_iter().flatten().map(String::as_str)
    }
}

/// Reads a part; `None` if it is not a part, which has been reported.
fn part(name: &str, settings: &Settings, report: &mut Report) -> Result<Option<PartFile>, Stop> {
    let input = Input::read(name, settings.limits.file)?;
    match PartFile::read(&input.bytes, settings) {
        Ok(part) => Ok(Some(part)),
        Err(e) => report.all(&e.diagnostics, &input).map(|()| None),
    }
}
