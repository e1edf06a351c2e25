//! `shisa dis`

use super::bulk;
use super::words::Surroundings;
use crate::input::Input;
use crate::nvn::Nvn;
use crate::options::{Format, Global};
use crate::output;
use crate::raw::RawOptions;
use crate::report::Report;
use crate::selected::Selected;
use crate::stop::{Status, Stop};
use crate::stream;
use clap::ValueEnum;
use shisa::{Isa, Listing, Settings};
use shisa_verbs::{Listed, Reading};
use std::ffi::OsString;

/// Disassemble a program, so that `asm` assembles it to the same bytes
#[derive(Debug, clap::Args)]
pub(crate) struct Dis {
    /// The program or its source; - is standard input, the default. FILE#N and FILE#NAME are one of a file's programs
    #[arg(conflicts_with = "words")]
    file: Option<OsString>,
    /// Which program, from 1, of a file that contains several; by default all (the first for --cfg)
    #[arg(long, value_name = "N", conflicts_with = "words")]
    program: Option<usize>,
    /// List pieces of programs, too: text in a SWF that is joined with other text
    #[arg(long)]
    all: bool,
    /// Write the control flow graph instead
    #[arg(long, value_enum, value_name = "AS", conflicts_with = "words")]
    cfg: Option<CfgName>,
    #[command(flatten)]
    listed: Listed,
    /// Single words in hex, one a line; writes their text, one a line
    #[arg(long, value_name = "FILE", conflicts_with_all = ["novliw", "ndf", "code", "live"])]
    words: Option<OsString>,
    #[command(flatten)]
    reading: Reading,
    #[command(flatten)]
    around: Surroundings,
    #[command(flatten)]
    raw: RawOptions,
    #[command(flatten)]
    nvn: Nvn,
}

/// The format of a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum CfgName {
    /// The language of Graphviz
    Dot,
    /// Blocks and edges between them
    Json,
}

impl Dis {
    /// Refuses the syntax of a tool for another instruction set.
    fn fits(&self, isa: Option<Isa>) -> Result<(), Stop> {
        self.listed.fits(isa).map_err(|text| Stop::Failed(format!("--{text}")))
    }

    /// Runs the verb.
    pub(crate) fn run(&self, global: &Global) -> Result<Status, Stop> {
        let mut settings = self.around.settings(self.reading.settings(global.settings()?));
        settings.pieces = self.all;
        let listing = self.listed.listing();
        if let Some(name) = &self.words {
            self.fits(settings.isa)?;
            let words = self.around.words(&self.reading, &listing, &settings)?;
            bulk::lines(name, |digits, out| words.disassemble(digits, out))?;
            return Ok(Status::Fine);
        }
        let mut report = Report::new(global);
        let input = Input::programs(self.file.as_deref().unwrap_or("-".as_ref()), &settings.limits)?;
        let Ok(nvn) = self.nvn.read(1, &settings, &mut report)? else { return Ok(report.status()) };
        let selected = match nvn {
            // `asm` must yield the same words; a graph is that of one program.
            None => self.raw.open(&input, self.cfg.is_none(), self.program, &settings, &mut report)?,
            Some(_) => Nvn::open(nvn, &input, self.program, &settings, &mut report)?,
        };
        let Some(selected) = selected else { return Ok(report.status()) };
        self.fits(selected.file.isa())?;
        match self.write(&selected, &listing, global, &settings) {
            Ok(written) => written?,
            Err(e) => report.all(&e.diagnostics, &input),
        }
        Ok(report.status())
    }

    /// Writes the listing or the graph.
    fn write(
        &self,
        selected: &Selected<'_>,
        listing: &Listing,
        global: &Global,
        settings: &Settings,
    ) -> shisa::Result<Result<(), Stop>> {
        let Selected { file, program } = selected;
        Ok(match (self.cfg, global.format) {
            (Some(CfgName::Dot), _) => output::write("-", selected.first()?.cfg()?.dot()?.as_bytes()),
            (Some(CfgName::Json), _) => stream::json(&selected.first()?.cfg()?, &settings.limits)?,
            (None, Format::Text) => {
                let text = program.as_ref().map_or_else(|| file.listing(listing), |p| p.listing(listing))?;
                output::write("-", text.as_bytes())
            }
            (None, Format::Json) => {
                let json =
                    program.as_ref().map_or_else(|| file.listing_json(listing), |p| p.listing_json(listing));
                let written = stream::json(&json, &settings.limits);
                match json.failed() {
                    Some(e) => return Err(e),
                    None => written?,
                }
            }
        })
    }
}
