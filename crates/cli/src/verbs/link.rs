//! `shisa link`

use crate::input::Input;
use crate::options::Global;
use crate::output::{self, Force};
use crate::report::Report;
use crate::stop::{Status, Stop};
use clap::ValueEnum;
use shisa::Settings;
use shisa::agx::{PartFile, link};
use shisa::pica200::link_files;
use std::ffi::{OsStr, OsString};

/// Join shader parts to a program, or objects to a shader binary
///
/// For AGX, the parts of one program; for PICA200, objects (DVOJ), each of which becomes a program of a shader binary.
#[derive(Debug, clap::Args)]
pub(crate) struct Link {
    /// The objects of PICA200; - is standard input
    #[arg(value_name = "OBJECT", conflicts_with_all = ["prolog", "main", "epilog", "samples", "raw"])]
    objects: Vec<OsString>,
    /// The instruction set
    #[arg(long, value_enum, default_value_t)]
    isa: Parted,
    /// The part that runs first
    #[arg(long, value_name = "P")]
    prolog: Option<OsString>,
    /// The shader itself; - is standard input
    #[arg(long, value_name = "M", required_unless_present = "objects")]
    main: Option<OsString>,
    /// The part that runs last
    #[arg(long, value_name = "E")]
    epilog: Option<OsString>,
    /// How many samples of a pixel are shaded one by one, 1, 2 or 4; by default all at once
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    samples: u32,
    /// Write bare code instead of a part
    #[arg(long)]
    raw: bool,
    /// The output file for the program; - is standard output
    #[arg(short, long = "output", value_name = "OUT")]
    output: OsString,
    #[command(flatten)]
    force: Force,
}

/// An instruction set whose programs are linked from parts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Parted {
    /// The GPU of M1
    #[default]
    Agx,
    /// The shader unit of the 3DS
    Pica200,
}

impl Link {
    /// Links the parts and writes the program.
    pub(crate) fn run(&self, global: &Global) -> Result<Status, Stop> {
        let settings = global.settings()?;
        let mut report = Report::new(global);
        let (Parted::Agx, Some(main)) = (self.isa, &self.main) else {
            return self.objects(&settings, report);
        };
        if self.files().filter(|name| *name == "-").count() > 1 {
            return Err(Stop::Failed("only one part can be standard input".into()));
        }
        let mut read = |name: &OsStr| part(name, &settings, &mut report);
        let prolog = self.prolog.as_deref().map(&mut read).transpose()?;
        let main = read(main)?;
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
        report.named(&warnings, &names(self.files()), None);
        match program {
            Some(program) if self.raw => output::binary(&self.output, &program.linked.code, &self.force)?,
            Some(program) => output::json(&self.output, &program.to_json())?,
            None => {}
        }
        Ok(report.status())
    }
}

impl Link {
    /// Links objects of PICA200 and writes the shader binary.
    fn objects(&self, settings: &Settings, mut report: Report) -> Result<Status, Stop> {
        if self.isa != Parted::Pica200 || self.objects.is_empty() {
            let text = "parts (--main) are linked for agx, objects (OBJECT) for pica200: see --isa";
            return Err(Stop::Failed(text.into()));
        }
        let read = |name: &OsString| Input::read(name, settings.limits.file);
        let inputs = self.objects.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        let bytes: Vec<&[u8]> = inputs.iter().map(|i| &*i.bytes).collect();
        let (binary, found) = link_files(&bytes, settings)
            .map_or_else(|e| (None, e.diagnostics), |(binary, warnings)| (Some(binary), warnings));
        // Notes state which of the objects they are about.
        report.named(&found, &names(self.objects.iter().map(OsString::as_os_str)), None);
        if let Some(binary) = binary {
            output::binary(&self.output, &binary, &self.force)?;
        }
        Ok(report.status())
    }

    /// The files of all parts.
    fn files(&self) -> impl Iterator<Item = &OsStr> {
        let parts = [self.prolog.as_ref(), self.main.as_ref(), self.epilog.as_ref()];
        parts.into_iter().flatten().map(OsString::as_os_str)
    }
}

/// All names as one.
fn names<'a>(files: impl Iterator<Item = &'a OsStr>) -> String {
    files.map(OsStr::to_string_lossy).collect::<Vec<_>>().join(" + ")
}

/// Reads a part; `None` if it is not a part, which has been reported.
fn part(name: &OsStr, settings: &Settings, report: &mut Report) -> Result<Option<PartFile>, Stop> {
    let input = Input::read(name, settings.limits.file)?;
    match PartFile::read(&input.bytes, settings) {
        Ok(part) => Ok(Some(part)),
        Err(e) => {
            report.all(&e.diagnostics, &input);
            Ok(None)
        }
    }
}
