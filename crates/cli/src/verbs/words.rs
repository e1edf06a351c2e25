//! Options that the text of instructions depends on, and single words.

use crate::stop::Stop;
use shisa::data::Words;
use shisa::{Isa, Listing, Settings, agal, maxwell};
use shisa_verbs::{ChipName, Reading, RevisionName};

/// Options that the text depends on.
#[derive(Debug, clap::Args)]
pub(crate) struct Surroundings {
    /// The chip, for Maxwell: 50, 52 or 53. For binary code the default if the file does not state it; for a source
    /// it overrides .chip
    #[arg(long, value_name = "SM")]
    sm: Option<ChipName>,
    /// The control word of the bundle in which each word is the first instruction, for Maxwell
    #[arg(long, value_name = "HEX", value_parser = hex64)]
    control: Option<u64>,
    /// The address of each word, for Maxwell
    #[arg(long, value_name = "HEX", value_parser = hex32)]
    base: Option<u32>,
    /// The revision for decoding AGX's stores of texture and sampler states
    #[arg(long, value_enum, default_value_t)]
    isa_rev: RevisionName,
}

fn hex64(text: &str) -> Result<u64, String> {
    let digits = text.strip_prefix("0x").unwrap_or(text);
    u64::from_str_radix(digits, 16).map_err(|_| "up to 16 hexadecimal digits are expected".into())
}

fn hex32(text: &str) -> Result<u32, String> {
    let n = hex64(text)?;
    n.try_into().map_err(|_| "up to 8 hexadecimal digits are expected".into())
}

impl Surroundings {
    /// The settings with these options.
    pub(super) fn settings(&self, mut settings: Settings) -> Settings {
        let maxwell = &mut settings.maxwell;
        maxwell.chip = self.sm.map(|name| name.0);
        maxwell.control = self.control.unwrap_or(maxwell.control);
        maxwell.base = self.base.unwrap_or(maxwell.base);
        settings.agx.revision = self.isa_rev.into();
        settings
    }

    /// The translator of single words, if the options fit the instruction set.
    pub(super) fn words(
        &self,
        reading: &Reading,
        listing: &Listing,
        settings: &Settings,
    ) -> Result<Words, Stop> {
        let for_maxwell = self.sm.is_some() || self.control.is_some() || self.base.is_some();
        let for_agal = reading.stage.is_some() || reading.version.is_some();
        let fits = |isa: &Isa| (!for_maxwell || *isa == maxwell::ISA) && (!for_agal || *isa == agal::ISA);
        let words = settings.isa.filter(fits).and_then(|isa| Words::new(isa, listing, settings).ok());
        words.ok_or_else(|| {
            let wants = "--isa pica200, --isa maxwell [--sm 50|52|53], --isa agx, or \
                         --isa agal --stage vertex|fragment --version 1..4";
            Stop::Failed(format!("--words wants {wants}"))
        })
    }
}
