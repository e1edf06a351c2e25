//! `shisa dis`

use super::bulk;
use super::isa::{IsaName, Surroundings, Words, doubt};
use crate::input::Input;
use crate::nvn::Nvn;
use crate::options::{Format, Global};
use crate::output;
use crate::raw::RawOptions;
use crate::report::Report;
use crate::stop::{Status, Stop};
use clap::ValueEnum;
use shisa::agal::{DisOptions, Syntax};
use shisa::maxwell::container::NvnControl;
use shisa::{AgxListing, Cfg, Listing, MaxwellListing, MaxwellSyntax, Settings};
use std::borrow::Cow;

/// Disassemble a program, so that `asm` gives the same bytes back
#[derive(Debug, clap::Args)]
pub(crate) struct Dis {
    /// The program; - is standard input
    #[arg(required_unless_present = "words", conflicts_with = "words")]
    file: Option<String>,
    /// The instruction set; without it the content tells it
    #[arg(long, value_enum)]
    isa: Option<IsaName>,
    /// Whose text
    #[arg(long, value_enum, default_value_t)]
    syntax: SyntaxName,
    /// Which program, from 1, of a file that holds several; without it all (the first for --cfg)
    #[arg(long, value_name = "N", conflicts_with = "words")]
    program: Option<usize>,
    /// Write the control flow graph instead; takes a program as text, too
    #[arg(long, value_enum, value_name = "AS", conflicts_with = "words")]
    cfg: Option<CfgName>,
    /// Show the bytes of each instruction
    #[arg(long)]
    hex: bool,
    /// Show where each instruction lies
    #[arg(long)]
    offsets: bool,
    /// In nvdisasm's text, no braces around instructions that issue together
    #[arg(long, conflicts_with = "words")]
    novliw: bool,
    /// Show which registers are needed behind each instruction
    #[arg(long, conflicts_with = "words")]
    live: bool,
    /// Lone words in hex, one a line; writes their text, one a line
    #[arg(long, value_name = "FILE")]
    words: Option<String>,
    #[command(flatten)]
    around: Surroundings,
    #[command(flatten)]
    raw: RawOptions,
    #[command(flatten)]
    nvn: Nvn,
}

/// Whose text to write.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum SyntaxName {
    /// What `asm` takes
    #[default]
    Default,
    /// Of Adobe's C++ disassembler (AGAL)
    Adobe,
    /// Of nvdisasm 12 (Maxwell)
    Nvdisasm,
    /// Of Mesa 25.2's disassembler (AGX)
    Mesa,
    /// Of applegpu's disassembler (AGX)
    Applegpu,
}

impl SyntaxName {
    /// The instruction set whose text it is; `None` for ours, which all have.
    fn isa(self) -> Option<shisa::Isa> {
        match self {
            SyntaxName::Default => None,
            SyntaxName::Adobe => Some(shisa::Isa::Agal),
            SyntaxName::Nvdisasm => Some(shisa::Isa::Maxwell),
            SyntaxName::Mesa | SyntaxName::Applegpu => Some(shisa::Isa::Agx),
        }
    }

    /// The same of AGX.
    fn agx(self) -> shisa::agx::Syntax {
        match self {
            SyntaxName::Mesa => shisa::agx::Syntax::Mesa,
            SyntaxName::Applegpu => shisa::agx::Syntax::Applegpu,
            _ => shisa::agx::Syntax::Full,
        }
    }
}

/// What a graph is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum CfgName {
    /// The language of Graphviz
    Dot,
    /// Blocks and ways between them
    Json,
}

impl Dis {
    /// Refuses text of a tool that knows another instruction set.
    fn fits(&self, isa: Option<shisa::Isa>) -> Result<(), Stop> {
        let (Some(isa), Some(of)) = (isa, self.syntax.isa()) else { return Ok(()) };
        if isa == of {
            return Ok(());
        }
        let syntax = self.syntax.to_possible_value();
        let syntax = syntax.as_ref().map_or("", |v| v.get_name());
        Err(Stop::Failed(format!("--syntax {syntax} is text of {}, and this is {}", of.name(), isa.name())))
    }

