//! Options that name an instruction set and what a lone word needs besides.

use crate::input::Input;
use crate::report::Report;
use crate::stop::Stop;
use clap::ValueEnum;
use shisa::diag::Diagnostic;
use shisa::ir::Stage;
use shisa::maxwell::Chip;
use shisa::{Confidence, Settings};

/// An instruction set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum IsaName {
    /// Flash and AIR
    Agal,
    /// The Nintendo 3DS
    Pica200,
    /// GTX 900 and the Switch
    Maxwell,
    /// Apple M1
    Agx,
}

impl From<IsaName> for shisa::Isa {
    fn from(name: IsaName) -> Self {
        match name {
            IsaName::Agal => shisa::Isa::Agal,
            IsaName::Pica200 => shisa::Isa::Pica200,
            IsaName::Maxwell => shisa::Isa::Maxwell,
            IsaName::Agx => shisa::Isa::Agx,
        }
    }
}

/// Warns where a file is certainly of another instruction set than `--isa` says.
pub(super) fn doubt(
    input: &Input,
    told: Option<IsaName>,
    settings: &Settings,
    report: &mut Report,
) -> Result<(), Stop> {
    let Some(told) = told.map(shisa::Isa::from) else { return Ok(()) };
    let identity = shisa::identify(&input.bytes, settings);
    let certain = identity.isa.filter(|_| identity.confidence == Some(Confidence::Certain));
    match input.isa().map(Into::into).or(certain) {
        Some(isa) if isa != told => {
            let container = identity.container.filter(|c| *c != isa.name());
            let container = container.map_or(String::new(), |c| format!(" ({c})"));
            let text = format!("--isa says {}, and this is {}{container}", told.name(), isa.name());
            let d = Diagnostic::warning("isa-other", text).help("without --isa the content tells it");
            report.all(&[d], input)
        }
        _ => Ok(()),
    }
}

/// A stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum StageName {
    /// Once for each vertex
    Vertex,
    /// Once for each pixel
    Fragment,
}

impl From<StageName> for Stage {
    fn from(name: StageName) -> Self {
        match name {
            StageName::Vertex => Stage::Vertex,
            StageName::Fragment => Stage::Fragment,
        }
    }
}

/// What the text of lone words depends on, and what a source of AGAL is.
#[derive(Debug, clap::Args)]
pub(crate) struct Surroundings {
    /// The stage of lone words or of a source, for AGAL; the first line of a source may tell it
    #[arg(long, value_enum)]
    pub(crate) stage: Option<StageName>,
    /// The version of AGAL, 1 to 4; without it the first line of a source tells it, without that 1
    #[arg(long)]
    pub(crate) version: Option<u32>,
    /// The chip, for Maxwell: 50, 52 or 53. Of what is read where nothing else tells it, of a source in place of .chip
    #[arg(long, value_name = "SM", value_parser = chip)]
    pub(crate) sm: Option<Chip>,
    /// The control word of the bundle in which each word stands first, for Maxwell
    #[arg(long, value_name = "HEX", value_parser = hex64)]
    control: Option<u64>,
    /// The address of each word, for Maxwell
    #[arg(long, value_name = "HEX", value_parser = hex32)]
    base: Option<u32>,
    /// How AGX's stores of texture and sampler states are read
    #[arg(long, value_enum, default_value_t)]
    pub(crate) isa_rev: Revision,
}

/// Whose reading.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Revision {
    /// Mesa 25.2's
    #[default]
    #[value(name = "mesa25.2")]
    Mesa25_2,
    /// Mesa 26's
    #[value(name = "mesa26")]
    Mesa26,
}

impl From<Revision> for shisa::agx::Revision {
    fn from(name: Revision) -> Self {
        match name {
            Revision::Mesa25_2 => shisa::agx::Revision::Mesa25_2,
            Revision::Mesa26 => shisa::agx::Revision::Mesa26,
        }
    }
}

/// Reads the number of a chip.
pub(super) fn chip(text: &str) -> Result<Chip, String> {
    text.parse().ok().and_then(Chip::of).ok_or_else(|| "50, 52 or 53 is expected".into())
}

fn hex64(text: &str) -> Result<u64, String> {
    let digits = text.strip_prefix("0x").unwrap_or(text);
    u64::from_str_radix(digits, 16).map_err(|_| "up to 16 hexadecimal digits are expected".into())
}

fn hex32(text: &str) -> Result<u32, String> {
    let n = hex64(text)?;
    n.try_into().map_err(|_| "up to 8 hexadecimal digits are expected".into())
}

/// What lone words are translated with.
#[derive(Debug)]
pub(super) enum Words {
    /// Tokens.
    Agal(shisa::agal::Words),
    /// `WORD:DESCRIPTOR`.
    Pica200(shisa::pica200::Words),
    /// Instruction words.
    Maxwell(shisa::maxwell::Words),
    /// The bytes of instructions.
    Agx(shisa::agx::text::Words),
}

impl Words {
    /// By the options; `syntax` is that of AGX.
    pub(super) fn new(
        isa: Option<IsaName>,
        around: &Surroundings,
        syntax: shisa::agx::Syntax,
    ) -> Result<Words, Stop> {
        let Surroundings { stage, version, sm, control, base, isa_rev } = *around;
        let maxwell = sm.is_some() || control.is_some() || base.is_some();
        match (isa, stage, version) {
            (Some(IsaName::Agal), Some(stage), Some(version @ 1..=4)) if !maxwell => {
                Ok(Words::Agal(shisa::agal::Words::new(version, stage.into())))
            }
            (Some(IsaName::Pica200), None, None) if !maxwell => {
                Ok(Words::Pica200(shisa::pica200::Words::default()))
            }
            (Some(IsaName::Maxwell), None, None) => {
                use shisa::maxwell::{Ctx, Words as Maxwell};
                let ctx = Ctx { chip: sm.unwrap_or_default(), ..Ctx::default() };
                let control = control.unwrap_or(Maxwell::CONTROL);
                Ok(Words::Maxwell(Maxwell::new(ctx, control, base.unwrap_or(Maxwell::BASE))))
            }
            (Some(IsaName::Agx), None, None) if !maxwell => {
                let ctx = shisa::agx::Ctx { syntax, revision: isa_rev.into(), ..shisa::agx::Ctx::default() };
                Ok(Words::Agx(shisa::agx::text::Words::new(ctx)))
            }
            _ => {
                let wants = "--isa pica200, --isa maxwell [--sm 50|52|53], --isa agx, or \
                             --isa agal --stage vertex|fragment --version 1..4";
                Err(Stop::Failed(format!("--words wants {wants}")))
            }
        }
    }

    /// Appends the text of a word.
    pub(super) fn disassemble(&self, digits: &str, out: &mut Vec<u8>) -> Result<(), Diagnostic> {
        match self {
            Words::Agal(words) => words.disassemble(digits, out),
            Words::Pica200(words) => words.disassemble(digits, out),
            Words::Maxwell(words) => words.disassemble(digits, out),
            Words::Agx(words) => words.disassemble(digits, out),
        }
    }

    /// Appends the digits of a text.
    pub(super) fn assemble(&self, text: &str, out: &mut Vec<u8>) -> Result<(), Diagnostic> {
        match self {
            Words::Agal(words) => words.assemble(text, out),
            Words::Pica200(words) => words.assemble(text, out),
            Words::Maxwell(words) => words.assemble(text, out),
            Words::Agx(words) => words.assemble(text, out),
        }
    }
}
