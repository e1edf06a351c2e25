//! Names of chips and of revisions of instruction sets.

use serde::Deserialize;
use shisa::agx::Revision;
use shisa::maxwell::Chip;
use std::str::FromStr;

/// A chip of Maxwell, by its number: 50, 52 or 53.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "u32")]
pub struct ChipName(pub Chip);

impl TryFrom<u32> for ChipName {
    type Error = String;

    fn try_from(number: u32) -> Result<ChipName, String> {
        Chip::of(number).map(ChipName).ok_or_else(|| "50, 52 or 53 is expected".into())
    }
}

impl FromStr for ChipName {
    type Err = String;

    fn from_str(text: &str) -> Result<ChipName, String> {
        // A text that is no number is no chip, as 0 is none.
        ChipName::try_from(text.parse().unwrap_or(0))
    }
}

/// The tool whose decoding of AGX is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum RevisionName {
    /// Mesa 25.2's
    #[default]
    #[serde(rename = "mesa25.2")]
    #[cfg_attr(feature = "clap", value(name = "mesa25.2"))]
    Mesa25_2,
    /// Mesa 26's
    #[serde(rename = "mesa26")]
    #[cfg_attr(feature = "clap", value(name = "mesa26"))]
    Mesa26,
}

impl From<RevisionName> for Revision {
    fn from(name: RevisionName) -> Revision {
        match name {
            RevisionName::Mesa25_2 => Revision::Mesa25_2,
            RevisionName::Mesa26 => Revision::Mesa26,
        }
    }
}