    /// Disassembles it.
    pub(crate) fn run(&self, global: &Global) -> Result<Status, Stop> {
        if let Some(name) = &self.words {
            self.fits(self.isa.map(Into::into))?;
            let words = Words::new(self.isa, &self.around, self.syntax.agx())?;
            bulk::lines(name, |digits, out| words.disassemble(digits, out))?;
            return Ok(Status::Fine);
        }
        let mut settings = global.settings()?;
        settings.isa = self.isa.map(Into::into);
        let mut report = Report::new(global);
        let name = self.file.as_deref().unwrap_or("-");
        // `asm` gives the same words back.
        let Some(input) = self.raw.read(name, true, &settings, &mut report)? else {
            return Ok(report.status());
        };
        let Ok(nvn) = self.nvn.read(1, &settings, &mut report)? else { return Ok(report.status()) };
        settings.isa = nvn.map(|_| shisa::Isa::Maxwell).or(settings.isa);
        if self.syntax != SyntaxName::Default {
            self.fits(settings.isa.or_else(|| shisa::identify(&input.bytes, &settings).isa))?;
        }
        doubt(&input, self.isa, &settings, &mut report)?;
        let listing = self.listing(nvn);
        if let Some(form) = self.cfg {
            self.graph(form, &input, listing, settings, &mut report)?;
            return Ok(report.status());
        }
        let done = match global.format {
            Format::Text => shisa::disassemble(&input.bytes, &listing, &settings)
                .map_err(|e| e.diagnostics)
                .map(|text| output::write("-", text.as_bytes())),
            Format::Json => shisa::listing_json(&input.bytes, &listing, &settings)
                .map_err(|e| e.diagnostics)
                .map(|value| output::json("-", &value)),
        };
        match done {
            Ok(written) => written?,
            Err(found) => report.all(&found, &input)?,
        }
        Ok(report.status())
    }

    /// What to write.
    fn listing(&self, nvn: Option<NvnControl>) -> Listing {
        Listing {
            program: self.program,
            live: self.live,
            agal: DisOptions {
                syntax: match self.syntax {
                    SyntaxName::Adobe => Syntax::Adobe,
                    _ => Syntax::Agal,
                },
                offsets: self.offsets,
                bytes: self.hex,
            },
            pica200: shisa::pica200::DisOptions { offsets: self.offsets, bytes: self.hex },
            maxwell: MaxwellListing {
                syntax: match self.syntax {
                    SyntaxName::Nvdisasm => MaxwellSyntax::Nvdisasm,
                    _ => MaxwellSyntax::Default,
                },
                chip: self.around.sm,
                offsets: self.offsets,
                bytes: self.hex,
                novliw: self.novliw,
                nvn,
            },
            agx: AgxListing {
                syntax: self.syntax.agx(),
                revision: self.around.isa_rev.into(),
                offsets: self.offsets,
                bytes: self.hex,
            },
        }
    }

    /// Writes the control flow graph of a program, which may be text.
    fn graph(
        &self,
        form: CfgName,
        input: &Input,
        mut listing: Listing,
        mut settings: Settings,
        report: &mut Report,
    ) -> Result<(), Stop> {
        settings.isa = input.taken_for(settings.isa);
        let program = if input.is_maxwell() {
            input.maxwell(&settings, report)?.map(|(bytes, chip)| {
                listing.maxwell.chip = Some(chip);
                Cow::Owned(bytes)
            })
        } else if input.source().is_some() {
            input.program(None, &settings, report)?
        } else {
            Some(Cow::Borrowed(&input.bytes[..]))
        };
        let Some(program) = program else { return Ok(()) };
        match Cfg::new(&program, &listing, &settings).and_then(|cfg| match form {
            CfgName::Dot => cfg.dot(&settings).map(|text| output::write("-", text.as_bytes())),
            CfgName::Json => Ok(output::json("-", &cfg.json())),
        }) {
            Ok(written) => written,
            Err(e) => report.all(&e.diagnostics, input),
        }
    }
}
