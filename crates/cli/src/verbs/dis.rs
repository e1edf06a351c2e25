//! `shisa dis`

use super::bulk;
use super::words::Surroundings;
use crate::input::Input;
use crate::nvn::Nvn;
use crate::options::{Format, Global};
use crate::output;
use crate::raw::RawOptions;
use crate::reading::Reading;
use crate::report::Report;
use crate::selected::Selected;
use crate::stop::{Status, Stop};
use crate::stream;
use clap::ValueEnum;
use shisa::data::Syntax;
use shisa::{Isa, Listing, Settings};
use std::ffi::OsString;

/// Disassemble a program, so that `asm` assembles it to the same bytes
#[derive(Debug, clap::Args)]
pub(crate) struct Dis {
    /// The program or its source; - is standard input, the default. FILE#N and FILE#NAME are one of a file's programs
    #[arg(conflicts_with = "words")]
    file: Option<OsString>,
    /// The syntax of the text
    #[arg(long, value_enum, default_value_t)]
    syntax: SyntaxName,
    /// Which program, from 1, of a file that contains several; by default all (the first for --cfg)
    #[arg(long, value_name = "N", conflicts_with = "words")]
    program: Option<usize>,
    /// List pieces of programs, too: text in a SWF that is joined with other text
    #[arg(long)]
    all: bool,
    /// Write the control flow graph instead
    #[arg(long, value_enum, value_name = "AS", conflicts_with = "words")]
    cfg: Option<CfgName>,
    /// Show the bytes of each instruction
    #[arg(long)]
    hex: bool,
    /// Show the offset of each instruction
    #[arg(long)]
    offsets: bool,
    /// In nvdisasm's text, omit the braces around instructions that issue together
    #[arg(long, conflicts_with = "words")]
    novliw: bool,
    /// In nvdisasm's text of a cubin, omit the targets of instructions that go to a mark or to a register
    #[arg(long, conflicts_with = "words")]
    ndf: bool,
    /// In nvdisasm's text of a cubin, omit all sections except code
    #[arg(short = 'c', long, conflicts_with = "words")]
    code: bool,
    /// Show which registers are live after each instruction
    #[arg(long, conflicts_with = "words")]
    live: bool,
    /// Single words in hex, one a line; writes their text, one a line
    #[arg(long, value_name = "FILE")]
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

/// The syntax to write.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum SyntaxName {
    /// The language that `asm` reads
    #[default]
    Default,
    /// Adobe's C++ disassembler (AGAL)
    Adobe,
    /// nvdisasm 12 (Maxwell)
    Nvdisasm,
    /// Mesa 25.2's disassembler (AGX)
    Mesa,
    /// applegpu's disassembler (AGX)
    Applegpu,
}

impl From<SyntaxName> for Syntax {
    fn from(name: SyntaxName) -> Self {
        match name {
            SyntaxName::Default => Syntax::Default,
            SyntaxName::Adobe => Syntax::Adobe,
            SyntaxName::Nvdisasm => Syntax::Nvdisasm,
            SyntaxName::Mesa => Syntax::Mesa,
            SyntaxName::Applegpu => Syntax::Applegpu,
        }
    }
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
        let (Some(isa), Some(of)) = (isa, Syntax::from(self.syntax).isa()) else { return Ok(()) };
        if isa == of {
            return Ok(());
        }
        let syntax = self.syntax.to_possible_value();
        let syntax = syntax.as_ref().map_or("", |v| v.get_name());
        Err(Stop::Failed(format!("--syntax {syntax} is for {}, and this is {}", of.name(), isa.name())))
    }

    /// Runs the verb.
    pub(crate) fn run(&self, global: &Global) -> Result<Status, Stop> {
        let mut settings = self.around.settings(self.reading.settings(global.settings()?));
        settings.pieces = self.all;
        let listing = Listing::new()
            .syntax(self.syntax.into())
            .live(self.live)
            .offsets(self.offsets)
            .bytes(self.hex)
            .novliw(self.novliw)
            .ndf(self.ndf)
            .code(self.code);
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
